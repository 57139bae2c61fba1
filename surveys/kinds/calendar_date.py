"""A date, month or year, in bins of which the author writes where they begin.

The options are the first dates of the bins and, in the last line, the last date that there is. A
respondent gives a date in parts; only its bin is scrambled and sent.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.drafts import AskedQuestion, Draft
from surveys.kinds.one_answer import OneAnswer
from surveys.parameters.dates import LEAST_LINES, MOST_BINS, Unit, date_bins, day_of


class CalendarDate(OneAnswer):
    name = "calendar_date"
    label = _("Date, month or year, in bins")
    control = "list"

    def answer_labels(self, draft: AskedQuestion | Draft) -> list[str]:
        """The bins, such as "1950 – 1959"; of lines that are no dates yet there are as many."""
        bins = date_bins(draft.options)
        if bins is None:
            return list(draft.options[:-1])
        firsts = [day_of(bins.unit, start) for start in bins.starts]
        lasts = [*(start - timedelta(1) for start in firsts[1:]), day_of(bins.unit, bins.last)]
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
        return message % numbers.count(MOST_BINS)


def _label(unit: Unit, first: date, last: date) -> str:
    ends = [_spelled(unit, day) for day in (first, last)]
    return ends[0] if ends[0] == ends[1] else numbers.from_to(*ends)


def _spelled(unit: Unit, day: date) -> str:
    if unit == "year":
        return str(day.year)
    return date_format(day, "YEAR_MONTH_FORMAT" if unit == "month" else "DATE_FORMAT")
