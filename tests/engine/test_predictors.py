"""Models with randomized predictors: published figures, closed forms, and what must not matter."""

from dataclasses import replace

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.regression.engine.links import BinaryOutcome
from rr_engine.regression.randomized_predictors.predictor_likelihood import (
    BinaryResponse,
    NormalResponse,
    PredictorLikelihood,
)
from tests.engine.predictor_coverage import asked, logistic

# Cases and controls by reported smoking (Chu, Wang, Cole & Greenland 2006, Table 2).
CASES, SMOKERS = np.repeat([1, 0, 1, 0], [126, 71, 92, 224]), np.repeat([1, 0], [197, 316])


def survey(n=400, seed=1, missing=0.1):
    """Return numbers, yes/no answers, two covariates, and reports on two items."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) * [1, 30] + [0, 50]
    first = rng.choice(3, size=n, p=[0.4, 0.4, 0.2])
    second = (rng.random(n) < logistic(X[:, 0])).astype(int)
    eta = 0.3 + 0.5 * X[:, 0] - 0.01 * X[:, 1] + 0.8 * (first == 2) - second
    predictors = [
        asked(rng, first, [rr.k_rr(3, 2), rr.designs.direct(3)], rng.integers(0, 2, n), missing),
        asked(rng, second, [rr.warner(0.8)], None, missing),
    ]
    return eta + rng.normal(size=n), (rng.random(n) < logistic(eta)).astype(int), X, predictors


def take(predictors, order):
    """Return the same reports in another order."""
    return [
        rr.models.ReportLikelihoods(
            reports.designs,
            np.where(reports.reported, reports.row_of - reports.starts[reports.device_of], -1)[
                order
            ],
            np.where(reports.reported, reports.device_of, 0)[order],
        )
        for reports in predictors
    ]


def test_a_case_control_study_with_known_sensitivity_and_specificity():
    # Sensitivity 0.94, specificity 0.97: the tests of the R package episensr (misclassification,
    # by the formula of Chu et al. 2006) have the interval of the odds ratio as 3.2825 to 7.6909;
    # its vignette prints 4.320882 (2.958402, 6.310846) where both are 1.
    smoking = rr.models.ReportLikelihoods(rr.designs.generalized_binary(0.97, 0.94), SMOKERS)
    fit = rr.RRRegression("logit").fit(CASES, None, [smoking], predictor_names=["smoking"])
    assert fit.names == ("intercept", "smoking[1]")
    assert np.exp(fit.interval()[1]) == pytest.approx([3.2825, 7.6909], abs=5e-5)
    plain = rr.RRRegression("logit").fit(
        CASES, None, [rr.models.ReportLikelihoods(rr.designs.direct(2), SMOKERS)]
    )
    assert np.exp(plain.params[1]) == pytest.approx(4.320882, abs=5e-7)
    assert np.exp(plain.interval()[1]) == pytest.approx([2.958402, 6.310846], abs=2e-6)


def test_a_randomized_outcome_and_predictor_give_the_odds_ratio_of_the_inverted_table():
    designs = [rr.warner(0.8), rr.forced_response(0.75, 0.125)]
    counts = np.array([[400, 210], [160, 230]])
    outcome, reports = (np.repeat(codes, counts.ravel()) for codes in ([0, 0, 1, 1], [0, 1, 0, 1]))
    fit = rr.RRRegression("logit").fit(
        rr.models.ReportLikelihoods(designs[0], outcome),
        None,
        [rr.models.ReportLikelihoods(designs[1], reports)],
    )
    expected = rr.association.odds_ratio(rr.estimate_joint(designs, counts))
    assert np.exp(fit.params[1]) == pytest.approx(expected.value, rel=1e-8)
    # Shares of a sample have the variance n/(n - 1) there.
    error = expected.standard_error / expected.value * np.sqrt(999 / 1000)
    assert fit.standard_errors[1] == pytest.approx(error, rel=1e-6)
    inverted = np.linalg.solve(designs[1].matrix, counts.sum(axis=0) / 1000)
    assert fit.shares == pytest.approx(inverted, abs=1e-8)


def test_direct_answers_make_it_ordinary_regression():
    numbers, yes, X, _ = survey(missing=0)
    truth = np.random.default_rng(0).choice(3, size=400)
    asked_directly = rr.models.ReportLikelihoods(rr.designs.direct(3), truth)
    columns = np.column_stack([X, truth == 1, truth == 2])
    linear = rr.RRRegression().fit(numbers, X, [asked_directly])
    design = np.column_stack([np.ones(400), columns])
    slopes, rest = np.linalg.lstsq(design, numbers, rcond=None)[:2]
    assert linear.params == pytest.approx(slopes, rel=1e-8)
    assert linear.residual_deviation == pytest.approx(np.sqrt(rest[0] / 400))
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * rest[0] / 400)
    assert linear.standard_errors == pytest.approx(errors, rel=1e-6)
    for link in ("logit", "probit"):
        fit = rr.RRRegression(link).fit(yes, X, [asked_directly])
        plain = rr.RRLogit(rr.designs.direct(2), link).fit(columns, yes)
        assert fit.params == pytest.approx(plain.params, rel=1e-6)
        assert fit.standard_errors == pytest.approx(plain.standard_errors, rel=1e-5)
        assert fit.with_errors("robust").standard_errors == pytest.approx(
            plain.with_errors("robust").standard_errors, rel=1e-5
        )
        # Both null models have an intercept alone.
        assert fit.log_likelihood - fit.null_log_likelihood == pytest.approx(
            plain.log_likelihood - plain.null_log_likelihood, rel=1e-6
        )


@pytest.mark.parametrize("kind", ["linear", "logit", "probit"])
def test_derivatives_are_those_of_the_value(kind):
    rng = np.random.default_rng(3)
    X, likelihoods = np.column_stack([np.ones(30), rng.normal(size=30)]), rng.random((30, 3))
    responses = {
        "linear": NormalResponse(rng.normal(size=30)),
        "logit": BinaryResponse(BinaryOutcome("logit"), rng.random((30, 2))),
        "probit": BinaryResponse(BinaryOutcome("probit"), rng.random((30, 2))),
    }
    likelihood = PredictorLikelihood(
        X, X, rng.normal(size=(3, 2)), likelihoods, responses[kind], rng.random(30)
    )
    theta = rng.normal(size=likelihood.places.size) / 2
    _, gradient, information = likelihood(theta)
    steps = 1e-5 * np.eye(len(theta))
    slopes = [likelihood.value(theta + step) - likelihood.value(theta - step) for step in steps]
    bends = [likelihood(theta - step)[1] - likelihood(theta + step)[1] for step in steps]
    assert gradient == pytest.approx(np.array(slopes) / 2e-5, abs=1e-7)
    assert information == pytest.approx(np.array(bends) / 2e-5, abs=1e-7, rel=1e-7)
    assert likelihood.scores(theta).T @ likelihood.weights == pytest.approx(gradient)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["linear", "logit"])
def test_the_order_of_the_rows_does_not_change_a_digit(family):
    numbers, yes, X, predictors = survey()
    outcome = numbers if family == "linear" else yes
    order = np.random.default_rng(8).permutation(400)
    fit = rr.RRRegression(family).fit(outcome, X, predictors)
    again = rr.RRRegression(family).fit(outcome[order], X[order], take(predictors, order))
    assert fit.params.tolist() == again.params.tolist()
    assert fit.covariance.tolist() == again.covariance.tolist()
    assert fit.posterior[order].tolist() == again.posterior.tolist()


def test_units_of_the_data_change_the_coefficients_alone():
    numbers, _, X, predictors = survey()
    fit = rr.RRRegression().fit(numbers, X, predictors, scores=[[0, 1, 2], None])
    moved = rr.RRRegression().fit(
        1e6 + 1000 * numbers, X * 1e-4 + 7, predictors, scores=[[100, 110, 120], None]
    )
    factors = np.array([1000 * 1e4, 1000 * 1e4, 100, 1000])
    assert moved.params[1:] == pytest.approx(fit.params[1:] * factors, rel=1e-6)
    assert moved.standard_errors[1:] == pytest.approx(fit.standard_errors[1:] * factors, rel=1e-6)
    assert moved.residual_deviation == pytest.approx(1000 * fit.residual_deviation)
    assert moved.log_likelihood == pytest.approx(fit.log_likelihood - 400 * np.log(1000))
    assert moved.shares == pytest.approx(fit.shares, abs=1e-9)
    assert fit.names == ("intercept", "x1", "x2", "z1", "z2[1]")


@pytest.mark.slow
def test_weights_count_respondents():
    numbers, yes, X, predictors = survey(n=200)
    for family, outcome in (("linear", numbers), ("logit", yes)):
        counts = np.random.default_rng(2).integers(0, 4, 200)
        fit = rr.RRRegression(family).fit(outcome, X, predictors, counts)
        rows = np.repeat(np.arange(200), counts)
        repeated = rr.RRRegression(family).fit(outcome[rows], X[rows], take(predictors, rows))
        assert fit.params == pytest.approx(repeated.params, rel=1e-6)
        assert fit.n == np.count_nonzero(counts)
        assert fit.standard_error_kind == "robust"


@pytest.mark.slow
def test_a_sample_of_clusters_is_the_sandwich_of_their_sums():
    numbers, _, X, predictors = survey(n=200)
    clusters = np.repeat(np.arange(40), 5)
    fit = rr.RRRegression().fit(numbers, X, predictors, sample=rr.SurveySample(clusters=clusters))
    sums = np.array([fit.scores[clusters == cluster].sum(axis=0) for cluster in range(40)])
    inverse = np.linalg.inv(fit.information)
    expected = inverse @ (40 / 39 * sums.T @ sums) @ inverse
    assert fit.all_covariance == pytest.approx(expected, rel=1e-4, abs=1e-10)
    assert fit.covariance == pytest.approx(expected[:6, :6], rel=1e-4, abs=1e-10)
    # Respondents as they are: the same as robust errors.
    plain = rr.RRRegression().fit(numbers, X, predictors)
    alone = rr.RRRegression().fit(numbers, X, predictors, sample=rr.SurveySample(n=200))
    assert alone.standard_errors == pytest.approx(plain.with_errors("robust").standard_errors)


def test_people_who_told_nothing_change_nothing():
    _, yes, X, predictors = survey(missing=0)
    silent = np.append(yes, [-1] * 5)
    more = np.vstack([X, np.full((5, 2), 3.0)])
    rows = [
        rr.models.ReportLikelihoods(
            reports.designs,
            np.append(reports.row_of - reports.starts[reports.device_of], [-1] * 5),
            np.append(reports.device_of, [0] * 5),
        )
        for reports in predictors
    ]
    fit, again = (
        rr.RRRegression("logit").fit(yes, X, predictors),
        rr.RRRegression("logit").fit(silent, more, rows),
    )
    assert again.params == pytest.approx(fit.params, rel=1e-9)
    assert again.n == fit.n == 400
    assert again.posterior[-5:].tolist() == np.zeros((5, 6)).tolist()


def test_expected_true_answers_add_up_to_the_shares():
    numbers, _, X, predictors = survey()
    fit = rr.RRRegression().fit(numbers, X, predictors)
    assert fit.combinations.tolist() == [[a, b] for a in range(3) for b in range(2)]
    assert fit.posterior.sum(axis=1) == pytest.approx(np.ones(400))
    assert fit.posterior.mean(axis=0) == pytest.approx(fit.shares, abs=1e-7)
    assert fit.scores.sum(axis=0) == pytest.approx(np.zeros(len(fit.all_names)), abs=1e-6)
    assert len(fit.all_covariance) == len(fit.all_names) == 6 + 1 + 5 * 3


def test_predictors_that_are_independent_of_the_covariates_have_one_table():
    numbers, _, X, predictors = survey()
    fit = rr.RRRegression().fit(numbers, X, predictors, independent=True)
    assert fit.predictor_params.shape == (5, 1)
    shares = np.exp(np.append(0, fit.predictor_params[:, 0]))
    assert fit.shares == pytest.approx(shares / shares.sum())
    free = rr.RRRegression().fit(numbers, X, predictors)
    assert free.log_likelihood > fit.log_likelihood


def test_a_category_that_nobody_has_is_named_as_such():
    # Fewer yes than the device forces: nobody is estimated to be a carrier.
    item = rr.models.ReportLikelihoods(rr.forced_response(2 / 3, 1 / 6), [0] * 180 + [1] * 20)
    fit = rr.RRRegression("logit").fit([0, 1] * 100, None, [item])
    assert fit.shares == pytest.approx([1, 0], abs=1e-6)
    assert fit.standard_errors[1] == np.inf
    assert fit.params[0] == pytest.approx(0, abs=1e-4)
    assert {"empty_combinations", "separation"} <= {note.code for note in fit.notes}


def test_an_outcome_that_follows_from_a_predictor_is_separated():
    item = rr.models.ReportLikelihoods(rr.designs.direct(2), [0, 1] * 50)
    yes = [0, 1] * 50
    fit = rr.RRRegression("logit").fit(yes, None, [item])
    assert not fit.converged
    assert fit.standard_errors.tolist() == [np.inf, np.inf]
    assert "separation" in {note.code for note in fit.notes}


ITEM = rr.models.ReportLikelihoods(rr.warner(0.8), [0, 1, 1, 0, 1])
BAD = {
    "constant_outcome": ("linear", [2.0] * 5, None, [ITEM]),
    "collinear": ("linear", [1, 2, 3, 4, 6], [[1, 2], [2, 4], [3, 6], [5, 10], [7, 14]], [ITEM]),
    "outcome_for_other_family": ("linear", ITEM, None, [ITEM]),
    "not_bits": ("logit", [0, 1, 2, 0, 1], None, [ITEM]),
    "lengths_differ": ("linear", [1, 2, 3], None, [ITEM]),
    "not_report_likelihoods": ("linear", [1, 2, 3, 4, 6], None, [[0, 1, 1, 0, 1]]),
    "no_reports": (
        "logit",
        [0, 1, 1, 0, 1],
        None,
        [rr.models.ReportLikelihoods(rr.warner(0.8), [-1] * 5)],
    ),
    "outcome_determined": ("linear", [3, 5, 7, 11, 15], [1, 2, 3, 5, 7], [ITEM]),
    "too_many_combinations": (
        "linear",
        [1, 2, 3, 4, 6],
        None,
        [rr.models.ReportLikelihoods(rr.k_rr(5, 1), [0, 1, 2, 3, 4])] * 3,
    ),
}


@pytest.mark.parametrize("code", BAD)
def test_what_cannot_be_fitted_is_refused(code):
    family, outcome, X, predictors = BAD[code]
    with pytest.raises(rr.EngineError) as refusal:
        rr.RRRegression(family).fit(outcome, X, predictors)
    assert refusal.value.code == code


def test_errors_say_what_to_change():
    with pytest.raises(
        rr.errors.ArgumentError, match="5 x 5 x 5: leave some out, or merge categories"
    ):
        rr.RRRegression().fit(*BAD["too_many_combinations"][1:])
    with pytest.raises(rr.errors.ArgumentError, match="leave x2 out"):
        rr.RRRegression().fit(*BAD["collinear"][1:])
    with pytest.raises(rr.errors.ArgumentError, match="others than those of the columns"):
        rr.RRRegression().fit([1, 2, 3, 4, 6], [1, 2, 3, 5, 8], [ITEM], names=["z1[1]"])
    with pytest.raises(rr.errors.ArgumentError, match="observed, robust"):
        rr.RRRegression().fit([1, 2, 3, 4, 6], None, [ITEM]).with_errors("expected")


def test_comparisons_count_all_parameters_and_refuse_other_predictors():
    _, yes, X, predictors = survey()
    model = rr.RRRegression("logit")
    fit = model.fit(yes, X, predictors)
    smaller = model.fit(yes, X[:, :1], predictors)
    found = rr.models.likelihood_ratio_test(fit, smaller)
    # The covariate's coefficient, and those of five combinations.
    assert found.degrees == 1 + 5
    assert found.statistic == pytest.approx(2 * (fit.log_likelihood - smaller.log_likelihood))
    with pytest.raises(rr.errors.ArgumentError, match="same respondents and link"):
        rr.models.likelihood_ratio_test(fit, model.fit(yes, X, predictors[:1]))
    assert rr.models.wald_test(fit, ["z1[1]", "z1[2]"]).degrees == 2


@pytest.mark.slow
def test_average_effects_run_over_the_posterior_of_the_true_answers():
    numbers, yes, X, predictors = survey()
    fit = rr.RRRegression("logit").fit(yes, X, predictors)
    effects = rr.models.average_marginal_effects(fit)
    eta = np.column_stack([np.ones(400), X]) @ fit.params[:3]
    first = np.array([0, *fit.params[3:5]])[fit.combinations[:, 0]]
    ends = [logistic(eta[:, None] + first + fit.params[5] * answer) for answer in (0, 1)]
    expected = (fit.posterior * (ends[1] - ends[0])).sum() / 400
    place = effects.names.index("z2[1]")
    assert np.ravel(effects.effects)[place] == pytest.approx(expected, rel=1e-6)
    linear = rr.RRRegression().fit(numbers, X, predictors)
    columns, weights = linear.fitted.rows()
    assert columns[:, 0] == pytest.approx(np.ones(400 * 6))
    assert sorted(columns[::6, 2]) == pytest.approx(sorted(X[:, 1]))
    assert weights.sum() == pytest.approx(400)
    with pytest.raises(rr.errors.ArgumentError, match="linear model has no probabilities"):
        rr.models.average_marginal_effects(linear)


def test_where_the_likelihood_still_rises_nothing_is_known():
    numbers, _, X, predictors = survey(n=100)
    fit = rr.RRRegression().fit(numbers, X, predictors)
    tilted = np.array(fit.fitted.observed)
    tilted[0, 0] = -tilted[0, 0]
    unsettled = replace(fit.fitted, observed=tilted)
    assert unsettled.indefinite
    assert (np.diag(unsettled.covariance("observed")) == np.inf).all()
    assert not fit.fitted.indefinite
