"""A date, month or year, in bins of which the author writes where they begin.

The options are the first dates of the bins and, in the last line, the last date that there is. A
respondent gives a date in parts; only its bin is scrambled and sent.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.kind import MAX_OPTIONS
from surveys.kinds.one_answer import OneAnswer

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


@dataclass(frozen=True, slots=True)
class DateBins:
    """`starts`: the first dates of the bins as they are written; `last`: the last date of all."""

    unit: Unit
    starts: tuple[str, ...]
    last: str


class CalendarDate(OneAnswer):
    name = "calendar_date"
    label = _("Date, month or year, in bins")
    control = "list"

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        """The bins, such as "1950 – 1959"; of lines that are no dates yet there are as many."""
        bins = date_bins(draft.options)
        if bins is None:
            return list(draft.options[:-1])
        firsts = [_day(bins.unit, start) for start in bins.starts]
        lasts = [*(start - timedelta(1) for start in firsts[1:]), _day(bins.unit, bins.last)]
        return [_label(bins.unit, *ends) for ends in zip(firsts, lasts, strict=True)]

    def is_complete(self, draft: AskedQuestion | Draft) -> bool:
        return len(draft.options) >= LEAST_LINES

    def options_problem(self, options: Sequence[str]) -> str:
        if date_bins(options) is not None:
            return ""
        message = gettext(
            "Write the first date of each bin, one per line, and in the last line the last date of "
            "all: all years (1950), all months (1950-06) or all days (1950-06-17), rising, with %s "
            "bins at most."
        )
        return message % numbers.count(MAX_OPTIONS)


def date_bins(options: Sequence[str]) -> DateBins | None:
    """Return the bins that an author has written; None where they are none yet."""
    lines = [option.strip() for option in options]
    fitting = (unit for unit, form in _FORMS.items() if all(map(form.fullmatch, lines)))
    unit = next(fitting, None)
    if unit is None or not LEAST_LINES <= len(lines) <= MAX_OPTIONS + 1:
        return None
    try:
        days = [_day(unit, line) for line in lines]
    except ValueError:
        return None
    rising = all(first < second for first, second in pairwise(days[:-1])) and days[-2] <= days[-1]
    if not rising or not FIRST_YEAR <= days[0].year <= days[-1].year <= LAST_YEAR:
        return None
    return DateBins(unit, tuple(lines[:-1]), lines[-1])


def _day(unit: Unit, written: str) -> date:
    """The first day of what is written; raises ValueError where there is no such date."""
    return date.fromisoformat(written + {"year": "-01-01", "month": "-01", "day": ""}[unit])


def _label(unit: Unit, first: date, last: date) -> str:
    ends = [_spelled(unit, day) for day in (first, last)]
    return ends[0] if ends[0] == ends[1] else numbers.from_to(*ends)


def _spelled(unit: Unit, day: date) -> str:
    if unit == "year":
        return str(day.year)
    return date_format(day, "YEAR_MONTH_FORMAT" if unit == "month" else "DATE_FORMAT")
