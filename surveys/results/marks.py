"""The marks of a dot-and-whisker figure as Plotly traces."""

from collections.abc import Sequence
from typing import Any

from surveys import numbers
from surveys.results.figure_layout import Row
from surveys.results.palette import COLOURS

Trace = dict[str, Any]


def whiskers(rows: Sequence[Row], key: str, width: int) -> Trace:
    """All intervals of one level as one broken line."""
    ends: list[float | None] = []
    for row in rows:
        ends += [*map(points, row.data[key]), None]
    return {
        "type": "scatter",
        "x": ends,
        "y": [height for row in rows for height in (row.marks, row.marks, None)],
        "mode": "lines",
        "line": {"color": COLOURS["accent"], "width": width},
        "hoverinfo": "skip",
    }


def estimates(rows: Sequence[Row], label: str) -> Trace:
    outline = {"color": COLOURS["surface"], "width": 2}
    marker = {"color": COLOURS["accent"], "size": 12, "line": outline}
    return _dots(rows, "estimate", label, marker)


def report_marks(rows: Sequence[Row], label: str) -> Trace:
    colour = COLOURS["chance"]
    marker = {"symbol": "diamond-open", "color": colour, "size": 13, "line": {"width": 2.5}}
    return _dots(rows, "reported_share", label, marker)


def truth(rows: Sequence[Row], label: str) -> Trace:
    line = {"color": COLOURS["ink"], "width": 3}
    return _dots(rows, "truth", label, {"symbol": "line-ns", "size": 17, "line": line})


def points(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 3)


def _dots(rows: Sequence[Row], key: str, label: str, marker: dict[str, Any]) -> Trace:
    return {
        "type": "scatter",
        "x": [points(row.data[key]) for row in rows],
        "y": [row.marks for row in rows],
        "mode": "markers",
        "marker": marker,
        "cliponaxis": False,
        "text": [numbers.percent(row.data[key], row.digits) for row in rows],
        "hovertemplate": f"{label}: %{{text}}<extra></extra>",
    }
