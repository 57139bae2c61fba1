"""Replicate weights, against the R package survey and against linearised variances."""

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusals
from tests.engine.test_calibration import (
    ALL_SCHOOLS,
    DISTRICTS,
    INDEX,
    MET,
    MET_SHARES,
    TYPE_SHARES,
    TYPES,
)

VALUES = np.array(INDEX)
RNG = np.random.default_rng(20153)


def mean(weights):
    return weights @ VALUES / weights.sum()


@pytest.mark.parametrize(
    ("sample", "value", "error"),
    [
        (DISTRICTS, 644.1693989071, 26.3348576685),
        (
            rr.sampling.post_stratify(DISTRICTS, TYPES, TYPE_SHARES, total=ALL_SCHOOLS),
            642.3107882116,
            26.9357276764,
        ),
        (
            rr.sampling.rake(DISTRICTS, [TYPES, MET], [TYPE_SHARES, MET_SHARES], total=ALL_SCHOOLS),
            641.2303209266,
            26.8744421645,
        ),
    ],
    ids=["plain", "post-stratified", "raked"],
)
def test_the_jackknife_agrees_with_survey(sample, value, error):
    """survey 4.1-1: as.svrepdesign(dclus1, type="JK1", mse=TRUE), then postStratify or rake."""
    found = rr.sampling.replicate_covariance(mean, rr.sampling.jackknife_weights(sample))
    assert found.values[0] == pytest.approx(value, rel=1e-9)
    assert found.standard_errors[0] == pytest.approx(error, rel=1e-8)
    assert found.degrees_of_freedom == 14


def test_the_jackknife_of_a_total_is_the_linearised_variance():
    strata = [0, 0, 0, 1, 1, 2, 2, 2]
    sample = rr.SurveySample(RNG.random(8), strata=strata, population=[5, 2, 30])
    table = RNG.normal(size=(8, 2))
    found = rr.sampling.replicate_covariance(
        lambda weights: weights @ table, rr.sampling.jackknife_weights(sample)
    )
    expected = sample.covariance_of_total(sample.weights[:, None] * table)
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-12, atol=1e-14)


def test_half_samples_agree_with_survey():
    """survey 4.1-1, data scd of Levy & Lemeshow: as.svrepdesign(scdd, type="BRR", mse=TRUE),
    svyratio(~alive, ~arrests)."""
    arrests = np.array([120, 78, 185, 228, 670, 530])
    alive = np.array([25, 24, 30, 49, 80, 70])
    sample = rr.SurveySample(strata=[1, 1, 2, 2, 3, 3])
    found = rr.sampling.replicate_covariance(
        lambda weights: weights @ alive / (weights @ arrests),
        rr.sampling.half_sample_weights(sample),
    )
    assert found.values[0] == pytest.approx(0.153506350083, rel=1e-10)
    assert found.standard_errors[0] == pytest.approx(0.00942663573267, rel=1e-10)


def test_half_samples_of_a_total_are_the_linearised_variance():
    for strata in (1, 2, 3, 4, 7, 8):
        sample = rr.SurveySample(strata=np.tile(np.arange(strata), 2))
        values = RNG.normal(size=2 * strata)
        replicates = rr.sampling.half_sample_weights(sample)
        found = rr.sampling.replicate_covariance(lambda weights, y=values: weights @ y, replicates)
        expected = sample.covariance_of_total(values[:, None])
        np.testing.assert_allclose(found.covariance, expected, rtol=1e-12)
        np.testing.assert_allclose(found.replicates.mean(), values.sum())


def test_the_bootstrap_of_a_total_has_the_linearised_variance_on_average():
    """Its variance over 4,000 replicates is within three standard errors."""
    strata, count = [0, 0, 0, 1, 1, 1, 1], 4000
    sample = rr.SurveySample(RNG.random(7) + 1, strata=strata, population=[6, 40])
    values = RNG.normal(size=7)
    replicates = rr.sampling.bootstrap_weights(sample, count, rng=5)
    assert (replicates.multipliers >= 0).all()
    found = rr.sampling.replicate_covariance(lambda weights: weights @ values, replicates)
    expected = sample.covariance_of_total((sample.weights * values)[:, None])[0, 0]
    squares = (found.replicates[:, 0] - found.values[0]) ** 2
    assert abs(found.covariance[0, 0] - expected) < 3 * squares.std() / count**0.5
    again = rr.sampling.bootstrap_weights(sample, count, rng=5)
    assert (again.multipliers == replicates.multipliers).all()


def test_any_estimator_can_be_replicated():
    """Proportions behind randomized answers; linearised and jackknife errors agree closely."""
    device, n = rr.warner(0.8), 300
    reports = device.sample((RNG.random(n) < 0.3).astype(int), RNG)
    group, clusters = RNG.integers(0, 3, n), np.arange(n) // 6
    base = rr.SurveySample(RNG.random(n) + 0.5, clusters=clusters)
    sample = rr.sampling.post_stratify(base, group, [0.2, 0.3, 0.5])

    def proportions(weights):
        return rr.estimate_weighted(device, reports, rr.SurveySample(weights)).values

    found = rr.sampling.replicate_covariance(proportions, rr.sampling.jackknife_weights(sample))
    linear = rr.estimate_weighted(device, reports, sample)
    np.testing.assert_allclose(found.values, linear.values, rtol=1e-12)
    np.testing.assert_allclose(found.standard_errors, linear.standard_errors, rtol=0.05)
    assert found.interval()[1].tolist() == pytest.approx(
        linear.interval(method="normal")[1].tolist(), abs=0.02
    )


def test_a_regression_with_calibrated_weights_has_the_errors_of_its_replicates():
    device, n = rr.warner(0.85), 600
    age, group = RNG.normal(size=n), RNG.integers(0, 2, n)
    chances = 1 / (1 + np.exp(1 - age - 0.8 * group))
    reports = device.sample((RNG.random(n) < chances).astype(int), RNG)
    base = rr.SurveySample(RNG.random(n) + 0.5, clusters=np.arange(n) // 20)
    sample = rr.sampling.post_stratify(base, group, [0.4, 0.6])
    columns = np.column_stack([age, group])

    def coefficients(weights):
        return rr.RRLogit(device).fit(columns, reports, weights).params

    fit = rr.RRLogit(device).fit(columns, reports, sample=sample)
    found = rr.sampling.replicate_covariance(coefficients, rr.sampling.jackknife_weights(sample))
    np.testing.assert_allclose(fit.params, found.values, rtol=1e-9)
    np.testing.assert_allclose(fit.standard_errors, found.standard_errors, rtol=0.1)


def test_models_take_samples_as_drawn_with_replacement():
    device, strata = rr.warner(0.85), np.repeat(["a", "b"], 60)
    reports, age = RNG.integers(0, 2, 120), RNG.normal(size=120)
    endless = rr.SurveySample(strata=strata)
    staff = rr.SurveySample(strata=strata, population={"a": 60, "b": 100})
    chances = rr.sampling.ProbabilitySample(np.where(strata == "a", 1.0, 0.6), strata=strata)
    group = RNG.integers(0, 2, 120)
    errors = [
        rr.RRLogit(device).fit(age, reports, sample=sample).standard_errors
        for sample in (
            endless,
            staff,
            rr.sampling.post_stratify(endless, group, [0.5, 0.5]),
            rr.sampling.post_stratify(staff, group, [0.5, 0.5]),
            rr.SurveySample(chances.weights, strata=strata),
            chances,
        )
    ]
    for one, other in (errors[:2], errors[2:4], errors[4:]):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_clusters_with_labels_have_the_same_replicates_in_any_order():
    labels = np.repeat(["north", "east", "south"], 4)
    order = RNG.permutation(12)
    one = rr.sampling.bootstrap_weights(rr.SurveySample(clusters=labels), 3, rng=1)
    two = rr.sampling.bootstrap_weights(rr.SurveySample(clusters=labels[order]), 3, rng=1)
    for first, second in zip(one, two, strict=True):
        assert (first[order] == second).all()


def test_the_mean_of_values_is_that_of_the_room():
    found = rr.sampling.estimate_mean(rr.sampling.value_scores(VALUES), DISTRICTS)
    assert found.values[0] == pytest.approx(mean(DISTRICTS.weights), rel=1e-14)


PAIR = rr.SurveySample(n=2)


test_bad_input_is_named = refusals(
    "code",
    ("single_cluster", lambda: rr.sampling.jackknife_weights(rr.SurveySample(n=1))),
    (
        "not_a_sample_design",
        lambda: rr.sampling.jackknife_weights(rr.sampling.ProbabilitySample([0.5, 0.5])),
    ),
    ("too_many_replicates", lambda: rr.sampling.jackknife_weights(rr.SurveySample(n=6000))),
    ("too_many_replicates", lambda: rr.sampling.bootstrap_weights(PAIR, 2**25)),
    ("not_two_clusters", lambda: rr.sampling.half_sample_weights(rr.SurveySample(n=3))),
    (
        "not_two_clusters",
        lambda: rr.sampling.half_sample_weights(rr.SurveySample(n=2, population=9)),
    ),
    ("not_replicates", lambda: rr.sampling.replicate_covariance(sum, PAIR)),
    (
        "not_a_function",
        lambda: rr.sampling.replicate_covariance(1, rr.sampling.jackknife_weights(PAIR)),
    ),
    (
        "not_a_statistic",
        lambda: rr.sampling.replicate_covariance(str, rr.sampling.jackknife_weights(PAIR)),
    ),
    (
        "not_a_statistic",
        lambda: rr.sampling.replicate_covariance(
            lambda w: w[w > 0], rr.sampling.jackknife_weights(PAIR)
        ),
    ),
)
