"""The curves of a comparison as Plotly figures; the script in the browser knows no statistics."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import ceil, floor, inf, log10, sqrt
from typing import Any

import plotly.graph_objects as go
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.planning.mechanism_accuracy import Accuracy
from surveys.authoring.planning.mechanism_curves import Curve, MechanismComparison
from surveys.results.figures.layout import FONT
from surveys.results.figures.palette import COLOURS

# The usual device, what all are compared with, and what stands between. A dash tells them apart
# without colour.
FIRST = {"color": COLOURS["accent"], "width": 3}
LAST = {"color": COLOURS["chance"], "width": 3, "dash": "dash"}
DASHES = ("dot", "dashdot", "longdash", "longdashdot")
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 8)
# Ticks of a logarithmic axis within one decade, from coarse to fine.
STEPS = (
    (1,),
    (1, 3),
    (1, 2, 5),
    (1, 1.5, 2, 3, 4, 5, 6, 8),
    tuple(half / 2 for half in range(2, 20)),
    tuple(fifth / 5 for fifth in range(5, 50)),
    tuple(tenth / 10 for tenth in range(10, 100)),
)
LEAST_TICKS = 3
HEIGHT = 290
LEGEND_LINE = 24
ROW = 46  # pixels of one category in the figure of shares
_HOVER_POINT = f"ε = %{{x}}: {numbers.hover_digits('y', 3)}"
_HOVER_SHARE = f"{numbers.hover_fixed('x', 1)} ± {numbers.hover_fixed('error_x.array', 1)}"


def mechanism_figures(comparison: MechanismComparison) -> dict[str, Any]:
    """The figures by name, in the active language, as plain JSON types."""
    figures = {
        "error": _over_epsilon(comparison, lambda point: point.mse, _squared_axis),
        "margin": _over_epsilon(comparison, lambda point: 100 * point.margin, _points_axis),
        "recovery": _over_epsilon(comparison, lambda point: 100 * point.recovery, _percent_axis),
        "shares": _shares(comparison),
    }
    if comparison.entropy is not None:
        figures["entropy"] = _over_epsilon(
            comparison, lambda point: point.entropy_error, _bits_axis
        )
    return figures


def _over_epsilon(
    comparison: MechanismComparison,
    value: Callable[[Accuracy], float | None],
    axis: Callable[[list[float]], dict[str, Any]],
) -> dict[str, Any]:
    curves = zip(comparison.curves, _looks(len(comparison.curves)), strict=True)
    lines = [_line(curve, look, value) for curve, look in curves]
    heights = [y for line in lines for y in line["y"] if y is not None]
    layout = plain_layout(HEIGHT, len(lines))
    layout |= {"xaxis": _epsilon_axis(comparison), "yaxis": axis(heights)}
    layout["shapes"], layout["annotations"] = epsilon_marker(comparison)
    return go.Figure(data=lines, layout=layout).to_plotly_json()


def _line(
    curve: Curve, look: dict[str, Any], value: Callable[[Accuracy], float | None]
) -> dict[str, Any]:
    points = [(float(point.epsilon), value(point)) for point in curve.points]
    finite_points = [(x, None if y is None or y == inf else y) for x, y in points]
    return {
        "type": "scatter",
        "x": [x for x, _y in finite_points],
        "y": [y for _x, y in finite_points],
        "mode": "lines",
        "name": escape(curve.label),
        "line": look,
        "hovertemplate": f"{escape(curve.label)}<br>{_HOVER_POINT}<extra></extra>",
    }


def _shares(comparison: MechanismComparison) -> dict[str, Any]:
    """Wang's Figure 1: the guessed shares, and the 95 % interval that each mechanism would give."""
    curves = comparison.curves
    height = ROW * len(comparison.labels)
    traces = [
        _whiskers(comparison, curve, look, (index - (len(curves) - 1) / 2) * 14)
        for index, (curve, look) in enumerate(zip(curves, _looks(len(curves)), strict=True))
    ]
    layout = plain_layout(height + 60, len(curves))
    ticks = [ROW * (index + 0.5) for index in range(len(comparison.labels))]
    layout["yaxis"] = {
        "range": [height, 0],
        "tickvals": ticks,
        "ticktext": [escape(short(label)) for label in comparison.labels],
        "fixedrange": True,
        "automargin": True,
        "gridcolor": COLOURS["line"],
        "zeroline": False,
    }
    layout["xaxis"] = {**plain_axis(_("share in percent")), "zerolinecolor": COLOURS["quiet"]}
    return go.Figure(data=traces, layout=layout).to_plotly_json()


def _looks(curves: int) -> list[dict[str, Any]]:
    between = [
        {"color": COLOURS["quiet"], "width": 3, "dash": DASHES[index % len(DASHES)]}
        for index in range(curves - 2)
    ]
    return [FIRST, *between, LAST]


def _whiskers(
    comparison: MechanismComparison, curve: Curve, look: dict[str, Any], shift: float
) -> dict[str, Any]:
    margins = [100 * margin if margin < inf else None for margin in curve.share_margins]
    return {
        "type": "scatter",
        "x": [100 * share for share in comparison.shares],
        "y": [ROW * (index + 0.5) + shift for index in range(len(comparison.labels))],
        "error_x": {"array": margins, "color": look["color"], "thickness": 3, "width": 5},
        "mode": "markers",
        "marker": {"color": look["color"], "size": 9},
        "name": escape(curve.label),
        "hovertemplate": f"{_HOVER_SHARE}<extra></extra>",
    }


def short(label: str) -> str:
    return label if len(label) <= 22 else label[:21] + "…"


def plain_layout(height: int, curves: int) -> dict[str, Any]:
    # On a phone every name in the legend has a line of its own.
    legend = LEGEND_LINE * curves
    return {
        "template": "none",
        "separators": numbers.separators(),
        "height": height + legend,
        "margin": {"l": 62, "r": 16, "t": 8, "b": 52 + legend},
        "font": {"family": FONT, "size": 14, "color": COLOURS["ink"]},
        "paper_bgcolor": COLOURS["surface"],
        "plot_bgcolor": COLOURS["surface"],
        "showlegend": True,
        # The labels stand under the axis: on the lines they would overlap where the lines meet.
        "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": COLOURS["ink"],
            "bordercolor": COLOURS["ink"],
            "font": {"color": COLOURS["surface"]},
        },
    }


def plain_axis(title: str) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 13, "color": COLOURS["quiet"]}},
        "fixedrange": True,
        "gridcolor": COLOURS["line"],
        "tickfont": {"size": 13, "color": COLOURS["quiet"]},
        "showline": False,
    }


def _epsilon_axis(comparison: MechanismComparison) -> dict[str, Any]:
    ticks = TICKS if comparison.axis == "log" else range(9)
    return {
        **plain_axis(_("epsilon")),
        "type": comparison.axis,
        "tickvals": list(ticks),
        "tickangle": 0,
        "zeroline": False,
    }


def _squared_axis(values: Sequence[float]) -> dict[str, Any]:
    return {**plain_axis(_("mean squared error")), **log_ticks(values)}


def _points_axis(values: Sequence[float]) -> dict[str, Any]:
    return {**plain_axis(_("± points")), **log_ticks(values)}


def _bits_axis(values: Sequence[float]) -> dict[str, Any]:
    return {**plain_axis(_("bits")), **log_ticks(values)}


def log_ticks(values: Iterable[float]) -> dict[str, Any]:
    """A logarithmic axis with three ticks or more among `values`, in the coarsest steps that do.

    Labels are plain numbers: a raised exponent would need a style that the policy bars.
    """
    positive = [value for value in values if value > 0]
    low, high = (min(positive), max(positive)) if positive else (1.0, 1.0)
    candidates = (
        [step * 10.0**power for power in _decades(low, high) for step in steps] for steps in STEPS
    )
    sufficient = (
        ticks for ticks in candidates if sum(low <= tick <= high for tick in ticks) >= LEAST_TICKS
    )
    ticks = next(sufficient, [low, sqrt(low * high), high])
    return {
        "type": "log",
        "tickvals": ticks,
        "ticktext": [numbers.three_digits(tick) for tick in ticks],
    }


def _decades(low: float, high: float) -> range:
    return range(floor(log10(low)), ceil(log10(high)) + 1)


def _percent_axis(_values: Sequence[float]) -> dict[str, Any]:
    return {**plain_axis(_("percent")), "range": [-2, 101], "zeroline": False}


def epsilon_marker(comparison: MechanismComparison) -> tuple[list[dict], list[dict]]:
    """A vertical line at the compared epsilon, with its label."""
    x = float(comparison.epsilon)
    line = {"type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1}
    text = {
        "text": f"ε = {comparison.epsilon_text()}",
        "x": log10(x) if comparison.axis == "log" else x,
        "xanchor": "right" if x > 2 else "left",
        "y": 1,
        "yref": "paper",
        "yanchor": "top",
        "showarrow": False,
        "bgcolor": COLOURS["surface"],
        "font": {"size": 12, "color": COLOURS["quiet"]},
    }
    return [line | {"line": {"color": COLOURS["quiet"], "width": 1, "dash": "dot"}}], [text]
