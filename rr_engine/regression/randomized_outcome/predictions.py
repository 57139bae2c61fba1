"""Predicted probabilities and average marginal effects of a fitted model."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.codes import as_numbers
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError
from rr_engine.frames.tallies import is_frame
from rr_engine.regression.engine.covariates import LARGEST_NUMBER, columns_in_order
from rr_engine.regression.engine.links import BinaryOutcome, MultinomialOutcome, Outcome
from rr_engine.regression.randomized_outcome.predicted import (
    MarginalEffects,
    PredictedProbabilities,
)
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit

# Probabilities of an interval on the scale of logits are kept this far from 0 and 1.
EDGE = 1e-12
# Values nearer than this to 0 and 1 are these.
TINY = 1e-9


def predicted_probabilities(
    fit: RegressionFit, X: ArrayLike, level: float = 0.95
) -> PredictedProbabilities:
    """Return the probabilities of the true answers at rows of covariates.

    Parameters
    ----------
    fit : RegressionFit
    X : array_like of float, shape (m, columns), or (m,) for one column
        Columns as they were fitted, without the intercept's.
    level : float, default 0.95

    Returns
    -------
    PredictedProbabilities

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] J. Xu and J. S. Long, "Confidence Intervals for Predicted Outcomes in Regression Models
       for Categorical Outcomes", The Stata Journal 5, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> found = predicted_probabilities(RRLogit(warner(0.75)).fit(x, reports), [[0.0], [1.0]])
    >>> found.probabilities[:, 1].round(3).tolist(), found.intervals[:, 1].round(3).tolist()
    ([0.2, 0.5], [[0.147, 0.266], [0.438, 0.562]])
    """
    columns = design_rows(fit, X)
    reach = margin_factor(level)
    outcome, params, covariance = outcome_of(fit), fit.params.ravel(), fit.covariance
    probabilities = outcome.probabilities(linear_predictors(columns, params, outcome))
    slopes = coefficient_slopes(probability_slopes(columns, params, outcome), columns)
    errors = delta_errors(slopes, covariance)
    if isinstance(outcome, BinaryOutcome):
        intervals = _link_intervals(columns, fit, outcome, reach)
    else:
        intervals = logit_intervals(probabilities, errors, reach)
    return PredictedProbabilities(
        probabilities=probabilities, standard_errors=errors, intervals=intervals, level=float(level)
    )


def average_marginal_effects(
    fit: RegressionFit, X: ArrayLike | None = None, level: float = 0.95
) -> MarginalEffects:
    """Return by how much the probabilities change with each column, on average over respondents.

    Parameters
    ----------
    fit : RegressionFit
    X : array_like of float, shape (m, columns), optional
        Covariates to average over; those of the respondents, with their weights, when left out.
    level : float, default 0.95

    Returns
    -------
    MarginalEffects
        Errors by the delta method, for these covariates.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] T. Bartus, "Estimation of Marginal Effects Using Margeff", The Stata Journal 5, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> found = average_marginal_effects(RRLogit(warner(0.75)).fit(x, reports))
    >>> found.effects.round(3).tolist(), found.standard_errors.round(4).tolist()
    ([0.3], [0.0437])
    """
    reach = margin_factor(level)
    columns, shares = respondents_of(fit, X)
    outcome, first = outcome_of(fit), int(fit.intercept)
    changes = [
        average_change(columns, shares, place, outcome, fit.params.ravel())
        for place in range(first, len(fit.names))
    ]
    shape = len(changes), fit.truths
    effects = np.array([change.effect for change in changes]).reshape(shape)
    slopes = np.array([change.slopes for change in changes]).reshape(*shape, fit.params.size)
    errors = delta_errors(slopes, fit.covariance)
    if fit.truths == 2:
        effects, errors = effects[:, 1], errors[:, 1]
    else:
        effects, errors = effects.T, errors.T
    return MarginalEffects(
        names=fit.names[first:],
        effects=effects,
        standard_errors=errors,
        intervals=np.stack([effects - reach * errors, effects + reach * errors], axis=-1),
        discrete=tuple(change.discrete for change in changes),
        level=float(level),
    )


def check_fit(value: object, argument: str = "fit") -> RegressionFit:
    """Return a fitted model."""
    return check.instance(value, argument, RegressionFit, "be a RegressionFit", "not_a_fit")


def design_rows(fit: RegressionFit, X: ArrayLike) -> FloatArray:
    """Return rows of columns, the intercept's included, for the fit."""
    first = int(check_fit(fit).intercept)
    size = len(fit.names) - first
    if fit.formula is not None and is_frame(X):
        X = np.asarray(fit.formula.rows(X))
    array = as_numbers(columns_in_order(X, fit.names[first:]))
    rule = f"be rows of {size} numbers of at most {LARGEST_NUMBER:g} in size, one for each of "
    rule += ", ".join(fit.names[first:])
    if not size:
        rule = "be rows without numbers, as np.empty((1, 0)): the model has no columns of X"
    if array is not None and array.ndim == size == 1:
        array = array[:, None]
    fits = array is not None and array.ndim == 2 and array.shape[1] == size and len(array)
    # NaN fails the comparison.
    if array is None or not fits or not (np.abs(array) <= LARGEST_NUMBER).all():
        raise ArgumentError("X", X, rule, "not_numbers")
    return np.hstack([np.ones((len(array), first)), array])


def outcome_of(fit: RegressionFit) -> Outcome:
    """Return how probabilities follow from the linear predictors of a fit."""
    if fit.truths < 2:
        rule = "be of an outcome with categories: that of a linear model has no probabilities"
        raise ArgumentError("fit", fit.names, rule, "outcome_for_other_family")
    return BinaryOutcome(fit.link) if fit.truths == 2 else MultinomialOutcome(fit.truths)


def linear_predictors(columns: FloatArray, params: FloatArray, outcome: Outcome) -> FloatArray:
    """Return the linear predictors, shape (m, q), of flat coefficients."""
    return columns @ params.reshape(outcome.predictors, -1).T


def probability_slopes(columns: FloatArray, params: FloatArray, outcome: Outcome) -> FloatArray:
    """Return the derivatives of the probabilities, shape (m, truths, q), in the predictors."""
    eta = linear_predictors(columns, params, outcome)
    if isinstance(outcome, BinaryOutcome):
        slope = outcome.curve(eta).slope
        return np.stack([-slope, slope], axis=1)[:, :, None]
    shares = outcome.probabilities(eta)
    size = shares.shape[1]
    return shares[:, :, None] * (np.eye(size)[:, 1:] - shares[:, None, 1:])


def probability_curvatures(columns: FloatArray, params: FloatArray, outcome: Outcome) -> FloatArray:
    """Return the second derivatives of the probabilities, shape (m, truths, q, q)."""
    eta = linear_predictors(columns, params, outcome)
    if isinstance(outcome, BinaryOutcome):
        bend = outcome.curve(eta).curvature
        return np.stack([-bend, bend], axis=1)[:, :, None, None]
    shares = outcome.probabilities(eta)
    inner, size = shares[:, 1:], shares.shape[1]
    spread = inner[:, :, None] * (np.eye(size - 1) - inner[:, None, :])
    apart = np.eye(size)[:, 1:] - inner[:, None, :]
    return shares[:, :, None, None] * (
        apart[:, :, :, None] * apart[:, :, None, :] - spread[:, None, :, :]
    )


def coefficient_slopes(slopes: FloatArray, columns: FloatArray) -> FloatArray:
    """Return derivatives in the coefficients, shape (m, truths, q * p)."""
    full = slopes[:, :, :, None] * columns[:, None, None, :]
    return full.reshape(*slopes.shape[:2], -1)


def delta_errors(slopes: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return standard errors by the delta method; `slopes`: shape (..., coefficients).

    Infinite where a coefficient without a finite estimate counts.
    """
    endless = np.isinf(np.diag(covariance))
    finite = np.where(np.isinf(covariance), 0.0, covariance)
    errors = np.sqrt(np.maximum(((slopes @ finite) * slopes).sum(axis=-1), 0.0))
    return np.where((slopes[..., endless] != 0).any(axis=-1), np.inf, errors)


@dataclass(frozen=True, slots=True, eq=False)
class AverageChange:
    """The effect of one column on each truth, shape (truths,), and its derivatives."""

    effect: FloatArray
    slopes: FloatArray
    discrete: bool


def average_change(
    columns: FloatArray, shares: FloatArray, place: int, outcome: Outcome, params: FloatArray
) -> AverageChange:
    """Return 1 against 0 of a column of zeros and ones, and else the mean slope."""
    values = columns[:, place]
    alike = bool(((np.abs(values) < TINY) | (np.abs(values - 1) < TINY)).all())
    # A column of a very small unit has no ones among its near zeros.
    if alike and (values.max() > 0.5 or not values.any()):
        ends = [_with(columns, place, value) for value in (1.0, 0.0)]
        averages = [
            shares @ outcome.probabilities(linear_predictors(end, params, outcome)) for end in ends
        ]
        gradients = [_mean_slopes(end, shares, params, outcome) for end in ends]
        return AverageChange(averages[0] - averages[1], gradients[0] - gradients[1], True)
    slopes = probability_slopes(columns, params, outcome)
    own = params.reshape(outcome.predictors, -1)[:, place]
    mean = np.einsum("m,mva->va", shares, slopes)
    # The derivative of ``mean @ own``: own changes at this place, and the slopes everywhere.
    bends = probability_curvatures(columns, params, outcome) @ own
    gradient = np.einsum("m,mva,mp->vap", shares, bends, columns)
    gradient[:, :, place] += mean
    return AverageChange(mean @ own, gradient.reshape(len(mean), -1), False)


def _with(columns: FloatArray, place: int, value: float | FloatArray) -> FloatArray:
    changed = columns.copy()
    changed[:, place] = value
    return changed


def _mean_slopes(
    columns: FloatArray, shares: FloatArray, params: FloatArray, outcome: Outcome
) -> FloatArray:
    """Return the derivatives of the mean probabilities, shape (truths, q * p)."""
    slopes = probability_slopes(columns, params, outcome) * shares[:, None, None]
    return np.einsum("mvq,mp->vqp", slopes, columns).reshape(slopes.shape[1], -1)


def respondents_of(fit: RegressionFit, X: ArrayLike | None = None) -> tuple[FloatArray, FloatArray]:
    """Return columns and shares of the rows of X, or of the respondents with their weights."""
    if X is not None:
        columns = design_rows(fit, X)
        return columns, np.full(len(columns), 1 / len(columns))
    columns, weights = check_fit(fit).fitted.rows()
    return columns, weights / weights.sum()


def _link_intervals(
    columns: FloatArray, fit: RegressionFit, outcome: BinaryOutcome, reach: float
) -> FloatArray:
    """Return the linear predictor's interval put through the link."""
    eta = columns @ fit.params
    errors = delta_errors(columns, fit.covariance)
    low, high = (
        outcome.probabilities((eta + side * reach * errors)[:, None])[:, 1] for side in (-1, 1)
    )
    return np.stack([np.stack([1 - high, 1 - low], -1), np.stack([low, high], -1)], axis=1)


def logit_intervals(shares: FloatArray, errors: FloatArray, reach: float) -> FloatArray:
    """Return normal intervals of log(p/(1 - p)), turned back."""
    inside = np.clip(shares, EDGE, 1 - EDGE)
    spread = reach * errors / (inside * (1 - inside))
    return np.stack([expit(logit(inside) - spread), expit(logit(inside) + spread)], axis=-1)
