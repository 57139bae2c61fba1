"""Bins of a bounded number, and its distribution and mean from their reports."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_list, keep
from rr_engine.association.answered import mean_of_answered
from rr_engine.association.derived import Derived
from rr_engine.bounded.mean_device import MAX_STEPS, check_range
from rr_engine.codes import check_truths
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.estimation.result import Estimate, check_estimate


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
        keep(self, lower=low, upper=high, steps=steps, starts=starts)

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

    def bin_of(self, values: ArrayLike) -> IntArray:
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


@dataclass(frozen=True, slots=True)
class BinnedMean(Shown):
    """A mean of which the bins are known, and not where in them the numbers lie.

    Attributes
    ----------
    middles : Derived
        The mean if everybody were in the middle of a bin, with its standard error and interval.
    discretisation : float
        How far the mean itself can be from that at most, whatever the distribution: half the
        distance of the first and last value of the widest bin. More reports do not reduce it.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.bounded import Bins, mean_from_bins
    >>> ages, reports = Bins.equal(0, 99, 99, 5), [260, 240, 220, 160, 120]
    >>> found = mean_from_bins(estimate(k_rr(5, 2), reports), ages)
    >>> found.interval().round(1).tolist(), found.discretisation
    ([24.2, 49.1], 9.5)
    """

    middles: Derived
    discretisation: float

    @property
    def value(self) -> float:
        """That of the middles."""
        return self.middles.value

    @property
    def standard_error(self) -> float:
        """That of the middles; of the sampling only."""
        return self.middles.standard_error

    @property
    def range(self) -> tuple[float, float]:
        """Between which numbers the mean lies if the shares of the bins are as estimated."""
        return self.value - self.discretisation, self.value + self.discretisation

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return a confidence interval of the mean itself: sampling and discretisation together.

        It covers at least as often as it says, whatever the distribution within the bins; that of
        `middles` covers so often if the numbers lie evenly in them.

        References
        ----------
        .. [1] G. W. Imbens and C. F. Manski, "Confidence Intervals for Partially Identified
           Parameters", Econometrica 72, 2004 (here the wider interval that covers all of the
           range).

        Examples
        --------
        >>> BinnedMean(Derived(50.0, 2.0), 5.0).interval().round(2).tolist()
        [41.08, 58.92]
        """
        low, high = self.middles.interval(level).tolist()
        least, most = self.middles.bounds
        reach = self.discretisation
        return np.array([max(low, least) - reach, min(high, most) + reach])


@dataclass(frozen=True, slots=True, eq=False)
class BinnedDistribution(FrozenArrays):
    """The cumulative distribution of a number at the boundaries of its bins.

    Attributes
    ----------
    boundaries : ndarray of float, shape (count + 1,)
    cumulative : ndarray of float, shape (count + 1,)
        Share of the numbers below each boundary as estimated; from 0 to 1, and not always rising.
    standard_errors : ndarray of float, shape (count + 1,)
        Of `cumulative`; 0 at the ends.
    monotone : ndarray of float, shape (count + 1,)
        The same from the nearest possible shares, so that it never falls.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.bounded import Bins, distribution_from_bins
    >>> ages, reports = Bins.equal(0, 99, 99, 5), [260, 240, 220, 160, 120]
    >>> found = distribution_from_bins(estimate(k_rr(5, 2), reports), ages)
    >>> found.boundaries.tolist(), found.standard_errors.round(3).tolist()
    ([0.0, 19.5, 39.5, 59.5, 79.5, 99.0], [0.0, 0.025, 0.028, 0.025, 0.018, 0.0])
    """

    boundaries: FloatArray
    cumulative: FloatArray
    standard_errors: FloatArray
    monotone: FloatArray

    @property
    def is_monotone(self) -> bool:
        """Whether the estimate rises by itself, so that `monotone` is the same."""
        return bool((np.diff(self.cumulative) >= 0).all())


def mean_from_bins(estimate: Estimate, bins: Bins) -> BinnedMean:
    """Estimate the mean of a number from the shares of its bins.

    Parameters
    ----------
    estimate : Estimate
        Of the bins, in their order, through any device; categories after them, such as "prefer not
        to say", are left out.
    bins : Bins

    Returns
    -------
    BinnedMean

    Raises
    ------
    ArgumentError, CategoryError

    References
    ----------
    .. [1] W. F. Sheppard, "On the Calculation of the most Probable Values of Frequency-Constants,
       for Data arranged according to Equidistant Division of a Scale", Proceedings of the London
       Mathematical Society 29, 1898 (the mean of grouped data, from middles).

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> ages = Bins.equal(0, 99, 99, 5)
    >>> mean = mean_from_bins(estimate(k_rr(5, 2), [260, 240, 220, 160, 120]), ages)
    >>> round(mean.value, 1), round(mean.standard_error, 2), mean.discretisation
    (36.7, 1.51, 9.5)
    """
    checked, parts = check_binned(estimate, bins)
    mean = mean_of_answered(checked, parts.middles)
    return BinnedMean(mean, float(parts.reach.max()))


def distribution_from_bins(estimate: Estimate, bins: Bins) -> BinnedDistribution:
    """Estimate the cumulative distribution of a number at the boundaries of its bins.

    Parameters
    ----------
    estimate, bins
        As in :func:`mean_from_bins`.

    Returns
    -------
    BinnedDistribution
        Of those who answered. Where nobody is estimated to have, equal shares with infinite errors.

    Raises
    ------
    ArgumentError, CategoryError

    References
    ----------
    .. [1] W. G. Cochran, "Sampling Techniques", third edition, Wiley 1977, sections 2.13 and 6.1
       (shares of those who answered, as ratios).

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> ages = Bins.equal(0, 99, 99, 5)
    >>> found = distribution_from_bins(estimate(k_rr(5, 2), [260, 240, 220, 160, 120]), ages)
    >>> found.cumulative.round(2).tolist(), found.is_monotone
    ([0.0, 0.31, 0.58, 0.81, 0.94, 1.0], True)
    """
    checked, parts = check_binned(estimate, bins)
    below = np.tri(parts.count + 1, parts.count, -1)
    answering = float(checked.proportions[: parts.count].sum())
    if answering <= 0 or not np.isfinite(checked.standard_errors).all():
        even = np.linspace(0, 1, parts.count + 1)
        errors = np.where((even > 0) & (even < 1), np.inf, 0.0)
        return BinnedDistribution(parts.boundaries, even, errors, even)
    cumulative = below @ checked.proportions[: parts.count] / answering
    slopes = np.zeros((len(below), checked.proportions.size))
    slopes[:, : parts.count] = (below - cumulative[:, None]) / answering
    variances = np.array([checked.covariance_of(slope, slope) for slope in slopes])
    # All of those who answered are below the last boundary, by definition.
    variances[[0, -1]] = 0.0
    errors = np.sqrt(np.maximum(variances, 0.0))
    monotone = below @ possible_shares(checked, parts)
    return BinnedDistribution(parts.boundaries, cumulative, errors, monotone)


def possible_shares(estimate: Estimate, bins: Bins) -> FloatArray:
    """Return the nearest possible shares of the bins among those who answered."""
    shares = estimate.projected()[: bins.count]
    answering = shares.sum()
    return shares / answering if answering > 0 else np.full(bins.count, 1 / bins.count)


def check_binned(estimate: object, bins: object) -> tuple[Estimate, Bins]:
    """Return an estimate and bins that fit each other."""
    checked, parts = check_estimate(estimate), check_bins(bins)
    if checked.proportions.size < parts.count:
        rule = f"have a category for each of the {parts.count} bins, first of all"
        raise CategoryError("estimate", checked.proportions.size, rule, "labels_do_not_fit")
    return checked, parts
