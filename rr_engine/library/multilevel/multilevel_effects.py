"""Predictions and effects of a model with groups, averaged over the groups' intercepts."""

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.distributions import margin_factor
from rr_engine.library.multilevel.multilevel_fit import MultilevelFit
from rr_engine.regression.engine.links import BinaryOutcome
from rr_engine.regression.randomized_outcome import predictions
from rr_engine.regression.randomized_outcome.predicted import (
    MarginalEffects,
    PredictedProbabilities,
)

# Nodes of the average over groups.
NODES = 41


def group_averaged_probabilities(
    fit: MultilevelFit, X: ArrayLike, level: float = 0.95
) -> PredictedProbabilities:
    """Return the probabilities of the true answers in a group that is drawn at random.

    Parameters
    ----------
    fit : MultilevelFit
    X : array_like of float, shape (m, columns), or (m,) for one column
        Columns as they were fitted, without the intercept's.
    level : float, default 0.95

    Returns
    -------
    PredictedProbabilities
        Errors by the delta method, intervals on the scale of logits.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] S. L. Zeger, K.-Y. Liang and P. S. Albert, "Models for Longitudinal Data: A Generalized
       Estimating Equation Approach", Biometrics 44, 1988, 1049-1060.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> from rr_engine.models import RRMultilevelLogit
    >>> schools = np.repeat(["A", "B", "C"], 40)
    >>> reports = np.repeat([0, 1, 0, 1, 0, 1], [34, 6, 30, 10, 10, 30])
    >>> fit = RRMultilevelLogit(warner(0.9)).fit(None, reports, schools)
    >>> found = group_averaged_probabilities(fit, np.empty((1, 0)))
    >>> found.probabilities.round(3).tolist()
    [[0.652, 0.348]]
    """
    alone = _check_fit(fit).alone
    reach = margin_factor(level)
    if not fit.group_deviation:
        return predictions.predicted_probabilities(alone, X, level)
    columns = predictions.design_rows(alone, X)
    yes, slopes = np.zeros(len(columns)), np.zeros((len(columns), len(fit.covariance)))
    for node, weight in zip(*_normal_rule(), strict=True):
        rows = _with_node(columns, node)
        curve = BinaryOutcome(fit.link).curve((rows @ _parameters(fit))[:, None])
        yes += weight * curve.probability
        slopes += weight * curve.slope[:, None] * rows
    errors = predictions.delta_errors(slopes, fit.covariance)
    probabilities, both = np.column_stack([1 - yes, yes]), np.column_stack([errors, errors])
    return PredictedProbabilities(
        probabilities=probabilities,
        standard_errors=both,
        intervals=predictions.logit_intervals(probabilities, both, reach),
        level=float(level),
    )


def group_averaged_effects(
    fit: MultilevelFit, X: ArrayLike | None = None, level: float = 0.95
) -> MarginalEffects:
    """Return by how much the probability changes with each column, on average over groups.

    Parameters
    ----------
    fit : MultilevelFit
    X : array_like of float, shape (m, columns), optional
        Covariates to average over; those of the respondents when left out.
    level : float, default 0.95

    Returns
    -------
    MarginalEffects
        Of respondents in groups that are drawn at random; errors by the delta method.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] T. Bartus, "Estimation of Marginal Effects Using Margeff", The Stata Journal 5, 2005.
    .. [2] S. L. Zeger, K.-Y. Liang and P. S. Albert, "Models for Longitudinal Data: A Generalized
       Estimating Equation Approach", Biometrics 44, 1988, 1049-1060.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import warner
    >>> from rr_engine.models import RRMultilevelLogit
    >>> schools, x = np.repeat(["A", "B", "C"], 80), np.tile(np.repeat([0, 1], 40), 3)
    >>> reports = np.repeat([0, 1] * 6, [36, 4, 28, 12, 30, 10, 18, 22, 22, 18, 10, 30])
    >>> fit = RRMultilevelLogit(warner(0.9)).fit(x, reports, schools)
    >>> fit.params.round(2).tolist(), group_averaged_effects(fit).effects.round(3).tolist()
    ([-1.59, 1.79], [0.326])
    """
    alone = _check_fit(fit).alone
    reach = margin_factor(level)
    if not fit.group_deviation:
        return predictions.average_marginal_effects(alone, X, level)
    columns, shares = predictions.respondents_of(alone, X)
    first = int(alone.intercept)
    changes = [_change(fit, columns, shares, place) for place in range(first, len(fit.names))]
    effects = np.array([change.effect[1] for change in changes])
    errors = predictions.delta_errors(
        np.array([change.slopes[1] for change in changes]).reshape(-1, len(fit.covariance)),
        fit.covariance,
    )
    return MarginalEffects(
        names=fit.names[first:],
        effects=effects,
        standard_errors=errors,
        intervals=np.stack([effects - reach * errors, effects + reach * errors], axis=-1),
        discrete=tuple(change.discrete for change in changes),
        level=float(level),
    )


def _check_fit(value: object) -> MultilevelFit:
    return check.instance(value, "fit", MultilevelFit, "be a MultilevelFit", "not_a_multilevel_fit")


def _normal_rule() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of an average over a standard normal variable."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


def _parameters(fit: MultilevelFit) -> FloatArray:
    return np.append(fit.params, fit.group_deviation)


def _with_node(columns: FloatArray, node: float) -> FloatArray:
    """Return the columns with one more, whose coefficient is the groups' standard deviation."""
    return np.column_stack([columns, np.full(len(columns), node)])


def _change(
    fit: MultilevelFit, columns: FloatArray, shares: FloatArray, place: int
) -> predictions.AverageChange:
    """Return the effect of one column, averaged over the nodes."""
    outcome, parameters = BinaryOutcome(fit.link), _parameters(fit)
    nodes, weights = _normal_rule()
    parts = [
        predictions.average_change(_with_node(columns, node), shares, place, outcome, parameters)
        for node in nodes
    ]
    return predictions.AverageChange(
        np.asarray(sum(w * part.effect for w, part in zip(weights, parts, strict=True))),
        np.asarray(sum(w * part.slopes for w, part in zip(weights, parts, strict=True))),
        parts[0].discrete,
    )
