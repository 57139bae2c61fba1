"""Weighted proportions and cross-tables, against the unweighted engine, survey and enumeration."""

from itertools import product

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusals
from tests.engine.test_calibration import ALL_SCHOOLS, DISTRICTS, MET, TYPE_SHARES, TYPES

DEVICES = {
    "warner": rr.warner(0.8),
    "k_rr": rr.k_rr(4, 1.5),
    "crosswise": rr.crosswise(0.2),
    "direct": rr.designs.direct(3),
}
RNG = np.random.default_rng(20154)


def reports_on(device, n, shares=None):
    return device.sample(RNG.choice(len(device.categories), size=n, p=shares), RNG)


@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
@pytest.mark.parametrize("method", ["unbiased", "mle"])
def test_equal_weights_give_what_the_engine_gives_unweighted(device, method):
    n = 250
    reports = reports_on(device, n)
    plain = rr.estimate(device, np.bincount(reports, minlength=len(device.reports)))
    found = rr.estimate_weighted(device, reports, rr.SurveySample(n=n), method=method)
    np.testing.assert_allclose(found.proportions, plain.proportions, atol=1e-12)
    np.testing.assert_allclose(found.covariance, plain.covariance, atol=1e-12)
    np.testing.assert_allclose(found.design_effects, n / (n - 1), rtol=1e-9)
    fixed = rr.estimate(device, plain.counts, population="fixed")
    np.testing.assert_allclose(found.randomization_covariance, fixed.covariance, atol=1e-12)


def test_score_intervals_of_equal_weights_are_wilsons():
    device, n = DEVICES["warner"], 5000
    reports = reports_on(device, n, [0.9, 0.1])
    plain = rr.estimate(device, np.bincount(reports)).interval(method="wilson")
    found = rr.estimate_weighted(device, reports, rr.SurveySample(n=n)).interval()
    np.testing.assert_allclose(found, plain, atol=2e-5)


def test_whole_weights_are_that_many_people():
    """The estimates of weights of 1, 2, 3 are those of the people repeated."""
    device = DEVICES["k_rr"]
    reports, weights = reports_on(device, 60), np.tile([1, 2, 3], 20)
    repeated = rr.estimate(device, np.bincount(np.repeat(reports, weights), minlength=4))
    for method in ("unbiased", "mle"):
        found = rr.estimate_weighted(device, reports, rr.SurveySample(weights), method=method)
        expected = rr.estimate(
            device, repeated.counts, method={"unbiased": "inversion"}.get(method, method)
        )
        np.testing.assert_allclose(found.proportions, expected.proportions, atol=1e-9)


def test_several_devices_agree_with_the_strata_of_the_engine():
    devices = [DEVICES["k_rr"], rr.designs.direct(4)]
    which = np.arange(400) % 2
    reports = np.where(which, reports_on(devices[1], 400), reports_on(devices[0], 400))
    counts = [np.bincount(reports[which == i], minlength=4) for i in (0, 1)]
    strata = rr.estimate_strata(devices, counts, method="mle")
    found = rr.estimate_weighted(devices, reports, rr.SurveySample(n=400), which, method="mle")
    np.testing.assert_allclose(found.proportions, strata.proportions, atol=1e-7)
    np.testing.assert_allclose(found.standard_errors, strata.standard_errors, rtol=0.1)
    # By itself each device's users may differ: the mean of the two estimates.
    apart = rr.estimate_weighted(devices, reports, rr.SurveySample(n=400), which)
    single = [rr.estimate(d, c).proportions for d, c in zip(devices, counts, strict=True)]
    np.testing.assert_allclose(apart.proportions, np.mean(single, axis=0), atol=1e-12)
    assert (found.standard_errors < apart.standard_errors).all()


def test_the_weighted_maximum_is_one_by_direct_search():
    """No other point of a fine grid of two proportions has a larger weighted likelihood."""
    device = rr.k_rr(3, 1.0)
    reports, weights = np.array([0, 0, 1, 2, 0, 0, 1]), np.array([1, 3, 0.5, 0.2, 2, 1, 0.3])
    found = rr.estimate_weighted(
        device, reports, rr.SurveySample(weights), method="mle"
    ).proportions

    def value(proportions):
        return weights @ np.log(device.matrix[reports] @ proportions)

    grid = [
        np.array([a, b, 100 - a - b]) / 100
        for a, b in product(range(101), repeat=2)
        if a + b <= 100
    ]
    assert value(found) >= max(map(value, grid)) - 1e-12
    assert (found >= 0).all()


@pytest.mark.parametrize(
    "device", [rr.k_rr(3, 1), rr.designs.direct(3), rr.warner(0.8), rr.crosswise(0.3)]
)
@pytest.mark.parametrize("reports", [[0] * 6, [0, 0, 1, 1, 0, 0]])
def test_few_different_reports_have_a_maximum_with_an_error(device, reports):
    sample = rr.SurveySample([1, 2, 1, 1, 1, 1])
    found = rr.estimate_weighted(device, reports, sample, method="mle")
    assert np.isfinite(found.interval()).all()
    assert found.proportions.sum() == pytest.approx(1)
    if device == rr.designs.direct(3):
        plain = rr.estimate_weighted(device, reports, sample)
        np.testing.assert_allclose(found.covariance, plain.covariance, atol=1e-6)


def test_people_without_a_report_are_a_domain():
    """Drawn, and counted among the clusters, but of no weight: as survey's subset() has it."""
    device = DEVICES["warner"]
    reports = np.array([1, -1, 0, 1, -1, 0, 1, 1])
    sample = rr.SurveySample([1, 2, 1, 3, 1, 1, 2, 1], clusters=[0, 0, 1, 1, 2, 2, 3, 3])
    found = rr.estimate_weighted(device, reports, sample)
    seen = reports >= 0
    z = np.where(seen, (reports - 0.2) / 0.6, 0.0)
    weights = np.where(seen, sample.weights, 0.0)
    mean = weights @ z / weights.sum()
    totals = np.bincount(sample.clusters, weights * (z - mean) / weights.sum())
    assert found.values[1] == pytest.approx(mean)
    assert found.covariance[1, 1] == pytest.approx(4 / 3 * (totals @ totals))
    assert found.n == 6
    assert [note.code for note in found.notes] == ["reports_missing", "few_clusters"]


def test_all_answers_alike_leave_an_interval():
    for device in (rr.designs.direct(2), rr.warner(0.8)):
        found = rr.estimate_weighted(device, [0] * 30, rr.SurveySample(n=30))
        assert found.note("all_alike")
        plain = rr.estimate(device, [30, 0]).interval(method="wilson")
        # A t quantile of 29 degrees of freedom in place of the normal one.
        np.testing.assert_allclose(found.interval(), plain, atol=0.02)
        low, high = found.possible_interval()[1]
        assert low == 0
        assert 0.1 < high < 0.25


def test_a_census_has_only_the_devices_error():
    device, n = DEVICES["warner"], 40
    reports = reports_on(device, n)
    found = rr.estimate_weighted(device, reports, rr.SurveySample(n=n, population=n))
    fixed = rr.estimate(device, np.bincount(reports, minlength=2), population="fixed")
    np.testing.assert_allclose(found.covariance, fixed.covariance, atol=1e-12)
    assert found.degrees_of_freedom == n - 1
    asked = rr.estimate_weighted(rr.designs.direct(2), reports, rr.SurveySample(n=n, population=n))
    assert asked.standard_errors.tolist() == [0, 0]
    np.testing.assert_allclose(asked.interval(), asked.values[:, None] * [1, 1], atol=1e-12)


def test_one_respondent_of_a_census_has_an_interval_without_gaps():
    found = rr.estimate_weighted(rr.warner(0.8), [1], rr.SurveySample(n=1, population=1))
    assert np.isfinite(found.interval()).all()
    assert np.isfinite(found.interval(method="normal")).all()


def test_tables_agree_with_the_engine_unweighted():
    first, second, n = DEVICES["warner"], DEVICES["k_rr"], 300
    ones, twos = reports_on(first, n), reports_on(second, n)
    counts = np.zeros((2, 4), dtype=int)
    np.add.at(counts, (ones, twos), 1)
    joint = rr.estimate_joint([first, second], counts)
    found = rr.sampling.estimate_weighted_table(
        rr.sampling.report_scores(first, ones),
        rr.sampling.report_scores(second, twos),
        rr.SurveySample(n=n),
    )
    np.testing.assert_allclose(found.proportions, joint.proportions, atol=1e-12)
    np.testing.assert_allclose(found.standard_errors, joint.standard_errors, rtol=1e-9)
    shares, plain = found.shares_within(1), joint.conditional(0, 1)
    np.testing.assert_allclose(shares.values, plain.values, atol=1e-9)
    known = np.isfinite(plain.standard_errors)
    np.testing.assert_allclose(
        shares.standard_errors[known], plain.standard_errors[known], rtol=1e-9
    )
    np.testing.assert_allclose(found.margin(0), rr.estimate(first, np.bincount(ones)).proportions)


def test_tables_of_clusters_agree_with_survey():
    """survey 4.1-1: svymean(~interaction(stype, sch.wide), dclus1), svyby(~sch.wide, ~stype)."""
    types, met = (
        rr.sampling.report_scores(rr.designs.direct(3), TYPES),
        rr.sampling.report_scores(rr.designs.direct(2), MET),
    )
    found = rr.sampling.estimate_weighted_table(types, met, DISTRICTS)
    errors = [
        [0.01740814373402, 0.04366366626215],
        [0.00961869852564, 0.02130728856670],
        [0.01965317798059, 0.02182443300026],
    ]
    np.testing.assert_allclose(found.standard_errors, errors, rtol=1e-9)
    within = [0.0209842789525, 0.0914619099888, 0.1095022483980]
    np.testing.assert_allclose(found.shares_within(0).standard_errors[:, 0], within, rtol=1e-9)


def test_independence_agrees_with_survey():
    """survey 4.1-1: svychisq(~stype + sch.wide, postStratify(dclus1, ~stype, pop.types),
    statistic="adjWald"): with a known population size both residuals are the same."""
    sample = rr.sampling.post_stratify(DISTRICTS, TYPES, TYPE_SHARES, total=ALL_SCHOOLS)
    types, met = (
        rr.sampling.report_scores(rr.designs.direct(3), TYPES),
        rr.sampling.report_scores(rr.designs.direct(2), MET),
    )
    found = rr.sampling.estimate_weighted_table(types, met, sample).independence()
    assert found.statistic == pytest.approx(1.831565012, rel=1e-8)
    assert (found.numerator_freedom, found.denominator_freedom) == (2, 13)
    assert found.p_value == pytest.approx(0.199165449, rel=1e-8)


def test_too_few_clusters_give_no_test():
    scores = rr.sampling.report_scores(rr.designs.direct(3), [0, 1, 2, 0, 1, 2])
    sample = rr.SurveySample(clusters=[0, 0, 0, 1, 1, 1])
    found = rr.sampling.estimate_weighted_table(scores, scores, sample).independence()
    assert (found.p_value, [note.code for note in found.notes]) == (1.0, ["few_clusters"])


def test_the_score_of_a_cell_is_unbiased():
    """Over all pairs of reports, for each pair of truths."""
    first, second = rr.warner(0.7), rr.k_rr(3, 1)
    pairs = list(product(range(2), range(3)))
    table = rr.sampling.estimate_weighted_table(
        rr.sampling.report_scores(first, [0, 1]),
        rr.sampling.report_scores(second, [0, 1]),
        rr.SurveySample(n=2),
    )
    assert table.shape == (2, 3)
    one, two = (rr.sampling.report_scores(d, range(len(d.reports))).values for d in (first, second))
    for truth in pairs:
        mean = sum(
            first.matrix[u, truth[0]] * second.matrix[v, truth[1]] * np.outer(one[u], two[v])
            for u, v in pairs
        )
        expected = np.zeros((2, 3))
        expected[truth] = 1
        np.testing.assert_allclose(mean, expected, atol=1e-12)


FORTY, FIRST, LAST = (
    rr.sampling.report_scores(rr.designs.direct(size), reports)
    for size, reports in ((40, [0, 1]), (2, [0, -1]), (2, [-1, 0]))
)
VALUES = rr.sampling.value_scores([1.0, 2])
test_bad_input_is_named = refusals(
    "code",
    ("not_report_scores", lambda a, s: rr.sampling.estimate_weighted_table(a, VALUES, s)),
    ("not_report_scores", lambda a, s: rr.sampling.estimate_weighted_table(a, 3, s)),
    ("too_many_cells", lambda a, s: rr.sampling.estimate_weighted_table(FORTY, FORTY, s)),
    ("too_few_reports", lambda a, s: rr.sampling.estimate_weighted_table(FIRST, LAST, s)),
    ("out_of_range", lambda a, s: rr.sampling.estimate_weighted_table(a, a, s).margin(2)),
    ("not_identifiable", lambda a, s: rr.estimate_weighted(rr.warner(0.5), [0, 1], s)),
    given=lambda: (rr.sampling.report_scores(rr.designs.direct(2), [0, 1]), rr.SurveySample(n=2)),
)
