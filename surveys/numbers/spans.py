"""Ranges of numbers, lists of alternatives, and questions by their numbers."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Protocol

from django.utils.translation import gettext as _

from surveys.numbers.plain import count, fixed_decimals
from surveys.numbers.shares import Interval, WithInterval, percent, points
from surveys.numbers.signs import NO_BREAK, UNKNOWN


class Estimated(WithInterval, Protocol):
    """A number that was estimated; of some the standard error is None."""

    @property
    def estimate(self) -> float | None: ...

    @property
    def standard_error(self) -> float | None: ...


# The normal quantile of a 95 % interval.
NORMAL_QUANTILE = 1.959964


def span(interval: Interval, digits: int) -> str:
    """An interval in a notation that needs no translation: "1.42 … 1.61"."""
    return _span(interval, digits, fixed_decimals)


def percent_span(interval: Interval, digits: int) -> str:
    """An interval of shares in percentage points, without a sign: "29.4 … 38.9"."""
    return _span(interval, digits, points)


def _span(interval: Interval, digits: int, write: Callable[[float | None, int], str]) -> str:
    if None in interval:
        return UNKNOWN
    low, high = (write(end, digits) for end in interval)
    return f"{low}{NO_BREAK}…{NO_BREAK}{high}"


def tells_nothing(share: Estimated) -> bool:
    """Whether the 95 % interval of a share is as wide as all shares, from 0 to 100 %.

    An interval may have been cut at either end, so that its standard error is asked as well.
    """
    (low, high), error = share.interval, share.standard_error
    if low is None or high is None or share.estimate is None:
        return False
    return high - low >= 1 or (error is not None and 2 * NORMAL_QUANTILE * error >= 1)


def share_texts(share: Estimated, digits: int) -> tuple[str, str]:
    """An estimated share and its interval, or words where the interval tells nothing."""
    return share_text(share, digits), interval_text(share, digits)


def share_text(share: Estimated, digits: int) -> str:
    """An estimated share, or a dash where its interval tells nothing."""
    return UNKNOWN if tells_nothing(share) else percent(share.estimate, digits)


def interval_text(share: Estimated, digits: int) -> str:
    """The interval of a share, or words where it tells nothing."""
    if tells_nothing(share):
        return _("Too few answers to say anything")
    return reach(share, digits)


def reach(share: Estimated, digits: int) -> str:
    """The interval of a share, or a text if it covers all shares."""
    if share.estimate is None and list(share.interval) == [0, 1]:
        return _("anything")
    return percent_span(share.interval, digits)


def from_to(low: str, high: str) -> str:
    """Return both formatted ends: "10 % to 20 %"; only one if they read alike."""
    return low if low == high else _("%(low)s to %(high)s") % {"low": low, "high": high}


def either(words: Sequence[str]) -> str:
    """The words joined by “or”: "1, 2 or 3"."""
    if len(words) == 1:
        return words[0]
    return _("%(some)s or %(last)s") % {"some": ", ".join(words[:-1]), "last": words[-1]}


def places(numbers: Sequence[int]) -> str:
    """Return questions by their numbers on the page, which come from 0 on.

    As “2 to 4”, “2 and 4”, or “2, 4, 5”.
    """
    shown = [count(place + 1) for place in numbers]
    if len(shown) == 2:
        return _("%(first)s and %(last)s") % {"first": shown[0], "last": shown[-1]}
    if len(shown) > 2 and len(runs(numbers)) == 1:
        return _("%(first)s to %(last)s") % {"first": shown[0], "last": shown[-1]}
    return ", ".join(shown)


def runs(numbers: Sequence[int]) -> list[list[int]]:
    """Return numbers split where one does not follow the one before."""
    steps = groupby(enumerate(numbers), key=lambda entry: entry[1] - entry[0])
    return [[number for _index, number in entries] for _step, entries in steps]
