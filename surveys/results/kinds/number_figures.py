"""Figures of a number: the mean and the quartiles on its range, under the histogram of its bins."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.figures.layout import (
    WORDS,
    base_layout,
    label_and_value,
    ranges_outside,
    source_line,
    title_of,
    word_under,
)
from surveys.results.figures.palette import COLOURS
from surveys.results.figures.traces import ESTIMATE, TRUTH, broken_line, dots
from surveys.results.kinds.number_presentation import (
    number_digits,
    row_name,
    tells_nothing,
    true_mean,
    with_unit,
)
from surveys.results_document.kinds import Distribution, Mean, Number, Quantile
from surveys.results_document.questions import Category, QuestionResults

HISTOGRAM, GAP = 180, 16
LABEL, MARKS = 24, 32
# A word begins so far below the height of its mark.
WORD = 10
# The range is drawn with this share of its width on both sides.
ROOM = 0.03

Trace = dict[str, Any]


def number_figure(
    question: QuestionResults, truth: Sequence[float] | None = None
) -> dict[str, Any]:
    """The figure of one number, in the active language, as plain JSON types.

    `truth`: the true shares of simulated respondents.
    """
    number, mean = question.number, true_mean(question.number, truth)
    found = _found(number)
    distribution = number.distribution
    top = HISTOGRAM + GAP if distribution else 0
    heights = [top + index * (LABEL + MARKS) for index in range(len(found))]
    height = top + len(found) * (LABEL + MARKS)
    traces = _histogram(question, distribution) if distribution else []
    levels = [start + LABEL + MARKS // 3 for start in heights]
    marks = [
        (one, level)
        for one, level in zip(found, levels, strict=True)
        if not tells_nothing(one, number)
    ]
    traces += [_spans(marks, "interval", 5), _spans(marks, "interval_50", 12)]
    texts = [text for pair in zip(found, heights, strict=True) for text in _texts(number, *pair)]
    low, high = _axis(number)
    if mean is not None:
        label = _("simulated truth")
        traces.append(_dots(number, [mean], levels[:1], label, TRUTH))
        texts.append(word_under(label, mean, levels[0] + WORD, (low, high)))
        height += WORDS
    estimates, at = [one.estimate for one, _ in marks], [level for _, level in marks]
    traces.append(_dots(number, estimates, at, _("estimate"), ESTIMATE))
    layout = base_layout(height, source_line(question), title_of(question.text))
    shapes = ranges_outside((low, high), (number.lower, number.upper))
    axis = {"xaxis": _number_axis(number, low, high), "annotations": texts, "shapes": shapes}
    return {"data": traces, "layout": {**layout, **axis}}


def _histogram(question: QuestionResults, distribution: Distribution) -> list[Trace]:
    """Bars whose areas are the shares, with the interval of each."""
    bins = list(pairwise(distribution.boundaries))
    rows = question.categories[: len(bins)]
    middles = [(low + high) / 2 for low, high in bins]
    widths = [high - low for low, high in bins]
    scale = _height_of(rows, widths)
    ends: list[float | None] = []
    for row, width in zip(rows, widths, strict=True):
        ends += [*(scale(end, width) for end in row.interval), None]
    zero = scale(0.0, 1.0) or 0.0
    tops = [scale(row.estimate, width) for row, width in zip(rows, widths, strict=True)]
    bars = {
        "type": "bar",
        "x": middles,
        "width": widths,
        "base": [zero] * len(bins),
        "y": [None if top is None else top - zero for top in tops],
        "marker": {"color": COLOURS["heat"], "line": {"color": COLOURS["surface"], "width": 1}},
        "text": [row.label + ": " + numbers.percent(row.estimate, 1) for row in rows],
        "textposition": "none",
        "hovertemplate": "%{text}<extra></extra>",
    }
    whiskers = {
        "type": "scatter",
        "x": [place for middle in middles for place in (middle, middle, None)],
        "y": ends,
        "mode": "lines",
        "line": {"color": COLOURS["accent"], "width": 3},
        "hoverinfo": "skip",
    }
    return [bars, whiskers]


def _height_of(rows: Sequence[Category], widths: Sequence[float]) -> Any:
    """The function that gives a share its height, in pixels from the top of the figure."""
    densities = [
        value / width
        for row, width in zip(rows, widths, strict=True)
        for value in (row.estimate, *row.interval)
        if value is not None
    ]
    low, high = min([0.0, *densities]), max([0.0, *densities])
    reach = (high - low) or 1.0

    def height(share: float | None, width: float) -> float | None:
        return None if share is None else round(HISTOGRAM * (high - share / width) / reach, 2)

    return height


def _spans(marks: Sequence[tuple[Mean | Quantile, int]], key: str, width: int) -> Trace:
    known = [(getattr(found, key), height) for found, height in marks if hasattr(found, key)]
    return broken_line([ends for ends, _ in known], [height for _, height in known], width)


def _dots(
    number: Number,
    places: Sequence[float | None],
    heights: Sequence[int],
    label: str,
    marker: dict[str, Any],
) -> Trace:
    digits = number_digits(number)
    texts = [with_unit(numbers.fixed_decimals(place, digits), number) for place in places]
    return dots(places, heights, texts, label, marker)


def _found(number: Number) -> list[Mean | Quantile]:
    return [number.mean, *number.quantiles]


def _texts(number: Number, found: Mean | Quantile, top: int) -> list[dict[str, Any]]:
    digits, label = number_digits(number), escape(row_name(found))
    if tells_nothing(found, number):
        return label_and_value(label, top, _("Too few answers to say anything"), top)
    value = numbers.fixed_decimals(found.estimate, digits)
    span = numbers.span(found.interval, digits)
    return label_and_value(label, top, f"{value}  [{span}]", top)


def _axis(number: Number) -> tuple[float, float]:
    """The range, extended to include every interval that is drawn."""
    places = [
        place
        for one in _found(number)
        if not tells_nothing(one, number)
        for place in (one.estimate, *one.interval)
        if place is not None
    ]
    low, high = min([number.lower, *places]), max([number.upper, *places])
    room = ROOM * (high - low)
    return low - room, high + room


def _number_axis(number: Number, low: float, high: float) -> dict[str, Any]:
    return {
        "range": [low, high],
        "fixedrange": True,
        "nticks": 6,
        "tickangle": 0,
        "ticksuffix": f" {escape(number.unit)}" if number.unit else "",
        "showticksuffix": "last",
        "tickfont": {"size": 13, "color": COLOURS["quiet"]},
        "gridcolor": COLOURS["line"],
        "zeroline": False,
        "showline": False,
    }
