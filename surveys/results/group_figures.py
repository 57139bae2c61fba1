"""The figure of a joint table: the combinations with most people, as dot and whisker."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.parameters import PAGE
from surveys.results.figure_layout import axis_range, figure_layout, laid_out
from surveys.results.marks import estimates, report_marks, whiskers

JOINT = "joint"
# More than these would be a long way on a phone; the table has all that are listed.
MOST_DRAWN = 12

Group = Mapping[str, Any]


def group_figures(group: Group) -> dict[str, Any]:
    """The figure of a group by its key, in the active language; that of a drawn pair is its own."""
    if not group["cells"] or group["stratum"] != PAGE:
        return {}
    return {f"{group['id']}:{JOINT}": joint_figure(group)}


def joint_figure(group: Group) -> dict[str, Any]:
    """The largest shares with their intervals, and the raw reports of the same combinations."""
    shares = [{**cell, "label": answers_text(cell, group["labels"])} for cell in group["cells"]][
        :MOST_DRAWN
    ]
    rows, height = laid_out(shares, words=1)
    marks = [("reported", _("raw reports"))]
    traces = [whiskers(rows, "interval", 5), whiskers(rows, "interval_50", 12)]
    traces += [report_marks(rows, marks[0][1]), estimates(rows, _("estimate"))]
    caption = {
        "n": group["n"],
        "epsilon": group["epsilon"],
        "randomized": True,
        "text": " · ".join(group["texts"]),
    }
    layout = figure_layout(rows, height, axis_range(shares), marks, caption)
    return {"data": traces, "layout": layout}


def answers_text(cell: Mapping[str, Any], labels: Sequence[Sequence[str]]) -> str:
    """The answers of a combination, in the order of the questions."""
    pairs = zip(labels, cell["codes"], strict=True)
    return " · ".join(answers[code] for answers, code in pairs)
