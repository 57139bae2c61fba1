"""Tests that models' plans are about, and the rows of covariates that they assume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, as_array
from rr_engine.distributions import (
    chi2_isf,
    noncentral_chi2_sf,
    noncentrality,
    normal_isf,
    normal_sf,
)
from rr_engine.errors import ArgumentError
from rr_engine.regression.engine.covariates import (
    Covariates,
    Scaling,
    check_covariates,
    scale_columns,
)
from rr_engine.regression.randomized_outcome.logit import RRLogit

# Noncentralities beyond it are found by any test of a model, and SciPy has no tail of them.
CERTAIN = 1e4
# Share of the largest eigenvalue of the information below which a direction has none.
NO_INFORMATION = 1e-14


class Aims(NamedTuple):
    """The planned respondents, the level of the tests and the power that is wanted."""

    n: int
    alpha: float
    wanted: float

    @classmethod
    def of(cls, n: object, alpha: object, wanted_power: object) -> Aims:
        """Return checked aims; errors name the arguments of the plans."""
        level = check.open_unit(alpha, "alpha")
        return cls(check.size(n), level, check.open_unit(wanted_power, "wanted_power"))

    @property
    def reach(self) -> float:
        """How many standard errors from zero the two-sided test rejects."""
        return float(normal_isf(self.alpha / 2))

    @property
    def ratio(self) -> float:
        """The effect over its error at which both tails have the wanted power together."""
        reach = self.reach
        if self.wanted <= 2 * normal_sf(reach):
            return 0.0

        def excess(ratio: float) -> float:
            return float(normal_sf(reach - ratio) + normal_sf(reach + ratio) - self.wanted)

        return float(scipy.optimize.brentq(excess, 0.0, reach + 40.0, xtol=1e-12))

    def power(self, ratio: FloatArray) -> FloatArray:
        """Return the power of Wald's test where an effect is so many standard errors."""
        return normal_sf(self.reach - ratio) + normal_sf(self.reach + ratio)

    def joint_power(self, excess: float, freedom: int) -> float:
        """Return the power of Wald's test of several coefficients with this noncentrality."""
        limit = chi2_isf(self.alpha, freedom)
        return float(noncentral_chi2_sf(limit, freedom, excess)) if excess < CERTAIN else 1.0

    def joint_excess(self, freedom: int) -> float:
        """Return the noncentrality at which that test has the wanted power."""
        if self.wanted <= self.alpha:
            return 0.0
        return float(noncentrality(chi2_isf(self.alpha, freedom), freedom, self.wanted))

    def respondents(self, one: float, excess: float) -> int | None:
        """Return the respondents who add up to a noncentrality; None beyond what a count can hold.

        `one` is what each of them adds.
        """
        needed = excess / one if one > 0 else float("inf")
        return max(ceil(needed), 1) if needed < check.MAX_PEOPLE else None


class PlannedRows(NamedTuple):
    """Rows of covariates with an intercept, and the share of each among the respondents."""

    covariates: Covariates
    weights: FloatArray
    scaling: Scaling

    @property
    def scaled(self) -> FloatArray:
        """The columns, the intercept among them, in units that spoil no arithmetic."""
        return self.scaling.apply(self.covariates.columns)

    @property
    def rows(self) -> FloatArray:
        """The covariates without the intercept."""
        return self.covariates.columns[:, 1:]

    @classmethod
    def of(
        cls, value: ArrayLike, shares: ArrayLike | None, names: Sequence[str] | None
    ) -> PlannedRows:
        """Return checked rows; refuses columns that follow from each other."""
        rows = _check_rows(value)
        covariates = check_covariates(rows, len(rows), names, intercept=True)
        weights = shares_of(shares, len(rows), "shares")
        # Columns that follow from each other have no coefficients of their own.
        scaling = scale_columns(covariates.columns, weights, covariates.names, intercept=True)
        return cls(covariates, weights, scaling)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelPlan(FrozenArrays):
    """Expected findings of a model of n respondents.

    Attributes
    ----------
    names : tuple of str
    effects : ndarray of float
        The coefficients that were assumed.
    standard_errors, power, detectable : ndarray of float
        What is expected of each coefficient: its error, the power of Wald's two-sided test, and the
        coefficient that has the wanted power.
    respondents : tuple of (int or None)
        Respondents for the wanted power; None where the assumed effects are 0.
    n : int
    alpha, wanted_power : float
    """

    names: tuple[str, ...]
    effects: FloatArray
    standard_errors: FloatArray
    power: FloatArray
    detectable: FloatArray
    respondents: tuple[int | None, ...]
    n: int
    alpha: float
    wanted_power: float


def planned_covariance(
    model: RRLogit,
    planned: PlannedRows,
    coefficients: tuple[float | FloatArray, FloatArray],
    parts: FloatArray,
) -> FloatArray:
    """Return the covariance of the coefficients by one respondent, by maximum likelihood.

    Shape (equations, columns, equations, columns), the intercept's column first; `coefficients`:
    intercepts and slopes, shape (equations, covariates).
    """
    intercepts, slopes = coefficients
    eta = intercepts + planned.rows @ slopes.T
    blocks = np.zeros((len(eta), eta.shape[1], eta.shape[1]))
    for part, channel in zip(parts, model.designs, strict=True):
        blocks += part * model.outcome.expected(eta, channel.matrix)
    columns = planned.scaled
    equations, width = eta.shape[1], columns.shape[1]
    information = np.einsum("i,iab,ij,ik->ajbk", planned.weights, blocks, columns, columns)
    information = information.reshape(equations * width, equations * width)
    whole = inverse_information(information, slopes if equations > 1 else slopes[0])
    transform = np.kron(np.eye(equations), planned.scaling.transform)
    return (transform @ whole @ transform.T).reshape(equations, width, equations, width)


def shares_of(value: ArrayLike | None, size: int, argument: str) -> FloatArray:
    """Return checked shares; equal ones where none are given."""
    if value is None:
        return np.full(size, 1 / size)
    return check.distribution(value, size, argument)


def check_in_use(model: RRLogit, parts: FloatArray) -> None:
    """Refuse devices in use that together do not tell the categories apart."""
    RRLogit([each for each, part in zip(model.designs, parts, strict=True) if part], model.link)


def inverse_information(information: FloatArray, effects: object) -> FloatArray:
    """Return the covariance of coefficients by their expected information with these effects."""
    bounds = np.linalg.eigvalsh(information)
    if not bounds[0] > NO_INFORMATION * bounds[-1]:
        rule = "leave answers that vary at more rows of X: take smaller effects"
        raise ArgumentError("effects", effects, rule, "no_finite_estimate")
    return np.asarray(np.linalg.inv(information), dtype=np.float64)


def _check_rows(value: ArrayLike) -> FloatArray:
    """Return rows of covariates, at least one of each."""
    array = as_array(value)
    rule = "be rows of finite numbers, one column for each covariate"
    if array is None or array.ndim != 2 or not array.size:
        raise ArgumentError("X", value, rule, "not_numbers")
    return check.reals(value, array.shape, "X", rule)
