"""Links of a yes/no outcome: the probability, its complement, and two derivatives."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import logit, ndtr, ndtri

from rr_engine.validation import FloatArray

_ROOT_TWO_PI = np.sqrt(2 * np.pi)
# Beyond it the complement of exp(-exp(eta)) is zero in double precision anyway.
_LARGEST_CLOGLOG = 50.0
# Beyond it the normal density is: intervals of endless coefficients ask for it at infinity.
_LARGEST_PROBIT = 40.0
# Beyond it the square of a number, or the product of its inverse powers, could leave the range.
_LARGEST_CAUCHIT = 1e75


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A link's probability at each linear predictor, all of shape (n,).

    The complement is computed by itself: one less a probability near one has no digits left.
    """

    probability: FloatArray
    complement: FloatArray
    slope: FloatArray
    curvature: FloatArray


def _logit(eta: FloatArray) -> Curve:
    # By one exponential of what is not positive, which cannot overflow.
    small = np.exp(-np.abs(eta))
    large = 1 / (1 + small)
    small *= large
    upper = eta >= 0
    probability, complement = np.where(upper, large, small), np.where(upper, small, large)
    slope = small * large
    return Curve(probability, complement, slope, slope * (complement - probability))


def _probit(eta: FloatArray) -> Curve:
    near = np.clip(eta, -_LARGEST_PROBIT, _LARGEST_PROBIT)
    slope = np.exp(-(near**2) / 2) / _ROOT_TWO_PI
    return Curve(ndtr(eta), ndtr(-eta), slope, -near * slope)


def _cloglog(eta: FloatArray) -> Curve:
    hazard = np.exp(np.minimum(eta, _LARGEST_CLOGLOG))
    complement = np.exp(-hazard)
    slope = hazard * complement
    return Curve(-np.expm1(-hazard), complement, slope, slope * (1 - hazard))


def _cauchit(eta: FloatArray) -> Curve:
    # The angle of (-eta, 1): 1/2 + arctan(eta)/pi without cancellation in the lower tail.
    near = np.clip(eta, -_LARGEST_CAUCHIT, _LARGEST_CAUCHIT)
    slope = 1 / (np.pi * (1 + near**2))
    curvature = -2 * near * slope / (1 + near**2)
    return Curve(np.arctan2(1, -eta) / np.pi, np.arctan2(1, eta) / np.pi, slope, curvature)


def _identity(eta: FloatArray) -> Curve:
    return Curve(eta, 1 - eta, np.ones_like(eta), np.zeros_like(eta))


LINKS: dict[str, Callable[[FloatArray], Curve]] = {
    "logit": _logit,
    "probit": _probit,
    "cloglog": _cloglog,
    "cauchit": _cauchit,
    "identity": _identity,
}

_INVERSES: dict[str, Callable[[float], float]] = {
    "logit": logit,
    "probit": ndtri,
    "cloglog": lambda share: np.log(-np.log1p(-share)),
    "cauchit": lambda share: np.tan(np.pi * (share - 0.5)),
    "identity": lambda share: share,
}


def link_of(probability: float, link: str) -> float:
    """Return the linear predictor at a probability strictly between 0 and 1."""
    return float(_INVERSES[link](probability))
