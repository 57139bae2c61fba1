"""Branches that a respondent draws one of for a true number y, each a line a y + b."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.library.quantitative.scrambling import Scrambling, constant

ONE, ZERO = constant(1), constant(0)
# Multiplier, addend, and how often the two are drawn together.
Card = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Branch:
    """Report ``factor * value_weight * y + noise``, with a chance.

    Attributes
    ----------
    chance : Fraction
        How often this branch is taken.
    factor, noise : Scrambling
        Drawn independently of each other.
    scaled : bool
        Whether the noise is multiplied by the factor too.
    value_weight, noise_weight : Fraction
        Known numbers that multiply the true number and the noise.
    """

    chance: Fraction
    factor: Scrambling = ONE
    noise: Scrambling = ZERO
    scaled: bool = False
    value_weight: Fraction = Fraction(1)
    noise_weight: Fraction = Fraction(1)

    def moments(self) -> tuple[Fraction, ...]:
        """Return E a, E b, E a^2, E ab and E b^2 of the line a y + b of this branch."""
        mine, its = self.value_weight, self.noise_weight
        factor, factor_square = self.factor.moments
        noise, noise_square = (moment * its**k for k, moment in enumerate(self.noise.moments, 1))
        squares = factor_square * mine**2
        if not self.scaled:
            return factor * mine, noise, squares, factor * mine * noise, noise_square
        cross = factor_square * mine * noise
        return factor * mine, factor * noise, squares, cross, factor_square * noise_square

    def size(self) -> int:
        """Return how many cards :meth:`cards` gives; none where a scrambling is no finite list."""
        return len(self.factor.cards) * len(self.noise.cards)

    def cards(self) -> Iterator[Card]:
        """Give every line a y + b that can be drawn, and its chance."""
        for (factor, first), (noise, other) in product(self.factor.pack(), self.noise.pack()):
            addend = noise * self.noise_weight * (factor if self.scaled else 1)
            yield factor * self.value_weight, addend, first * other * self.chance

    def draw(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Draw a report for each true number."""
        factor = self.factor.draw(len(values), rng)
        noise = self.noise.draw(len(values), rng) * float(self.noise_weight)
        return factor * float(self.value_weight) * values + noise * (factor if self.scaled else 1.0)


@dataclass(frozen=True, slots=True)
class Line:
    """The moments of a report z = a y + b: its mean ``slope y + shift`` and its variance.

    The variance is ``square y^2 + cross y + constant``.
    """

    slope: float
    shift: float
    square: float
    cross: float
    constant: float
    second: float

    def variance(self, values: FloatArray) -> FloatArray:
        """Return the variance of the report of each true number; never negative."""
        spread = (self.square * values + self.cross) * values + self.constant
        return np.maximum(spread, 0.0)


def line_of(branches: Sequence[Branch]) -> Line:
    """Return the moments of a report, computed without rounding before the end."""
    sums = [Fraction(0)] * 5
    for branch in branches:
        moments = branch.moments()
        sums = [total + branch.chance * part for total, part in zip(sums, moments, strict=True)]
    slope, shift, square, cross, constant_part = sums
    return Line(
        slope=float(slope),
        shift=float(shift),
        square=float(square - slope**2),
        cross=float(2 * (cross - slope * shift)),
        constant=float(constant_part - shift**2),
        second=float(square),
    )
