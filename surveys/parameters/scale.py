"""The scale of a number: its range, its step and its unit, and the bins that it is reported in.

Numbers are decimal strings, so that browser and server mean the same values: value j is
`lower + j * step`, exactly. static/js/rr/scale.js has the twin.
"""

import decimal
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Any

import msgspec

from surveys.parameters.types import Entry, Frozen, SignedDecimal, Told

MOST_STEPS = 10_000
MOST_IN_A_UNIT = 30


class Scale(Frozen, frozen=True):
    """`bins`: the step at which each bin begins, from 0; none where a device takes every step."""

    lower: SignedDecimal
    upper: SignedDecimal
    step: SignedDecimal
    unit: Annotated[Told, msgspec.Meta(max_length=MOST_IN_A_UNIT)]
    bins: tuple[Entry, ...]

    @property
    def steps(self) -> int:
        """How many steps there are from the lowest value to the highest, of a scale that holds."""
        return int(_steps(self))

    def value(self, step: int) -> decimal.Decimal:
        """The number at a step."""
        return decimal.Decimal(self.lower) + step * decimal.Decimal(self.step)

    @property
    def ends(self) -> tuple[float, float]:
        """The range, for estimates."""
        return float(self.lower), float(self.upper)


def scale_of_json(value: Mapping[str, Any]) -> Scale:
    """A scale from the plain JSON types in which it is stored with a question."""
    return msgspec.convert(value, Scale)


def scale_problem(scale: Scale) -> str:
    """The rule that a scale breaks, in words; empty where it breaks none."""
    if Fraction(scale.step) <= 0:
        return "a step above 0"
    steps = _steps(scale)
    if steps.denominator != 1 or not 1 <= steps <= MOST_STEPS:
        return f"the range is a whole number of steps, from 1 to {MOST_STEPS}"
    if scale.bins and not _are_bins(scale.bins, int(steps)):
        return "two bins or more, which begin at rising steps, the first at 0"
    return ""


def _steps(scale: Scale) -> Fraction:
    return (Fraction(scale.upper) - Fraction(scale.lower)) / Fraction(scale.step)


def _are_bins(starts: Sequence[int], steps: int) -> bool:
    rising = all(first < second for first, second in pairwise(starts))
    return len(starts) >= 2 and starts[0] == 0 and rising and starts[-1] <= steps
