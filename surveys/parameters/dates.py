"""Dates, months and years in bins, as they are written: where each begins, and the last of all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Literal

Unit = Literal["year", "month", "day"]
_FORMS: dict[Unit, re.Pattern[str]] = {
    "year": re.compile(r"[0-9]{4}"),
    "month": re.compile(r"[0-9]{4}-[0-9]{2}"),
    "day": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
}
# Before and after these years a date is a slip of the pen.
FIRST_YEAR, LAST_YEAR = 1800, 2199
# Two bins and the last date.
LEAST_LINES = 3
MOST_BINS = 50


@dataclass(frozen=True, slots=True)
class DateBins:
    """`starts`: the first dates of the bins as they are written; `last`: the last date of all."""

    unit: Unit
    starts: tuple[str, ...]
    last: str


def date_bins(options: Sequence[str]) -> DateBins | None:
    """Return the bins that an author has written; None where they are none yet."""
    lines = [option.strip() for option in options]
    fitting = (unit for unit, form in _FORMS.items() if all(map(form.fullmatch, lines)))
    unit = next(fitting, None)
    if unit is None or not LEAST_LINES <= len(lines) <= MOST_BINS + 1:
        return None
    try:
        days = [day_of(unit, line) for line in lines]
    except ValueError:
        return None
    rising = all(first < second for first, second in pairwise(days[:-1])) and days[-2] <= days[-1]
    if not rising or not FIRST_YEAR <= days[0].year <= days[-1].year <= LAST_YEAR:
        return None
    return DateBins(unit, tuple(lines[:-1]), lines[-1])


def day_of(unit: Unit, written: str) -> date:
    """The first day of what is written; raises ValueError where there is no such date."""
    return date.fromisoformat(written + {"year": "-01-01", "month": "-01", "day": ""}[unit])
