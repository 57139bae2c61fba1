"""The figure of a short text: the shares of the texts that were found, the most frequent first."""

from math import ceil
from typing import Any

from surveys.results.figures.layout import drawn
from surveys.results.figures.traces import share_figure
from surveys.results.kinds.text_presentation import drawn_rows
from surveys.results_document.questions import QuestionResults

# The axis ends at a multiple of this many points.
STEP = 10


def text_figure(question: QuestionResults) -> dict[str, Any]:
    """Return plain JSON in the active language; the axis ends beyond the longest interval."""
    shares = [drawn(row.label, row) for row in drawn_rows(question)]
    places = [place for row in shares for place in (row.estimate, row.interval[1])]
    highest = max(100 * place for place in places if place is not None)
    return share_figure(shares, question, axis=(0, STEP * ceil(highest / STEP)))
