"""The figures of question groups.

The combinations with most people are drawn as dot and whisker, and the pairs with the strongest
association as declared tables.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.parameters import PAGE
from surveys.results.figures.layout import Caption, drawn
from surveys.results.figures.traces import share_figure
from surveys.results.tables.figures import table_figures
from surveys.results_document.document import Results
from surveys.results_document.tables import Combination, GroupResults, TableResults

JOINT = "joint"
# More than these would be a long way on a phone; the table has all that are listed.
MOST_DRAWN = 12
# The most pairs that are drawn. A dozen questions have 66: for all of them there is one line, and
# the files.
MOST_PAIRS = 12


def sections_of(content: Results) -> list[list[GroupResults]]:
    """The groups of results as they are shown: the pairs that chance picks are one section."""
    of_everybody = [[group] for group in content.groups if group.stratum == PAGE]
    of_chance = [group for group in content.groups if group.stratum != PAGE]
    return [*of_everybody, *([of_chance] if of_chance else [])]


def shown_pairs(groups: Sequence[GroupResults]) -> list[TableResults]:
    """The pairs of a section that are shown in full, in its order: those that go together most."""
    pairs = [pair for group in groups for pair in group.pairs]
    strongest = sorted(range(len(pairs)), key=lambda index: -strength_of_pair(pairs[index]))
    return [pairs[index] for index in sorted(strongest[:MOST_PAIRS])]


def strength_of_pair(pair: TableResults) -> float:
    """Cramér's V; below 0 where a pair has none."""
    return (pair.association.cramers_v.value or 0.0) if pair.cells else -1.0


def group_figures(content: Results) -> dict[str, Any]:
    """The figures of all groups by their keys, in the active language."""
    figures: dict[str, Any] = {}
    for groups in sections_of(content):
        first = groups[0]
        if first.cells and first.stratum == PAGE:
            figures[f"{first.id}:{JOINT}"] = joint_figure(first)
        for pair in shown_pairs(groups):
            figures |= table_figures(pair) if pair.cells else {}
    return figures


def joint_figure(group: GroupResults) -> dict[str, Any]:
    """The largest shares with their intervals, and the raw reports of the same combinations."""
    shares = [
        drawn(answers_text(cell, group.labels), cell, reported_share=cell.reported_share)
        for cell in group.cells[:MOST_DRAWN]
    ]
    about = Caption(" · ".join(group.texts), group.n, group.epsilon)
    return share_figure(shares, about, [("reported_share", _("raw reports"))])


def answers_text(cell: Combination, labels: Sequence[Sequence[str]]) -> str:
    """The answers of a combination, in the order of the questions."""
    pairs = zip(labels, cell.codes, strict=True)
    return " · ".join(answers[code] for answers, code in pairs)
