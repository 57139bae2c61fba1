"""Linear models with randomized predictors by moments."""

import numpy as np
import pytest

from rr_engine import EngineError, RRRegression, SurveySample, correlation, warner
from rr_engine.designs import direct
from rr_engine.models import ReportLikelihoods, moment_regression
from tests.engine.predictor_coverage import asked, logistic, one_binary, one_skewed
from tests.engine.test_predictors import survey, take


def test_direct_answers_make_it_least_squares_with_whites_errors():
    numbers, _, X, _ = survey()
    truth = np.random.default_rng(0).choice(3, size=400)
    fit = moment_regression(numbers, X, [ReportLikelihoods(direct(3), truth)])
    design = np.column_stack([np.ones(400), X, truth == 1, truth == 2])
    slopes = np.linalg.lstsq(design, numbers, rcond=None)[0]
    scores = design * (numbers - design @ slopes)[:, None]
    inverse = np.linalg.inv(design.T @ design)
    assert fit.params == pytest.approx(slopes, rel=1e-8)
    expected = 400 / 399 * inverse @ scores.T @ scores @ inverse
    assert fit.covariance == pytest.approx(expected, rel=1e-6, abs=1e-12)
    assert fit.information == pytest.approx(design.T @ design)
    assert fit.scores.sum(axis=0) == pytest.approx(np.zeros(5), abs=1e-7)


def test_one_item_has_the_slope_of_its_correlation():
    rng = np.random.default_rng(3)
    truth = (rng.random(900) < 0.4).astype(int)
    y = truth + rng.normal(size=900)
    item = asked(rng, truth, [warner(0.8)], np.zeros(900, dtype=int))
    fit = moment_regression(y, None, [item])
    found = correlation(item, y)
    # The slope is the correlation times the ratio of the standard deviations of y and of the truth.
    unbiased = fit.fitted.columns[:, 1]
    spread = np.sqrt(unbiased.mean() * (1 - unbiased.mean()))
    assert fit.params[1] == pytest.approx(found.ratio * y.std() / spread)


@pytest.mark.slow
def test_the_error_is_that_of_the_jackknife():
    numbers, _, X, predictors = survey(n=250)
    fit = moment_regression(numbers, X, predictors)
    rows = np.arange(250)
    left = np.array(
        [
            moment_regression(numbers, X, predictors, (rows != out).astype(int)).params
            for out in rows
        ]
    )
    counted = np.all([item.reported for item in predictors], axis=0)
    assert fit.n == counted.sum()
    spread = np.sqrt(((left - left.mean(axis=0)) ** 2).sum(axis=0) * (fit.n - 1) / fit.n)
    assert fit.standard_errors == pytest.approx(spread, rel=0.15)


def test_skewed_errors_do_not_mislead_it():
    found, held = [], 0
    for number in range(100):
        rng = np.random.default_rng([13, number])
        x = rng.normal(size=1000)
        truth = (rng.random(1000) < logistic(-0.5 + 0.5 * x)).astype(int)
        y = 0.3 * x + truth + rng.exponential(size=1000) - 1
        fit = moment_regression(y, x, [asked(rng, truth, [warner(0.75)])])
        low, high = fit.interval()[2]
        found.append(fit.params[2])
        held += low <= 1 <= high
    assert abs(np.mean(found) - 1) < 3 * np.std(found) / 10
    # 100 intervals at 95 %: a standard error of 2.2 %.
    assert held >= 95 - 3 * 2.2


WAYS = (RRRegression().fit, moment_regression)


def test_the_likelihood_says_where_the_errors_mislead_it():
    fits = [one_skewed(np.random.default_rng([5, 0]), fit)[0] for fit in WAYS]
    assert fits[0].params[2] - 1 > 3 * fits[0].standard_errors[2]
    assert abs(fits[1].params[2] - 1) < 3 * fits[1].standard_errors[2]
    assert "errors_not_normal" in {note.code for note in fits[0].notes}
    normal, _ = one_binary(np.random.default_rng([5, 0]))
    assert normal.notes == ()


@pytest.mark.slow
def test_normal_errors_give_what_the_likelihood_gives():
    numbers, _, X, predictors = survey(n=4000, seed=5, missing=0)
    fit, likely = (
        moment_regression(numbers, X, predictors),
        RRRegression().fit(numbers, X, predictors),
    )
    assert fit.names == likely.names
    assert (np.abs(fit.params - likely.params) < 2 * fit.standard_errors).all()


def test_order_and_weights():
    numbers, _, X, predictors = survey(n=200)
    order = np.random.default_rng(1).permutation(200)
    fit = moment_regression(numbers, X, predictors)
    again = moment_regression(numbers[order], X[order], take(predictors, order))
    assert fit.params.tolist() == again.params.tolist()
    counts = np.random.default_rng(2).integers(0, 3, 200)
    rows = np.repeat(np.arange(200), counts)
    weighted = moment_regression(numbers, X, predictors, counts)
    repeated = moment_regression(numbers[rows], X[rows], take(predictors, rows))
    assert weighted.params == pytest.approx(repeated.params)
    sample = SurveySample(counts, clusters=np.repeat(np.arange(40), 5))
    clustered = moment_regression(numbers, X, predictors, sample=sample)
    assert clustered.params.tolist() == weighted.params.tolist()
    assert clustered.standard_errors.tolist() != weighted.standard_errors.tolist()


BAD = {
    "spread_not_seen": ([1, 2, 3, 4], ReportLikelihoods(warner(0.8), [0, 0, 0, 0])),
    "constant_outcome": ([1, 1, 1, 1], ReportLikelihoods(warner(0.8), [0, 1, 0, 1])),
    "no_reports": ([1, 2, 3, 4], ReportLikelihoods(warner(0.8), [-1] * 4)),
}


@pytest.mark.parametrize("code", BAD)
def test_what_cannot_be_fitted_is_refused(code):
    with pytest.raises(EngineError) as refusal:
        moment_regression(BAD[code][0], None, [BAD[code][1]])
    assert refusal.value.code == code
