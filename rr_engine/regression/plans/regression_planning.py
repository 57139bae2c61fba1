"""Planning a model: what a number of respondents can find, before anybody answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.protocol import Designs
from rr_engine.errors import ArgumentError
from rr_engine.precision import check_identifiable, left_inverse
from rr_engine.regression.engine.links import LINKS, BinaryOutcome
from rr_engine.regression.plans.planned_tests import (
    Aims,
    ModelPlan,
    PlannedRows,
    check_in_use,
    inverse_information,
    planned_covariance,
    shares_of,
)
from rr_engine.regression.randomized_outcome.logit import RRLogit
from rr_engine.regression.randomized_outcome.regression_fitting import sandwich

# Linear predictors among which the intercept is sought.
WIDEST = 60.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RegressionPlan(ModelPlan):
    """Expected findings of a yes/no model, one number for each covariate.

    Attributes
    ----------
    names : tuple of str
    effects : ndarray of float, shape (covariates,)
        The coefficients that were assumed.
    intercept : float
        The intercept that gives the assumed prevalence.
    standard_errors : ndarray of float, shape (covariates,)
        Expected, with n respondents.
    power : ndarray of float, shape (covariates,)
        Of Wald's two-sided test of each coefficient.
    detectable : ndarray of float, shape (covariates,)
        The coefficient that has the wanted power, with the standard error of these assumptions.
    respondents : tuple of (int or None)
        Respondents for the wanted power; None where the assumed effect is 0.
    n : int
    alpha, wanted_power : float

    Examples
    --------
    >>> from math import log
    >>> from rr_engine import k_rr
    >>> from rr_engine.planning import plan_regression
    >>> plan = plan_regression(k_rr(2, 2), [[0], [1]], [log(2)], 0.2, 2000)
    >>> plan.names, plan.power.round(2).tolist(), plan.detectable.round(2).tolist()
    (('x1',), [0.98], [0.49])
    """

    intercept: float


def plan_regression(
    design: Designs,
    X: ArrayLike,
    effects: ArrayLike,
    prevalence: float,
    n: int,
    *,
    shares: ArrayLike | None = None,
    design_shares: ArrayLike | None = None,
    link: str = "logit",
    alpha: float = 0.05,
    wanted_power: float = 0.8,
    names: Sequence[str] | None = None,
) -> RegressionPlan:
    """Return the power of a yes/no model for assumed effects.

    Parameters
    ----------
    design : Channel or sequence of Channel
        The device, or those that chance gives to respondents.
    X : array_like of float, shape (m, covariates)
        Rows of covariates that occur: all combinations, or a sample of respondents.
    effects : array_like of float, shape (covariates,)
        Assumed coefficients, such as logarithms of odds ratios.
    prevalence : float
        Assumed share of "yes" among all.
    n : int
        Planned respondents.
    shares : array_like of float, shape (m,), optional
        Share of each row; equal ones when left out.
    design_shares : array_like of float, shape (designs,), optional
        Share of the respondents who get each device; equal ones when left out.
    link : {"logit", "probit", "cloglog", "cauchit", "identity"}, default "logit"
        "identity" is the linear probability model, whose effects are differences of shares.
    alpha : float, default 0.05
    wanted_power : float, default 0.8
    names : sequence of str, optional

    Returns
    -------
    RegressionPlan

    Raises
    ------
    ArgumentError, DistributionError, NotIdentifiableError
        Also for a share of "yes" that no intercept gives, and for effects so large that the answers
        of most rows are certain ("no_finite_estimate").

    Notes
    -----
    The expected information of one respondent, averaged over rows and devices: no simulation. Of
    the linear probability model the variance of least squares, which is known exactly but for the
    factor n/(n - p) of the fit. docs/methods/regression.md.

    References
    ----------
    .. [1] A. S. Whittemore, "Sample Size for Logistic Regression with Small Response Probability",
       Journal of the American Statistical Association 76, 1981.
    .. [2] G. Shieh, "Sample Size Calculations for Logistic and Poisson Regression Models",
       Biometrika 88, 2001.

    Examples
    --------
    Half of the respondents have a trait that doubles the odds; one in five says yes:

    >>> from math import log
    >>> from rr_engine import k_rr
    >>> from rr_engine.designs import direct
    >>> found = plan_regression(k_rr(2, 2), [[0], [1]], [log(2)], 0.2, 2000)
    >>> found.power.round(2).tolist(), found.respondents
    ([0.98], (982,))
    >>> plan_regression(direct(2), [[0], [1]], [log(2)], 0.2, 2000).respondents
    (435,)

    Ten percentage points more, by the linear probability model:

    >>> plan_regression(k_rr(2, 2), [[0], [1]], [0.1], 0.2, 2000, link="identity").respondents
    (1063,)
    """
    model = RRLogit(design, check.choice(link, "link", sorted(LINKS)))
    if model.truths != 2:
        rule = "be about two categories"
        raise ArgumentError("design", design, rule, "categories_differ")
    aims = Aims.of(n, alpha, wanted_power)
    planned = PlannedRows.of(X, shares, names)
    parts = shares_of(design_shares, len(model.designs), "design_shares")
    check_in_use(model, parts)
    width = planned.rows.shape[1]
    rule = f"be {width} finite numbers, one for each covariate"
    slopes = check.reals(effects, (width,), "effects", rule)
    share = check.open_unit(prevalence, "prevalence")
    if link == "identity":
        intercept = _straight_intercept(planned, slopes, share)
        covariance = _by_least_squares(model, planned, (intercept, slopes), parts)
    else:
        intercept = _intercept(BinaryOutcome(link), planned.rows @ slopes, planned.weights, share)
        line = intercept, slopes[None, :]
        covariance = planned_covariance(model, planned, line, parts)[0, :, 0]
    one = np.sqrt(np.diag(covariance))[1:]
    return _plan(planned.covariates.names[1:], slopes, intercept, one, aims)


def _by_least_squares(
    model: RRLogit, planned: PlannedRows, line: tuple[float, FloatArray], parts: FloatArray
) -> FloatArray:
    """Return the covariance of the coefficients by one respondent, by least squares on scores.

    A score has the variance of its report, which differs between the rows.
    """
    intercept, slopes = line
    chances = intercept + planned.rows @ slopes
    truths = np.column_stack([1 - chances, chances])
    variances = np.zeros(len(chances))
    for part, channel in zip(parts, model.designs, strict=True):
        check_identifiable(channel.matrix)
        scores = left_inverse(channel.matrix)[1]
        variances += part * (truths @ channel.matrix.T @ scores**2 - chances**2)
    columns, weights = planned.scaled, planned.weights[:, None]
    inverse = inverse_information((columns * weights).T @ columns, slopes)
    covariance = sandwich(inverse, (columns * weights * variances[:, None]).T @ columns)
    return planned.scaling.transform @ covariance @ planned.scaling.transform.T


def _plan(
    names: tuple[str, ...], effects: FloatArray, intercept: float, one: FloatArray, aims: Aims
) -> RegressionPlan:
    """Return the plan; `one`: the standard error of one respondent."""
    errors = one / np.sqrt(aims.n)
    # Where nothing varies, as of a line through all answers, any effect is found.
    needed = [
        None
        if effect == 0
        else aims.respondents((effect / error) ** 2 if error else inf, aims.ratio**2)
        for effect, error in zip(effects.tolist(), one.tolist(), strict=True)
    ]
    exact = np.where(effects == 0, 0.0, inf)
    ratios = np.divide(np.abs(effects), errors, out=exact, where=errors > 0)
    return RegressionPlan(
        names=names,
        effects=effects,
        intercept=intercept,
        standard_errors=errors,
        power=aims.power(ratios),
        detectable=aims.ratio * errors,
        respondents=tuple(needed),
        n=aims.n,
        alpha=aims.alpha,
        wanted_power=aims.wanted,
    )


def _intercept(
    outcome: BinaryOutcome, effects: FloatArray, weights: FloatArray, prevalence: float
) -> float:
    def excess(intercept: float) -> float:
        curve = outcome.curve((intercept + effects)[:, None])
        return float(weights @ curve.probability - prevalence)

    reach = WIDEST + float(np.abs(effects).max(initial=0.0))
    if not excess(-reach) < 0 < excess(reach):
        raise _unreachable(prevalence)
    return float(scipy.optimize.brentq(excess, -reach, reach, xtol=1e-12))


def _straight_intercept(planned: PlannedRows, slopes: FloatArray, prevalence: float) -> float:
    """Return the intercept of a straight line, which has to stay between 0 and 1."""
    effects = planned.rows @ slopes
    intercept = prevalence - float(planned.weights @ effects)
    chances = intercept + effects[planned.weights > 0]
    if chances.min() < 0 or chances.max() > 1:
        raise _unreachable(prevalence)
    return intercept


def _unreachable(prevalence: float) -> ArgumentError:
    rule = "be a share that some intercept gives together with these effects"
    return ArgumentError("prevalence", prevalence, rule, "unreachable")
