"""A weakly informative prior of coefficients, and the scale of columns that it is about."""

from dataclasses import dataclass
from math import inf, isinf, lgamma, log, pi

import numpy as np
from scipy.special import ndtri, stdtrit

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.errors import ArgumentError

# Below, the posterior of a randomized answer has no mean, or none of its squares.
LEAST_DEGREES = 3.0
LARGEST_SCALE = 1e6


@dataclass(frozen=True, slots=True)
class CoefficientPrior:
    """Independent Student t distributions around 0, of coefficients of standardised columns.

    Columns of two values are moved to a mean of 0 and a difference of 1, others to a mean of 0 and
    a standard deviation of 1/2.

    Parameters
    ----------
    scale : float, default 2.5
        Of the coefficients but the intercept's, in units of the linear predictor.
    intercept_scale : float, default 10
        Of the intercept, where all columns are at their means.
    degrees : float, default 7
        Degrees of freedom, at least 3; infinity for normal distributions.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] A. Gelman, A. Jakulin, M. G. Pittau and Y.-S. Su, "A Weakly Informative Default Prior
       Distribution for Logistic and Other Regression Models", Annals of Applied Statistics 2, 2008,
       1360-1383.

    Examples
    --------
    >>> from rr_engine.models import CoefficientPrior
    >>> prior = CoefficientPrior(scale=1.0)
    >>> prior.scale, prior.intercept_scale, prior.degrees
    (1.0, 10.0, 7.0)
    """

    scale: float = 2.5
    intercept_scale: float = 10.0
    degrees: float = 7.0

    def __post_init__(self) -> None:
        for name in ("scale", "intercept_scale"):
            object.__setattr__(self, name, _check_scale(getattr(self, name), name))
        object.__setattr__(self, "degrees", _check_degrees(self.degrees))


def _check_scale(value: object, argument: str) -> float:
    rule = f"be a number above 0 and at most {LARGEST_SCALE:g}"
    number = check.real(value, argument, rule)
    if not 0 < number <= LARGEST_SCALE:
        raise ArgumentError(argument, value, rule, "out_of_range")
    return number


def _check_degrees(value: object) -> float:
    rule = f"be a number of at least {LEAST_DEGREES:g}, or infinite"
    if isinstance(value, float) and value == inf:
        return inf
    number = check.real(value, "degrees", rule)
    if number < LEAST_DEGREES:
        raise ArgumentError("degrees", value, rule, "out_of_range")
    return number


@dataclass(frozen=True, slots=True, eq=False)
class PriorTerms:
    """Independent t distributions around 0.

    Attributes
    ----------
    scales : ndarray of float, shape (p,)
    degrees : float
    """

    scales: FloatArray
    degrees: float

    def points(self, cube: FloatArray) -> FloatArray:
        """Return points of the distribution from points of the unit cube, shape (m, p)."""
        standard = ndtri(cube) if isinf(self.degrees) else stdtrit(self.degrees, cube)
        return standard * self.scales

    def log_density(self, coefficients: FloatArray) -> FloatArray:
        """Return the log density of each row of coefficients, shape (..., p)."""
        squares, degrees = (coefficients / self.scales) ** 2, self.degrees
        size = np.log(self.scales).sum()
        if isinf(degrees):
            return -squares.sum(axis=-1) / 2 - size - len(self.scales) * log(2 * pi) / 2
        constant = lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - log(degrees * pi) / 2
        logs = np.log1p(squares / degrees).sum(axis=-1)
        return -(degrees + 1) / 2 * logs - size + len(self.scales) * constant

    def slopes(self, coefficients: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return its first derivatives, and minus the second, both of shape (p,)."""
        variances = self.scales**2
        if isinf(self.degrees):
            return -coefficients / variances, 1 / variances
        wide, squares = self.degrees * variances, coefficients**2
        both = wide + squares
        factor = self.degrees + 1
        return -factor * coefficients / both, factor * (wide - squares) / both**2


def standardising(
    columns: FloatArray, weights: FloatArray, *, intercept: bool
) -> tuple[FloatArray, FloatArray]:
    """Return standardised columns, and what turns their coefficients into those of the columns.

    Without an intercept no column is moved.
    """
    total = weights.sum()
    mean = weights @ columns / total
    deviation = np.sqrt(np.maximum(weights @ (columns - mean) ** 2 / total, 0.0))
    ends = columns.min(axis=0), columns.max(axis=0)
    two_values = ((columns == ends[0]) | (columns == ends[1])).all(axis=0)
    scale = np.where(two_values, ends[1] - ends[0], 2 * deviation)
    shift = mean if intercept else np.zeros_like(mean)
    constant = scale == 0
    scale = np.where(constant, np.where(mean == 0, 1.0, np.abs(mean)), scale)
    if intercept:
        shift[0], scale[0] = 0.0, 1.0
    transform = np.diag(1 / scale)
    if intercept:
        transform[0] -= shift / scale
    return (columns - shift) / scale, transform
