"""Coefficients under a weakly informative prior, each number by a second route."""

from math import inf

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import norm, qmc, t

from rr_engine import RRLogit, k_rr, warner
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError
from rr_engine.library.bayesian.coefficient_prior import PriorTerms, standardising
from rr_engine.library.bayesian.importance import TARGET, even_points, weighted_points
from rr_engine.models import CoefficientPrior, fit_bayesian

COIN = warner(0.8)


def two_coefficients(x, chance, prior, reach=60, points=320):
    """Return modes, means, deviations and quantiles of an intercept and a slope, on a grid.

    `chance(share)` gives each respondent's chance of their report, shape (n, m). The prior is about
    a covariate less its mean, over its difference (two values) or twice its deviation.
    """
    width = np.ptp(x) if len(np.unique(x)) == 2 else 2 * x.std()
    ends = np.sinh(np.linspace(-5, 5, points)) / np.sinh(5) * reach
    steps = np.gradient(ends)
    first, second = np.meshgrid(ends, ends, indexing="ij")

    def log_density(one, two):
        eta = one + np.outer((x - x.mean()) / width, two)
        value = np.log(chance(expit(eta))).sum(axis=0)
        for coefficient, scale in ((one, prior.intercept_scale), (two, prior.scale)):
            ratio = coefficient / scale
            value += norm.logpdf(ratio) if prior.degrees == inf else t.logpdf(ratio, prior.degrees)
        return value

    peak = minimize(lambda v: -log_density(*v[:, None])[0], np.zeros(2), tol=1e-10).x
    logs = np.concatenate([log_density(a, b) for a, b in zip(first, second, strict=True)])
    weights = np.exp(logs - logs.max()) * np.outer(steps, steps).ravel()
    weights /= weights.sum()
    raw = [first.ravel() - second.ravel() * x.mean() / width, second.ravel() / width]
    means = np.array([weights @ values for values in raw])
    deviations = np.sqrt([weights @ (v - m) ** 2 for v, m in zip(raw, means, strict=True)])
    mode = [peak[0] - peak[1] * x.mean() / width, peak[1] / width]
    return mode, means, deviations, lambda index, cut: weights[raw[index] <= cut].sum()


def agrees(fit, exact):
    mode, means, deviations, below = exact
    assert fit.modes == pytest.approx(mode, abs=2e-4)
    assert (np.abs(fit.means - means) < 2 * fit.monte_carlo_errors).all()
    assert fit.standard_deviations == pytest.approx(deviations, rel=0.02)
    for index, (low, high) in enumerate(fit.intervals):
        assert [below(index, low), below(index, high)] == pytest.approx([0.025, 0.975], abs=0.006)
        assert below(index, fit.medians[index]) == pytest.approx(0.5, abs=0.015)
        assert fit.positive[index] == pytest.approx(1 - below(index, 0), abs=0.015)
    assert fit.effective_draws >= TARGET


@pytest.mark.parametrize("prior", [CoefficientPrior(), CoefficientPrior(2, 5, inf)])
@pytest.mark.parametrize("n", [30, 80])
def test_randomized_answers_agree_with_a_grid(n, prior):
    generator = np.random.default_rng(15)
    x = generator.normal(size=n) * 3 + 5
    reports = (generator.random(n) < 0.2 + 0.6 * expit(x - 5.5)).astype(int)
    fit = fit_bayesian(RRLogit(COIN), x, reports, prior=prior)

    def chance(share):
        yes = 0.2 + 0.6 * share
        return np.where(reports[:, None] == 1, yes, 1 - yes)

    agrees(fit, two_coefficients(x, chance, prior))


def test_answers_that_separate_have_finite_coefficients():
    x = np.repeat([0.0, 1.0], 12)
    answers = np.repeat([0, 1], 12)
    fit = fit_bayesian(RRLogit(direct(2)), x, answers)
    exact = two_coefficients(
        x,
        lambda share: np.maximum(np.where(answers[:, None] == 1, share, 1 - share), 1e-300),
        CoefficientPrior(),
    )
    agrees(fit, exact)
    assert [note.code for note in fit.notes] == ["separated"]


def test_reports_that_are_all_the_same_have_a_posterior():
    x = np.linspace(-1, 1, 15)
    fit = fit_bayesian(RRLogit(COIN), x, np.zeros(15, int), prior=CoefficientPrior(2, 3, 7))

    def chance(share):
        return 1 - (0.2 + 0.6 * share)

    agrees(fit, two_coefficients(x, chance, CoefficientPrior(2, 3, 7)))
    assert [note.code for note in fit.notes] == ["separated"]
    assert fit.n == 15


def test_bioassay_has_the_published_mode_under_a_cauchy_prior():
    """Gelman et al. (2008), section 4.2: glm 10.2 (6.4), bayesglm -0.2 (0.6) and 5.4 (2.2).

    Four doses, five animals each; doses scaled over the four. Their errors take the curvature of
    the normal distributions that stand for the prior, (degrees + 1)/(degrees scale^2 + beta^2).
    """
    doses = np.array([-0.86, -0.30, -0.05, 0.73])
    x = np.repeat((doses - doses.mean()) / (2 * doses.std(ddof=1)), 5)
    answers = np.concatenate([np.repeat([1, 0], [dead, 5 - dead]) for dead in (0, 1, 3, 5)])
    alone = RRLogit(direct(2)).fit(x, answers)
    assert [*alone.params.round(1), *alone.standard_errors.round(1)] == [-0.1, 10.2, 0.7, 6.4]
    terms, columns = PriorTerms(np.array([10, 2.5]), 1.0), np.column_stack([np.ones(20), x])

    def fall(theta):
        share = expit(columns @ theta)
        return -np.log(np.where(answers == 1, share, 1 - share)).sum() - terms.log_density(theta)

    mode = minimize(fall, np.zeros(2), tol=1e-9).x
    assert mode.round(1).tolist() == [-0.2, 5.4]
    share = expit(columns @ mode)
    stands_for = 2 / (np.array([10, 2.5]) ** 2 + mode**2)
    information = (columns.T * share * (1 - share)) @ columns + np.diag(stands_for)
    assert np.sqrt(np.diag(np.linalg.inv(information))).round(1).tolist() == [0.6, 2.2]


@pytest.mark.parametrize("degrees", [1.0, 7.0, inf])
def test_derivatives_of_the_prior_are_its_own(degrees):
    terms, theta = PriorTerms(np.array([10.0, 2.5, 0.3]), degrees), np.array([3.0, -4.0, 0.2])
    slopes, curvatures = terms.slopes(theta)
    for index, step in enumerate(np.eye(3) * 1e-4):
        values = [float(terms.log_density(theta + move)) for move in (-step, 0 * step, step)]
        assert slopes[index] == pytest.approx((values[2] - values[0]) / 2e-4, rel=1e-5)
        bend = -(values[2] - 2 * values[1] + values[0]) / 1e-8
        assert curvatures[index] == pytest.approx(bend, rel=1e-3, abs=1e-6)


def test_many_reports_give_the_likely_coefficients():
    x = np.tile([-1.0, 0.0, 1.0, 2.0], 2500)
    reports = (np.arange(10_000) * 7919 % 10_000 / 10_000 < 0.2 + 0.6 * expit(x - 0.3)).astype(int)
    likely, fit = RRLogit(COIN).fit(x, reports), fit_bayesian(RRLogit(COIN), x, reports)
    assert fit.means == pytest.approx(likely.params, abs=0.1 * likely.standard_errors.min())
    assert fit.standard_deviations == pytest.approx(likely.standard_errors, rel=0.03)
    assert fit.laplace_errors == pytest.approx(likely.standard_errors, rel=0.01)
    assert fit.intervals == pytest.approx(likely.interval(), abs=0.01)


def test_a_multinomial_logit_has_two_rows():
    device, reports = k_rr(3, 2), np.repeat([0, 1, 2], [30, 18, 4])
    fit = fit_bayesian(RRLogit(device), None, reports, prior=CoefficientPrior(2, 3, 7))
    ends = np.linspace(-25, 12, 400)
    first, second = np.meshgrid(ends, ends, indexing="ij")
    sizes = np.exp([np.zeros(first.size), first.ravel(), second.ravel()])
    logs = np.array([30, 18, 4]) @ np.log(device.matrix @ (sizes / sizes.sum(axis=0)))
    logs += t.logpdf(first.ravel() / 3, 7) + t.logpdf(second.ravel() / 3, 7)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means = np.array([[weights @ first.ravel()], [weights @ second.ravel()]])
    assert fit.means.shape == fit.modes.shape == (2, 1)
    assert (np.abs(fit.means - means) < 3 * fit.monte_carlo_errors).all()


def test_rows_in_another_order_and_units_give_the_same():
    generator = np.random.default_rng(3)
    x, reports = generator.normal(size=60), generator.integers(0, 2, 60)
    order = generator.permutation(60)
    fit = fit_bayesian(RRLogit(COIN), x, reports)
    turned = fit_bayesian(RRLogit(COIN), x[order], reports[order])
    assert turned.means.tolist() == fit.means.tolist()
    pounds = fit_bayesian(RRLogit(COIN), 1000 * x + 7, reports)
    assert pounds.means[1] * 1000 == pytest.approx(fit.means[1], rel=1e-6)


def test_columns_are_standardised_as_the_prior_means_it():
    columns = np.column_stack([np.ones(4), [0, 0, 0, 1.0], [3, 5, 7, 9.0]])
    standard, transform = standardising(columns, np.ones(4), intercept=True)
    assert standard[:, 1].tolist() == [-0.25, -0.25, -0.25, 0.75]
    assert (standard[:, 2].mean(), standard[:, 2].std()) == (0, 0.5)
    theta = np.array([0.3, -1.0, 2.0])
    assert columns @ (transform @ theta) == pytest.approx(standard @ theta)


def test_the_sequence_is_more_even_than_chance():
    even = even_points(1024, 4)
    chance = np.random.default_rng(1).random((1024, 4))
    assert 20 * qmc.discrepancy(even) < qmc.discrepancy(chance)


def test_too_few_points_that_count_are_said():
    def spikes(points):
        return -1e4 * np.abs(np.abs(points).sum(axis=1) - 1)

    prior = PriorTerms(np.ones(9), 7.0)
    assert not weighted_points(spikes, prior, np.zeros(9), np.eye(9), 10**7)[1]


def test_what_cannot_be_fitted_is_refused():
    model, x, reports = RRLogit(COIN), [0, 1, 2, 3], [0, 1, 1, 0]
    cases = [
        (lambda: fit_bayesian(COIN, x, reports), "not_a_model"),
        (lambda: fit_bayesian(RRLogit(COIN, "identity"), x, reports), "no_likelihood"),
        (lambda: fit_bayesian(model, x, reports, prior=2.5), "not_a_prior"),
        (lambda: fit_bayesian(model, x, reports, level=95), "not_between_0_and_1"),
        (lambda: CoefficientPrior(degrees=1), "out_of_range"),
        (lambda: CoefficientPrior(scale=0), "out_of_range"),
    ]
    for make, code in cases:
        with pytest.raises(ArgumentError) as caught:
            make()
        assert caught.value.code == code
