"""Shares as people read them: percent, localized, no more digits than the interval carries."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from math import floor, log10
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

# Half an interval of this many points or more makes a decimal meaningless.
COARSE = 10.0
UNKNOWN = "–"
# Further than this a number tells nothing but its size: the end of an odds ratio's interval.
BEYOND, BEYOND_TEXT = 1e9, "10⁹"


def digits_for(interval: list[float | None]) -> int:
    """One decimal, or none where the interval is too wide to carry it."""
    low, high = interval
    return 0 if low is None or high is None or 50 * (high - low) >= COARSE else 1


def common_digits(rows: Iterable[Mapping[str, Any]]) -> int:
    """The same for all rows of a question: those of its widest interval."""
    return min((digits_for(row["interval"]) for row in rows), default=0)


def points(share: float | None, digits: int) -> str:
    """A share as a number of percent, without the sign: 0.3412 -> "34.1"."""
    if share is None:
        return UNKNOWN
    rounded = round(Decimal(str(100 * share)), digits)
    # No "-0.0": the sign of a rounded zero says nothing.
    return number_format(rounded or abs(rounded), decimal_pos=digits).replace("-", "−")


def percent(share: float | None, digits: int) -> str:
    return UNKNOWN if share is None else f"{points(share, digits)}\u00a0%"


def span(interval: list[float | None], digits: int) -> str:
    """An interval of percent in a notation that needs no translation: "29.4 … 38.9"."""
    low, high = interval
    if low is None or high is None:
        return UNKNOWN
    return f"{points(low, digits)}\u00a0…\u00a0{points(high, digits)}"


def reach(share: Mapping[str, Any], digits: int) -> str:
    """The interval of a share, or a word where the reports rule nothing out."""
    if share["estimate"] is None and share["interval"] == [0, 1]:
        return _("anything")
    return span(share["interval"], digits)


def count(number: int) -> str:
    return number_format(number, force_grouping=True)


def decimal(text: str) -> str:
    """A decimal string of the frozen parameters, in the reader's notation."""
    return number_format(Decimal(text))


def epsilon(text: str) -> str:
    """Shares of an epsilon are rounded down to six places; four tell what it is."""
    rounded = Decimal(text).quantize(Decimal("0.0001")).normalize()
    return number_format(format(rounded, "f"))


def plain(value: float | None, digits: int) -> str:
    """A number that is no share, such as a mean score."""
    if value is None:
        return UNKNOWN
    if abs(value) >= BEYOND:
        return f"> {BEYOND_TEXT}" if value > 0 else f"< −{BEYOND_TEXT}"
    rounded = round(Decimal(str(value)), digits)
    return number_format(rounded or abs(rounded), decimal_pos=digits).replace("-", "−")


def plain_span(interval: list[float | None], digits: int) -> str:
    low, high = interval
    if low is None or high is None:
        return UNKNOWN
    return f"{plain(low, digits)}\u00a0…\u00a0{plain(high, digits)}"


def digits_of_error(error: float | None) -> int:
    """As many as leave two figures of a standard error: 0.034 -> 3, 0.34 -> 2, 3.4 -> 1."""
    if error is None or error <= 0:
        return 2
    return max(0, min(4, 1 - floor(log10(error))))


def p_value(p: float | None) -> str:
    """Three decimals, as in the notation of statistics: "p = 0.043", "p < 0.001"."""
    if p is None:
        return UNKNOWN
    if p < 0.001:
        return f"p\u00a0<\u00a0{number_format(Decimal('0.001'))}"
    return f"p\u00a0=\u00a0{plain(p, 3 if p < 0.1 else 2)}"
