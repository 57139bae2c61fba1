"""Regression on list outcomes: derivatives, another optimiser, known truths."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import binom

from rr_engine import SurveySample, k_rr, list_regression
from rr_engine.designs import direct
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.library.item_count.list_regression import ListLikelihood, report_chances

pytestmark = pytest.mark.slow

TRAIT, ITEM = np.array([-0.5, 0.8]), np.array([0.2, -0.5])


def survey(n, seed, items=3, design=None):
    """Draw a list experiment with one covariate."""
    rng = np.random.default_rng(seed)
    x, treated = rng.normal(size=n).round(1), np.arange(n) % 2
    columns = np.column_stack([np.ones(n), x])
    trait = rng.random(n) < expit(columns @ TRAIT)
    counts = rng.binomial(items, expit(columns @ ITEM)) + trait * treated
    if design is not None:
        cuts = np.cumsum(design.matrix, axis=0)[:, counts]
        counts = (rng.random(n) > cuts).sum(axis=0)
    return x, counts, treated


def fall(theta, x, counts, treated, items=3, matrix=None):
    """Minus the log-likelihood, spelled out."""
    columns = np.column_stack([np.ones(len(x)), x])
    share, each = expit(columns @ theta[:2]), expit(columns @ theta[2:])
    device = np.eye(items + 2) if matrix is None else matrix
    total = np.zeros(len(x))
    for trait, count in ((t, c) for t in (0, 1) for c in range(items + 1)):
        chance = binom.pmf(count, items, each) * (share if trait else 1 - share)
        total += device[counts, count + trait * treated] * chance
    return -np.log(total).sum()


@pytest.mark.parametrize("design", [None, k_rr(5, 3)])
def test_the_fit_is_at_the_top_of_the_likelihood(design):
    data = survey(600, 1, design=design)
    found = list_regression(*data, 3, design=design)
    matrix = None if design is None else design.matrix
    best = minimize(fall, np.zeros(4), args=(*data, 3, matrix), tol=1e-10)
    assert found.converged
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-5)
    both = np.concatenate([found.params, found.control_params])
    assert both == pytest.approx(best.x, abs=1e-3)
    # The inverse of the numerical second derivatives.
    step, hessian = 1e-3, np.empty((4, 4))
    for i, j in np.ndindex(4, 4):
        corners = [
            (a * b, both + step * (a * np.eye(4)[i] + b * np.eye(4)[j]))
            for a in (-1, 1)
            for b in (-1, 1)
        ]
        total = sum(sign * fall(at, *data, 3, matrix) for sign, at in corners)
        hessian[i, j] = total / (4 * step**2)
    assert found.covariance == pytest.approx(np.linalg.inv(hessian), rel=1e-3, abs=1e-6)


def test_derivatives_are_those_of_the_value():
    x, counts, treated = survey(40, 2)
    columns = np.column_stack([np.ones(40), x])
    likelihood = ListLikelihood(
        columns, np.linspace(1, 2, 40), report_chances(np.eye(5), counts, treated)
    )
    theta = np.array([0.3, -0.2, 0.1, 0.4])
    _, gradient, information = likelihood(theta)
    steps = 1e-5 * np.eye(4)
    value = [(likelihood(theta + s)[0] - likelihood(theta - s)[0]) / 2e-5 for s in steps]
    second = [(likelihood(theta - s)[1] - likelihood(theta + s)[1]) / 2e-5 for s in steps]
    assert gradient == pytest.approx(value, rel=1e-6)
    assert information == pytest.approx(np.array(second), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("design", [None, k_rr(5, 4)])
def test_known_coefficients_are_found(design):
    # 40 surveys of 800 people.
    fits = [
        list_regression(*survey(800, seed, design=design), 3, design=design) for seed in range(40)
    ]
    assert all(fit.converged for fit in fits)
    values = np.array([np.concatenate([fit.params, fit.control_params]) for fit in fits])
    errors = np.array([np.sqrt(np.diag(fit.covariance)) for fit in fits])
    truth = np.concatenate([TRAIT, ITEM])
    # Small-sample bias of a logit is of the order of 1/n.
    bias = np.abs(values.mean(axis=0) - truth)
    assert np.all(bias < 3 * values.std(axis=0) / np.sqrt(40) + 0.03)
    held = (np.abs(values - truth) <= 1.959964 * errors).mean()
    assert 0.91 <= held <= 0.985


def test_the_order_of_the_rows_does_not_matter():
    x, counts, treated = survey(300, 3)
    order = np.random.default_rng(0).permutation(300)
    first = list_regression(x, counts, treated, 3)
    second = list_regression(x[order], counts[order], treated[order], 3)
    assert first.params.tolist() == second.params.tolist()
    assert first.covariance.tolist() == second.covariance.tolist()


def test_the_order_of_weighted_rows_does_not_matter():
    x, counts, treated = survey(300, 3)
    weights = np.random.default_rng(1).random(300)
    order = np.random.default_rng(0).permutation(300)
    first = list_regression(x, counts, treated, 3, weights)
    second = list_regression(x[order], counts[order], treated[order], 3, weights[order])
    assert first.params.tolist() == second.params.tolist()
    assert first.covariance.tolist() == second.covariance.tolist()


def test_a_sample_of_equal_people_gives_robust_errors():
    x, counts, treated = survey(300, 3)
    plain = list_regression(x, counts, treated, 3)
    drawn = list_regression(x, counts, treated, 3, sample=SurveySample(n=300))
    assert drawn.standard_errors == pytest.approx(plain.with_errors("robust").standard_errors)
    assert drawn.prevalence_standard_error == pytest.approx(
        plain.with_errors("robust").prevalence_standard_error
    )
    assert drawn.weighted
    doubled = SurveySample(clusters=np.repeat(np.arange(300), 2))
    pairs = [np.repeat(column, 2) for column in (x, counts, treated)]
    clustered = list_regression(*pairs, 3, sample=doubled)
    assert clustered.standard_errors == pytest.approx(drawn.standard_errors)


def test_weights_that_leave_a_group_out_or_no_number_are_refused():
    x, counts, treated = survey(50, 7)
    with pytest.raises(CategoryError, match="both groups with a weight"):
        list_regression(x, counts, treated, 3, 1.0 * (treated == 1))
    with pytest.raises(ArgumentError, match="weights"):
        list_regression(x, counts, treated, 3, np.full(50, 1e308))


def test_weights_count_people_more_often():
    x, counts, treated = survey(300, 4)
    weights = np.tile([1.0, 2.0, 1.0], 100)
    rows = np.repeat(np.arange(300), weights.astype(int))
    weighted = list_regression(x, counts, treated, 3, weights)
    repeated = list_regression(x[rows], counts[rows], treated[rows], 3)
    assert weighted.params == pytest.approx(repeated.params)
    assert weighted.standard_error_kind == "robust"
    # Equal weights: robust and observed errors of a right model are alike.
    plain, robust = (list_regression(x, counts, treated, 3, w) for w in (None, np.full(300, 2.0)))
    assert robust.params == pytest.approx(plain.params)
    assert robust.standard_errors == pytest.approx(plain.standard_errors, rel=0.2)


def test_a_direct_device_changes_nothing():
    data = survey(300, 5)
    plain = list_regression(*data, 3)
    assert list_regression(*data, 3, design=direct(5)).params == pytest.approx(plain.params)


def test_what_is_reported_beside_the_coefficients():
    data = survey(500, 6)
    fit = list_regression(*data, 3, names=["age"])
    assert fit.names == ("intercept", "age")
    assert fit.n == 500
    chances = expit(fit.params[0] + fit.params[1] * data[0])
    assert fit.prevalence == pytest.approx(chances.mean())
    slope = [(chances * (1 - chances)).mean(), (chances * (1 - chances) * data[0]).mean()]
    error = np.sqrt(slope @ fit.covariance[:2, :2] @ slope)
    assert fit.prevalence_standard_error == pytest.approx(error)
    assert fit.z_values == pytest.approx(fit.params / fit.standard_errors)
    assert fit.interval(0.9)[:, 0] == pytest.approx(fit.params - 1.644854 * fit.standard_errors)
    assert np.all((fit.p_values > 0) & (fit.p_values < 1))
    assert not fit.notes


def test_a_trait_that_nobody_has_has_no_finite_coefficient():
    counts = np.tile([0, 1, 1, 2], 50)
    treated = np.repeat([0, 1], 100)
    fit = list_regression(None, counts, treated, 2)
    assert fit.prevalence < 0.01
    assert not np.isnan(fit.standard_errors).any()
    assert "few_reports" in {
        note.code for note in list_regression(None, [0, 1, 1, 2], [0, 0, 1, 1], 2).notes
    }


def test_refuses_what_is_no_list_experiment():
    x, counts, treated = survey(50, 7)
    with pytest.raises(CategoryError, match="some of both"):
        list_regression(x, counts, np.zeros(50, dtype=int), 3)
    with pytest.raises(CategoryError, match="from 0 to 4"):
        list_regression(x, counts + 3, treated, 3)
    with pytest.raises(CategoryError, match="at most 3 with the short list"):
        list_regression(x, np.where(treated == 0, 4, 1), treated, 3)
    with pytest.raises(ArgumentError, match="have 5 truths"):
        list_regression(x, counts, treated, 3, design=k_rr(4, 1))
    with pytest.raises(ArgumentError, match="leave x2 out"):
        list_regression(np.column_stack([x, 2 * x]), counts, treated, 3)
