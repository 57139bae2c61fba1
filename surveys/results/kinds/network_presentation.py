"""The statistics of a network as texts: tables, and sentences on privacy and on who answered."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec.structs import asdict

from surveys import numbers
from surveys.results.kinds.number_presentation import NumberRow
from surveys.results.shown_shares import ShownShare
from surveys.results_document.kinds import (
    DegreeClass,
    Degrees,
    MemberGroup,
    Mixing,
    MixingCell,
    NetworkResults,
    NetworkStatistic,
)
from surveys.results_document.questions import QuestionResults

# The names of the statistics.
NAMES: dict[str, Promise] = {
    "ties": gettext_lazy("Ties"),
    "ties_of_everybody": gettext_lazy("Ties of all members"),
    "density": gettext_lazy("Density"),
    "mean_degree": gettext_lazy("Mean degree"),
    "mean_degree_of_everybody": gettext_lazy("Mean degree of all members"),
    "mutual_ties": gettext_lazy("Mutual ties"),
    "reciprocity": gettext_lazy("Reciprocity"),
    "degree_variance": gettext_lazy("Variance of degrees"),
    "out_degree_variance": gettext_lazy("Variance of out-degrees"),
    "in_degree_variance": gettext_lazy("Variance of in-degrees"),
    "two_paths": gettext_lazy("Two-paths"),
    "triangles": gettext_lazy("Triangles"),
    "clustering": gettext_lazy("Clustering coefficient"),
    "transitive_triples": gettext_lazy("Transitive triples"),
    "cycles": gettext_lazy("Cycles of three"),
    "transitivity": gettext_lazy("Transitivity"),
}
EXTRAPOLATED = gettext_lazy(
    "if the other pairs are tied as often; the interval does not cover this guess"
)
# The words for what each statistic counts.
WORDS: dict[str, Promise] = {
    "ties": gettext_lazy("among the pairs that somebody was asked about"),
    "ties_of_everybody": EXTRAPOLATED,
    "density": gettext_lazy("share of the pairs that are tied"),
    "mean_degree": gettext_lazy("ties of a member, on average"),
    "mean_degree_of_everybody": EXTRAPOLATED,
    "mutual_ties": gettext_lazy("pairs of members who tick each other"),
    "reciprocity": gettext_lazy("share of the ties that are returned"),
    "degree_variance": gettext_lazy("how unequal members are in their ties"),
    "out_degree_variance": gettext_lazy("how unequal members are in the ties that they give"),
    "in_degree_variance": gettext_lazy("how unequal members are in the ties that they receive"),
    "two_paths": gettext_lazy("two ties in a row, by way of a third member"),
    "triangles": gettext_lazy("three members of whom each two are tied"),
    "clustering": gettext_lazy("share of the two-paths whose ends are tied"),
    "transitive_triples": gettext_lazy("two-paths whose first member is tied to the last"),
    "cycles": gettext_lazy("two-paths whose last member is tied to the first"),
    "transitivity": gettext_lazy("transitive triples as a share of the two-paths"),
}
SHARES = frozenset({"density", "reciprocity", "clustering", "transitivity"})
DEGREES: dict[str, Promise] = {
    "undirected": gettext_lazy("Degrees: how many ties the members have"),
    "out": gettext_lazy("Out-degrees: how many ties the members give"),
    "in": gettext_lazy("In-degrees: how many ties the members receive"),
}


@dataclass(frozen=True, slots=True)
class StatisticRow(NumberRow):
    words: str


@dataclass(frozen=True, slots=True)
class DegreeView:
    """The distribution of one kind of degree; `key`: that of its figure, `anchor`: its table's."""

    key: str
    anchor: str
    title: str
    rows: list[ShownShare[DegreeClass]]


@dataclass(frozen=True, slots=True)
class CellView:
    estimate: str
    outside: bool
    interval: str


@dataclass(frozen=True, slots=True)
class MixingRow:
    label: str
    cells: list[CellView]


@dataclass(frozen=True, slots=True)
class MixingView:
    """Densities within and between groups; `key`: that of its figure, None where it has none."""

    key: str | None
    directed: bool
    labels: list[str]
    rows: list[MixingRow]
    hidden: str | None


@dataclass(frozen=True, slots=True)
class NetworkView:
    answered: str
    privacy: list[str]
    rows: list[StatisticRow]
    has_truth: bool
    degrees: list[DegreeView]
    no_classes: bool
    mixing: MixingView | None
    reconstruction: list[str]


def network_view(question: QuestionResults, truth: Any = None) -> NetworkView | None:
    """The network of a question about members; None for any other, or while nothing is released.

    `truth`: of simulated members the true statistics by name.
    """
    network = question.network
    if not network:
        return None
    degrees = [_degrees(question, found) for found in network.degrees if found.shares]
    return NetworkView(
        answered=_answered(network),
        privacy=privacy_sentences(network),
        rows=[_row(row, (truth or {}).get(row.name)) for row in network.statistics],
        has_truth=truth is not None,
        degrees=degrees,
        no_classes=len(degrees) < len(network.degrees),
        mixing=_mixing(question, network.mixing) if network.mixing else None,
        reconstruction=_reconstruction(network),
    )


def _answered(network: NetworkResults) -> str:
    text = ngettext(
        "%(reporters)s of %(members)s member has answered. Who has not is not shown.",
        "%(reporters)s of %(members)s members have answered. Who has not is not shown.",
        network.members,
    )
    return text % {
        "reporters": numbers.count(network.reporters),
        "members": numbers.count(network.members),
    }


def privacy_sentences(network: NetworkResults) -> list[str]:
    """Return what is revealed of one tie, and of one person: two promises, each by its name."""
    privacy = asdict(network.privacy)
    values = {key: numbers.epsilon_rounded_up(epsilon) for key, epsilon in privacy.items()}
    both = _(
        "Edge level, one tie: ε = %(tie)s in the report of one member, and "
        "ε = %(tie_at_both_ends)s where both members report on the tie between them."
    )
    one = _("Edge level, one tie: ε = %(tie)s.")
    person = _(
        "Person level, all that one member reports: ε = %(person)s; together with all that the "
        "others report about this member: ε = %(everything_about_person)s."
    )
    edge = one if network.directed else both
    return [edge % values, person % values]


# --- statistics and degrees ---------------------------------------------------------------------


def _row(row: NetworkStatistic, truth: float | None = None) -> StatisticRow:
    name, error = row.name, row.standard_error
    if name in SHARES:
        digits = numbers.common_digits([row])
        estimate, interval = numbers.share_texts(row, digits)
        shown = numbers.percent(None if numbers.tells_nothing(row) else error, digits)
    else:
        digits = numbers.digits_of_error(error)
        estimate = numbers.fixed_decimals(row.estimate, digits)
        interval = numbers.span(row.interval, digits)
        shown = numbers.fixed_decimals(error, digits)
    return StatisticRow(
        label=str(NAMES[name]),
        words=str(WORDS[name]),
        estimate=estimate,
        outside="network_outside" in row.notes and estimate != numbers.UNKNOWN,
        interval=_("anything") if "ratio_unknown" in row.notes else interval,
        standard_error=shown,
        truth=None if truth is None else _truth(truth, digits, is_share=name in SHARES),
    )


def _truth(value: float, digits: int, *, is_share: bool) -> str:
    if is_share:
        return numbers.percent(value, digits)
    return (
        numbers.count(round(value)) if value.is_integer() else numbers.fixed_decimals(value, digits)
    )


def degrees_key(question: QuestionResults, kind: str) -> str:
    return f"{question.id}:{kind}"


def class_label(row: DegreeClass) -> str:
    """The degrees of a class in words."""
    if row.highest is None:
        return _("%(lowest)s or more") % {"lowest": numbers.count(row.lowest)}
    return numbers.from_to(numbers.count(row.lowest), numbers.count(row.highest))


def degrees_title(found: Degrees) -> str:
    return str(DEGREES[found.kind])


def _degrees(question: QuestionResults, found: Degrees) -> DegreeView:
    digits = numbers.common_digits(found.shares)
    return DegreeView(
        key=degrees_key(question, found.kind),
        anchor=f"{question.id}-{found.kind}",
        title=degrees_title(found),
        rows=[ShownShare(class_label(row), row, digits) for row in found.shares],
    )


# --- groups of members -----------------------------------------------------------------------

# More groups have a table only: names and numbers of a larger map cannot be read on a phone.
MOST_DRAWN = 6


def shown_groups(network: NetworkResults) -> list[MemberGroup]:
    return [group for group in network.mixing.groups if group.shown] if network.mixing else []


def shown_cells(network: NetworkResults) -> tuple[list[str], list[list[MixingCell]]]:
    """The names of the groups that are shown, and of each row's group the cells by column."""
    mixing = network.mixing
    if mixing is None:
        return [], []
    shown = [place for place, group in enumerate(mixing.groups) if group.shown]
    cells = {(cell.first, cell.second): cell for cell in mixing.cells}
    if not network.directed:
        cells |= {(second, first): cell for (first, second), cell in cells.items()}
    labels = [group.label for group in shown_groups(network)]
    return labels, [[cells[first, second] for second in shown] for first in shown]


def mixing_key(question: QuestionResults) -> str:
    return f"{question.id}:mixing"


def is_mixing_drawn(network: NetworkResults) -> bool:
    return 2 <= len(shown_groups(network)) <= MOST_DRAWN


def _mixing(question: QuestionResults, mixing: Mixing) -> MixingView:
    network = question.network
    labels, table = shown_cells(network)
    digits = numbers.common_digits([cell for row in table for cell in row]) if table else 1
    hidden = len(mixing.groups) - len(labels)
    return MixingView(
        key=mixing_key(question) if is_mixing_drawn(network) else None,
        directed=network.directed,
        labels=labels,
        rows=[
            MixingRow(
                label,
                [_cell(cell, digits) for cell in row],
            )
            for label, row in zip(labels, table, strict=True)
        ],
        hidden=_hidden(network, hidden) if hidden else None,
    )


def _cell(cell: MixingCell, digits: int) -> CellView:
    estimate, interval = numbers.share_texts(cell, digits)
    is_outside = "network_outside" in cell.notes and not numbers.tells_nothing(cell)
    return CellView(estimate, is_outside, interval)


def _hidden(network: NetworkResults, hidden: int) -> str:
    text = ngettext(
        "%(count)s group is left out, so that no number is about fewer than %(least)s people: not "
        "by itself, nor as what is left of the whole.",
        "%(count)s groups are left out, so that no number is about fewer than %(least)s people: "
        "not by itself, nor as what is left of the whole.",
        hidden,
    )
    return text % {
        "count": numbers.count(hidden),
        "least": numbers.count(network.least_people),
    }


# --- the reconstruction -------------------------------------------------------------------------


def _reconstruction(network: NetworkResults) -> list[str]:
    """Return what rebuilding one network would have found, and why it is not done."""
    rebuilt = network.reconstruction
    if rebuilt is None or rebuilt.tie_kept is None:
        return []
    unbiased = next(row for row in network.statistics if row.name == "triangles")
    digits = numbers.digits_of_error(unbiased.standard_error)
    values = {
        "ties": numbers.count(rebuilt.ties),
        "kept": numbers.percent(rebuilt.tie_kept, 0),
        "triangles": numbers.count(round(rebuilt.triangles)),
        "estimate": numbers.fixed_decimals(unbiased.estimate, digits),
        "bias": numbers.fixed_decimals(rebuilt.triangles_bias, 1),
    }
    return [
        _(
            "Wang, Wu and Hu (2016) rebuild one network from one report of each pair. Here it has "
            "%(ties)s ties. About %(kept)s of the true ties are among them; chance made the rest."
        )
        % values,
        _(
            "It has %(triangles)s triangles, against the estimate without bias of %(estimate)s. If "
            "it were the true network, rebuilding it from new reports would be off by %(bias)s "
            "triangles on average. That is why nothing above rests on it."
        )
        % values,
    ]
