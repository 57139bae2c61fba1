"""Post-stratification and raking, against the R package survey and over repeated samples."""

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusal, refusals
from tests.engine.school_districts import (
    ALL_DISTRICTS,
    ALL_MET,
    ALL_SCHOOLS,
    ALL_TYPES,
    CLUSTERS,
    INDEX,
    MET,
    PUPILS,
    TYPES,
    WEIGHT,
)

DISTRICTS = rr.SurveySample(
    np.full(len(TYPES), WEIGHT), clusters=CLUSTERS, population=ALL_DISTRICTS
)
TYPE_SHARES = np.array(ALL_TYPES) / ALL_SCHOOLS
MET_SHARES = np.array(ALL_MET) / ALL_SCHOOLS


def mean_of(values, sample):
    found = rr.sampling.estimate_mean(rr.sampling.value_scores(values), sample)
    return float(found.values[0]), float(found.standard_errors[0])


def test_clusters_with_a_finite_population_agree_with_survey():
    """survey 4.1-1: svymean(~api00, svydesign(id=~dnum, weights=~pw, data=apiclus1, fpc=~fpc))."""
    assert mean_of(INDEX, DISTRICTS) == pytest.approx((644.1693989, 23.5422406938), rel=1e-9)


def test_a_stratum_of_one_cluster_agrees_with_survey():
    """survey 4.1-1: options(survey.lonely.psu="adjust"), svydesign(id=~1, strata=~dnum, ...)."""
    weights = np.full(len(TYPES), WEIGHT)
    sample = rr.SurveySample(weights, strata=CLUSTERS, single_clusters="centre")
    assert mean_of(INDEX, sample)[1] == pytest.approx(5.82805790164853, rel=1e-10)


def test_strata_agree_with_survey():
    """survey 4.1-1, data fpc: svymean(~x, svydesign(..., strata=~stratid, fpc=~Nh)) and others of
    the package's tests/check.Rout.save and tests/fpc.Rout.save, to the digits printed."""
    x = [2.8, 4.1, 6.8, 6.8, 9.2, 3.7, 6.6, 4.2]
    weights, strata, units = [3] * 5 + [4] * 3, [1] * 5 + [2] * 3, [1, 2, 3, 4, 5, 1, 2, 3]
    for sample, mean, error in (
        (rr.SurveySample(weights, strata=strata, clusters=units), 5.4481, 0.7413),
        (rr.SurveySample(weights, strata=strata, population=[15, 12]), 5.4481, 0.6160),
        (rr.SurveySample(strata=strata), 5.525, 0.7796),
        (rr.SurveySample(clusters=units), 5.525, 0.838),
        (rr.SurveySample(weights, clusters=units), 5.4481, 0.7938),
        (rr.SurveySample(weights, clusters=units, population=27), 5.4481, 0.7165),
    ):
        assert mean_of(x, sample) == pytest.approx((mean, error), abs=6e-5)


def test_post_stratification_agrees_with_survey():
    """survey 4.1-1: postStratify(dclus1, ~stype, pop.types), then svymean and svytotal."""
    sample = rr.sampling.post_stratify(DISTRICTS, TYPES, TYPE_SHARES, total=ALL_SCHOOLS)
    assert mean_of(INDEX, sample) == pytest.approx((642.3107882116, 23.9204864451), rel=1e-10)
    total = rr.sampling.estimate_total(rr.sampling.value_scores(PUPILS), sample)
    assert total.values[0] == pytest.approx(3680892.945119, rel=1e-10)
    assert total.standard_errors[0] == pytest.approx(406292.636295, rel=1e-10)
    assert sample.converged
    assert sample.rounds == 1


def test_raking_agrees_with_survey():
    """survey 4.1-1: rake(dclus1, list(~stype, ~sch.wide), ..., control=list(epsilon=1e-9))."""
    sample = rr.sampling.rake(DISTRICTS, [TYPES, MET], [TYPE_SHARES, MET_SHARES], total=ALL_SCHOOLS)
    assert mean_of(INDEX, sample) == pytest.approx((641.230320927, 23.703616888), rel=1e-9)
    weights = [29.870675, 36.791025, 39.839236, 49.069072, 50.329401, 67.125529]
    np.testing.assert_allclose(np.unique(sample.weights.round(6)), weights, rtol=1e-7)
    assert sample.converged
    assert sample.deviation < 1e-10


def test_raking_agrees_with_a_published_table():
    """Kalton & Flores-Cervantes 2003, table B: adjustments of 12 cells, 4 rows by 3 columns."""
    sampled = [20, 50, 100, 30, 40, 140, 50, 100, 40, 310, 50, 70]
    people = np.reshape([80, 60, 170, 55, 40, 150, 60, 165, 55, 340, 200, 125], (3, 4))
    rows = np.repeat(np.tile(np.arange(4), 3), sampled)
    columns = np.repeat(np.repeat(np.arange(3), 4), sampled)
    shares = [people.sum(axis=0) / people.sum(), people.sum(axis=1) / people.sum()]
    sample = rr.sampling.rake(rr.SurveySample(n=1000), [rows, columns], shares, total=people.sum())
    found = np.zeros((4, 3))
    found[rows, columns] = sample.factors.round(2)
    published = [[1.81, 1.45, 2.02], [1.08, 0.87, 1.21], [2.20, 1.76, 2.45], [1.83, 1.47, 2.04]]
    assert found.tolist() == published


def test_what_the_margins_tell_has_no_variance():
    sample = rr.sampling.rake(DISTRICTS, [TYPES, MET], [TYPE_SHARES, MET_SHARES])
    mean, error = mean_of(np.array(MET, dtype=float), sample)
    assert mean == pytest.approx(MET_SHARES[1], abs=1e-9)
    assert error < 1e-9
    assert mean_of(INDEX, sample)[1] > 20


def test_the_order_of_respondents_changes_no_digit():
    order = np.random.default_rng(3).permutation(len(TYPES))
    raked = [
        rr.sampling.rake(
            rr.SurveySample(np.arange(1, 184)[each], clusters=np.array(CLUSTERS)[each]),
            [np.array(TYPES)[each], np.array(MET)[each]],
            [TYPE_SHARES, MET_SHARES],
            limits=(0.1, 4),
        )
        for each in (np.arange(len(TYPES)), order)
    ]
    assert (raked[1].weights == raked[0].weights[order]).all()
    values = np.array(INDEX)
    assert mean_of(values[order], raked[1]) == mean_of(values, raked[0])


def test_missing_answers_are_left_alone_by_their_margin():
    answers = [0, 0, 1, -1, -1]
    sample = rr.sampling.rake(rr.SurveySample(n=5), [answers], [[0.5, 0.5]])
    np.testing.assert_allclose(sample.weights, [0.75, 0.75, 1.5, 1, 1])
    assert sample.converged


def test_limits_hold_and_margins_too_where_they_can():
    shares = [TYPE_SHARES, MET_SHARES]
    free = rr.sampling.rake(DISTRICTS, [TYPES, MET], shares)
    held = rr.sampling.rake(DISTRICTS, [TYPES, MET], shares, limits=(0.8, 1.7))
    mean = held.weights.mean()
    assert free.weights.max() > 1.9 * mean > 1.7 * mean >= held.weights.max() * (1 - 1e-12)
    assert held.weights.min() >= 0.8 * mean * (1 - 1e-12)
    assert held.converged
    assert held.deviation < 1e-9
    assert held.trimmed == np.count_nonzero(np.isclose(held.weights, 1.7 * mean, rtol=1e-9))
    assert held.trimmed > 0
    assert [note.code for note in held.notes] == ["weights_trimmed"]


def test_margins_that_cannot_be_met_are_reported():
    narrow = rr.sampling.rake(DISTRICTS, [TYPES, MET], [TYPE_SHARES, MET_SHARES], limits=(0.8, 1.3))
    assert not narrow.converged
    assert narrow.deviation > 0.01
    assert [note.code for note in narrow.notes] == ["margins_not_met", "weights_trimmed"]
    # Both answers always agree, and their shares do not.
    torn = rr.sampling.rake(rr.SurveySample(n=4), [[0, 0, 1, 1]] * 2, [[0.5, 0.5], [0.3, 0.7]])
    assert not torn.converged
    assert torn.rounds < 100
    assert torn.deviation == pytest.approx(0.2)


def test_a_category_that_the_population_lacks_gets_the_weight_0():
    sample = rr.sampling.rake(rr.SurveySample(n=3), [[0, 1, 2]], [[0.5, 0.5, 0]])
    assert sample.weights.tolist() == [1.5, 1.5, 0]
    assert [note.code for note in sample.notes] == ["zero_weights"]


@pytest.mark.slow
def test_calibrated_estimates_are_unbiased_and_their_errors_cover():
    """A group that is over-represented and has the trait more often, 300 samples of 500 people."""
    rng = np.random.default_rng(20152)
    device, runs, n = rr.warner(0.8), 300, 500
    shares, traits, response = [0.7, 0.3], [0.1, 0.5], [0.4, 0.6]
    truth = 0.7 * 0.1 + 0.3 * 0.5
    covered, errors = 0, []
    for _ in range(runs):
        group = rng.choice(2, size=n, p=response)
        reports = device.sample((rng.random(n) < np.take(traits, group)).astype(int), rng)
        sample = rr.sampling.post_stratify(rr.SurveySample(n=n), group, shares)
        found = rr.estimate_weighted(device, reports, sample)
        low, high = found.interval()[1]
        covered += low <= truth <= high
        errors.append((found.values[1] - truth, found.standard_errors[1]))
    bias, spread = np.mean(errors, axis=0)[0], np.std([e for e, _ in errors])
    assert abs(bias) < 3 * spread / runs**0.5
    assert abs(covered / runs - 0.95) < 3 * (0.95 * 0.05 / runs) ** 0.5
    assert np.mean([s for _, s in errors]) == pytest.approx(spread, rel=3 / (2 * runs) ** 0.5)


HALVES, STRATIFIED = [[0.5, 0.5]], ([0, 1, 1], [0.5, 0.5])
test_bad_input_is_named = refusals(
    "code",
    ("empty_category", lambda s: rr.sampling.rake(s, [[0, 0, 0]], HALVES)),
    ("answers_do_not_fit", lambda s: rr.sampling.rake(s, [[0, 1, 2]], HALVES)),
    ("answers_do_not_fit", lambda s: rr.sampling.rake(s, [[0, 1]], HALVES)),
    ("answers_do_not_fit", lambda s: rr.sampling.rake(s, [[0, 1, 1]], HALVES * 2)),
    ("answers_do_not_fit", lambda s: rr.sampling.rake(s, [], [])),
    ("shares_do_not_sum", lambda s: rr.sampling.rake(s, [[0, 1, 1]], [[0.5, 0.6]])),
    ("negative_share", lambda s: rr.sampling.rake(s, [[0, 1, 1]], [[1.5, -0.5]])),
    ("limits_do_not_fit", lambda s: rr.sampling.rake(s, [[0, 1, 1]], HALVES, limits=(1, 2))),
    ("not_positive", lambda s: rr.sampling.rake(s, [[0, 1, 1]], HALVES, total=0)),
    ("labels_do_not_fit", lambda s: rr.sampling.rake(s, [[0, 1, 1]], HALVES, names=["a", "b"])),
    (
        "already_calibrated",
        lambda s: rr.sampling.post_stratify(rr.sampling.post_stratify(s, *STRATIFIED), *STRATIFIED),
    ),
    given=lambda: (rr.SurveySample(n=3),),
)


def test_an_empty_category_says_what_to_change():
    caught = refusal(
        rr.sampling.rake, rr.SurveySample(n=2), [[0, 0]], [[0.9, 0.1]], names=["region"]
    )
    message = str(caught)
    assert "category 1 of region (share 0.1)" in message
    assert "join it with another category, or leave the margin out" in message
