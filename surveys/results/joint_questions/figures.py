"""The figures of joint questions.

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
from surveys.results_document.tables import Combination, JointResults, TableResults

JOINT = "joint"
# More than these would be a long way on a phone; the table has all that are listed.
MOST_DRAWN = 12
# The most pairs that are drawn. A dozen questions have 66: for all of them there is one line, and
# the files.
MOST_PAIRS = 12


def sections_of(content: Results) -> list[list[JointResults]]:
    """The joint results as they are shown: the pairs that chance picks are one section."""
    of_everybody = [[each] for each in content.joint if each.stratum == PAGE]
    of_chance = [each for each in content.joint if each.stratum != PAGE]
    return [*of_everybody, *([of_chance] if of_chance else [])]


def shown_pairs(section: Sequence[JointResults]) -> list[TableResults]:
    """The pairs of a section that are shown in full, in its order: those that go together most."""
    pairs = [pair for joint in section for pair in joint.pairs]
    strongest = sorted(range(len(pairs)), key=lambda index: -strength_of_pair(pairs[index]))
    return [pairs[index] for index in sorted(strongest[:MOST_PAIRS])]


def strength_of_pair(pair: TableResults) -> float:
    """Cramér's V; below 0 where a pair has none."""
    return (pair.association.cramers_v.value or 0.0) if pair.cells else -1.0


def joint_figures(content: Results) -> dict[str, Any]:
    """The figures of all joint questions by their keys, in the active language."""
    figures: dict[str, Any] = {}
    for section in sections_of(content):
        first = section[0]
        if first.cells and first.stratum == PAGE:
            figures[f"{first.id}:{JOINT}"] = combinations_figure(first)
        for pair in shown_pairs(section):
            figures |= table_figures(pair) if pair.cells else {}
    return figures


def combinations_figure(joint: JointResults) -> dict[str, Any]:
    """The largest shares with their intervals, and the raw reports of the same combinations."""
    shares = [
        drawn(answers_text(cell, joint.labels), cell, reported_share=cell.reported_share)
        for cell in joint.cells[:MOST_DRAWN]
    ]
    about = Caption(" · ".join(joint.texts), joint.n, joint.epsilon)
    return share_figure(shares, about, [("reported_share", _("raw reports"))])


def answers_text(cell: Combination, labels: Sequence[Sequence[str]]) -> str:
    """The answers of a combination, in the order of the questions."""
    pairs = zip(labels, cell.codes, strict=True)
    return " · ".join(answers[code] for answers, code in pairs)
