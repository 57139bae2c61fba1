"""Plotly figures of a results document: dot and whisker on a common axis of 0 to 100 %.

The script in the browser draws them and knows no statistics. Figures are built as the plain
JSON that Plotly reads: its own classes would validate each at eight times the cost, which a
test does instead.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.results.figures.layout import drawn
from surveys.results.figures.traces import share_figure
from surveys.results.joint_questions.figures import joint_figures
from surveys.results.kinds.network_figures import network_figures
from surveys.results.kinds.number_figures import number_figure
from surveys.results.kinds.number_presentation import number_figure_key
from surveys.results.kinds.ranking_figures import ranking_figure
from surveys.results.kinds.text_figures import text_figure
from surveys.results.kinds.text_presentation import drawn_rows
from surveys.results.tables.figures import table_figures
from surveys.results_document.document import Results
from surveys.results_document.questions import QuestionResults

Truth = Mapping[str, Sequence[float]]


# The version of the drawing: increase it when the same numbers are drawn differently.
FORMAT = 4


def results_figures(document: Results, truth: Truth | None) -> dict[str, Any]:
    """{key: figure} of a results document, in the active language, as plain JSON types.

    Keys are a question's id, or that of a question or a table, a colon and which of its figures it
    is.
    """
    truths = truth or {}
    figures = {
        question.id: question_figure(question, truths.get(question.id))
        for question in document.questions
        if question.categories
    }
    for question in document.questions:
        if question.number:
            figures[number_figure_key(question)] = number_figure(question, truths.get(question.id))
        if drawn_rows(question):
            figures[question.id] = text_figure(question)
        if question.ranking:
            figures[question.id] = ranking_figure(question, truths.get(question.id))
        if question.network:
            figures |= network_figures(question)
    for table in document.tables:
        if table.cells:
            figures |= table_figures(table)
    figures |= joint_figures(document)
    return figures


def question_figure(question: QuestionResults, truth: Sequence[float] | None) -> dict[str, Any]:
    """The figure of one question, in the active language, as plain JSON types."""
    raw = question.randomized and question.categories[0].reported is not None
    marks = [("reported_share", _("raw reports"))] if raw else []
    marks += [("truth", _("simulated truth"))] if truth is not None else []
    true_shares = [None] * len(question.categories) if truth is None else truth
    shares = [
        drawn(row.label, row, reported_share=row.reported_share, truth=share)
        for row, share in zip(question.categories, true_shares, strict=True)
    ]
    return share_figure(shares, question, marks)
