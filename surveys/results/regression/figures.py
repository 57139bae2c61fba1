"""The figures of a fitted analysis: coefficients and predicted probabilities, with intervals."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.results.figures.layout import (
    Drawn,
    axis_range,
    base_layout,
    impossible_ranges,
    laid_out,
    row_texts,
    share_axis,
    stacked,
    title_of,
)
from surveys.results.figures.palette import COLOURS
from surveys.results.figures.traces import ESTIMATE, broken_line, dots, estimates, whiskers
from surveys.results.regression.presentation import level_words, question_text
from surveys.results_document.fits import Coefficient, FitResults, Prediction, PredictorResults

COEFFICIENTS, PREDICTIONS = "coefficients", "predictions"
MOST_TICKS = 6
# Room at both ends of the axis of coefficients, as a share of it.
ROOM = 0.06


def analysis_figures(content: FitResults, name: str) -> dict[str, Any]:
    """The figures by their keys, in the active language; `name` is that of the analysis."""
    drawn = coefficient_figure(content, name)
    figures = {COEFFICIENTS: drawn} if drawn else {}
    for place, predictor in enumerate(content.predictors):
        figures[f"{PREDICTIONS}:{place}"] = prediction_figure(content, predictor, name)
    return figures


def coefficient_figure(content: FitResults, name: str) -> dict[str, Any] | None:
    """All coefficients but intercepts; None where none of them has a finite estimate."""
    entries = [
        Drawn(
            coefficient_label(content, row),
            row.estimate,
            row.interval,
            standard_error=row.standard_error,
        )
        for row in content.coefficients
        if row.question is not None and row.estimate is not None
    ]
    if not entries:
        return None
    digits = min(numbers.digits_of_error(entry.standard_error) for entry in entries)
    values = [
        f"{numbers.fixed_decimals(entry.estimate, digits)}  "
        f"[{numbers.span(entry.interval, digits)}]"
        for entry in entries
    ]
    rows, height = stacked(entries, values, digits)
    title = _("%(name)s: coefficients") % {"name": name}
    layout = {
        **base_layout(height, _source(content), title_of(title)),
        "xaxis": _axis(entries),
        "annotations": [text for row in rows for text in row_texts(row)],
    }
    heights = [row.marks for row in rows]
    places = [entry.estimate for entry in entries]
    texts = [numbers.fixed_decimals(place, digits) for place in places]
    lines = broken_line([entry.interval for entry in entries], heights, 5)
    marks = dots(places, heights, texts, _("coefficient"), ESTIMATE)
    return {"data": [lines, marks], "layout": layout}


def prediction_figure(
    content: FitResults, predictor: PredictorResults, name: str
) -> dict[str, Any]:
    """The probabilities at each level of a predictor, of each category that is told apart."""
    several = content.outcome.multinomial
    shares = [
        Drawn(_prediction_label(row, several=several), row.probability, row.interval)
        for row in content.predictions
        if row.question == predictor.id
    ]
    rows, height = laid_out(shares, words=0)
    axis = axis_range(shares)
    words = _("%(name)s: predicted probabilities. %(predictor)s")
    title = words % {"name": name, "predictor": predictor.text}
    layout = {
        **base_layout(height, _source(content), title_of(title)),
        "xaxis": share_axis(axis),
        "annotations": [text for row in rows for text in row_texts(row)],
        "shapes": impossible_ranges(axis),
    }
    return {
        "data": [whiskers(rows, "interval", 5), estimates(rows, _("estimate"))],
        "layout": layout,
    }


def coefficient_label(content: FitResults, row: Coefficient) -> str:
    """The predictor and its level, after the category of the outcome where there are several."""
    label = f"{question_text(content, row.question)} – {level_words(row.label)}"
    return f"{row.category}: {label}" if row.category else label


def _prediction_label(row: Prediction, *, several: bool) -> str:
    label = level_words(row.label)
    return f"{label} – {row.category}" if several else label


def _source(content: FitResults) -> str:
    people = ngettext("%(n)s person", "%(n)s people", content.n)
    return people % {"n": numbers.count(content.n)}


def _axis(entries: Sequence[Drawn]) -> dict[str, Any]:
    """The axis of coefficients, with 0 on it."""
    ends = [end for entry in entries for end in (*entry.interval, entry.estimate)]
    known = [end for end in ends if end is not None]
    low, high = min(0.0, *known), max(0.0, *known)
    room = ROOM * (high - low)
    return {
        "range": [low - room, high + room],
        "fixedrange": True,
        "nticks": MOST_TICKS,
        "tickangle": 0,
        "tickfont": {"size": 13, "color": COLOURS["quiet"]},
        "gridcolor": COLOURS["line"],
        "zeroline": True,
        "zerolinecolor": COLOURS["quiet"],
        "zerolinewidth": 2,
        "showline": False,
    }
