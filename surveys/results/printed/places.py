"""Figures of a printed summary as places of marks, in percent of the width or of the height."""

from typing import Any

from surveys import numbers
from surveys.results.findings.figures import Figure, Histogram, Row
from surveys.results.findings.strips import Axis, Marks, bars_of
from surveys.results.findings.summary import Summary, SummaryRow

Plain = dict[str, Any]


def summary_content(summary: Summary) -> Plain:
    return {
        "axis": _axis(summary.scale) if summary.scale else None,
        "rows": [_summary_row(row, summary.scale) for row in summary.rows],
    }


def _summary_row(row: SummaryRow, shares: Axis | None) -> Plain:
    plain: Plain = {"text": row.text, "sentence": row.sentence, "axis": None, "marks": None}
    if row.headline is None:
        return plain
    own = row.headline.axis
    axis = own or shares
    if axis is None:
        return plain
    marks = _marks(row.headline.marks, axis)
    return plain | {"marks": marks, "axis": _axis(own) if own else None}


def figure_content(figure: Figure, *, own_labels: bool, is_titled: bool) -> Plain:
    axis = figure.scale
    return {
        "title": figure.heading if is_titled else "",
        "heading": figure.heading,
        "unit": figure.unit,
        "own_labels": own_labels,
        "axis": _axis(axis),
        "bars": _bars(figure.histogram, axis) if figure.histogram else None,
        "picture": figure.picture.svg if figure.picture else None,
        "picture_words": figure.picture.words if figure.picture else "",
        "panels": [
            {"title": panel.title, "rows": [_row(row, axis) for row in panel.rows]}
            for panel in figure.panels
        ],
    }


def _row(row: Row, axis: Axis) -> Plain:
    return {
        "label": row.label,
        "estimate": row.estimate if row.is_known else "",
        "interval": row.interval,
        "marks": _marks(row.marks, axis),
    }


def _axis(axis: Axis) -> Plain:
    """Places are in percent of the width."""
    return {
        "ticks": [
            (axis.place(tick), text) for tick, text in zip(axis.ticks, axis.texts, strict=True)
        ],
        "impossible": [(axis.place(low), axis.place(high)) for low, high in axis.impossible],
    }


def _marks(marks: Marks, axis: Axis) -> Plain:
    return {
        "estimate": _place(marks.estimate, axis),
        "thin": _ends(marks.interval, axis),
        "thick": _ends(marks.interval_50, axis),
        "truth": _place(marks.truth, axis),
    }


def _place(value: float | None, axis: Axis) -> float | None:
    return None if value is None else axis.place(value)


def _ends(interval: numbers.Interval, axis: Axis) -> tuple[float, float] | None:
    low, high = interval
    return None if low is None or high is None else (axis.place(low), axis.place(high))


def _bars(histogram: Histogram, axis: Axis) -> Plain:
    """Heights are in percent from the top."""
    bars, low, high = bars_of(histogram.edges, histogram.shares)

    def level(value: float | None) -> float | None:
        return None if value is None else 100 * (high - value) / (high - low)

    return {
        "zero": level(0.0),
        "bars": [
            {
                "from": axis.place(bar.start),
                "to": axis.place(bar.start + bar.width),
                "top": level(bar.height.estimate),
                "ends": [level(end) for end in bar.height.interval],
            }
            for bar in bars
        ],
    }
