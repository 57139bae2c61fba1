"""The figure of a ranking to zoom into: the mean rank of each item, with both intervals."""

from collections.abc import Sequence
from html import escape
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
    wrap_text,
)
from surveys.results.figures.palette import COLOURS
from surveys.results.figures.traces import ESTIMATE, TRUTH, broken_line, dots
from surveys.results.kinds.ranking_presentation import rank_tells_nothing, true_means
from surveys.results_document.kinds import MeanRank
from surveys.results_document.questions import QuestionResults

LINE, MARKS = 20, 32
# Characters of a label beside its value on a phone.
WIDE = 24
ROOM = 0.03


def ranking_figure(
    question: QuestionResults, truth: Sequence[float] | None = None
) -> dict[str, Any]:
    """`truth`: the true shares of simulated respondents."""
    means = question.ranking.means
    items = len(means)
    labels = [wrap_text(row.label, WIDE) for row in means]
    words = WORDS if truth is not None else 0
    tops = [0]
    for place, lines in enumerate(labels):
        tops.append(tops[-1] + LINE * len(lines) + MARKS + (words if place == 0 else 0))
    levels = [
        top + LINE * len(lines) + MARKS // 3 for top, lines in zip(tops, labels, strict=False)
    ]
    known = [
        (row, level)
        for row, level in zip(means, levels, strict=True)
        if not rank_tells_nothing(row, items)
    ]
    low, high = _range(known, items)
    traces = [
        broken_line([row.interval for row, _level in known], [level for _row, level in known], 5),
        broken_line(
            [row.interval_50 for row, _level in known], [level for _row, level in known], 12
        ),
    ]
    texts = [
        text
        for row, lines, top in zip(means, labels, tops, strict=False)
        for text in label_and_value("<br>".join(map(escape, lines)), top, _value(row, items), top)
    ]
    if truth is not None:
        true = [each for each in true_means(question.ranking, truth) if each is not None]
        label = _("simulated truth")
        shown = [numbers.fixed_decimals(each, 2) for each in true]
        traces.append(dots(true, levels, shown, label, TRUTH))
        texts.append(word_under(label, true[0], levels[0] + MARKS // 3, (low, high)))
    places = [row.estimate for row, _level in known]
    shown = [_estimate(row) for row, _level in known]
    traces.append(dots(places, [level for _row, level in known], shown, _("estimate"), ESTIMATE))
    layout = base_layout(tops[-1], source_line(question), title_of(question.text))
    shapes = ranges_outside((low, high), (1, items))
    return {
        "data": traces,
        "layout": {
            **layout,
            "xaxis": _axis_of((low, high)),
            "annotations": texts,
            "shapes": shapes,
        },
    }


def _range(known: Sequence[tuple[MeanRank, int]], items: int) -> tuple[float, float]:
    """The ranks, extended to include every interval that is drawn."""
    places = [
        place
        for row, _level in known
        for place in (row.estimate, *row.interval)
        if place is not None
    ]
    low, high = min([1.0, *places]), max([float(items), *places])
    room = ROOM * (high - low)
    return low - room, high + room


def _axis_of(ends: tuple[float, float]) -> dict[str, Any]:
    return {
        "range": list(ends),
        "fixedrange": True,
        "dtick": 1,
        "tickfont": {"size": 13, "color": COLOURS["quiet"]},
        "gridcolor": COLOURS["line"],
        "zeroline": False,
        "showline": False,
    }


def _estimate(row: MeanRank) -> str:
    return numbers.fixed_decimals(row.estimate, numbers.digits_of_error(row.standard_error))


def _value(row: MeanRank, items: int) -> str:
    if rank_tells_nothing(row, items):
        return _("Too few answers to say anything")
    digits = numbers.digits_of_error(row.standard_error)
    return f"{_estimate(row)}  [{numbers.span(row.interval, digits)}]"
