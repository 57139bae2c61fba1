"""A random intercept of groups, each number by a second route."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from scipy.special import expit, gammaln, ndtr
from scipy.stats import chi2, norm

import rr_engine
from rr_engine import RRLogit, forced_response, k_rr, warner
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError, CountsError
from rr_engine.library.multilevel.group_likelihood import GroupLikelihood, Rule
from rr_engine.models import average_marginal_effects
from tests.engine.multilevel_cases import herds, marginal_likelihood, schools

DEVICES = [warner(0.8), forced_response(2 / 3, 1 / 6), direct(2)]
CURVES = {"probit": ndtr, "cloglog": lambda eta: -np.expm1(-np.exp(eta))}


def codes(fit):
    return [note.code for note in fit.notes]


@pytest.fixture(scope="module")
def pupils():
    x, reports, school, which = schools()
    fit = rr_engine.models.RRMultilevelLogit(DEVICES, nodes=25).fit(x, reports, school, which)
    columns = np.column_stack([np.ones(len(x)), x - [40, 0]])
    likelihoods = np.array([device.matrix for device in DEVICES])[which, reports]
    return fit, marginal_likelihood(columns, likelihoods, school)


@pytest.fixture(scope="module")
def dense(pupils):
    """The maximum of the marginal likelihood written down by itself."""
    found = minimize(lambda theta: -pupils[1](theta), [0, 0, 0, 0.5], method="BFGS", tol=1e-7)
    return found.x, -found.fun


def centred(fit):
    """The coefficients with the first covariate measured from 40."""
    return fit.params + np.array([40 * fit.params[1], 0, 0])


def test_direct_answers_give_published_laplace_fits():
    """Herds of cbpp: glmmADMB 0.8 (log-likelihood -92.0263), mixeff's joint Laplace (digits).

    Both as printed in public pages: XiangyunHuang/r-bloggers issue 38; bbuchsbaum/mixeff, article
    "GLMM Fitting and Model Comparison". lme4's glmer prints -1.3983, -0.9919, -1.1282, -1.5797.
    """
    columns, outcomes, herd, rows = herds()
    fit = rr_engine.models.RRMultilevelLogit(direct(2), nodes=1).fit(columns, outcomes, herd)
    assert fit.params == pytest.approx([-1.3985345, -0.9923309, -1.1286704, -1.5803119], abs=4e-6)
    errors = [0.2324741, 0.3066426, 0.3266381, 0.4274367]
    assert fit.standard_errors == pytest.approx(errors, abs=4e-6)
    assert fit.group_deviation**2 == pytest.approx(0.412513, abs=3e-5)
    ways = gammaln(rows + 1)
    binomial = (ways[:, 2] - ways[:, 1] - gammaln(rows[:, 2] - rows[:, 1] + 1)).sum()
    assert fit.log_likelihood + binomial == pytest.approx(-92.0263, abs=5e-5)
    assert fit.group_sizes.tolist()[:3] == [40, 61, 74]


def test_quadrature_gives_the_maximum_of_a_dense_sum(pupils, dense):
    fit, _ = pupils
    theta, value = dense
    assert fit.log_likelihood == pytest.approx(value, abs=1e-6)
    assert [*centred(fit), fit.group_deviation] == pytest.approx(theta, abs=2e-4)
    assert (fit.converged, codes(fit)) == (True, ["few_groups"])


def test_standard_errors_are_those_of_a_dense_sum(pupils, dense):
    fit, value = pupils
    steps = np.eye(4) * 1e-3
    hessian = [
        [
            value(dense[0] + a + b) - value(dense[0] + a - b)
            - value(dense[0] - a + b) + value(dense[0] - a - b)
            for a in steps
        ]
        for b in steps
    ]  # fmt: skip
    covariance = np.linalg.inv(-np.array(hessian) / 4e-6)
    shift = np.eye(4)
    shift[0, 1] = 40
    assert shift @ fit.covariance @ shift.T == pytest.approx(covariance, rel=2e-3, abs=1e-5)


def test_intercepts_of_groups_are_means_given_their_reports(pupils):
    fit, value = pupils
    means, deviations = value(np.append(centred(fit), fit.group_deviation), means=True)
    assert fit.group_intercepts == pytest.approx(means, abs=1e-7)
    assert fit.group_errors == pytest.approx(deviations, abs=1e-7)


def test_ends_of_the_interval_lie_on_the_profile(pupils):
    fit, value = pupils
    for end in fit.deviation_interval(0.9):
        others = minimize(lambda beta, end=end: -value(np.append(beta, end)), centred(fit))
        fall = 2 * (fit.log_likelihood + others.fun)
        assert fall == pytest.approx(chi2.ppf(0.9, 1), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "deviation", "is_end"), [(direct(2), 6.5, True), (warner(0.8), 60.0, False)]
)
def test_two_groups_may_set_no_limit(device, deviation, is_end):
    """Far out the nodes of the quadrature tell nothing: no number is better than a wrong one."""
    x, groups = np.array([0, 1] * 8), np.array([1, 1, 1, 1, 2, 2, 2, 2] * 2)
    reports = np.array([0, 1, 0, 0, 1, 1, 0, 1] * 2)
    fit = rr_engine.models.RRMultilevelLogit(device).fit(x, reports, groups)
    columns = np.column_stack([np.ones(16), x])
    value = marginal_likelihood(columns, device.matrix[reports], groups, 4001, expit)
    ends = [
        minimize(lambda beta: -value(np.append(beta, deviation)), start, method="Nelder-Mead").fun
        for start in product((-deviation, deviation), repeat=2)
    ]
    fall = 2 * (fit.log_likelihood + min(ends))
    limit = chi2.ppf(0.9, 1)
    assert (fall == pytest.approx(limit, abs=1e-3)) if is_end else (fall < limit / 2)
    expected = deviation if is_end else np.inf
    assert fit.deviation_interval(0.9)[1] == pytest.approx(expected, abs=1e-3)


def test_robust_errors_are_the_sandwich_of_group_scores(pupils):
    fit, _ = pupils
    x, reports, school, which = schools()
    columns = np.column_stack([np.ones(len(x)), x - [40, 0]])
    likelihoods = np.array([device.matrix for device in DEVICES])[which, reports]
    theta = np.append(centred(fit), fit.group_deviation)
    scores = []
    for group in range(8):
        own = school == group
        part = marginal_likelihood(columns[own], likelihoods[own], school[own])
        scores.append(approx_fprime(theta, part, 1e-6))
    shift = np.eye(4)
    shift[0, 1] = 40
    bread = shift @ fit.covariance @ shift.T
    meat = np.array(scores).T @ np.array(scores) * 8 / 7
    robust = shift @ fit.with_errors("robust").covariance @ shift.T
    assert robust == pytest.approx(bread @ meat @ bread, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("link", CURVES)
def test_other_links_give_the_maximum_of_a_dense_sum(link):
    x, reports, school, which = schools(6, 30)
    likelihoods = np.array([device.matrix for device in DEVICES])[which, reports]
    fit = rr_engine.models.RRMultilevelLogit(DEVICES, link, nodes=25).fit(
        x[:, :1], reports, school, which
    )
    columns = np.column_stack([np.ones(len(x)), x[:, 0] - 40])
    value = marginal_likelihood(columns, likelihoods, school, 801, CURVES[link])
    found = minimize(lambda theta: -value(theta), [-0.5, 0.1, 0.5])
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-6)
    assert fit.group_deviation == pytest.approx(abs(found.x[-1]), abs=1e-3)


def test_there_are_as_many_nodes_as_it_takes():
    _, reports, school, which = schools(24, 60, deviation=3.0)
    randomized = which < 2
    reports, school, which = (part[randomized] for part in (reports, school, which))
    likelihoods = np.array([device.matrix for device in DEVICES[:2]])[which, reports]
    fit = rr_engine.models.RRMultilevelLogit(DEVICES).fit(None, reports, school, which)
    value = marginal_likelihood(np.ones((len(which), 1)), likelihoods, school, 2001)
    theta = np.append(fit.params, fit.group_deviation)
    assert fit.nodes > 15
    assert fit.log_likelihood == pytest.approx(value(theta), abs=2e-3)
    assert "few_nodes" not in codes(fit)
    laplace = rr_engine.models.RRMultilevelLogit(DEVICES, nodes=1).fit(None, reports, school, which)
    assert (laplace.nodes, "few_nodes" in codes(laplace)) == (1, True)
    assert fit.log_likelihood - laplace.log_likelihood > 2


@pytest.mark.parametrize("nodes", [1, 6, 15])
@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_the_gradient_is_that_of_the_quadrature(nodes, link):
    x, reports, school, which = schools(5, 12)
    likelihoods = np.array([device.matrix for device in DEVICES])[which, reports]
    columns = np.column_stack([np.ones(len(x)), (x[:, 0] - 40) / 4])
    marginal = GroupLikelihood(columns, likelihoods, np.ones(len(x)), school, link, Rule.of(nodes))
    for theta in ([-0.4, 0.7, 0.9], [0.2, -0.5, 0.0], [0.1, 0.3, 2.5]):
        slopes = [
            (marginal.value(theta + step) - marginal.value(theta - step)) / 2e-5
            for step in np.eye(3) * 1e-5
        ]
        assert marginal(np.array(theta))[1] == pytest.approx(slopes, abs=1e-6)


def test_groups_that_do_not_differ_give_the_model_without_groups():
    x = np.tile(np.arange(10.0), 12)
    reports = np.tile([0, 1, 0, 0, 1, 1, 0, 1, 1, 1], 12)
    fit = rr_engine.models.RRMultilevelLogit(warner(0.9)).fit(
        x, reports, np.repeat(np.arange(12), 10)
    )
    alone = RRLogit(warner(0.9)).fit(x, reports)
    assert (fit.group_deviation, codes(fit)) == (0, ["no_group_variance"])
    assert fit.params == pytest.approx(alone.params, abs=1e-10)
    assert fit.log_likelihood == pytest.approx(alone.log_likelihood, abs=1e-9)
    assert fit.standard_errors == pytest.approx(alone.standard_errors, rel=1e-6)
    assert fit.group_deviation_error == np.inf
    assert (fit.variance_statistic, fit.variance_p_value) == (0, 1)
    assert (fit.group_intercepts.any(), fit.intraclass_correlation) == (False, 0)
    lower, upper = fit.deviation_interval()
    assert lower == 0
    assert 0.1 < upper < 1.5


def test_the_test_of_the_variance_is_one_sided(pupils):
    fit, _ = pupils
    alone = fit.without_groups
    statistic = 2 * (fit.log_likelihood - alone.log_likelihood)
    assert fit.variance_statistic == pytest.approx(statistic)
    assert fit.variance_p_value == pytest.approx(chi2.sf(statistic, 1) / 2)
    variance = fit.group_deviation**2
    assert fit.intraclass_correlation == pytest.approx(variance / (variance + np.pi**2 / 3))


def test_neither_order_nor_names_of_groups_nor_missing_reports_matter():
    x, reports, school, which = schools(6, 20)
    model = rr_engine.models.RRMultilevelLogit(DEVICES)
    fit = model.fit(x, reports, school, which)
    order = np.random.default_rng(2).permutation(len(x))
    turned = model.fit(x[order], reports[order], school[order], which[order])
    assert turned.params.tolist() == fit.params.tolist()
    assert turned.covariance.tolist() == fit.covariance.tolist()
    texts = np.array([f"school {5 - number}" for number in school])
    named = model.fit(x, reports, texts, which)
    assert named.params == pytest.approx(fit.params, abs=1e-9)
    assert named.group_names == tuple(f"school {number}" for number in range(6))
    assert named.group_intercepts[::-1] == pytest.approx(fit.group_intercepts, abs=1e-9)
    more = [np.concatenate([part, part[:9]]) for part in (x, reports, school + 0, which)]
    more[1][-9:] = -1
    more[2][-9:] = 99
    without = model.fit(more[0], more[1], more[2], more[3])
    assert (without.params.tolist(), without.n) == (fit.params.tolist(), fit.n)


def test_what_cannot_be_fitted_is_refused():
    x, reports, school, which = schools(6, 20)
    model = rr_engine.models.RRMultilevelLogit(DEVICES)
    separated = [[1] * 20 + [0] * 20, [1] * 20 + [0] * 20, [0, 1] * 20]
    cases = [
        (lambda: rr_engine.models.RRMultilevelLogit(k_rr(3, 1)), "not_two_categories"),
        (lambda: rr_engine.models.RRMultilevelLogit(DEVICES, "identity"), "unknown_choice"),
        (lambda: rr_engine.models.RRMultilevelLogit(DEVICES, nodes=0), "out_of_range"),
        (lambda: model.fit(x, reports, school[:-1], which), "lengths_differ"),
        (lambda: model.fit(x, reports, school * 0, which), "too_few_groups"),
        (lambda: model.fit(x, reports, school / 2, which), "not_respondent_labels"),
        (lambda: model.fit(x, reports * 0 + 1, school), "constant_outcome"),
        (lambda: rr_engine.models.RRMultilevelLogit(direct(2)).fit(*separated), "separated"),
    ]
    for make, code in cases:
        with pytest.raises((ArgumentError, CountsError)) as caught:
            make()
        assert caught.value.code == code


def test_averages_over_groups_are_those_of_drawn_groups():
    x, reports, school, which = schools(8, 25, deviation=1.5)
    fit = rr_engine.models.RRMultilevelLogit(DEVICES).fit(x, reports, school, which)
    grid = (np.arange(20_000) + 0.5) / 20_000
    intercepts = fit.group_deviation * norm.ppf(grid)
    rows = np.array([[38.0, 0.0], [45.0, 1.0]])

    def averaged(rows, params=fit.params):
        eta = params[0] + rows @ params[1:]
        return expit(eta[:, None] + intercepts).mean(axis=1)

    found = rr_engine.models.group_averaged_probabilities(fit, rows)
    assert found.probabilities[:, 1] == pytest.approx(averaged(rows), abs=1e-6)
    effects = rr_engine.models.group_averaged_effects(fit)
    ahead, behind = (averaged(x + np.array([step, 0])).mean() for step in (1e-3, -1e-3))
    apart = averaged(x * [1, 0] + [0, 1]).mean() - averaged(x * [1, 0]).mean()
    assert effects.effects == pytest.approx([(ahead - behind) / 2e-3, apart], abs=1e-5)
    assert effects.discrete == (False, True)


def test_errors_of_averages_are_those_of_moved_parameters():
    x, reports, school, which = schools(8, 25, deviation=1.5)
    fit = rr_engine.models.RRMultilevelLogit(DEVICES).fit(x, reports, school, which)
    theta, rows = np.append(fit.params, fit.group_deviation), [[38.0, 0.0], [45.0, 1.0]]

    def moved(values):
        other = replace(fit, params=values[:-1], group_deviation=float(values[-1]))
        probabilities = rr_engine.models.group_averaged_probabilities(other, rows).probabilities[
            :, 1
        ]
        return np.append(probabilities, rr_engine.models.group_averaged_effects(other).effects)

    steps = np.eye(4) * np.array([1e-4, 1e-6, 1e-5, 1e-5])
    slopes = [(moved(theta + s) - moved(theta - s)) / (2 * s.max()) for s in steps]
    errors = np.sqrt(np.diag(np.array(slopes).T @ fit.covariance @ np.array(slopes)))
    found = rr_engine.models.group_averaged_probabilities(fit, rows)
    assert found.standard_errors[:, 1] == pytest.approx(errors[:2], rel=1e-4)
    assert rr_engine.models.group_averaged_effects(fit).standard_errors == pytest.approx(
        errors[2:], rel=1e-4
    )


def test_without_differences_the_averages_are_those_of_the_model_without_groups():
    x, reports = np.tile(np.arange(10.0), 12), np.tile([0, 1, 0, 0, 1, 1, 0, 1, 1, 1], 12)
    fit = rr_engine.models.RRMultilevelLogit(warner(0.9)).fit(
        x, reports, np.repeat(np.arange(12), 10)
    )
    effects = average_marginal_effects(fit.without_groups)
    assert rr_engine.models.group_averaged_effects(fit).effects.tolist() == effects.effects.tolist()
    found = rr_engine.models.group_averaged_probabilities(fit, [[3.0]])
    assert np.isfinite(found.standard_errors).all()
