"""Prior knowledge of an attribute, before anybody is asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, as_list
from rr_engine.association.table import check_scores
from rr_engine.bounded.bins import Bins, check_bins
from rr_engine.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute with a name, its categories, and whether they have an order.

    Parameters
    ----------
    name : str
    size : int
        Number of categories, at least 2.
    scores : sequence of float, optional
        What each category counts where they have an order: the dependence of two such attributes
        is their correlation. None for a nominal attribute, which has no order.

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> Attribute("income", 2).ordered, Attribute.ordinal("health", 3).scores
    (False, (0.0, 1.0, 2.0))
    """

    name: str
    size: int
    scores: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ArgumentError("name", self.name, "be a text that is not empty", "empty_label")
        size = check.whole(self.size, "size", minimum=2, maximum=check.MAX_CATEGORIES)
        object.__setattr__(self, "size", size)
        if self.scores is not None:
            scores = check_scores(self.scores, size, "scores")
            object.__setattr__(self, "scores", tuple(scores.tolist()))

    @classmethod
    def ordinal(cls, name: str, size: int) -> Attribute:
        """Return an attribute whose categories count 0, 1, 2, ...

        References
        ----------
        Ours: equal steps, as in :func:`rr_engine.association.pearson_correlation`.
        """
        categories = check.whole(size, "size", minimum=2, maximum=check.MAX_CATEGORIES)
        return cls(name, categories, tuple(range(categories)))

    @classmethod
    def of_bins(cls, name: str, bins: Bins) -> Attribute:
        """Return a number that is asked for in bins; each counts its middle.

        References
        ----------
        Ours: docs/methods/clusters.md, "Numbers".
        """
        checked = check_bins(bins)
        return cls(name, checked.count, tuple(checked.middles.tolist()))

    @property
    def ordered(self) -> bool:
        """Whether the categories have an order."""
        return self.scores is not None


def equal_frequency_bins(lower: float, upper: float, shares: ArrayLike, count: int = 5) -> Bins:
    """Cut a number into bins that about equally many people are guessed to be in.

    Parameters
    ----------
    lower, upper : float
        The range.
    shares : array_like of float, shape (steps + 1,)
        Guessed proportions of the values of the grid, from public figures or an earlier wave. Never
        those of the respondents who are to be asked: the cuts would tell of their answers.
    count : int, default 5
        Number of bins. Where single values hold more than their part, there are fewer.

    Returns
    -------
    Bins
        Each bin ends at the value whose cumulated share is nearest to the quantile, the lower one
        of two as near.

    Raises
    ------
    ArgumentError, DistributionError

    Notes
    -----
    docs/methods/clusters.md, "Numbers". Without a guess, :meth:`Bins.equal` has bins of equal
    width.

    References
    ----------
    .. [1] H. B. Mann and A. Wald, "On the Choice of the Number of Class Intervals in the
       Application of the Chi Square Test", Annals of Mathematical Statistics 13 (1942), 306-317.

    Examples
    --------
    >>> equal_frequency_bins(0, 5, [0.1, 0.2, 0.2, 0.2, 0.2, 0.1], 3).starts
    (0, 2, 4)
    """
    given = as_list(shares) or ()
    values = check.whole(len(given), "shares", minimum=2, maximum=1_000_001)
    guessed = check.distribution(shares, values, "shares")
    size = check.whole(count, "count", minimum=2, maximum=min(values, check.MAX_CATEGORIES))
    return Bins(lower, upper, values - 1, _starts(guessed, size))


def _starts(guessed: FloatArray, size: int) -> tuple[int, ...]:
    # In twelve digits, so that ties are ties on every processor.
    below = np.round(np.cumsum(guessed), 12)[:-1]
    cuts = {int(np.argmin(np.round(np.abs(below - part / size), 12))) for part in range(1, size)}
    return (0, *(cut + 1 for cut in sorted(cuts)))


def check_attributes(value: object, argument: str = "attributes") -> tuple[Attribute, ...]:
    """Return two or more attributes with names of their own."""
    entries = as_list(value)
    rule = "be a sequence of two or more Attribute, each with a name of its own"
    fits = entries is not None and len(entries) >= 2
    if entries is None or not fits or not all(isinstance(entry, Attribute) for entry in entries):
        raise ArgumentError(argument, value, rule, "not_attributes")
    if len({entry.name for entry in entries}) < len(entries):
        raise ArgumentError(argument, [entry.name for entry in entries], rule, "repeated_label")
    return entries


def positions_of(names: object, attributes: Sequence[Attribute], argument: str) -> tuple[int, ...]:
    """Return the places of attributes that are named, each once."""
    places = {attribute.name: place for place, attribute in enumerate(attributes)}
    entries = as_list(names)
    rule = f"name attributes, each once, of {', '.join(places)}"
    known = [name for name in entries or () if isinstance(name, str) and name in places]
    if not entries or len(set(known)) < len(entries):
        raise ArgumentError(argument, names, rule, "unknown_attribute")
    return tuple(places[name] for name in entries)
