"""Bins: the range of a number on a grid, cut into parts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_list
from rr_engine.bounded.mean_device import MAX_STEPS, check_range
from rr_engine.codes import check_truths
from rr_engine.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of a number on a grid of ``steps + 1`` values ``L + (U - L) j / steps``.

    A value of the grid stands for the numbers that were rounded to it, half a step to either side,
    so that two bins meet half-way between the last value of the one and the first of the other.
    The first bin begins at L and the last ends at U.

    Parameters
    ----------
    lower, upper : float
        The range.
    steps : int
        From 1 to 1,000,000.
    starts : sequence of int
        The place of the first value of each bin, rising from 0; at least 2.

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> ages = Bins(0, 100, 100, [0, 18, 65])
    >>> ages.boundaries.tolist(), ages.middles.tolist()
    ([0.0, 17.5, 64.5, 100.0], [8.5, 41.0, 82.5])
    """

    lower: float
    upper: float
    steps: int
    starts: tuple[int, ...]

    def __post_init__(self) -> None:
        low, high = check_range(self.lower, self.upper)
        steps = check.whole(self.steps, "steps", minimum=1, maximum=MAX_STEPS)
        starts = _check_starts(self.starts, steps)
        for name, value in (("lower", low), ("upper", high), ("steps", steps), ("starts", starts)):
            object.__setattr__(self, name, value)

    @classmethod
    def equal(cls, lower: float, upper: float, steps: int, count: int) -> Bins:
        """Cut the range into bins of as equal numbers of values as the grid allows.

        Parameters
        ----------
        lower, upper : float
        steps : int
        count : int
            From 2 to the number of values, at most 10,000.

        Returns
        -------
        Bins

        References
        ----------
        Ours: docs/methods/numbers.md.

        Examples
        --------
        >>> Bins.equal(0, 10, 10, 4).starts
        (0, 2, 5, 8)
        """
        values = check.whole(steps, "steps", minimum=1, maximum=MAX_STEPS) + 1
        size = check.whole(count, "count", minimum=2, maximum=min(values, check.MAX_CATEGORIES))
        return cls(lower, upper, steps, tuple(values * part // size for part in range(size)))

    @property
    def count(self) -> int:
        """Number of bins."""
        return len(self.starts)

    @property
    def step(self) -> float:
        """Distance of two values of the grid."""
        return (self.upper - self.lower) / self.steps

    @property
    def boundaries(self) -> FloatArray:
        """Where the bins begin and end, shape (count + 1,)."""
        inner = np.array(self.starts[1:]) - 0.5
        return self._numbers(np.concatenate([[0.0], inner, [self.steps]]))

    @property
    def middles(self) -> FloatArray:
        """Half-way between the first and the last value of each bin, shape (count,)."""
        return self._numbers((np.array(self.starts) + self._lasts) / 2)

    @property
    def reach(self) -> FloatArray:
        """How far a value of each bin can be from its middle, shape (count,)."""
        return (self._lasts - np.array(self.starts)) / 2 * self.step

    def bin_of(self, values: npt.ArrayLike) -> IntArray:
        """Return the bin of each place on the grid, from 0 to `steps`.

        References
        ----------
        Ours: docs/methods/numbers.md.

        Examples
        --------
        >>> Bins(0, 100, 100, [0, 18, 65]).bin_of([17, 18, 100]).tolist()
        [0, 1, 2]
        """
        places = check_truths(values, self.steps + 1, "values")
        return np.searchsorted(self.starts, places, side="right") - 1

    @property
    def _lasts(self) -> FloatArray:
        return np.array([*self.starts[1:], self.steps + 1]) - 1.0

    def _numbers(self, places: FloatArray) -> FloatArray:
        return self.lower + (self.upper - self.lower) * (places / self.steps)


def check_bins(value: object) -> Bins:
    """Return bins."""
    return check.instance(value, "bins", Bins, "be Bins", "not_a_partition")


def _check_starts(value: object, steps: int) -> tuple[int, ...]:
    starts = as_list(value)
    rule = f"be 2 to {check.MAX_CATEGORIES} whole numbers that rise from 0 to {steps} at most"
    if starts is None or not 2 <= len(starts) <= check.MAX_CATEGORIES:
        raise ArgumentError("starts", value, rule, "not_a_partition")
    places = tuple(check.whole(start, "starts", maximum=steps) for start in starts)
    if places[0] != 0 or any(first >= second for first, second in pairwise(places)):
        raise ArgumentError("starts", value, rule, "not_a_partition")
    return places
