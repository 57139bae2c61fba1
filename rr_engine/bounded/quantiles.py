"""Quantiles of a number from the shares of its bins, with intervals by inverting a test."""

from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.bounded.bins import Bins, check_binned, possible_shares
from rr_engine.bounded.cumulative_test import CumulativeTest
from rr_engine.distributions import margin_factor
from rr_engine.estimation.bin_places import bins_around
from rr_engine.estimation.notes import Note, Noted, NoteTexts
from rr_engine.estimation.result import Estimate

QUANTILE_NOTES = NoteTexts(
    monotone="The estimated distribution falls somewhere: the quantile is that of the nearest "
    "possible shares.",
    nobody_answered="The share of those who answered is estimated at zero or below: any number "
    "fits.",
    noisy_bins="The error of the share of a bin is larger than the shares of those in the 95 % "
    "interval are on average: it covers more often than it says, and fewer bins would tell more.",
)
# Places looked at first: so many in each bin, and in all of many bins.
WITHIN_BIN, PLACES = 32, 4096
# Then the way to a neighbour is cut into so many parts, and one of them again, so many times.
PARTS, ROUNDS = 64, 5
# Level of the interval that a note is about.
LEVEL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class Quantile(Noted):
    """A quantile of a number.

    Its value takes those of a bin as spread evenly over it; its interval takes nothing for granted.

    Attributes
    ----------
    estimate : Estimate
    bins : Bins
    chance : float
        Share of the numbers below it: 0.5 for the median.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.bounded import Bins, quantile_from_bins
    >>> ages, reports = Bins.equal(0, 99, 99, 5), [260, 240, 220, 160, 120]
    >>> found = quantile_from_bins(estimate(k_rr(5, 2), reports), ages, 0.75)
    >>> round(found.value, 1), found.interval().round(1).tolist()
    (54.1, [39.5, 59.5])
    """

    estimate: Estimate
    bins: Bins
    chance: float

    @property
    def value(self) -> float:
        """From the nearest possible shares; half-way where a range of numbers fits."""
        return self._number(self._place())

    @property
    def bin(self) -> int:
        """Index of the bin that holds the value."""
        return min(int(self._place()), self.bins.count - 1)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the reader, under stable codes; those of the estimate among them."""
        shares = self.estimate.proportions[: self.bins.count]
        conditions = {
            "monotone": shares.min() < 0,
            "nobody_answered": shares.sum() <= 0,
            "noisy_bins": self._is_noisy(shares),
        }
        return (*self.estimate.notes, *QUANTILE_NOTES.holding(conditions))

    def interval(self, level: float = 0.95, method: str = "default") -> FloatArray:
        """Return a confidence interval.

        It rests on all numbers x for which the test that a share `chance` lies below x does not
        reject, and those between them. It lies within the range, and is all of it where the
        reports cannot tell.

        Parameters
        ----------
        level : float, default 0.95
        method : {"default", "bins", "even"}
            "default" is "bins": the bins in which such numbers lie, whole. It covers at least as
            often as it says, however the numbers are spread within the bins. "even" takes those of
            a bin as spread evenly over it, and misses where they are not: where many have one
            number, such as 0, it may never cover.

        Returns
        -------
        ndarray of float, shape (2,)

        Raises
        ------
        ArgumentError

        References
        ----------
        .. [1] R. S. Woodruff, "Confidence Intervals for Medians and Other Position Measures",
           Journal of the American Statistical Association 47, 1952.
        .. [2] C. A. Francisco and W. A. Fuller, "Quantile Estimation with a Complex Survey
           Design", The Annals of Statistics 19, 1991 (inverting the test at every number).

        Examples
        --------
        >>> from rr_engine import estimate, k_rr
        >>> ages = Bins.equal(0, 99, 99, 5)
        >>> found = estimate(k_rr(5, 2), [260, 240, 220, 160, 120])
        >>> median = quantile_from_bins(found, ages)
        >>> median.interval().tolist(), median.interval(method="even").round(1).tolist()
        ([19.5, 39.5], [30.3, 37.6])
        """
        name = check.choice(method, "method", ("default", "bins", "even"))
        if name == "even":
            low, high = self._places(level)
            return np.array([self._number(low), self._number(high)])
        first, end = self._bins_within(level)
        return self.bins.boundaries[[first, end]]

    def bin_interval(self, level: float = 0.95) -> FloatArray:
        """Return :meth:`interval` by its method "bins".

        References
        ----------
        Ours: docs/methods/numbers.md.

        Examples
        --------
        >>> from rr_engine import estimate
        >>> from rr_engine.designs import direct
        >>> half = quantile_from_bins(estimate(direct(4), [25, 25, 25, 25]), Bins.equal(0, 7, 7, 4))
        >>> half.value, half.interval(method="even").round(2).tolist(), half.bin_interval().tolist()
        (3.5, [2.82, 4.18], [1.5, 5.5])
        """
        return self.interval(level, "bins")

    def _bins_within(self, level: float) -> tuple[int, int]:
        """Return the first bin that the interval touches, and the first after those."""
        return bins_around(*self._places(level), self.bins.count)

    def _is_noisy(self, shares: FloatArray) -> bool:
        """Tell whether the distribution goes up and down by noise where the quantile may be."""
        error = float(np.mean(self.estimate.standard_errors[: self.bins.count]))
        first, end = self._bins_within(LEVEL)
        return bool(max(shares[first:end].mean(), 0.0) < error < np.inf)

    def _places(self, level: float) -> tuple[float, float]:
        """Return both ends in bins from the lower end of the range."""
        factor = margin_factor(level)
        answering = self.estimate.proportions[: self.bins.count].sum()
        if answering <= 0 or not np.isfinite(self.estimate.standard_errors).all():
            return 0.0, float(self.bins.count)
        test = CumulativeTest(self.estimate, self.bins.count, self.chance)
        low, high = accepted_ends(test, factor**2)
        place = self._place()
        return min(low, place), max(high, place)

    def _place(self) -> float:
        shares = possible_shares(self.estimate, self.bins)
        cumulative = np.concatenate([[0.0], np.cumsum(shares)[:-1], [1.0]])
        first = int(np.searchsorted(cumulative, self.chance, side="left"))
        last = int(np.searchsorted(cumulative, self.chance, side="right"))
        return sum(_crossing(cumulative, above, self.chance) for above in (first, last)) / 2

    def _number(self, place: float) -> float:
        boundaries = self.bins.boundaries
        return float(np.interp(place, np.arange(len(boundaries)), boundaries))


def quantile_from_bins(estimate: Estimate, bins: Bins, chance: float = 0.5) -> Quantile:
    """Estimate a quantile of a number from the shares of its bins.

    Parameters
    ----------
    estimate : Estimate
        Of the bins, in their order; categories after them, such as "prefer not to say", are left
        out.
    bins : Bins
    chance : float, default 0.5
        Share of the numbers that lie below; strictly between 0 and 1.

    Returns
    -------
    Quantile

    Raises
    ------
    ArgumentError, CategoryError

    Notes
    -----
    docs/methods/numbers.md: how often the intervals cover, and where not.

    References
    ----------
    .. [1] R. S. Woodruff, "Confidence Intervals for Medians and Other Position Measures", Journal
       of the American Statistical Association 47, 1952.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> ages = Bins.equal(0, 99, 99, 5)
    >>> median = quantile_from_bins(estimate(k_rr(5, 2), [260, 240, 220, 160, 120]), ages)
    >>> round(median.value, 1), median.bin
    (33.7, 1)
    """
    checked, parts = check_binned(estimate, bins)
    return Quantile(checked, parts, check.open_unit(chance, "chance"))


def accepted_ends(test: CumulativeTest, limit: float) -> tuple[float, float]:
    """Return the first and last place at which the test does not reject.

    If it rejects everywhere, as it does in a survey that hardly any distribution makes likely,
    the limit goes out from the least of the statistics, so that there is always an interval.
    """
    places = np.unique(np.concatenate([_spaced(test), test.crossings()]))
    statistics = test.statistics(places)
    level = limit + statistics.min()
    accepted = np.flatnonzero(statistics <= level)
    first, last = int(accepted[0]), int(accepted[-1])
    before, after = max(first - 1, 0), min(last + 1, len(places) - 1)
    return (
        _outermost(test, places[first], places[before], level),
        _outermost(test, places[last], places[after], level),
    )


def _spaced(test: CumulativeTest) -> FloatArray:
    """Return places to look at, the boundaries of bins among them."""
    each = max(1, min(WITHIN_BIN, PLACES // test.bins))
    places = np.arange(each * test.bins + 1) / each
    low, high = test.possible
    return np.concatenate([[low], places[(places > low) & (places < high)], [high]])


def _outermost(test: CumulativeTest, inside: float, outside: float, level: float) -> float:
    """Return the last place accepted on the way from one that is to a neighbour that is not."""
    for _ in range(ROUNDS):
        places = np.linspace(inside, outside, PARTS + 1)
        accepted = test.statistics(places) <= level
        # Known before; its last bit may come out differently among other places.
        accepted[0] = True
        last = int(np.flatnonzero(accepted)[-1])
        inside, outside = float(places[last]), float(places[min(last + 1, PARTS)])
    return inside


def _crossing(cumulative: FloatArray, above: int, chance: float) -> float:
    """Return where a line from one boundary to the next reaches the chance."""
    below, next_share = float(cumulative[above - 1]), float(cumulative[above])
    return above - 1 + (chance - below) / (next_share - below)
