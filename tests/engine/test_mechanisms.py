"""Devices with more reports than truths: how many they need, and the estimates behind them."""

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.optimisation.front import evaluate
from rr_engine.optimisation.mechanisms import best_within, capped_rays
from tests.engine.engine_cases import outcomes
from tests.engine.optimal_cases import DELTA, PRIORS, N

PRIOR = PRIORS["normal"]


@pytest.fixture(scope="module")
def solution():
    return rr.optimisation.solve_bound(PRIOR, N, 0.6, DELTA)


# OPTIMAL, section 3: 20 reports cost 3 % (normal prior, privacy .6).
@pytest.mark.slow
@pytest.mark.parametrize(("reports", "most"), [(30, 1.03), (20, 1.035), (14, 1.5)])
def test_fewer_reports_cost_a_little_and_keep_the_constraints(solution, reports, most):
    design = rr.optimisation.optimal_mechanism(solution, reports=reports)
    assert len(design.reports) <= reports
    assert solution.certificate.bound < design.mse(PRIOR, N) < most * solution.certificate.bound
    assert design.privacy(PRIOR) >= 0.6 - 1e-9
    assert design.worst_posterior(PRIOR) <= DELTA + 1e-9


def test_too_few_reports_are_refused(solution):
    with pytest.raises(rr.errors.ArgumentError, match="at least 10"):
        rr.optimisation.optimal_mechanism(solution, reports=9)


@pytest.mark.parametrize("shares", [[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]])
def test_the_linear_estimate_is_unbiased_at_any_prior_and_best_at_the_true_one(shares):
    design, truth, n = rr.kuk(0.7, 0.2, 3), np.array(shares), 4
    variances = {}
    for prior in ([0.5, 0.5], shares, [0.3, 0.7]):
        tables = outcomes(design.matrix @ truth, n)
        cases = [(rr.estimate(design, counts, prior=prior), chance) for counts, chance in tables]
        mean = sum(chance * found.proportions for found, chance in cases)
        assert mean == pytest.approx(truth, abs=1e-10)
        squares = sum(chance * (found.proportions - truth) ** 2 for found, chance in cases)
        variances[tuple(prior)] = squares.mean()
    # OPTIMAL 2.1, which design.mse evaluates: attained at every n, not in the limit alone.
    assert variances[tuple(shares)] == pytest.approx(design.mse(truth, n), rel=1e-9)
    assert min(variances.values()) >= variances[tuple(shares)] * (1 - 1e-12)


def test_the_design_s_error_is_that_of_the_information(solution):
    design = rr.optimisation.optimal_mechanism(solution)
    _, error, _ = evaluate(design.matrix[None], PRIOR)
    assert design.mse(PRIOR, N) == pytest.approx(error[0] / N, rel=1e-10)


def test_both_estimators_reach_the_error_of_the_certificate(solution):
    design = rr.optimisation.optimal_mechanism(solution).quantized(accept_infinite_epsilon=True)
    rng = np.random.default_rng(20261121)
    surveys = [rr.simulate_counts(design, PRIOR, N, rng=rng) for _ in range(120)]
    for options in ({"prior": PRIOR}, {"method": "mle"}):
        found = [rr.estimate(design, counts, **options) for counts in surveys]
        squares = ((np.array([one.proportions for one in found]) - PRIOR) ** 2).mean(axis=1)
        spread = squares.std() / np.sqrt(len(squares))
        # Within four standard errors of the surveys; maximum likelihood may be a little better,
        # since it stays inside the simplex.
        assert squares.mean() < solution.certificate.bound + 4 * spread
        assert squares.mean() > 0.85 * solution.certificate.bound - 4 * spread
        stated = np.mean([np.trace(one.covariance) for one in found]) / len(PRIOR)
        assert stated == pytest.approx(solution.certificate.bound, rel=0.05)


def test_a_prior_is_for_the_linear_estimate_alone():
    with pytest.raises(rr.errors.ArgumentError, match="prior must be left out"):
        rr.estimate(rr.kuk(0.7, 0.2, 3), [1, 2, 3, 4], method="mle", prior=[0.5, 0.5])
    square = rr.DesignMatrix([[0.75, 0.25], [0.25, 0.75]])
    plain, given = rr.estimate(square, [6, 4]), rr.estimate(square, [6, 4], prior=[0.9, 0.1])
    assert np.array_equal(plain.proportions, given.proportions)


def test_rays_within_an_epsilon_and_a_delta_keep_both():
    rays = capped_rays(PRIOR, 0.5, 2.0)
    chances = rays / PRIOR
    assert rays.max() <= 0.5 + 1e-12
    assert np.log(chances.max(axis=1) / chances.min(axis=1)).max() <= 2 + 1e-12
    matrix = best_within(rr.optimisation.solve_bound(PRIOR, N, 0.6, 0.5).certificate, 2.0)
    privacy, error, worst = (value[0] for value in evaluate(matrix[None], PRIOR))
    assert privacy >= 0.6 - 1e-9
    assert worst <= 0.5 + 1e-9
    assert np.log(matrix.max(axis=1) / matrix.min(axis=1)).max() <= 2 + 1e-9
    assert error / N >= rr.optimisation.solve_bound(PRIOR, N, 0.6, 0.5, epsilon=2).certificate.bound
