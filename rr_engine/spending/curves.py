"""The variance of what one report tells, as a function of epsilon.

With ``u = 1/(e**epsilon - 1)`` the estimate of a share ``pi`` from one report of subset selection
(w of k categories; k-ary randomized response is w = 1) has the variance ``(pi + A)(1 - pi + B)``
with ``A = (w - 1 + (k - 1) u)/(k - w)`` and ``B = (k - 1) u/w``. u is log-convex in epsilon, and so
are sums and products of log-convex functions: every variance here is, and its root, the margin, is
convex.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import comb, sqrt
from typing import Literal

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError, EngineError, EpsilonError
from rr_engine.optimisation.subset_sizes import MOST_SUBSETS
from rr_engine.planning.margins import estimate_variance
from rr_engine.spending.questions import BudgetQuestion, Device, DeviceOfEpsilon, MarginCurve

ROUNDING = 1e-12


def odds(epsilon: FloatArray) -> FloatArray:
    """Return ``u = 1/(e**epsilon - 1)``; its derivative is ``-u (1 + u)``."""
    return 1 / np.expm1(np.asarray(epsilon, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class Noise:
    """A and B of subset selection with w of k categories, and their derivatives by u."""

    size: int
    subset_size: int | IntArray

    def above(self, u: FloatArray) -> FloatArray:
        """Return A: the chance of reporting a category that is not the true one, standardized."""
        return (self.subset_size - 1 + (self.size - 1) * u) / (self.size - self.subset_size)

    def below(self, u: FloatArray) -> FloatArray:
        """Return B: the chance of leaving the true category out, standardized."""
        return (self.size - 1) * u / self.subset_size

    @property
    def slopes(self) -> tuple[float | FloatArray, float | FloatArray]:
        """The derivatives of A and B by u."""
        others = self.size - 1
        return others / (self.size - self.subset_size), others / self.subset_size

    def variances(self, shares: FloatArray, u: FloatArray) -> FloatArray:
        """Return the variance of each share from one report."""
        return (shares + self.above(u)) * (1 - shares + self.below(u))

    def largest(self, shares: FloatArray, u: FloatArray) -> FloatArray:
        """Return the largest variance over some shares, for many u at once.

        It is concave in the share with its top at ``(1 + B - A)/2``, so only the two shares next
        to that are compared.
        """
        ordered = np.unique(shares)
        after = np.searchsorted(ordered, (1 + self.below(u) - self.above(u)) / 2)
        sides = (np.clip(after - 1, 0, None), np.clip(after, None, len(ordered) - 1))
        return np.maximum(*(self.variances(ordered[side], u) for side in sides))


def subset_sizes(size: int, epsilons: FloatArray) -> IntArray:
    """Return the size that :func:`rr_engine.designs.subset_selection` chooses at each epsilon.

    Its worst case, ``(w + (k - w) q)**2/(w (k - w))`` with ``q = e**-epsilon``, is smallest at
    ``k q/(1 + q)`` and rises from there on both sides.
    """
    rest = np.exp(-np.asarray(epsilons, dtype=np.float64))
    lower = np.clip(np.floor(size * rest / (1 + rest)), 1, size - 1).astype(np.int64)
    upper = np.clip(lower + 1, 1, size - 1)

    def worst(chosen: IntArray) -> FloatArray:
        other = size - chosen
        return (chosen + other * rest) ** 2 / (chosen * other)

    return np.where(worst(lower) <= worst(upper), lower, upper)


def named_sizes(name: str, size: int, epsilons: FloatArray) -> IntArray:
    """Return the categories in a report of a named device at each epsilon."""
    if name == "k_rr":
        return np.ones(len(epsilons), dtype=np.int64)
    return subset_sizes(size, epsilons)


@dataclass(frozen=True, slots=True)
class DeviceCurve:
    """A device over a grid of epsilons; the variance is infinite where there is no device.

    `subset_sizes`: the categories in one report, 0 where that means nothing.
    """

    name: str
    variances: FloatArray
    subset_sizes: IntArray


def device_curve(
    question: BudgetQuestion, device: Device, grid: list[Decimal], factor: float
) -> DeviceCurve:
    """Return the variance that counts, from one report, at each epsilon of a grid.

    `factor` is what the deviation of one report is multiplied by for the margin.
    """
    if isinstance(device, MarginCurve):
        return _measured_curve(device, grid, factor)
    if isinstance(device, DeviceOfEpsilon):
        variances = np.array([_built_variance(question, device, epsilon) for epsilon in grid])
        return DeviceCurve(device.name, variances, np.zeros(len(grid), dtype=np.int64))
    epsilons = np.array([float(epsilon) for epsilon in grid]) / question.options
    sizes = named_sizes(device, question.categories, epsilons)
    variances = Noise(question.categories, sizes).largest(question.focal_shares, odds(epsilons))
    exists = {size: is_usable(question.categories, size) for size in np.unique(sizes).tolist()}
    usable = np.array([exists[size] for size in sizes.tolist()])
    return DeviceCurve(device, np.where(usable, variances, np.inf), sizes)


def _measured_curve(device: MarginCurve, grid: list[Decimal], factor: float) -> DeviceCurve:
    """Interpolate margins that were given; their logarithms bend little over that of 1/u."""
    at = np.log(np.expm1(np.array([float(epsilon) for epsilon in grid])))
    known = np.log(np.expm1(np.array([float(epsilon) for epsilon in device.epsilons])))
    # The ends count, whatever rounding their logarithms have.
    inside = (at >= known[0] - ROUNDING) & (at <= known[-1] + ROUNDING)
    margins = np.exp(np.interp(at, known, np.log(device.margins)))
    variances = np.where(inside, (margins / factor) ** 2, np.inf)
    return DeviceCurve(device.name, variances, np.zeros(len(grid), dtype=np.int64))


def is_usable(size: int, subset_size: int) -> bool:
    """Tell whether :func:`rr_engine.designs.subset_selection` builds so many subsets."""
    # Nothing is combined of a single category, however many there are.
    return subset_size == 1 or comb(size, subset_size) <= MOST_SUBSETS


def _built_variance(question: BudgetQuestion, device: DeviceOfEpsilon, epsilon: Decimal) -> float:
    try:
        channel = device.build(epsilon)
        if question.options > 1:
            return max(estimate_variance(channel, share, 1, "sample") for share in question.shares)
        value = question.prevalence
        prevalence = question.shares if value is None else value
        return estimate_variance(channel, prevalence, None, "sample")
    except EngineError:
        return np.inf


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

    shares = range(max(high) + 1)
    return clipped(bisect_right(shares, total, lo=1, key=lambda share: sum(clipped(share))) - 1)


def usual_device(table: Table, steps: int) -> int:
    """Return the first of the question's devices that there is at an epsilon; 0 for none."""
    place = steps - table.first
    return next(
        (i for i, curve in enumerate(table.curves) if np.isfinite(curve.variances[place])), 0
    )
