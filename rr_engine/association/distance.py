"""How far an estimated table is from one that says nothing, with the noise taken into account.

A distance is a sum of squares of what noise is added to. That makes it larger, and near zero it is
spread like a chi-square and not like a normal variable.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from rr_engine.distributions import chi2_ppf

# The series of the noncentral chi-square is slow beyond; Sankaran's power is then exact enough.
LARGE = 5e3
# Beyond, it is normal.
HUGE = 1e12
# Halvings of a range that leave nothing of a double.
HALVINGS = 50
# The least that noise adds, in standard deviations: a chi-square variable is never without.
LEAST = 1e-3

# Standard deviations by which an estimate beyond the limit may be further evidence.
FURTHEST = 2.0

Moments = tuple[float, float]
Noise = Callable[[float], Moments]


@dataclass(frozen=True, slots=True)
class Distance:
    """A distance as it was estimated, and what noise does to it.

    Attributes
    ----------
    found : float
        Of the estimated table.
    noise : callable
        Of a true distance: what noise adds to it on average, and the variance with it.
    limit : float
        The largest distance that there is.
    measure : callable
        Of a true distance: the measure that is asked for.
    """

    found: float
    noise: Noise
    limit: float
    measure: Callable[[float], float]

    def centre(self) -> float:
        """Return the true distance whose estimate would on average be the one found."""
        return self._rising(lambda true: true + self.noise(true)[0] - self.found)

    def beyond(self) -> bool:
        """Whether more was found than there can be, without the noise."""
        return self.found - self.noise(self.limit)[0] > self.limit

    def interval(self, alpha: float) -> tuple[float, float]:
        """Return the least and the greatest true distance that is not rejected at `alpha`.

        Of a true distance of zero only large estimates are surprising, so that all of alpha is
        theirs, and at the limit only small ones; the further from both, the more evenly it is
        split. So no interval is empty, and the ends of the range are covered as often as the rest.
        """

        usual = max(self.found, self._least(alpha))

        def too_large(true: float) -> float:
            below, share = self._below(true, self.found)
            return (1 - below) - alpha * (1 - share)

        def too_small(true: float) -> float:
            below, share = self._below(true, usual)
            return alpha * share - below

        return self._rising(too_large), self._rising(too_small)

    def _least(self, alpha: float) -> float:
        """Return what is found at a true distance of zero with more than `alpha`.

        Less says nothing more of how large the true distance may be: it is luck.
        """
        added, variance = self.noise(0.0)
        if added <= 0 or variance <= 0:
            return 0.0
        scale = variance / (2 * added)
        return scale * float(chi2_ppf(alpha, added / scale))

    def _below(self, true: float, found: float) -> tuple[float, float]:
        """Return how often an estimate is below what is found, and what of alpha is for that."""
        added, variance = self.noise(true)
        if variance <= 0:
            return float(found > true), 0.5
        error = variance**0.5
        added = max(added, LEAST * error)
        found = min(found, self.limit + added + FURTHEST * error)
        scale = variance / (2 * added + 4 * true)
        below = noncentral_cdf(found / scale, added / scale, true / scale)
        room = self.limit - true
        return below, true / (added + 2 * true) + error / (error + room) / 2

    def _rising(self, function: Callable[[float], float]) -> float:
        """Return the zero of a rising function within the range, or the end nearest to it."""
        low, high = 0.0, self.limit
        if function(low) >= 0:
            return low
        if function(high) <= 0:
            return high
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if function(middle) >= 0 else (middle, high)
        return (low + high) / 2


def noncentral_cdf(value: float, freedom: float, moved: float) -> float:
    """Return the chance that a noncentral chi-square variable is below a value."""
    if value <= 0:
        return 0.0
    if freedom + moved < LARGE:
        return float(special.chndtr(value, freedom, moved))
    mean, spread = freedom + moved, freedom + 2 * moved
    if mean > HUGE:
        return float(special.ndtr((value / mean - 1) * np.sqrt(mean / spread * mean / 2)))
    # Sankaran 1963: a power of it is normal.
    power = 1 - 2 * mean * (mean + 2 * moved) / (3 * spread**2)
    p = spread / mean**2
    m = (power - 1) * (1 - 3 * power)
    centre = 1 + power * p * (power - 1 - (2 - power) * m * p / 2)
    width = power * np.sqrt(2 * p) * (1 + m * p / 2)
    return float(special.ndtr(((value / mean) ** power - centre) / width))
