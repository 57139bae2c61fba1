"""Figures of a network: the distributions of degrees, and the densities between groups."""

from html import escape
from typing import Any

from django.utils.translation import gettext as _

from surveys.results.figures.layout import drawn, source_line, title_of
from surveys.results.figures.traces import share_figure
from surveys.results.kinds.network_presentation import (
    class_label,
    degrees_key,
    degrees_title,
    is_mixing_drawn,
    mixing_key,
    shown_cells,
)
from surveys.results.tables.figures import heat_of
from surveys.results_document.kinds import Degrees
from surveys.results_document.questions import QuestionResults


def network_figures(question: QuestionResults) -> dict[str, Any]:
    """{key: figure} of one question, in the active language; never who is tied to whom."""
    network = question.network
    figures = {
        degrees_key(question, found.kind): _degrees_figure(question, found)
        for found in network.degrees
        if found.shares
    }
    if is_mixing_drawn(network):
        figures[mixing_key(question)] = _mixing_figure(question)
    return figures


def _degrees_figure(question: QuestionResults, found: Degrees) -> dict[str, Any]:
    """The share of each class of degrees, with its intervals."""
    shares = [drawn(class_label(row), row) for row in found.shares]
    return _under(share_figure(shares, question), question, degrees_title(found))


def _mixing_figure(question: QuestionResults) -> dict[str, Any]:
    """The density from each group (a row) to each (a column)."""
    labels, table = shown_cells(question.network)
    figure = heat_of(table, labels, labels)
    return _under(figure, question, _("Density within and between groups"))


def _under(figure: dict[str, Any], question: QuestionResults, title: str) -> dict[str, Any]:
    """The figure with what the figure shows under the question, and ε named as that of one tie."""
    source = _("%(source)s for one tie") % {"source": source_line(question)}
    whole = f"{title_of(question.text)}<br>{escape(title)}"
    figure["layout"]["meta"] = {"title": whole, "source": source}
    return figure
