"""Planning a multinomial model: what a number of respondents can find of each pair of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arguments import truth_labels
from rr_engine.arrays import ArrayLike, FloatArray, as_list
from rr_engine.channels.protocol import Designs
from rr_engine.errors import ArgumentError
from rr_engine.regression.engine.links import MultinomialOutcome
from rr_engine.regression.plans.planned_tests import (
    Aims,
    ModelPlan,
    PlannedRows,
    check_in_use,
    planned_covariance,
    shares_of,
)
from rr_engine.regression.randomized_outcome.logit import RRLogit

# Newton's steps towards the intercepts, and how often one is halved.
STEPS, HALVINGS = 100, 40
# How far the shares that the intercepts give may be from the wanted ones.
MISSED = 1e-10
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MultinomialPlan(ModelPlan):
    """Expected findings of a model of more than two categories.

    Attributes
    ----------
    names : tuple of str
    effects : ndarray of float, shape (categories - 1, covariates)
        The log odds ratios of each category against the first that were assumed.
    intercepts : ndarray of float, shape (categories - 1,)
        Those that give the assumed proportions.
    pairs : tuple of (int, int)
        Each two categories, the second against the first.
    covariance : ndarray of float, shape (categories - 1, covariates, categories - 1, covariates)
        Of the estimated log odds ratios against the first category, with n respondents.
    standard_errors : ndarray of float, shape (pairs, covariates)
        Expected with n respondents, of the log odds ratio of each pair.
    power : ndarray of float, shape (pairs, covariates)
        Of Wald's two-sided test of each log odds ratio.
    detectable : ndarray of float, shape (pairs, covariates)
        The log odds ratio that has the wanted power, with the standard error of these assumptions.
    predictors : tuple of str
        Those that are tested over all pairs at once.
    freedom : tuple of int
        Degrees of freedom of each such test.
    joint_power : ndarray of float, shape (predictors,)
        Of Wald's test that a predictor has no effect on any category.
    joint_factor : ndarray of float, shape (predictors,)
        By what all assumed effects of a predictor would have to be multiplied for the wanted power,
        with the standard errors of these assumptions; inf where they are 0.
    respondents : tuple of (int or None)
        Respondents for the wanted power of that test; None where the assumed effects are 0.
    n : int
    alpha, wanted_power : float

    Examples
    --------
    >>> from math import log
    >>> from rr_engine import k_rr
    >>> from rr_engine.planning import plan_multinomial
    >>> plan = plan_multinomial(k_rr(3, 2), [[0], [1]], [[0], [log(2)]], [0.5, 0.3, 0.2], 2000)
    >>> plan.pairs, plan.joint_power.round(2).tolist(), plan.respondents
    (((0, 1), (0, 2), (1, 2)), [0.92], (1397,))
    """

    intercepts: FloatArray
    pairs: tuple[tuple[int, int], ...]
    covariance: FloatArray
    predictors: tuple[str, ...]
    freedom: tuple[int, ...]
    joint_power: FloatArray
    joint_factor: FloatArray


def plan_multinomial(
    design: Designs,
    X: ArrayLike,
    effects: ArrayLike,
    proportions: ArrayLike,
    n: int,
    *,
    shares: ArrayLike | None = None,
    design_shares: ArrayLike | None = None,
    alpha: float = 0.05,
    wanted_power: float = 0.8,
    names: Sequence[str] | None = None,
    predictors: Sequence[str] | None = None,
) -> MultinomialPlan:
    """Return the power of a model of several categories for assumed effects.

    Parameters
    ----------
    design : Channel or sequence of Channel
        The device, or those that chance gives to respondents.
    X : array_like of float, shape (m, covariates)
        Rows of covariates that occur: all combinations, or a sample of respondents.
    effects : array_like of float, shape (categories - 1, covariates)
        Assumed logarithms of odds ratios of each category against the first; zeros for what can be
        found near to no effect.
    proportions : array_like of float, shape (categories,)
        Assumed proportions of the categories among all.
    n : int
        Planned respondents.
    shares : array_like of float, shape (m,), optional
        Share of each row; equal ones when left out.
    design_shares : array_like of float, shape (designs,), optional
        Share of the respondents who get each device; equal ones when left out.
    alpha : float, default 0.05
    wanted_power : float, default 0.8
    names : sequence of str, optional
    predictors : sequence of str, optional
        For each column the name of the predictor that it belongs to, such as twice "region" for two
        indicators; each column by itself when left out.

    Returns
    -------
    MultinomialPlan

    Raises
    ------
    ArgumentError, DistributionError, NotIdentifiableError
        Also for proportions that no intercepts give.

    Notes
    -----
    The expected information of one respondent, averaged over rows and devices: no simulation.
    docs/methods/regression.md.

    References
    ----------
    .. [1] G. Shieh, "Sample Size Calculations for Logistic and Poisson Regression Models",
       Biometrika 88, 2001 (two categories).
    .. [2] J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", second edition,
       Erlbaum 1988, chapter 7 (the noncentral chi-square).

    Examples
    --------
    A trait of half of the respondents doubles the odds of the last answer against both others:

    >>> from math import log
    >>> from rr_engine import k_rr
    >>> found = plan_multinomial(
    ...     k_rr(3, 2), [[0], [1]], [[0], [log(2)]], [0.5, 0.3, 0.2], 2000
    ... )
    >>> found.pairs, found.power.round(2).ravel().tolist()
    (((0, 1), (0, 2), (1, 2)), [0.05, 0.95, 0.9])
    >>> found.joint_power.round(2).tolist(), found.respondents
    ([0.92], (1397,))
    """
    model = RRLogit(design)
    if model.truths < 3:
        raise ArgumentError("design", design, "be about three or more categories", "category_count")
    aims, planned = Aims.of(n, alpha, wanted_power), PlannedRows.of(X, shares, names)
    parts = shares_of(design_shares, len(model.designs), "design_shares")
    check_in_use(model, parts)
    shape = (model.truths - 1, planned.rows.shape[1])
    rule = f"be {shape[0]} rows of {shape[1]} finite numbers, one for each covariate"
    slopes = check.reals(effects, shape, "effects", rule)
    own = _predictors(predictors, planned.covariates.names[1:])
    labels = truth_labels(model.designs[0])
    wanted = check.distribution(proportions, model.truths, "proportions", labels)
    intercepts = _intercepts(planned.rows @ slopes.T, planned.weights, wanted)
    covariance = planned_covariance(model, planned, (intercepts, slopes), parts)[:, 1:, :, 1:]
    return _plan(planned.covariates.names[1:], (intercepts, slopes), covariance, own, aims)


def _plan(
    names: tuple[str, ...],
    coefficients: tuple[FloatArray, FloatArray],
    covariance: FloatArray,
    own: tuple[str, ...],
    aims: Aims,
) -> MultinomialPlan:
    """Return the plan; `own`: the predictor of each column."""
    intercepts, effects = coefficients
    pairs = tuple(combinations(range(len(effects) + 1), 2))
    contrasts = np.vstack([np.zeros(len(effects)), np.eye(len(effects))])
    contrasts = np.array([contrasts[second] - contrasts[first] for first, second in pairs])
    variances = np.einsum("pa,ajbj,pb->pj", contrasts, covariance, contrasts)
    errors = np.sqrt(np.maximum(variances, 0.0) / aims.n)
    predictors = tuple(dict.fromkeys(own))
    columns = [[place for place, name in enumerate(own) if name == each] for each in predictors]
    freedom = tuple(len(effects) * len(places) for places in columns)
    tests = [
        (_excess(effects, covariance, places), size)
        for places, size in zip(columns, freedom, strict=True)
    ]
    return MultinomialPlan(
        names=names,
        effects=effects,
        intercepts=intercepts,
        pairs=pairs,
        covariance=covariance / aims.n,
        standard_errors=errors,
        power=aims.power(np.abs(contrasts @ effects) / errors),
        detectable=aims.ratio * errors,
        predictors=predictors,
        freedom=freedom,
        joint_power=np.array([aims.joint_power(aims.n * one, size) for one, size in tests]),
        joint_factor=np.array(
            [
                sqrt(aims.joint_excess(size) / (aims.n * one)) if one > 0 else inf
                for one, size in tests
            ]
        ),
        respondents=tuple(aims.respondents(one, aims.joint_excess(size)) for one, size in tests),
        n=aims.n,
        alpha=aims.alpha,
        wanted_power=aims.wanted,
    )


def _excess(effects: FloatArray, covariance: FloatArray, places: Sequence[int]) -> float:
    """Return what one respondent adds to the noncentrality of the test of these columns."""
    assumed = effects[:, places].ravel()
    part = covariance[:, places][:, :, :, places].reshape(len(assumed), len(assumed))
    return max(float(assumed @ np.linalg.solve(part, assumed)), 0.0)


def _intercepts(effects: FloatArray, weights: FloatArray, wanted: FloatArray) -> FloatArray:
    """Return the intercepts with which the categories have the wanted proportions.

    They are at the top of a concave function, whose slopes are what the proportions still lack.
    """
    if not (wanted > 0).all():
        raise _unreachable(wanted)
    outcome, used = MultinomialOutcome(len(wanted)), weights > 0
    offsets, weights = effects[used], weights[used]

    def height(at: FloatArray) -> float:
        eta = np.column_stack([np.zeros(len(offsets)), at + offsets])
        top = eta.max(axis=1)
        sums = top + np.log(np.exp(eta - top[:, None]).sum(axis=1))
        return float(wanted[1:] @ at - weights @ sums)

    found = np.log(wanted[1:] / wanted[0]) - weights @ offsets
    for _ in range(STEPS):
        chances = outcome.probabilities(found + offsets)[:, 1:]
        lack = wanted[1:] - weights @ chances
        if np.abs(lack).max() <= MISSED:
            return found
        bend = np.diag(weights @ chances) - (chances * weights[:, None]).T @ chances
        step, top = np.linalg.lstsq(bend, lack, rcond=None)[0], height(found)
        # Near the top rounding alone moves the height.
        slack = ROUNDING * (1 + abs(top))
        for _ in range(HALVINGS):
            if height(found + step) >= top + lack @ step / 4 - slack:
                break
            step = step / 2
        found = found + step
    raise _unreachable(wanted)


def _unreachable(wanted: FloatArray) -> ArgumentError:
    rule = "be shares above 0 that some intercepts give together with these effects"
    return ArgumentError("proportions", wanted, rule, "unreachable")


def _predictors(value: Sequence[str] | None, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the predictor of each column; errors name the argument."""
    if value is None:
        return names
    labels = as_list(value)
    rule = f"be {len(names)} texts, the predictor of each column"
    if labels is None or not all(isinstance(label, str) and label for label in labels):
        raise ArgumentError("predictors", value, rule, "not_labels")
    if len(labels) != len(names):
        raise ArgumentError("predictors", value, rule, "labels_do_not_fit")
    return tuple(labels)
