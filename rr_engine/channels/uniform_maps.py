"""Linear maps of one chance on the diagonal and one off it, without the table."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from rr_engine.channels.counting import CountingChannel
from rr_engine.channels.matrix import uniform_spread
from rr_engine.precision import ROUNDING
from rr_engine.validation import FloatArray


class UniformMaps(CountingChannel):
    """Maps and errors of a channel by its attribute `uniform`."""

    __slots__ = ()

    @property
    @abstractmethod
    def uniform(self) -> tuple[float, float]:
        """The two chances."""

    # -- linear maps: P = g I + b 11' and P^-1 = (I - b 11') / g are symmetric ------------------

    def apply(self, shares: FloatArray) -> FloatArray:
        """Return ``g pi + b sum(pi)``."""
        retention, other = self.uniform
        return (retention - other) * shares + other * shares.sum(axis=-1, keepdims=True)

    def adjoint(self, values: FloatArray) -> FloatArray:
        """Return the same: the table is symmetric."""
        return self.apply(values)

    def solve(self, reported: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return ``(lam - b sum(lam)) / g``."""
        retention, other = self.uniform
        return (reported - other * reported.sum(axis=-1, keepdims=True)) / (retention - other)

    def scores(self, contrasts: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return the same: the inverse is symmetric."""
        return self.solve(contrasts)

    def score_squares(self, reported: FloatArray, weights: FloatArray | None = None) -> FloatArray:
        """Return ``(1 - b)**2/g**2 lam[v] + b**2/g**2 (sum(lam) - lam[v])``."""
        square_on, square_off = self._scores()
        return square_on**2 * reported + square_off**2 * (
            reported.sum(axis=-1, keepdims=True) - reported
        )

    def own_score_squares(self, weights: FloatArray | None = None) -> FloatArray:
        """Return the same under each truth by itself."""
        (square_on, square_off), retention = self._scores(), self.uniform[0]
        return np.full(self.truth_size, square_on**2 * retention + square_off**2 * (1 - retention))

    def _scores(self) -> tuple[float, float]:
        retention, other = self.uniform
        return (1 - other) / (retention - other), -other / (retention - other)

    # -- errors of one report -------------------------------------------------------------------

    def variances(
        self,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
        weights: FloatArray | None = None,
    ) -> FloatArray:
        """Return its diagonal in O(k)."""
        retention, other = self.uniform
        return (
            uniform_spread(retention, other, shares, fitted, population) / (retention - other) ** 2
        )

    def has_negative_variance(
        self,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
        weights: FloatArray | None = None,
    ) -> bool:
        """Decide it in O(k).

        Of a sample the variance of a cell is negative when its share is. For a fixed group a
        contrast ``a`` with sum zero has the variance ``sum d a**2``, d = ((1 - g) lam + g b)/g**2,
        and one that is constant has none. With one negative entry of d that is never negative
        exactly when ``sum 1/d <= 0``; with two it is for some a.
        """
        leading = shares if population == "fixed" else fitted
        if population == "sample" or leading.min() >= 0:
            return bool(leading.min() < -ROUNDING)
        retention, other = self.uniform
        gap = retention - other
        curve = ((1 - gap) * fitted + gap * other * fitted.sum()) / gap**2
        curve = curve + ROUNDING * max(1.0, float(np.abs(curve).max()))
        negative = int((curve <= 0).sum())
        return negative > 1 or (negative == 1 and float((1 / curve).sum()) > 0)

    def report_bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the smaller and the larger chance, which all reports share."""
        low, high = sorted(self.uniform)
        return np.array(low), np.array(high)
