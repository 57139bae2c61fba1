"""MeanDevice: a number in a range, reported as one bit; checks of ranges and devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, IntArray, keep
from rr_engine.codes import check_truths
from rr_engine.design import DesignMatrix
from rr_engine.device import RandomBytes, draw_by
from rr_engine.errors import ArgumentError, DesignError
from rr_engine.privacy import loss

MAX_STEPS = 10**6
LEAST_BITS = 32
# Share of the distance between the ends' chances that rounding may take.
NEGLIGIBLE = Fraction(1, 2**20)
# Squares of a range and of numbers in it stay within a double.
LARGEST_NUMBER = 1e100
# Width of a range as a share of its larger end, below which doubles hold too few of its steps.
NARROWEST = 1e-6


@dataclass(frozen=True, slots=True)
class MeanDevice:
    """A device for the mean of a number on a grid of ``steps + 1`` values: its report is one bit.

    The paper rounds the number to an end of its range at random and then reports the end by
    binary randomized response. Both are one draw here,

        Pr(1 | value j) = (low + rise * j) / denominator        j = 0, ..., steps

    symmetric, so that ``2 low + rise * steps = denominator``: the chance rises in a line from
    that of the lowest value to that of the highest.

    Parameters
    ----------
    steps : int
        From 1 to 1,000,000; value j of a range from L to U is ``L + (U - L) j / steps``.
    low : int
        At least 1: a chance of zero would give the value away.
    rise : int
        At least 1.
    denominator : int
        A power of two of at most 2**52.

    Raises
    ------
    ArgumentError
        For numbers outside their range.
    DesignError
        When the chances are not symmetric.

    Notes
    -----
    docs/methods/numbers.md. The mean of the numbers is a linear map of the share of people at the
    highest value, if everybody were at an end: estimation goes through :attr:`ends`.

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       section 5.2, Eq. 69.
    .. [2] J. C. Duchi, M. I. Jordan and M. J. Wainwright, "Minimax Optimal Procedures for Locally
       Private Estimation", Journal of the American Statistical Association 113, 2018.

    Examples
    --------
    >>> device = MeanDevice(steps=3, low=1, rise=2, denominator=8)
    >>> device.column(2), device.likelihood_ratio_bound
    ([3, 5], Fraction(7, 1))
    >>> MeanDevice.from_epsilon(100, "1").epsilon_at_most("1")
    True
    """

    steps: int
    low: int
    rise: int
    denominator: int

    def __post_init__(self) -> None:
        size = check.whole(self.denominator, "denominator", minimum=2, maximum=2**check.MAX_BITS)
        steps = check.whole(self.steps, "steps", minimum=1, maximum=MAX_STEPS)
        low = check.whole(self.low, "low", minimum=1, maximum=size)
        rise = check.whole(self.rise, "rise", minimum=1, maximum=size)
        if size.bit_count() != 1:
            raise DesignError("denominator", size, "be a power of two", "out_of_range")
        if 2 * low + rise * steps != size:
            rule = f"be 2 low + rise * steps = {2 * low + rise * steps}"
            raise DesignError("denominator", size, rule, "columns_do_not_sum")
        keep(self, steps=steps, low=low, rise=rise, denominator=size)

    @classmethod
    def from_epsilon(cls, steps: int, epsilon: Epsilon, bits: int | None = None) -> MeanDevice:
        """Build the device of a privacy loss, in exact integers.

        Parameters
        ----------
        steps : int
        epsilon : Decimal, str or float
            Never exceeded.
        bits : int, optional
            The denominator is 2**bits, at most 52. Left out: 32, or as many more as it takes for
            rounding to bring the ends' chances closer by less than a millionth.

        Returns
        -------
        MeanDevice

        Raises
        ------
        DesignError
            When `bits`, or 52, are too few for so many steps at so small an epsilon.

        References
        ----------
        .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
           Eq. 69.

        Examples
        --------
        >>> MeanDevice.from_epsilon(10, "1", bits=16)
        MeanDevice(steps=10, low=17628, rise=3028, denominator=65536)
        """
        count = check.whole(steps, "steps", minimum=1, maximum=MAX_STEPS)
        ratio = Fraction(loss.exponential_bounds(check.epsilon(epsilon))[0])
        chosen = _bits(count, ratio) if bits is None else bits
        width = check.whole(chosen, "bits", minimum=1, maximum=check.MAX_BITS)
        total = 2**width
        rise = _rise(count, ratio, total)
        if rise < 1:
            rule = f"be enough to tell {count + 1} values apart at this epsilon"
            raise DesignError("bits", width, rule, "too_few_bits")
        return cls(count, (total - rise * count) // 2, rise, total)

    @property
    def bits(self) -> int:
        """Base-two logarithm of the denominator."""
        return self.denominator.bit_length() - 1

    @property
    def likelihood_ratio_bound(self) -> Fraction:
        """Largest ratio of two probabilities of one report, exactly: that of the two ends."""
        return Fraction(self.denominator - self.low, self.low)

    @property
    def epsilon(self) -> float:
        """Privacy loss of a report, whatever two numbers are compared."""
        return loss.log_ratio(self.likelihood_ratio_bound)

    def epsilon_at_most(self, epsilon: Epsilon) -> bool:
        """Tell, without rounding, whether the loss is at most `epsilon` (Dwork & Roth 2014, 2.4).

        Examples
        --------
        >>> device = MeanDevice(steps=1, low=1, rise=2, denominator=4)
        >>> [device.epsilon_at_most(e) for e in ("1.0986122886681096", "1.0986122886681097")]
        [False, True]
        """
        return loss.ratio_at_most(self.likelihood_ratio_bound, check.epsilon(epsilon))

    @property
    def gap(self) -> Fraction:
        """Difference of the ends' chances of the report 1."""
        return Fraction(self.rise * self.steps, self.denominator)

    @property
    def ends(self) -> DesignMatrix:
        """The device of the two ends of the range, through which everything is estimated."""
        high = self.denominator - self.low
        return DesignMatrix.from_integers([[high, self.low], [self.low, high]], self.denominator)

    @property
    def matrix(self) -> FloatArray:
        """The probability of each report for each value, shape (2, steps + 1)."""
        ones = (self.low + self.rise * np.arange(self.steps + 1)) / self.denominator
        return np.stack([1 - ones, ones])

    def chance(self, value: int, report: int = 1) -> Fraction:
        """Return the probability of a report for a value of the grid, exactly (Pan Eq. 69).

        Examples
        --------
        >>> MeanDevice(steps=3, low=1, rise=2, denominator=8).chance(3)
        Fraction(7, 8)
        """
        column = self.column(value)
        return Fraction(column[check.whole(report, "report", maximum=1)], self.denominator)

    def column(self, value: int) -> list[int]:
        """Return the integers of the reports 0 and 1 for a value of the grid (Pan Eq. 69).

        They are what :func:`rr_engine.designs.draw_report` draws from.
        """
        one = self.low + self.rise * check.whole(value, "value", maximum=self.steps)
        return [self.denominator - one, one]

    def draw(self, values: ArrayLike, random_bytes: RandomBytes) -> IntArray:
        """Draw a report for each number, exactly as the served device does.

        Parameters
        ----------
        values : array_like of int
            Places on the grid, from 0 to `steps`.
        random_bytes : callable
            Such as ``secrets.token_bytes``; see :func:`rr_engine.designs.uniform_below`.

        Returns
        -------
        ndarray of int
            Zeros and ones; what :func:`rr_engine.designs.draw_report` gives of each column with the
            same bytes.

        References
        ----------
        .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
           Eq. 69.

        Examples
        --------
        >>> device = MeanDevice(steps=3, low=1, rise=2, denominator=8)
        >>> device.draw([0, 2, 3], lambda size: b"\\x03" * size).tolist()
        [0, 1, 1]
        """

        def find(numbers: IntArray, places: IntArray) -> IntArray:
            zeros = self.denominator - self.low - self.rise * places
            return (numbers >= zeros).astype(np.int64)

        places = check_truths(values, self.steps + 1, "values")
        return draw_by(find, self.denominator, places, random_bytes)


def _bits(steps: int, ratio: Fraction) -> int:
    """Return how many bits make the loss by rounding negligible, at most 52."""
    gap = (ratio - 1) / (ratio + 1)
    sizes = range(LEAST_BITS, check.MAX_BITS)
    enough = (
        b for b in sizes if _rise(steps, ratio, 2**b) * steps >= (1 - NEGLIGIBLE) * gap * 2**b
    )
    return next(enough, check.MAX_BITS)


def _rise(steps: int, ratio: Fraction, total: int) -> int:
    """Return the largest rise for which the ends keep to the ratio and `low` is an integer.

    ``(D - low) / low <= R`` exactly when ``low >= D / (R + 1)``.
    """
    low = ceil(total / (ratio + 1))
    rise = (total - 2 * low) // steps
    return rise - rise * steps % 2


def check_range(lower: float, upper: float) -> tuple[float, float]:
    """Return the ends of a range."""
    low, high = check.real(lower, "lower"), check.real(upper, "upper")
    largest = max(abs(low), abs(high))
    if largest > LARGEST_NUMBER:
        argument, value = ("lower", low) if abs(low) == largest else ("upper", high)
        rule = f"be at most {LARGEST_NUMBER:g} in size"
        raise ArgumentError(argument, value, rule, "out_of_range")
    if not high - low > NARROWEST * largest:
        rule = f"lie above lower, {low!r}, by a millionth of it at least"
        raise ArgumentError("upper", upper, rule, "out_of_range")
    return low, high


def check_mean(value: object, bounds: tuple[float, float]) -> float:
    """Return an expected mean within a range."""
    number, (low, high) = check.real(value, "mean"), bounds
    if not low <= number <= high:
        raise ArgumentError("mean", value, f"lie from {low!r} to {high!r}", "out_of_range")
    return number


def check_mean_device(value: object, argument: str = "device") -> MeanDevice:
    """Return a device for a mean."""
    return check.instance(value, argument, MeanDevice, "be a MeanDevice", "not_designs")


def check_mean_devices(value: Sequence[MeanDevice]) -> list[MeanDevice]:
    """Return one or more devices for a mean."""
    rule = "be a MeanDevice, or a list of one or more"
    devices = check.entries(value, "device", None, rule, "not_designs")
    return [check_mean_device(device) for device in devices]
