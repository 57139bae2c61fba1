"""Which device for a number is better: one bit for its mean, or how many bins."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import expm1, hypot, inf, sqrt, tanh
from typing import Protocol

import numpy as np
from scipy import special

from rr_engine import check
from rr_engine.arrays import ArrayLike, Epsilon, FloatArray, as_array, as_list
from rr_engine.bounded.bins import Bins
from rr_engine.bounded.mean_device import MAX_STEPS, check_mean, check_range
from rr_engine.display.shown import Shown
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
    bounds: tuple[float, float], mean: float | None, spread: float | None, shares: ArrayLike | None
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
    (low, high), middle = bounds, check_mean(mean, bounds)
    width, deviation = high - low, check.real(spread, "spread")
    if not low < middle < high:
        raise ArgumentError("mean", mean, f"lie between {low!r} and {high!r}", "out_of_range")
    largest = sqrt((middle - low) * (high - middle))
    # A narrower distribution would be one number, to the digits of its shapes.
    if not 1e-6 * width <= deviation < largest:
        rule = f"be at least a millionth of the range, and below {largest!r} at this mean"
        raise ArgumentError("spread", spread, rule, "out_of_range", limit=largest)
    return Beta((middle - low) / width, deviation / width)


def _check_parts(shares: ArrayLike) -> tuple[float, ...]:
    array = as_array(shares)
    size = max(1, array.size) if array is not None and array.ndim == 1 else 1
    return tuple(check.distribution(shares, size, "shares").tolist())


COUNTS = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50)
MOST_BINS = 1000


@dataclass(frozen=True, slots=True)
class ExpectedError(Shown):
    """How far an estimate is expected to be off, in the units of the number.

    Attributes
    ----------
    standard_error : float
        By sampling and by the device.
    discretisation : float
        The most that bins can add, however the numbers are spread within them.
    bias : float
        What they add if the guessed distribution is true.

    Examples
    --------
    >>> from rr_engine.bounded import compare_number_devices
    >>> found = compare_number_devices(0, 100, "1", 2000, mean=40, spread=15)
    >>> error = found.best_for_median.median
    >>> round(error.standard_error, 1), round(error.discretisation, 1), round(error.largest, 1)
    (5.5, 5.0, 7.4)
    """

    standard_error: float
    discretisation: float = 0.0
    bias: float = 0.0

    @property
    def largest(self) -> float:
        """Root mean square error in the worst case: both together."""
        return hypot(self.standard_error, self.discretisation)


@dataclass(frozen=True, slots=True)
class NumberDevice(Shown):
    """Expected accuracy of a device for a number.

    Attributes
    ----------
    bins : int or None
        None for the device of one bit, which gives the mean only.
    mean : ExpectedError
    median : ExpectedError or None

    Examples
    --------
    >>> from rr_engine.bounded import compare_number_devices
    >>> found = compare_number_devices(0, 100, "1", 2000, mean=40, spread=15)
    >>> [(device.bins, round(device.mean.standard_error, 1)) for device in found.devices][:3]
    [(None, 2.4), (2, 1.2), (3, 1.5)]
    """

    bins: int | None
    mean: ExpectedError
    median: ExpectedError | None


@dataclass(frozen=True, slots=True)
class NumberComparison(Shown):
    """Devices for a number side by side, the one of one bit first.

    Attributes
    ----------
    devices : tuple of NumberDevice
    best_for_mean, best_for_median : NumberDevice
        Of which the largest root mean square error (:attr:`ExpectedError.largest`) is least.

    Examples
    --------
    >>> from rr_engine.bounded import compare_number_devices
    >>> found = compare_number_devices(0, 100, "1", 2000, mean=40, spread=15)
    >>> len(found.devices), found.best_for_mean.bins, found.best_for_median.bins
    (15, None, 20)
    """

    devices: tuple[NumberDevice, ...]
    best_for_mean: NumberDevice
    best_for_median: NumberDevice


def compare_number_devices(
    lower: float,
    upper: float,
    epsilon: Epsilon,
    n: int,
    *,
    mean: float | None = None,
    spread: float | None = None,
    shares: ArrayLike | None = None,
    steps: int = MAX_STEPS,
    bin_counts: Sequence[int] = COUNTS,
) -> NumberComparison:
    """Compare the device of one bit with k-ary randomized response over bins of the number.

    Parameters
    ----------
    lower, upper : float
        The range.
    epsilon : Decimal, str or float
    n : int
        Number of respondents planned.
    mean, spread : float, optional
        A guess of the mean and the standard deviation; the distribution is then taken as beta.
    shares : array_like of float, optional
        Or a guess of the shares of equally wide parts of the range. Without either, the numbers
        are taken as spread evenly over it.
    steps : int, default 1,000,000
        Of the grid of values; it limits the number of bins.
    bin_counts : sequence of int, optional
        Numbers of bins to compare, from 2 to 1,000; those of more bins than values are left out.

    Returns
    -------
    NumberComparison

    Raises
    ------
    EpsilonError, ArgumentError, DistributionError

    Notes
    -----
    docs/methods/numbers.md. The standard error of a median is that of the cumulative share over
    the density in the median's bin (Woodruff).

    References
    ----------
    .. [1] X. Pan et al., "Randomized Response with Gradual Release of Privacy Budget", 2024,
       Eq. 70.
    .. [2] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18.
    .. [3] R. S. Woodruff, "Confidence Intervals for Medians and Other Position Measures", Journal
       of the American Statistical Association 47, 1952.

    Examples
    --------
    >>> found = compare_number_devices(0, 100, "1", 2000, mean=40, spread=15)
    >>> found.best_for_mean.bins, round(found.best_for_mean.mean.standard_error, 2)
    (None, 2.41)
    >>> found.best_for_median.bins, round(found.best_for_median.median.standard_error, 2)
    (20, 5.5)
    """
    low, high = bounds = check_range(lower, upper)
    budget, size = float(check.epsilon(epsilon)), check.size(n)
    grid = check.whole(steps, "steps", minimum=1, maximum=MAX_STEPS)
    guess = guess_of(bounds, mean, spread, shares)
    binned = [
        _binned(Bins.equal(0.0, 1.0, grid, count), guess, budget, size, high - low)
        for count in _check_bin_counts(bin_counts, grid)
    ]
    one_bit = NumberDevice(None, _mean_of_bit(guess.mean, budget, size, high - low), None)
    devices = (one_bit, *binned)
    return NumberComparison(
        devices,
        min(devices, key=lambda device: device.mean.largest),
        min(binned, key=lambda device: inf if device.median is None else device.median.largest),
    )


def _mean_of_bit(mean: float, epsilon: float, n: int, width: float) -> ExpectedError:
    gap = tanh(epsilon / 2)
    one = (1 - gap) / 2 + gap * mean
    return ExpectedError(width * sqrt(one * (1 - one) / n) / gap)


def _binned(bins: Bins, guess: Guess, epsilon: float, n: int, width: float) -> NumberDevice:
    """Return the errors of bins of the range from 0 to 1, in the units of `width`."""
    shares = np.diff(guess.cumulative(bins.boundaries))
    middles = bins.middles
    mean = ExpectedError(
        width * _error(middles, shares, epsilon, n),
        width * float(bins.reach.max()),
        width * (float(middles @ shares) - guess.mean),
    )
    return NumberDevice(bins.count, mean, _median(bins, shares, guess, epsilon, n, width))


def _median(
    bins: Bins, shares: FloatArray, guess: Guess, epsilon: float, n: int, width: float
) -> ExpectedError:
    boundaries = bins.boundaries
    below = np.concatenate([[0.0], np.cumsum(shares)])
    index = min(int(np.searchsorted(below, 0.5)), bins.count) - 1
    share, (start, end) = float(shares[index]), boundaries[index : index + 2].tolist()
    part = (0.5 - float(below[index])) / share
    place = start + part * (end - start)
    contrast = np.clip(index + part - np.arange(bins.count), 0.0, 1.0)
    error = _error(contrast, shares, epsilon, n) * (end - start) / share
    return ExpectedError(
        width * error,
        # Wherever in its bin the median turns out to be.
        width * (end - start),
        width * (place - guess.quantile(0.5)),
    )


def _error(weights: FloatArray, shares: FloatArray, epsilon: float, n: int) -> float:
    """Return the standard error of a weighted sum of shares through k-ary randomized response.

    The score of a report is its weight over the gap of the device, but for a constant.
    """
    size, odds = len(shares), expm1(epsilon)
    gap = odds / (odds + size)
    reported = (1 - gap) / size + gap * shares
    centred = weights - float(weights @ reported)
    return sqrt(float(reported @ centred**2) / n) / gap


def _check_bin_counts(value: Sequence[int], steps: int) -> list[int]:
    counts = [
        check.whole(count, "bin_counts", minimum=2, maximum=MOST_BINS)
        for count in as_list(value) or ()
    ]
    fitting = [count for count in counts if count <= steps + 1]
    if not fitting:
        rule = f"hold a whole number from 2 to {min(MOST_BINS, steps + 1)}"
        raise ArgumentError("bin_counts", value, rule, "out_of_range")
    return fitting
