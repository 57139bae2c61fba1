"""Predictions, effects, tests, residuals and plans of models, each by a second route."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.special import expit
from scipy.stats import chi2, norm

import rr_engine as rr
from rr_engine.errors import ArgumentError
from rr_engine.models import model_residuals
from rr_engine.regression.randomized_outcome.predictions import outcome_of

COIN, DIE = rr.warner(0.8), rr.k_rr(3, 2)
GENERATOR = np.random.default_rng(7)
X = np.column_stack([GENERATOR.normal(2, 3, 600), GENERATOR.integers(0, 2, 600)])
REPORTS = (GENERATOR.random(600) < 0.2 + 0.6 * expit(X @ [0.3, 0.5] - 1)).astype(int)
CODES = GENERATOR.integers(0, 3, 600)
FITS = {
    **{
        link: rr.RRLogit(COIN, link).fit(X, REPORTS)
        for link in ("logit", "probit", "cloglog", "cauchit")
    },
    "multinomial": rr.RRLogit(DIE).fit(X, CODES),
}
COLUMNS = np.column_stack([np.ones(600), X])


def probabilities(name, params, columns):
    """Return the probabilities of the true answers, from the definition."""
    fit = FITS[name]
    eta = columns @ np.reshape(params, (-1, 3)).T
    return outcome_of(fit).probabilities(eta)


@pytest.mark.parametrize("name", FITS)
def test_errors_of_predictions_are_the_delta_method(name):
    fit, row = FITS[name], np.array([[1.0, 2.5, 1.0]])
    found = rr.models.predicted_probabilities(fit, row[:, 1:], level=0.9)
    truths = found.probabilities.shape[1]
    assert found.probabilities[0] == pytest.approx(probabilities(name, fit.params, row)[0])
    for truth in range(truths):
        slopes = approx_fprime(
            fit.params.ravel(), lambda theta, v=truth: probabilities(name, theta, row)[0, v], 1e-6
        )
        variance = slopes @ fit.covariance @ slopes
        assert found.standard_errors[0, truth] == pytest.approx(np.sqrt(variance), rel=1e-4)
    low, high = found.intervals[0].T
    assert (low > 0).all()
    assert (low < found.probabilities[0]).all()
    assert (found.probabilities[0] < high).all()
    assert (high < 1).all()


def test_the_interval_of_a_probability_is_that_of_its_linear_predictor():
    fit, row = FITS["logit"], np.array([1.0, 2.5, 1.0])
    error = np.sqrt(row @ fit.covariance @ row)
    ends = expit(row @ fit.params + norm.ppf([0.05, 0.95]) * error)
    assert rr.models.predicted_probabilities(fit, [row[1:]], 0.9).intervals[0, 1] == pytest.approx(
        ends
    )


@pytest.mark.parametrize("name", FITS)
def test_average_effects_are_those_of_the_mean_probability(name):
    fit = FITS[name]
    found = rr.models.average_marginal_effects(fit)
    assert found.names == ("x1", "x2")
    assert found.discrete == (False, True)

    def effects(theta):
        step = 1e-4
        moved = [
            probabilities(name, theta, COLUMNS + np.array([0, side * step, 0])).mean(axis=0)
            for side in (1, -1)
        ]
        ones = [
            probabilities(name, theta, COLUMNS * [1, 1, 0] + [0, 0, value]).mean(axis=0)
            for value in (1, 0)
        ]
        return np.array([(moved[0] - moved[1]) / (2 * step), ones[0] - ones[1]])

    wanted = effects(fit.params.ravel())
    wanted = wanted[:, 1] if fit.truths == 2 else wanted.T
    assert found.effects == pytest.approx(wanted, abs=1e-7)
    for index in np.ndindex(wanted.shape):
        place = (index[0], 1) if fit.truths == 2 else index[::-1]
        slopes = approx_fprime(fit.params.ravel(), lambda t, p=place: effects(t)[p], 1e-5)
        variance = slopes @ fit.covariance @ slopes
        assert found.standard_errors[index] == pytest.approx(np.sqrt(variance), rel=1e-3)


def test_the_likelihood_ratio_of_groups_is_that_of_their_reports():
    """Where the model is saturated, whatever the device."""
    sizes = [560, 440, 390, 610]
    x, reports = np.repeat([0, 0, 1, 1], sizes), np.repeat([0, 1, 0, 1], sizes)
    model = rr.RRLogit(COIN)
    found = rr.models.likelihood_ratio_test(model.fit(x, reports), model.fit(None, reports))
    table = np.array([[560, 440], [390, 610]])
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    statistic = 2 * (table * np.log(table / expected)).sum()
    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    assert found.p_value == pytest.approx(chi2.sf(statistic, 1))


def test_walds_test_of_one_coefficient_is_its_z_value_squared():
    fit = FITS["logit"]
    assert rr.models.wald_test(fit, ["x2"]).statistic == pytest.approx(fit.z_values[2] ** 2)
    both = rr.models.wald_test(fit, ["x1", "x2"])
    values, spread = fit.params[1:], fit.covariance[1:, 1:]
    assert both.statistic == pytest.approx(values @ np.linalg.inv(spread) @ values)
    assert rr.models.wald_test(fit, [[0, 1, 0], [0, 1, 1]]).statistic == pytest.approx(
        both.statistic
    )
    many = rr.models.wald_test(FITS["multinomial"], ["x1"])
    assert many.degrees == 2


def test_models_are_compared_by_their_likelihoods():
    model = rr.RRLogit(COIN)
    none, one, other = (
        model.fit(None, REPORTS),
        model.fit(X[:, :1], REPORTS, names=["age"]),
        model.fit(X[:, 1:], REPORTS, names=["sex"]),
    )
    found = rr.models.compare_models([none, one, other])
    assert [each.coefficients for each in found] == [1, 2, 2]
    assert found[1].aic == pytest.approx(4 - 2 * one.log_likelihood)
    assert found[1].bic == pytest.approx(2 * np.log(600) - 2 * one.log_likelihood)
    assert found[1].mcfadden == pytest.approx(1 - one.log_likelihood / none.log_likelihood)
    assert found[1].test == rr.models.likelihood_ratio_test(one, none)
    assert found[2].test is None
    with pytest.raises(ArgumentError, match="with some of the columns"):
        rr.models.likelihood_ratio_test(one, other)


def test_residuals_of_a_yes_no_device_are_those_of_its_reports():
    fit = FITS["logit"]
    share = expit(COLUMNS @ fit.params)
    expected = 0.2 + 0.6 * share
    wanted = (REPORTS - expected) / np.sqrt(expected * (1 - expected))
    found = model_residuals(fit)
    assert found.pearson == pytest.approx(wanted)
    chance = np.where(REPORTS == 1, expected, 1 - expected)
    assert found.deviance == pytest.approx(np.sign(wanted) * np.sqrt(-2 * np.log(chance)))
    assert model_residuals(FITS["multinomial"]).pearson.shape == (600, 2)


def test_the_calibration_test_is_raos_test_of_added_indicators():
    fit = FITS["logit"]
    share = expit(COLUMNS @ fit.params)
    found = rr.models.calibration_test(fit, groups=4)
    edges = np.cumsum(found.sizes)[:-1]
    bins = np.searchsorted(np.sort(share)[edges - 1], share, side="left")
    both = np.column_stack([COLUMNS, np.eye(4)[bins][:, 1:]])
    expected = 0.2 + 0.6 * share
    slope = 0.6 * share * (1 - share)
    score = both.T @ (slope * (REPORTS - expected) / (expected * (1 - expected)))
    information = (both * (slope**2 / (expected * (1 - expected)))[:, None]).T @ both
    statistic = score @ np.linalg.solve(information, score)
    assert found.statistic == pytest.approx(statistic, rel=1e-6)
    assert (found.degrees, found.groups) == (3, 4)
    assert found.p_value == pytest.approx(chi2.sf(statistic, 3))
    unbiased = (REPORTS - 0.2) / 0.6
    assert found.observed == pytest.approx([unbiased[bins == each].mean() for each in range(4)])
    assert found.fitted == pytest.approx([share[bins == each].mean() for each in range(4)])


@pytest.mark.slow
def test_the_calibration_test_keeps_its_level_and_sees_a_curve():
    """200 surveys of 500: 5 % rejected within 3 standard errors; a parabola is seen."""
    generator, rejected = np.random.default_rng(11), [0, 0]
    x = np.linspace(-2, 2, 500)
    for bend in (0, 1):
        chances = COIN.matrix[1] @ [1 - expit(x + bend * 1.5 * x**2), expit(x + bend * 1.5 * x**2)]
        for _ in range(200 if not bend else 40):
            reports = (generator.random(500) < chances).astype(int)
            rejected[bend] += (
                rr.models.calibration_test(rr.RRLogit(COIN).fit(x, reports), 5).p_value < 0.05
            )
    assert rejected[0] / 200 == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 200))
    assert rejected[1] > 36


def test_a_saturated_model_has_nothing_to_test():
    x = np.repeat([0.0, 1.0], 50)
    fit = rr.RRLogit(rr.designs.direct(2)).fit(x, np.tile([0, 1, 0, 0], 25))
    with pytest.raises(ArgumentError, match="fewer coefficients than there are groups"):
        rr.models.calibration_test(fit)


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog", "cauchit"])
def test_a_plan_is_the_fit_of_a_survey_that_came_out_as_expected(link):
    devices, parts = [rr.forced_response(2 / 3, 1 / 6), rr.designs.direct(2)], [0.7, 0.3]
    rows, shares = np.array([[0, -1], [1, -1], [0, 2], [1, 2.0]]), [0.4, 0.3, 0.2, 0.1]
    plan = rr.planning.plan_regression(
        devices, rows, [0.7, -0.2], 0.25, 900, shares=shares, design_shares=parts, link=link
    )
    survey = [
        (place, device, report) for place in range(4) for device in range(2) for report in range(2)
    ]
    eta = plan.intercept + rows @ [0.7, -0.2]
    yes = outcome_of(rr.RRLogit(COIN, link).fit(X, REPORTS)).probabilities(eta[:, None])[:, 1]
    assert shares @ yes == pytest.approx(0.25)
    truths = np.column_stack([1 - yes, yes])
    weights = [
        shares[place] * parts[device] * (devices[device].matrix[report] @ truths[place])
        for place, device, report in survey
    ]
    places, which, reports = np.array(survey).T
    fit = rr.RRLogit(devices, link).fit(rows[places], reports, weights, which)
    assert fit.params == pytest.approx([plan.intercept, 0.7, -0.2], abs=1e-6)
    errors = fit.with_errors("expected").standard_errors[1:] * np.sqrt(16 / 900)
    assert plan.standard_errors == pytest.approx(errors, rel=1e-6)
    ratio = np.abs([0.7, -0.2]) / errors
    z = norm.isf(0.025)
    assert plan.power == pytest.approx(norm.sf(z - ratio) + norm.sf(z + ratio))


def test_the_planned_number_reaches_the_power_and_one_fewer_does_not():
    given = {"design": COIN, "X": [[0], [1]], "effects": [1.0], "prevalence": 0.3}
    n = rr.planning.plan_regression(**given, n=100).respondents[0]
    reached, missed = (rr.planning.plan_regression(**given, n=size).power[0] for size in (n, n - 1))
    assert reached >= 0.8 > missed
    found = rr.planning.plan_regression(**given, n=100)
    assert found.detectable[0] / found.standard_errors[0] == pytest.approx(2.8016, abs=1e-4)
    assert rr.planning.plan_regression(**{**given, "effects": [0.0]}, n=100).respondents == (None,)


def test_a_coefficient_without_an_estimate_is_not_tested():
    x, y = np.repeat([0, 0, 1], [50, 50, 100]), np.repeat([0, 1, 0], [50, 50, 100])
    fit = rr.RRLogit(rr.designs.direct(2)).fit(x, y)
    with pytest.raises(ArgumentError, match="finite estimate"):
        rr.models.wald_test(fit, ["x1"])
    found = rr.models.predicted_probabilities(fit, [[0.0], [1.0]])
    assert found.standard_errors[:, 1] == pytest.approx([0.05, np.inf])
    assert found.intervals[1, 1].tolist() == [0, 1]
    ratio = rr.models.likelihood_ratio_test(fit, rr.RRLogit(rr.designs.direct(2)).fit(None, y))
    assert ratio.p_value < 1e-10
