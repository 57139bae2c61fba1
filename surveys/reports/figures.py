"""Results document -> Plotly figures: dot and whisker on a common axis of 0 to 100 %.

The script in the browser draws what it gets and knows no statistics.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from surveys.reports import numbers
from surveys.reports.figure_layout import Row, axis_range, figure_layout, laid_out
from surveys.reports.palette import COLOURS

Truth = Mapping[str, Sequence[float]]


def results_figures(document: Mapping[str, Any], truth: Truth | None) -> dict[str, Any]:
    """{language: {"device/stratum": figure}}, every figure in every language of the site."""
    figures = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            figures[language] = {
                f"{question['device']}/{question['stratum']}": question_figure(
                    question, (truth or {}).get(question["id"])
                )
                for question in document["questions"]
                if question["categories"]
            }
    return figures


def question_figure(question: Mapping[str, Any], truth: Sequence[float] | None) -> dict[str, Any]:
    """The figure of one question, in the active language, as plain JSON types."""
    marks = [("reported", _("raw reports"))] if question["randomized"] else []
    marks += [("truth", _("simulated truth"))] if truth is not None else []
    shares = [row | {"truth": None} for row in question["categories"]]
    if truth is not None:
        shares = [row | {"truth": share} for row, share in zip(shares, truth, strict=True)]
    rows, height = laid_out(shares, words=len(marks))
    traces = [_whiskers(rows, "interval", 5), _whiskers(rows, "interval_50", 12)]
    traces += [DRAW[name](rows, label) for name, label in marks]
    traces.append(_estimates(rows, _("estimate")))
    layout = figure_layout(rows, height, axis_range(shares), marks, question)
    return go.Figure(data=traces, layout=layout).to_plotly_json()


def _whiskers(rows: Sequence[Row], key: str, width: int) -> go.Scatter:
    """All intervals of one level as one broken line."""
    ends: list[float | None] = []
    for row in rows:
        ends += [*map(_points, row.data[key]), None]
    return go.Scatter(
        x=ends,
        y=[height for row in rows for height in (row.marks, row.marks, None)],
        mode="lines",
        line={"color": COLOURS["accent"], "width": width},
        hoverinfo="skip",
    )


def _estimates(rows: Sequence[Row], label: str) -> go.Scatter:
    outline = {"color": COLOURS["surface"], "width": 2}
    marker = {"color": COLOURS["accent"], "size": 12, "line": outline}
    return _dots(rows, "estimate", label, marker)


def _reported(rows: Sequence[Row], label: str) -> go.Scatter:
    colour = COLOURS["chance"]
    marker = {"symbol": "diamond-open", "color": colour, "size": 13, "line": {"width": 2.5}}
    return _dots(rows, "reported_share", label, marker)


def _truth(rows: Sequence[Row], label: str) -> go.Scatter:
    line = {"color": COLOURS["ink"], "width": 3}
    return _dots(rows, "truth", label, {"symbol": "line-ns", "size": 17, "line": line})


DRAW = {"reported": _reported, "truth": _truth}


def _dots(rows: Sequence[Row], key: str, label: str, marker: dict[str, Any]) -> go.Scatter:
    return go.Scatter(
        x=[_points(row.data[key]) for row in rows],
        y=[row.marks for row in rows],
        mode="markers",
        marker=marker,
        cliponaxis=False,
        text=[numbers.percent(row.data[key], row.digits) for row in rows],
        hovertemplate=f"{label}: %{{text}}<extra></extra>",
    )


def _points(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 3)
