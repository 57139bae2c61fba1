"""The log-likelihood of one report and its first three derivatives in the linear predictor."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine.links import LINKS, Curve

SMALLEST = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Derivatives:
    """The log-likelihood of each report, and derivatives, all of the shape of the predictors."""

    value: FloatArray
    first: FloatArray
    second: FloatArray


def report_values(eta: FloatArray, likelihoods: FloatArray, link: str) -> FloatArray:
    """Return the log-likelihood alone."""
    return np.log(_chances(LINKS[link](eta), likelihoods))


def report_derivatives(eta: FloatArray, likelihoods: FloatArray, link: str) -> Derivatives:
    """Return ``log(no (1 - F) + yes F)`` and two derivatives at linear predictors.

    `eta`: shape (rows, nodes); `likelihoods`: those of no and yes, shape (rows, 2).
    """
    curve = LINKS[link](eta)
    chance = _chances(curve, likelihoods)
    contrast = (likelihoods[:, 1:] - likelihoods[:, :1]) / chance
    first = contrast * curve.slope
    return Derivatives(np.log(chance), first, contrast * curve.curvature - first**2)


def third_derivatives(eta: FloatArray, likelihoods: FloatArray, link: str) -> FloatArray:
    """Return the third derivatives."""
    curve = LINKS[link](eta)
    contrast = (likelihoods[:, 1:] - likelihoods[:, :1]) / _chances(curve, likelihoods)
    first = contrast * curve.slope
    bent = contrast * curve.curvature
    # The contrast falls by itself times the first derivative.
    return contrast * THIRD_DERIVATIVES[link](eta, curve) - 3 * first * bent + 2 * first**3


def _chances(curve: Curve, likelihoods: FloatArray) -> FloatArray:
    chance = likelihoods[:, :1] * curve.complement + likelihoods[:, 1:] * curve.probability
    return np.maximum(chance, SMALLEST)


def _cloglog(eta: FloatArray, curve: Curve) -> FloatArray:
    # Slope and complement are the hazard apart.
    hazard = np.exp(np.minimum(eta, 50.0))
    return curve.slope * ((1 - hazard) ** 2 - hazard)


THIRD_DERIVATIVES: dict[str, Callable[[FloatArray, Curve], FloatArray]] = {
    "logit": lambda _, curve: curve.slope * (1 - 6 * curve.slope),
    "probit": lambda eta, curve: curve.slope * (eta**2 - 1),
    "cloglog": _cloglog,
}


def log_sum_exp(values: FloatArray, axis: int | tuple[int, ...]) -> FloatArray:
    """Return ``log(sum(exp(values)))`` over axes; minus infinity where all values are.

    As SciPy's `logsumexp` to the last digit, without what that does for other kinds of arrays: the
    largest terms stand outside of the sum.
    """
    top = values.max(axis=axis, keepdims=True)
    largest = values == top
    many = largest.sum(axis=axis, keepdims=True, dtype=np.float64)
    rest = np.exp(values - np.where(np.isfinite(top), top, 0.0))
    rest[largest] = 0.0
    total = np.log1p(rest.sum(axis=axis, keepdims=True) / many) + np.log(many) + top
    return np.squeeze(total, axis=axis)
