"""How numbers in a range are guessed to be distributed, before a survey."""

from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import special

from rr_engine import check
from rr_engine.arrays import FloatArray, as_array
from rr_engine.bounded.mean_device import check_number
from rr_engine.errors import ArgumentError


class Guess(Protocol):
    """A distribution on the range from 0 to 1."""

    @property
    def mean(self) -> float: ...

    def cumulative(self, places: FloatArray) -> FloatArray:
        """Return the share of the numbers below each place."""

    def quantile(self, chance: float) -> float:
        """Return the number below which this share lies."""


@dataclass(frozen=True, slots=True)
class Beta:
    """The beta distribution of a mean and a standard deviation.

    References
    ----------
    .. [1] N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions",
       volume 2, second edition, Wiley 1995, chapter 25.
    """

    mean: float
    spread: float

    @property
    def _shapes(self) -> tuple[float, float]:
        weight = self.mean * (1 - self.mean) / self.spread**2 - 1
        return self.mean * weight, (1 - self.mean) * weight

    def cumulative(self, places: FloatArray) -> FloatArray:
        return special.betainc(*self._shapes, places)

    def quantile(self, chance: float) -> float:
        return float(special.betaincinv(*self._shapes, chance))


@dataclass(frozen=True, slots=True)
class Even:
    """Shares of parts of the range that are equally wide, spread evenly within each."""

    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        size = len(self.shares)
        return float((np.arange(size) + 0.5) @ np.array(self.shares) / size)

    def cumulative(self, places: FloatArray) -> FloatArray:
        return np.interp(places, *self._line)

    def quantile(self, chance: float) -> float:
        places, sums = self._line
        return float(np.interp(chance, sums, places))

    @property
    def _line(self) -> tuple[FloatArray, FloatArray]:
        sums = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.linspace(0.0, 1.0, len(sums)), sums / sums[-1]


def guess_of(
    bounds: tuple[float, float],
    mean: float | None,
    spread: float | None,
    shares: npt.ArrayLike | None,
) -> Guess:
    """Return what was guessed: shares, or a mean and a spread, or a uniform distribution."""
    if shares is not None:
        if mean is not None or spread is not None:
            rule = "be left out, or the mean and the spread be"
            raise ArgumentError("shares", shares, rule, "not_one_unknown")
        return Even(_check_parts(shares))
    if mean is None and spread is None:
        return Even((1.0,))
    return _beta(bounds, mean, spread)


def _beta(bounds: tuple[float, float], mean: object, spread: object) -> Beta:
    (low, high), middle = bounds, check_number(mean, "mean", bounds)
    width, deviation = high - low, check.real(spread, "spread")
    if not low < middle < high:
        raise ArgumentError("mean", mean, f"lie between {low!r} and {high!r}", "out_of_range")
    largest = sqrt((middle - low) * (high - middle))
    # A narrower distribution would be one number, to the digits of its shapes.
    if not 1e-6 * width <= deviation < largest:
        rule = f"be at least a millionth of the range, and below {largest!r} at this mean"
        raise ArgumentError("spread", spread, rule, "out_of_range", limit=largest)
    return Beta((middle - low) / width, deviation / width)


def _check_parts(shares: npt.ArrayLike) -> tuple[float, ...]:
    array = as_array(shares)
    size = max(1, array.size) if array is not None and array.ndim == 1 else 1
    return tuple(check.distribution(shares, size, "shares").tolist())
