"""The results of a search as Plotly figures; the script in the browser knows no statistics."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from math import floor, log10, sqrt
from typing import Any

import plotly.graph_objects as go
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.figures.mechanisms import plain_axis, plain_layout, short
from surveys.admin.figures.search_words import Point, bounds_words, method_label, words_of
from surveys.parameters.exact import report_codes
from surveys.results.figures.palette import COLOURS

MSE, EFFICIENCY = "mse", "efficiency"
HEIGHT = 420
# Shape and dash distinguish the methods without colour.
LOOKS: dict[str, dict[str, Any]] = {
    "certified": {"color": COLOURS["accent"], "symbol": "circle", "dash": "solid"},
    "local": {"color": COLOURS["ink"], "symbol": "diamond-open", "dash": "dash"},
    "optrr": {"color": COLOURS["quiet"], "symbol": "triangle-up-open", "dash": "dot"},
}
# Symbols of the question's other devices, in their order.
DEVICE_SYMBOLS = ("star", "square-open", "cross-open", "hexagon-open")
# The end of an error axis over its lowest value: a curve may be unbounded, its points stay visible.
MOST_OVER_BEST = 12
ROW, HEADING, MOST_ROWS = 26, 34, 60
MOST_TITLE = 70

Row = Mapping[str, Any]


def front_figures(
    request: Row, content: Row, points: Sequence[Point], title: str
) -> dict[str, Any] | None:
    """The front over both measures, in the active language, as plain JSON types; None at first."""
    if not content:
        return None
    meta = {"title": escape(short_title(title)), "source": escape(bounds_words(request))}
    finished_content = {**content, "bound": _extend_bound(request, content)}
    figures = {measure: _front(finished_content, points, measure) for measure in (MSE, EFFICIENCY)}
    for figure in figures.values():
        figure["layout"]["meta"] = meta
    return figures


def short_title(title: str) -> str:
    return title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE]}…"


def _extend_bound(request: Row, content: Row) -> list[Row]:
    """The bound rises with privacy, so its last value holds up to the largest privacy."""
    bound = content["bound"]
    end = 1 - max(map(float, request["prior"]))
    return [*bound, {"privacy": end, "mse": bound[-1]["mse"]}] if bound else []


def _front(content: Row, points: Sequence[Point], measure: str) -> dict[str, Any]:
    height = {MSE: _error, EFFICIENCY: _efficiency}[measure]
    direct = content["direct_mse"]
    low, high = _span(content, points, measure)
    traces = [
        *_impossible(content, measure, low),
        _family(content, direct, height),
        *_fronts(points, direct, height),
        *(_device(point, direct, height) for point in points if not point.method),
    ]
    layout = plain_layout(HEIGHT, 1)
    layout |= {
        "xaxis": _privacy_axis(content, points),
        "yaxis": _error_axis(low, high) if measure == MSE else _efficiency_axis(high),
        "dragmode": "zoom",
        # While this value stays the same, Plotly keeps the zoom.
        "uirevision": measure,
    }
    return go.Figure(data=traces, layout=layout).to_plotly_json()


def _error(mse: float | None, _direct: float) -> float | None:
    return mse


def _efficiency(mse: float | None, direct: float) -> float:
    return 0.0 if mse is None else 100 * direct / mse


def _impossible(content: Row, measure: str, low: float) -> list[dict[str, Any]]:
    """The certified bound, and the region beyond it in which no device exists."""
    bound = content["bound"]
    if not bound:
        return []
    direct = content["direct_mse"]
    x = [100 * point["privacy"] for point in bound]
    errors = [point["mse"] for point in bound]
    y = errors if measure == MSE else [_efficiency(error, direct) for error in errors]
    # A line far outside the figure, up to which the region is filled.
    far_value = low / 1e6 if measure == MSE else 1000
    edge = {"type": "scatter", "x": x, "mode": "lines", "hoverinfo": "skip"}
    line = {"color": COLOURS["ink"], "width": 2}
    fill = {"fill": "tonexty", "fillcolor": COLOURS["line"]}
    return [
        edge | {"y": [far_value] * len(x), "line": {"width": 0}, "showlegend": False},
        edge | {"y": y, "name": escape(_("Certified bound")), "line": line, **fill},
        _midpoint_hovers(x, y, [_bound_words(point) for point in bound]),
    ]


def _midpoint_hovers(
    x: Sequence[float], y: Sequence[float], words: Sequence[str]
) -> dict[str, Any]:
    """Hover texts at the middle of each segment; the best designs lie on the corners."""
    return {
        "type": "scatter",
        "x": [(first + other) / 2 for first, other in pairwise(x)],
        "y": [sqrt(first * other) for first, other in pairwise(y)],
        "mode": "markers",
        "marker": {"opacity": 0, "color": COLOURS["ink"]},
        "showlegend": False,
        "hoverinfo": "text",
        "text": list(words[:-1]),
    }


def _bound_words(point: Row) -> str:
    return _("Certified: at privacy %(privacy)s the squared error is at least %(mse)s.") % {
        "privacy": numbers.percent(point["privacy"]),
        "mse": numbers.two_digits(point["mse"]),
    }


def _family(content: Row, direct: float, height: Any) -> dict[str, Any]:
    """The family's curve, with a gap where the requested bounds are not met."""
    feasible = [point if point["feasible"] else None for point in content["family"]]
    values = [point and height(point["mse"], direct) for point in feasible]
    name = _("Warner, UP and FRAPP")
    return {
        "type": "scatter",
        "x": [point and 100 * point["privacy"] for point in feasible],
        "y": values,
        "mode": "lines",
        "name": escape(name),
        "line": {"color": COLOURS["chance"], "width": 2, "dash": "longdash"},
        "hoverinfo": "text",
        "text": [words_of(name, point) if point else "" for point in feasible],
    }


def _fronts(points: Sequence[Point], direct: float, height: Any) -> list[dict[str, Any]]:
    traces = []
    for method, look in LOOKS.items():
        members = [point for point in points if point.method == method]
        if not members:
            continue
        label = method_label(method)
        traces.append(
            {
                "type": "scatter",
                "x": [100 * point.row["privacy"] for point in members],
                "y": [height(point.row["mse"], direct) for point in members],
                "customdata": [point.key for point in members],
                "mode": "lines+markers",
                "name": escape(label),
                "line": {"color": look["color"], "width": 1.5, "dash": look["dash"]},
                "marker": {"color": look["color"], "symbol": look["symbol"], "size": 10},
                "hoverinfo": "text",
                "text": [words_of(label, point.row) for point in members],
            }
        )
    return traces


def _device(point: Point, direct: float, height: Any) -> dict[str, Any]:
    value = height(point.row["mse"], direct)
    return {
        "type": "scatter",
        "x": [100 * point.row["privacy"]],
        "y": [value],
        "mode": "markers",
        "name": escape(point.label),
        "marker": {
            "color": COLOURS["chance"],
            "symbol": DEVICE_SYMBOLS[point.index % len(DEVICE_SYMBOLS)],
            "size": 14,
            "line": {"color": COLOURS["surface"], "width": 1},
        },
        "hoverinfo": "text",
        "text": [words_of(point.label, point.row)],
    }


def _span(content: Row, points: Sequence[Point], measure: str) -> tuple[float, float]:
    """The range of an error axis: from the bound to the worst point, up to a limit."""
    family = [row for row in content["family"] if row["feasible"]]
    errors = [row["mse"] for row in (*family, *(point.row for point in points)) if row["mse"]]
    errors += [point["mse"] for point in content["bound"]] or [content["direct_mse"]]
    lowest = min(errors)
    if measure == MSE:
        return lowest / 1.4, min(max(errors), MOST_OVER_BEST * lowest) * 1.4
    return 0.0, 110 * content["direct_mse"] / lowest


def _privacy_axis(content: Row, points: Sequence[Point]) -> dict[str, Any]:
    privacies = [point.row["privacy"] for point in points]
    privacies += [row["privacy"] for row in content["family"] if row["feasible"]]
    low, high = (min(privacies), max(privacies)) if privacies else (0.0, 1.0)
    air = 0.04 * (high - low) + 0.005
    return {
        **plain_axis(_("privacy (best guess wrong)")),
        "fixedrange": False,
        "range": [100 * (low - air), 100 * (high + air)],
        **numbers.percent_ticks(),
        "zeroline": False,
    }


def _error_axis(low: float, high: float) -> dict[str, Any]:
    """Ticks as plain text: a raised exponent would need a style that the policy bars."""
    values = [
        step * 10.0**power
        for power in range(floor(log10(low)), floor(log10(high)) + 1)
        for step in (1, 2, 5)
    ]
    return {
        **plain_axis(_("mean squared error (lower is better)")),
        "fixedrange": False,
        "type": "log",
        "range": [log10(low), log10(high)],
        "tickvals": values,
        "ticktext": [numbers.two_digits(value) for value in values],
        "automargin": True,
    }


def _efficiency_axis(high: float) -> dict[str, Any]:
    return {
        **plain_axis(_("worth in open answers (higher is better)")),
        "fixedrange": False,
        "range": [0, high],
        **numbers.percent_ticks(),
        "zeroline": False,
    }


def heat_map(matrix: Sequence[Sequence[float]], labels: Sequence[str]) -> dict[str, Any]:
    """Probability of each report (row) given each answer (column), on a scale readable in grey."""
    codes = report_codes(len(matrix))
    rows = len(matrix)
    trace = {
        "type": "heatmap",
        "z": [[100 * entry for entry in row] for row in matrix],
        "x": list(range(len(labels))),
        "y": list(range(rows)),
        "text": [[numbers.out_of_100(entry) for entry in row] for row in matrix],
        "texttemplate": "%{text}",
        "textfont": {"color": COLOURS["ink"], "size": 12},
        "hoverinfo": "text",
        "hovertext": [
            [_cell_words(code, label, entry) for label, entry in zip(labels, row, strict=True)]
            for code, row in zip(codes, matrix, strict=True)
        ],
        "zmin": 0,
        "zmax": max(1.0, *(100 * entry for row in matrix for entry in row)),
        "colorscale": [[0, COLOURS["surface"]], [1, COLOURS["heat"]]],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
    }
    layout = plain_layout(ROW * rows + HEADING, 0)
    layout |= {
        "showlegend": False,
        "margin": {"l": 30, "r": 8, "t": HEADING, "b": 4},
        "xaxis": {
            **plain_axis(""),
            "side": "top",
            "tickvals": list(range(len(labels))),
            "ticktext": [escape(short(label)) for label in labels],
            "showgrid": False,
            "zeroline": False,
        },
        "yaxis": {
            **plain_axis(""),
            "range": [rows - 0.5, -0.5],
            "tickvals": list(range(rows)),
            "ticktext": codes,
            "showgrid": False,
            "zeroline": False,
        },
    }
    return go.Figure(data=[trace], layout=layout).to_plotly_json()


def _cell_words(code: str, label: str, entry: float) -> str:
    return _("Who would answer “%(label)s” sends %(code)s %(share)s times of 100.") % {
        "label": escape(label),
        "code": code,
        "share": numbers.out_of_100(entry),
    }
