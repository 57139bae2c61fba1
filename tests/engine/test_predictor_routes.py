"""Models with randomized predictors by other routes: direct maximisation, EM, and simulation."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_ndtr, logsumexp
from scipy.stats import norm

from rr_engine import RRRegression, warner
from rr_engine.models import ReportLikelihoods
from tests.engine.predictor_coverage import MODELS, asked, logistic
from tests.engine.test_predictors import survey

pytestmark = pytest.mark.slow


def log_joint(parameters, outcome, X, predictors, family):
    """Return log Pr(combination, reports, outcome) of each respondent, written out one by one."""
    design = np.column_stack([np.ones(len(X)), (X - X.mean(axis=0)) / X.std(axis=0)])
    p = design.shape[1]
    effects = parameters[p : p + 3]
    shift = family == "linear"
    coefficients = np.vstack([np.zeros(p), parameters[p + 3 + shift :].reshape(5, p)])
    exponents = design @ coefficients.T
    log_prior = exponents - logsumexp(exponents, axis=1, keepdims=True)
    columns = []
    for first in range(3):
        for second in range(2):
            eta = design @ parameters[:p]
            eta = eta + effects @ [first == 1, first == 2, second == 1]
            if family == "linear":
                density = norm.logpdf(outcome, eta, np.exp(parameters[p + 3]))
            elif family == "logit":
                density = -np.logaddexp(0, np.where(outcome == 1, -eta, eta))
            else:
                density = log_ndtr(np.where(outcome == 1, eta, -eta))
            reports = [
                np.log(item.likelihoods[:, truth])
                for item, truth in zip(predictors, (first, second), strict=True)
            ]
            columns.append(log_prior[:, 2 * first + second] + sum(reports) + density)
    return np.column_stack(columns)


def scaled_parameters(fit, X):
    """Return the fit's parameters for covariates of mean 0 and standard deviation 1."""
    back = np.array([[1.0, X.mean()], [0.0, X.std()]])
    deviation = [] if fit.residual_deviation is None else [np.log(fit.residual_deviation)]
    return np.concatenate(
        [
            back @ fit.params[:2],
            fit.params[2:],
            deviation,
            (fit.predictor_params @ back.T).ravel(),
        ]
    )


def fitted(family):
    numbers, yes, X, predictors = survey(n=500, seed=4)
    outcome = numbers if family == "linear" else yes
    X = X[:, :1]
    return RRRegression(family).fit(outcome, X, predictors), outcome, X, predictors


@pytest.mark.parametrize("family", ["linear", "logit", "probit"])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_direct_maximisation_ends_at_the_same_point(family):
    fit, outcome, X, predictors = fitted(family)

    def loss(parameters):
        return -logsumexp(log_joint(parameters, outcome, X, predictors, family), axis=1).sum()

    found = scaled_parameters(fit, X)
    assert loss(found) == pytest.approx(-fit.log_likelihood, rel=1e-10)
    start = found + np.random.default_rng(1).normal(size=len(found)) / 20
    other = minimize(loss, start, method="BFGS", options={"gtol": 1e-3})
    assert -other.fun <= fit.log_likelihood + 1e-6
    assert other.x[:5] == pytest.approx(found[:5], abs=5e-3)
    # Second differences of this likelihood against the analytic information.
    errors = np.sqrt(np.diag(np.linalg.inv(second_differences(loss, found))))[2:5]
    assert fit.standard_errors[2:] == pytest.approx(errors, rel=2e-3)


def second_differences(loss, at):
    steps = 1e-3 * np.eye(len(at))
    ahead = np.array([loss(at + step) for step in steps])
    behind = np.array([loss(at - step) for step in steps])
    middle, size = loss(at), len(at)
    table = np.diag((ahead + behind - 2 * middle) / 2)
    for row in range(size):
        for column in range(row):
            both = loss(at + steps[row] + steps[column]) + loss(at - steps[row] - steps[column])
            ends = ahead[[row, column]].sum() + behind[[row, column]].sum()
            table[row, column] = (both - ends + 2 * middle) / 2
    return (table + table.T) / 1e-6


def test_em_ends_at_the_same_point():
    rng = np.random.default_rng(2)
    n = 800
    truth = rng.random(n) < 0.4
    y = 1 + 0.8 * truth + rng.normal(size=n)
    item = asked(rng, truth.astype(int), [warner(0.8)])
    fit = RRRegression().fit(y, None, [item])
    share, means, deviation = 0.5, np.array([y.mean(), y.mean() + 0.1]), y.std()
    for _ in range(1200):
        joint = item.likelihoods * [1 - share, share] * norm.pdf(y[:, None], means, deviation)
        weights = joint / joint.sum(axis=1, keepdims=True)
        share = weights[:, 1].mean()
        means = weights.T @ y / weights.sum(axis=0)
        deviation = np.sqrt((weights * (y[:, None] - means) ** 2).sum() / n)
    assert fit.params == pytest.approx([means[0], means[1] - means[0]], abs=1e-6)
    assert fit.residual_deviation == pytest.approx(deviation, abs=1e-6)
    assert fit.shares == pytest.approx([1 - share, share], abs=1e-6)
    assert fit.posterior == pytest.approx(weights, abs=1e-6)


def test_naive_slopes_are_attenuated_and_these_are_not():
    rng = np.random.default_rng(9)
    truth = (rng.random(20_000) < 0.4).astype(int)
    y = 1.0 * truth + rng.normal(size=20_000)
    item = asked(rng, truth, [warner(0.75)])
    reported = ReportLikelihoods(item.designs, item.row_of).row_of
    naive = np.polyfit(reported, y, 1)[0]
    fit = RRRegression().fit(y, None, [item])
    assert naive < 0.6
    assert abs(fit.params[1] - 1) < 3 * fit.standard_errors[1]


@pytest.mark.parametrize("name", ["linear, Warner 0.75, n = 1,000"])
def test_estimates_are_unbiased_and_intervals_cover(name):
    # Here are 30 surveys; docs/methods/predictors.md has 500 of each model.
    runs = [MODELS[name](np.random.default_rng([7, number])) for number in range(30)]
    truth = runs[0][1]
    values = np.array([fit.params for fit, _ in runs])
    spread = values.std(axis=0, ddof=1) / np.sqrt(30)
    assert (np.abs(values.mean(axis=0) - truth) < 3 * spread).all()
    held = [
        ((fit.interval()[:, 0] <= truth) & (truth <= fit.interval()[:, 1])).mean()
        for fit, _ in runs
    ]
    # 30 fits at 95 %: a standard error of 4 % if the four intervals of each went together.
    assert 0.95 - 3 * 0.04 <= np.mean(held) <= 1


def test_a_logit_with_a_randomized_outcome_is_not_dragged_to_zero():
    rng = np.random.default_rng(3)
    x = rng.normal(size=20_000)
    truth = (rng.random(20_000) < logistic(x)).astype(int)
    yes = (rng.random(20_000) < logistic(-0.5 + x - truth)).astype(int)
    outcome = asked(rng, yes, [warner(0.85)])
    fit = RRRegression("logit").fit(outcome, x, [asked(rng, truth, [warner(0.8)])])
    assert (np.abs(fit.params - [-0.5, 1, -1]) < 3 * fit.standard_errors).all()
