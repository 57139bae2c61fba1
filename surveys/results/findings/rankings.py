"""The finding of a ranking: the item with the best mean rank, and the mean ranks of all."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.findings import sentences
from surveys.results.findings.choice import Choice
from surveys.results.findings.figures import Figure, Panel, Row
from surveys.results.findings.finding import Finding, Headline
from surveys.results.findings.strips import (
    NOWHERE,
    Axis,
    Marks,
    axis_svg,
    number_axis,
    strip_svg,
)
from surveys.results.kinds.ranking_presentation import rank_tells_nothing, true_means
from surveys.results_document.kinds import MeanRank
from surveys.results_document.questions import QuestionResults

LAST = float("inf")


def ranking_finding(
    question: QuestionResults,
    name: str,
    choice: Choice,
    truth: Sequence[float] | None,
) -> Finding:
    means = question.ranking.means
    items = len(means)
    true = true_means(question.ranking, truth)
    found = [(row, _marks(row, items, each)) for row, each in zip(means, true, strict=True)]
    axis = number_axis(1.0, float(items), [marks for _row, marks in found])
    best, marks = min(found, key=_place)
    shown = sorted(found, key=_place) if choice.by_size else found
    figure = Figure(
        name=name,
        key=question.id,
        heading=_("Mean rank"),
        unit="",
        scale=axis,
        axis=axis_svg(axis, name),
        panels=[Panel("", [_row(*each, items, axis, name) for each in shown])],
    )
    sentence = sentences.rank_sentence(
        best.label, best.estimate, best.interval, best.standard_error, items
    )
    return Finding([sentence], [figure], Headline(marks, axis))


def _place(found: tuple[MeanRank, Marks]) -> float:
    estimate = found[1].estimate
    return LAST if estimate is None else estimate


def _marks(row: MeanRank, items: int, truth: float | None) -> Marks:
    if rank_tells_nothing(row, items):
        return Marks(None, NOWHERE, truth=truth)
    return Marks(row.estimate, row.interval, row.interval_50, truth)


def _row(found: MeanRank, marks: Marks, items: int, axis: Axis, name: str) -> Row:
    digits = numbers.digits_of_error(found.standard_error)
    known = marks.estimate is not None
    span = numbers.span(found.interval, digits)
    return Row(
        label=found.label,
        estimate=numbers.fixed_decimals(marks.estimate, digits),
        interval=span if known else _("Too few answers to say anything"),
        outside=marks.estimate is not None and not 1 <= marks.estimate <= items,
        marks=marks,
        strip=strip_svg(axis, marks, name),
        is_known=known,
    )
