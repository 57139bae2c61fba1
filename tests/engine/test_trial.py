import numpy as np
import pytest
from scipy.stats import binom

import rr_engine as rr
from rr_engine import estimate, k_rr, simulate_counts
from rr_engine.designs import direct
from tests.engine.engine_cases import DESIGNS, refused_values


@pytest.mark.parametrize("method", ["default", "normal"])
@pytest.mark.parametrize(("prevalence", "n"), [(0.0, 60), (0.3, 200)])
def test_trial_agrees_with_exact_coverage_and_moments(method, prevalence, n):
    # Exact by enumeration of the reported count; seed fixed, tolerance 4 standard errors.
    design = rr.k_rr(2, 1)
    share = float(design.matrix[1] @ [1 - prevalence, prevalence])
    chances = binom.pmf(range(n + 1), n, share)
    found = [rr.estimate(design, [n - yes, yes]) for yes in range(n + 1)]
    ends = np.array([one.interval(0.95, method)[1] for one in found])
    values = np.array([one.proportions[1] for one in found])
    exact = chances @ ((ends[:, 0] <= prevalence + 1e-12) & (prevalence - 1e-12 <= ends[:, 1]))
    trial = rr.planning.simulate_coverage(design, prevalence, n, 4000, method=method, rng=8)
    tolerance = 4 * np.sqrt(exact * (1 - exact) / 4000)
    assert trial.coverage[1] == pytest.approx(exact, abs=tolerance)
    assert abs(trial.bias[1]) <= 4 * trial.bias_error[1]
    outside = chances @ ((values < -1e-12) | (values > 1 + 1e-12))
    assert trial.outside[1] == pytest.approx(outside, abs=4 * np.sqrt(outside / 4000) + 1e-12)
    deviation = np.sqrt(chances @ (values - chances @ values) ** 2)
    assert trial.deviation[1] == pytest.approx(deviation, rel=0.05)
    assert trial.width[1] == pytest.approx(chances @ (ends[:, 1] - ends[:, 0]), rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k_rr 5", "four, uneven", "more reports than truths"])
@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_default_intervals_cover_for_designs_of_every_shape(name, population):
    design = DESIGNS[name]
    shares = np.linspace(1, 2, len(design.categories))
    trial = rr.planning.simulate_coverage(
        design, shares / shares.sum(), 900, 800, rng=4, population=population
    )
    assert (np.abs(trial.coverage - 0.95) <= 4 * np.sqrt(0.95 * 0.05 / 800)).all()
    assert (np.abs(trial.bias) <= 4 * trial.bias_error).all()


def test_coverage_error_is_the_binomial_one_and_the_mean_is_truth_plus_bias():
    trial = rr.planning.simulate_coverage(rr.k_rr(3, 1), [0.5, 0.3, 0.2], 300, 500, rng=1)
    expected = np.sqrt(trial.coverage * (1 - trial.coverage) / 500)
    assert trial.coverage_error == pytest.approx(expected)
    assert trial.mean == pytest.approx(trial.truth + trial.bias)
    assert (trial.repetitions, trial.level, trial.method) == (500, 0.95, "default")


def test_maximum_likelihood_never_leaves_the_range():
    kwargs = {"repetitions": 300, "rng": 2}
    assert rr.planning.simulate_coverage(rr.k_rr(2, 0.5), 0.02, 100, **kwargs).outside.min() > 0.2
    trial = rr.planning.simulate_coverage(rr.k_rr(2, 0.5), 0.02, 100, estimator="mle", **kwargs)
    assert trial.outside.max() == 0
    assert trial.bias[1] > 0


def test_a_fixed_group_is_made_of_whole_people():
    trial = rr.planning.simulate_coverage(rr.k_rr(2, 1), 0.1, 15, 20, rng=1, population="fixed")
    assert trial.truth.tolist() == [14 / 15, 1 / 15] or trial.truth.tolist() == [13 / 15, 2 / 15]


def test_the_same_seed_gives_the_same_trial():
    pair = [rr.planning.simulate_coverage(rr.k_rr(2, 1), 0.2, 100, 50, rng=6) for _ in range(2)]
    assert pair[0].mean.tolist() == pair[1].mean.tolist()


GOOD = {
    "design": rr.designs.generalized_binary(0.8, 0.9),
    "prevalence": 0.2,
    "n": 50,
    "repetitions": 5,
}
test_refuses_bad_arguments = refused_values(
    rr.planning.simulate_coverage,
    GOOD,
    n=[0, 2**53],
    repetitions=[1, 10**7],
    level=[1],
    prevalence=[2],
)


def test_refuses_shares_that_do_not_sum_and_a_device_that_tells_nothing():
    with pytest.raises(rr.errors.DistributionError):
        rr.planning.simulate_coverage(**{**GOOD, "prevalence": [0.2, 0.2]})
    with pytest.raises(rr.errors.NotIdentifiableError):
        rr.planning.simulate_coverage(**{**GOOD, "design": rr.warner(0.5)})


@pytest.mark.parametrize("population", ["sample", "fixed"])
@pytest.mark.parametrize("name", DESIGNS)
def test_counts_add_up_and_repeat_with_the_seed(name, population):
    design = DESIGNS[name]
    shares = np.full(len(design.categories), 1 / len(design.categories))
    first = simulate_counts(design, shares, 1000, rng=4, population=population)
    assert first.sum() == 1000
    again = simulate_counts(
        design, shares, 1000, rng=np.random.default_rng(4), population=population
    )
    assert np.array_equal(first, again)


def test_does_not_touch_the_global_random_state():
    before = np.random.get_state()[1].copy()
    simulate_counts(k_rr(2, 1), [0.5, 0.5], 10)
    assert np.array_equal(before, np.random.get_state()[1])


def test_fixed_truths_are_whole_people_by_largest_remainder():
    counts = simulate_counts(direct(3), [0.5, 0.3, 0.2], 11, rng=1, population="fixed")
    assert counts.tolist() == [6, 3, 2]  # quotas 5.5, 3.3, 2.2
    assert simulate_counts(direct(2), [0.5, 0.5], 0, rng=1).tolist() == [0, 0]


def test_recovers_the_truth_within_its_error():
    shares = np.array([0.1, 0.2, 0.7])
    result = estimate(k_rr(3, 1), simulate_counts(k_rr(3, 1), shares, 10**6, rng=6))
    assert (np.abs(result.proportions - shares) < 4 * result.standard_errors).all()
