"""The marks of a dot-and-whisker figure as Plotly traces."""

from collections.abc import Sequence
from typing import Any

from surveys import numbers
from surveys.results.figures.layout import Row
from surveys.results.figures.palette import COLOURS

Trace = dict[str, Any]


def whiskers(rows: Sequence[Row], key: str, width: int) -> Trace:
    """All intervals of one level as one broken line."""
    ends: list[float | None] = []
    for row in rows:
        ends += [*map(points, getattr(row.data, key)), None]
    return {
        "type": "scatter",
        "x": ends,
        "y": [height for row in rows for height in (row.marks, row.marks, None)],
        "mode": "lines",
        "line": {"color": COLOURS["accent"], "width": width},
        "hoverinfo": "skip",
    }


ESTIMATE = {
    "color": COLOURS["accent"],
    "size": 12,
    "line": {"color": COLOURS["surface"], "width": 2},
}
TRUTH = {"symbol": "line-ns", "size": 17, "line": {"color": COLOURS["ink"], "width": 3}}


def estimates(rows: Sequence[Row], label: str) -> Trace:
    return _dots(rows, "estimate", label, ESTIMATE)


def report_marks(rows: Sequence[Row], label: str) -> Trace:
    colour = COLOURS["chance"]
    marker = {"symbol": "diamond-open", "color": colour, "size": 13, "line": {"width": 2.5}}
    return _dots(rows, "reported_share", label, marker)


def truth(rows: Sequence[Row], label: str) -> Trace:
    return _dots(rows, "truth", label, TRUTH)


def points(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 3)


def _dots(rows: Sequence[Row], key: str, label: str, marker: dict[str, Any]) -> Trace:
    shares = [getattr(row.data, key) for row in rows]
    texts = [numbers.percent(share, row.digits) for share, row in zip(shares, rows, strict=True)]
    return dots([*map(points, shares)], [row.marks for row in rows], texts, label, marker)


def dots(
    places: Sequence[float | None],
    heights: Sequence[int],
    texts: Sequence[str],
    label: str,
    marker: dict[str, Any],
) -> Trace:
    """One mark at each place, of which a text says the value when it is pointed at."""
    return {
        "type": "scatter",
        "x": list(places),
        "y": list(heights),
        "mode": "markers",
        "marker": marker,
        "cliponaxis": False,
        "text": list(texts),
        "hovertemplate": f"{label}: %{{text}}<extra></extra>",
    }
