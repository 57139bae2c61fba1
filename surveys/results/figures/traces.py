"""The marks of a dot-and-whisker figure as Plotly traces."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.figures.layout import About, Drawn, Row, axis_range, figure_layout, laid_out
from surveys.results.figures.palette import COLOURS
from surveys.results_document.parts import Interval

Trace = dict[str, Any]


def whiskers(rows: Sequence[Row], key: str, width: int) -> Trace:
    """All intervals of one level, of shares."""
    spans = [(points(low), points(high)) for row in rows for low, high in [getattr(row.data, key)]]
    return broken_line(spans, [row.marks for row in rows], width)


def broken_line(spans: Sequence[Interval], heights: Sequence[int], width: int) -> Trace:
    """Intervals, each at its height, as one line with gaps."""
    return {
        "type": "scatter",
        "x": [place for span in spans for place in (*span, None)],
        "y": [place for height in heights for place in (height, height, None)],
        "mode": "lines",
        "line": {"color": COLOURS["accent"], "width": width},
        "hoverinfo": "skip",
    }


def share_figure(
    shares: Sequence[Drawn],
    about: About,
    marks: Sequence[tuple[str, str]] = (),
    axis: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Return the figure of some shares, as plain JSON types; `marks`: what else is drawn of each.

    Each mark has the name of its field, and what it is called.
    """
    rows, height = laid_out(shares, words=len(marks))
    traces = [whiskers(rows, "interval", 5), whiskers(rows, "interval_50", 12)]
    traces += [_dots(rows, name, label, MARKS[name]) for name, label in marks]
    traces.append(estimates(rows, _("estimate")))
    layout = figure_layout(rows, height, axis or axis_range(shares), marks, about)
    return {"data": traces, "layout": layout}


ESTIMATE = {
    "color": COLOURS["accent"],
    "size": 12,
    "line": {"color": COLOURS["surface"], "width": 2},
}
REPORTS = {
    "symbol": "diamond-open",
    "color": COLOURS["chance"],
    "size": 13,
    "line": {"width": 2.5},
}
TRUTH = {"symbol": "line-ns", "size": 17, "line": {"color": COLOURS["ink"], "width": 3}}


MARKS = {"reported_share": REPORTS, "truth": TRUTH}


def estimates(rows: Sequence[Row], label: str) -> Trace:
    return _dots(rows, "estimate", label, ESTIMATE)


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
