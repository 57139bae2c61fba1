"""Every epsilon that a question may get, with its margin: the tables that a split is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import sqrt
from typing import Literal

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray
from rr_engine.errors import ArgumentError, EpsilonError
from rr_engine.planning.margins import margin_factor
from rr_engine.spending.curves import DeviceCurve, device_curve
from rr_engine.spending.questions import BudgetQuestion

# Epsilons of one question; beyond, a finer step shows nothing.
MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale that turns steps into epsilons, and the variance of one report into a margin."""

    step: Decimal
    factor: float

    def epsilon(self, steps: int) -> Decimal:
        """Return an epsilon with the digits of the step."""
        return self.step * int(steps)

    def steps_in(self, epsilon: Decimal) -> int:
        """Return how many whole steps an epsilon holds."""
        return int((epsilon / self.step).to_integral_value(ROUND_FLOOR))


def scale_of(n: int, level: float, step: object) -> Scale:
    """Return the scale for checked n and level."""
    return Scale(check.epsilon(step, "step"), margin_factor(level) / sqrt(n))


@dataclass(frozen=True, slots=True)
class Table:
    """The epsilons that are of use to one question, and the margin at each.

    Attributes
    ----------
    points : ndarray of int
        In steps, rising. Left out is every epsilon that is not better than a smaller one.
    margins : ndarray of float
        Falling.
    chosen : ndarray of int
        The device of each point, as an index into `curves`.
    first : int
        The smallest epsilon of `curves`, in steps.
    curves : tuple of DeviceCurve
        Over all epsilons from the least to the largest.
    """

    points: IntArray
    margins: FloatArray
    chosen: IntArray
    first: int
    curves: tuple[DeviceCurve, ...]

    def reach(self, margin: float, *, strictly: bool = False) -> int:
        """Return the place of the smallest epsilon whose margin is at most (or below) this one.

        The number of points where none is.
        """
        side: Literal["left", "right"] = "left" if strictly else "right"
        return len(self.margins) - int(np.searchsorted(self.margins[::-1], margin, side))

    def at_most(self, steps: int) -> int:
        """Return the place of the largest epsilon of at most so many steps."""
        return int(np.searchsorted(self.points, steps, "right")) - 1

    def device(self, place: int) -> tuple[str, int | None]:
        """Return the name of the device of a point, and the categories in one report."""
        curve = self.curves[int(self.chosen[place])]
        size = int(curve.subset_sizes[int(self.points[place]) - self.first])
        return curve.name, size or None


def table_of(question: BudgetQuestion, scale: Scale, most: Decimal | None = None) -> Table:
    """Return the table of a question; `most` is what there is to spend at all.

    Raises
    ------
    EpsilonError
        When the step is above the largest epsilon, or too small for the range.
    ArgumentError
        When none of the devices is to be had at any epsilon.
    """
    least, ceiling = question.bounds
    ceiling = ceiling if most is None else min(ceiling, most)
    start = max(1, int((least / scale.step).to_integral_value(ROUND_CEILING)))
    stop = scale.steps_in(ceiling)
    if start > stop:
        rule = f"have a multiple from {least} to {ceiling}"
        raise EpsilonError("step", scale.step, rule, "out_of_range", ceiling)
    if stop - start >= MOST_POINTS:
        rule = f"divide {ceiling} into at most {MOST_POINTS} parts"
        raise EpsilonError("step", scale.step, rule, "out_of_range", ceiling / MOST_POINTS)
    grid = [scale.epsilon(steps) for steps in range(start, stop + 1)]
    curves = tuple(
        device_curve(question, device, grid, scale.factor) for device in question.devices
    )
    return _best_table(question, curves, start, scale.factor)


def _best_table(
    question: BudgetQuestion, curves: tuple[DeviceCurve, ...], start: int, factor: float
) -> Table:
    variances = np.array([curve.variances for curve in curves])
    # The first of devices that are equal but for rounding is taken.
    chosen = np.argmax(variances <= variances.min(axis=0) * (1 + 1e-12), axis=0)
    margins = np.sqrt(np.maximum(variances.min(axis=0), 0)) * factor
    before = np.concatenate(([np.inf], np.minimum.accumulate(margins)[:-1]))
    useful = np.flatnonzero(margins < before)
    if not useful.size:
        names = [curve.name for curve in curves]
        rule = f"exist at some epsilon from {question.least} to {question.most}"
        raise ArgumentError("devices", names, rule, "no_feasible_device")
    return Table(useful + start, margins[useful], chosen[useful], start, curves)


def even_steps(tables: Sequence[Table], total: int) -> list[int]:
    """Return the even split: the same epsilon for each question, within its bounds."""
    low = [int(table.points[0]) for table in tables]
    high = [table.first + len(table.curves[0].variances) - 1 for table in tables]

    def clipped(share: int) -> list[int]:
        return [min(max(share, a), b) for a, b in zip(low, high, strict=True)]

    below, above = 0, max(high) + 1
    while above - below > 1:
        middle = (below + above) // 2
        below, above = (middle, above) if sum(clipped(middle)) <= total else (below, middle)
    return clipped(below)


def usual_device(table: Table, steps: int) -> int:
    """Return the first of the question's devices that there is at an epsilon; 0 for none."""
    place = steps - table.first
    return next(
        (i for i, curve in enumerate(table.curves) if np.isfinite(curve.variances[place])), 0
    )
