"""Shares as people read them: percent, localized, no more digits than the interval carries."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.formats import number_format

# Half an interval of this many points or more makes a decimal meaningless.
COARSE = 10.0
UNKNOWN = "–"


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


def count(number: int) -> str:
    return number_format(number, force_grouping=True)


def decimal(text: str) -> str:
    """A decimal string of the frozen parameters, in the reader's notation."""
    return number_format(Decimal(text))
