"""The figure of a short text: the shares of the texts that were found, the most frequent first."""

from math import ceil
from typing import Any

from django.utils.translation import gettext as _

from surveys.results.figures.layout import drawn, figure_layout, laid_out
from surveys.results.figures.traces import estimates, whiskers
from surveys.results.kinds.text_presentation import drawn_rows
from surveys.results_document.questions import QuestionResults

# The axis ends at a multiple of this many points.
STEP = 10


def text_figure(question: QuestionResults) -> dict[str, Any]:
    """Return plain JSON in the active language; the axis ends beyond the longest interval."""
    shares = [drawn(row.label, row) for row in drawn_rows(question)]
    rows, height = laid_out(shares, words=0)
    traces = [whiskers(rows, "interval", 5), whiskers(rows, "interval_50", 12)]
    traces.append(estimates(rows, _("estimate")))
    places = [place for row in shares for place in (row.estimate, row.interval[1])]
    highest = max(100 * place for place in places if place is not None)
    axis = (0, STEP * ceil(highest / STEP))
    return {"data": traces, "layout": figure_layout(rows, height, axis, [], question)}
