"""The finding of a network: its density, its degrees, and its ties within and between groups."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.results.findings import sentences
from surveys.results.findings.choice import NOTHING_CHOSEN
from surveys.results.findings.figures import Figure, Picture, Shown, share_figure
from surveys.results.findings.finding import Finding, Headline
from surveys.results.findings.group_picture import Circle, Line, group_svg
from surveys.results.findings.strips import Marks
from surveys.results.kinds.network_presentation import (
    class_label,
    degrees_key,
    degrees_title,
    is_mixing_drawn,
    mixing_key,
    shown_cells,
    shown_groups,
)
from surveys.results_document.kinds import Degrees, MixingCell, NetworkResults
from surveys.results_document.questions import QuestionResults


def network_finding(question: QuestionResults, name: str) -> Finding:
    network = question.network
    density = next((row for row in network.statistics if row.name == "density"), None)
    figures = [_degrees(question, found, name) for found in network.degrees if found.shares]
    if is_mixing_drawn(network):
        figures.append(_mixing(question, name))
    sentence = sentences.network_sentence(density)
    if density is None or density.estimate is None:
        return Finding([sentence], figures)
    headline = Headline(Marks(density.estimate, density.interval))
    return Finding([sentence], figures, headline, size=density.estimate)


def _degrees(question: QuestionResults, found: Degrees, name: str) -> Figure:
    rows = [Shown(class_label(row), row) for row in found.shares]
    key = degrees_key(question, found.kind)
    title = degrees_title(found)
    return share_figure(f"{name}-{found.kind}", key, [("", rows)], NOTHING_CHOSEN, title)


def _mixing(question: QuestionResults, name: str) -> Figure:
    network = question.network
    groups = shown_groups(network)
    _labels, table = shown_cells(network)
    blocks = [
        (
            group.label,
            # A pair of groups without direction is shown once.
            [
                Shown(other.label, table[row][column])
                for column, other in enumerate(groups)
                if network.directed or column >= row
            ],
        )
        for row, group in enumerate(groups)
    ]
    title = _("Ties within and between groups: the share of the pairs that are tied")
    picture = Picture(
        group_svg(
            [Circle(group.label, group.members) for group in groups],
            _lines(table, network),
            directed=network.directed,
        ),
        _picture_words(network),
    )
    key = mixing_key(question)
    return share_figure(f"{name}-mixing", key, blocks, NOTHING_CHOSEN, title, picture)


def _lines(table: Sequence[Sequence[MixingCell]], network: NetworkResults) -> list[Line]:
    return [
        Line(first, second, cell.estimate, is_sure=(cell.interval[0] or 0.0) > 0)
        for first, cells in enumerate(table)
        for second, cell in enumerate(cells)
        if cell.estimate is not None
        and not numbers.tells_nothing(cell)
        and (network.directed or first <= second)
    ]


def _picture_words(network: NetworkResults) -> str:
    """How the picture is to be read, and what nobody knows."""
    arrows = _("The wider an arrow, the more of the pairs are tied; a ring: within the group.")
    lines = _("The wider a line, the more of the pairs are tied; a ring: within the group.")
    return " ".join(
        [
            _("Each circle is a group, its area the number of members."),
            arrows if network.directed else lines,
            _("Dashed: none at all fits the data, too."),
            _("Who is tied to whom is drawn nowhere, because nobody knows."),
        ]
    )
