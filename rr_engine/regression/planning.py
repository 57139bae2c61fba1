"""Planning a model: what a number of respondents can find, before anybody answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
import numpy.typing as npt
import scipy

from rr_engine.channels.protocol import Channel
from rr_engine.distributions import normal_isf, normal_sf
from rr_engine.errors import ArgumentError
from rr_engine.regression.covariates import check_covariates, scale_columns
from rr_engine.regression.links import LINKS
from rr_engine.regression.logit import RRLogit
from rr_engine.regression.outcome import BinaryOutcome
from rr_engine.regression.report_likelihoods import check_designs
from rr_engine.validation import (
    MAX_PEOPLE,
    FloatArray,
    as_array,
    check_choice,
    check_distribution,
    check_open_unit,
    check_reals,
    check_size,
    freeze,
)

# Linear predictors among which the intercept is sought.
WIDEST = 60.0
# Share of the largest eigenvalue of the information below which a direction has none.
NO_INFORMATION = 1e-14


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RegressionPlan:
    """What a yes/no model would find, one number for each covariate.

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
    """

    names: tuple[str, ...]
    effects: FloatArray
    intercept: float
    standard_errors: FloatArray
    power: FloatArray
    detectable: FloatArray
    respondents: tuple[int | None, ...]
    n: int
    alpha: float
    wanted_power: float

    def __post_init__(self) -> None:
        for name in ("effects", "standard_errors", "power", "detectable"):
            object.__setattr__(self, name, freeze(getattr(self, name)))


def plan_regression(
    design: Channel | Sequence[Channel],
    X: npt.ArrayLike,
    effects: npt.ArrayLike,
    prevalence: float,
    n: int,
    *,
    shares: npt.ArrayLike | None = None,
    design_shares: npt.ArrayLike | None = None,
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
    link : {"logit", "probit", "cloglog", "cauchit"}, default "logit"
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
    The expected information of one respondent, averaged over rows and devices: no simulation.
    docs/methods/regression.md.

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
    >>> from rr_engine import direct, k_rr
    >>> found = plan_regression(k_rr(2, 2), [[0], [1]], [log(2)], 0.2, 2000)
    >>> found.power.round(2).tolist(), found.respondents
    ([0.98], (982,))
    >>> plan_regression(direct(2), [[0], [1]], [log(2)], 0.2, 2000).respondents
    (435,)
    """
    channels = check_designs(design, "design")
    if channels[0].truth_size != 2:
        rule = "be about two categories"
        raise ArgumentError("design", design, rule, "categories_differ")
    chosen = check_choice(link, "link", sorted(set(LINKS) - {"identity"}))
    size = check_size(n)
    level, wanted = check_open_unit(alpha, "alpha"), check_open_unit(wanted_power, "wanted_power")
    rows = _check_rows(X)
    covariates = check_covariates(rows, len(rows), names, intercept=True)
    weights = _shares(shares, len(rows), "shares")
    parts = _shares(design_shares, len(channels), "design_shares")
    # Refuses devices in use that together do not tell the categories apart.
    RRLogit([channel for channel, part in zip(channels, parts, strict=True) if part], chosen)
    rule = f"be {rows.shape[1]} finite numbers, one for each covariate"
    slopes = check_reals(effects, (rows.shape[1],), "effects", rule)
    # Columns that follow from each other have no coefficients of their own.
    scaling = scale_columns(covariates.columns, weights, covariates.names, intercept=True)
    outcome = BinaryOutcome(chosen)
    intercept = _intercept(
        outcome, rows @ slopes, weights, check_open_unit(prevalence, "prevalence")
    )
    eta = (intercept + rows @ slopes)[:, None]
    blocks = sum(
        part * outcome.expected(eta, channel.matrix)[:, 0, 0]
        for part, channel in zip(parts, channels, strict=True)
    )
    columns = scaling.apply(covariates.columns)
    information = (columns * (weights * blocks)[:, None]).T @ columns
    bounds = np.linalg.eigvalsh(information)
    if not bounds[0] > NO_INFORMATION * bounds[-1]:
        rule = "leave answers that vary at more rows of X: take smaller effects"
        raise ArgumentError("effects", effects, rule, "no_finite_estimate")
    covariance = scaling.transform @ np.linalg.inv(information) @ scaling.transform.T
    one = np.sqrt(np.diag(covariance))[1:]
    return _plan(covariates.names[1:], slopes, intercept, one, (size, level, wanted))


def _plan(
    names: tuple[str, ...],
    effects: FloatArray,
    intercept: float,
    one: FloatArray,
    aims: tuple[int, float, float],
) -> RegressionPlan:
    """Return the plan; `one`: the standard error of one respondent."""
    n, alpha, wanted = aims
    errors = one / np.sqrt(n)
    reach = float(normal_isf(alpha / 2))
    ratio = np.abs(effects) / errors
    needed = [
        None if effect == 0 else _respondents(abs(effect) / error, reach, wanted)
        for effect, error in zip(effects.tolist(), one.tolist(), strict=True)
    ]
    return RegressionPlan(
        names=names,
        effects=effects,
        intercept=intercept,
        standard_errors=errors,
        power=normal_sf(reach - ratio) + normal_sf(reach + ratio),
        detectable=_ratio(reach, wanted) * errors,
        respondents=tuple(needed),
        n=n,
        alpha=alpha,
        wanted_power=wanted,
    )


def _ratio(reach: float, wanted: float) -> float:
    """Return the effect over its error at which both tails have the wanted power together."""
    if wanted <= 2 * normal_sf(reach):
        return 0.0

    def excess(ratio: float) -> float:
        return float(normal_sf(reach - ratio) + normal_sf(reach + ratio) - wanted)

    return float(scipy.optimize.brentq(excess, 0.0, reach + 40.0, xtol=1e-12))


def _respondents(one: float, reach: float, wanted: float) -> int | None:
    """Return the respondents for the wanted power; None beyond what a count can hold."""
    needed = (_ratio(reach, wanted) / one) ** 2
    return max(ceil(needed), 1) if needed < MAX_PEOPLE else None


def _intercept(
    outcome: BinaryOutcome, effects: FloatArray, weights: FloatArray, prevalence: float
) -> float:
    def excess(intercept: float) -> float:
        curve = outcome.curve((intercept + effects)[:, None])
        return float(weights @ curve.probability - prevalence)

    reach = WIDEST + float(np.abs(effects).max(initial=0.0))
    if not excess(-reach) < 0 < excess(reach):
        rule = "be a share that some intercept gives together with these effects"
        raise ArgumentError("prevalence", prevalence, rule, "unreachable")
    return float(scipy.optimize.brentq(excess, -reach, reach, xtol=1e-12))


def _shares(value: npt.ArrayLike | None, size: int, argument: str) -> FloatArray:
    if value is None:
        return np.full(size, 1 / size)
    return check_distribution(value, size, argument)


def _check_rows(value: npt.ArrayLike) -> FloatArray:
    """Return rows of covariates, at least one of each."""
    array = as_array(value)
    rule = "be rows of finite numbers, one column for each covariate"
    if array is None or array.ndim != 2 or not array.size:
        raise ArgumentError("X", value, rule, "not_numbers")
    return check_reals(value, array.shape, "X", rule)
