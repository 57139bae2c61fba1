"""Joint questions of a release as texts for templates: the joint table, and every pair."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rr_engine.channels.joint_channel import neighbours
from surveys import numbers
from surveys.devices import served_family
from surveys.parameters import PAGE
from surveys.results.findings.choice import NOTHING_CHOSEN, Choice
from surveys.results.findings.finding import Finding
from surveys.results.findings.tables import joint_finding
from surveys.results.joint_questions.figures import (
    JOINT,
    MOST_DRAWN,
    answers_text,
    sections_of,
    shown_pairs,
    strength_of_pair,
)
from surveys.results.notes import note_texts
from surveys.results.release import Release
from surveys.results.shown_shares import ShownShare
from surveys.results.tables.presentation import TableView, finding_of, scale_of, table_view
from surveys.results_document.document import Results
from surveys.results_document.tables import Combination, JointResults, TableResults


@dataclass(frozen=True, slots=True)
class CombinationRow(ShownShare[Combination]):
    @property
    def reported(self) -> str:
        return numbers.count(self.share.reported)


@dataclass(frozen=True, slots=True)
class PairRow:
    """How strongly the answers to two questions go together.

    `anchor`: of the table, which only the strongest pairs have.
    """

    anchor: str
    names: str
    texts: str
    n: str
    strength: str
    interval: str
    p_value: str


@dataclass(frozen=True, slots=True)
class ChangesRow:
    """How often the device changes this many of the answers."""

    changed: str
    chance: str


@dataclass(frozen=True, slots=True)
class JointView:
    """`is_drawn`: chance picked for each person which two of the questions they were asked."""

    key: str
    anchor: str
    is_drawn: bool
    names: list[str]
    texts: list[str]
    n: str
    epsilon: str
    combinations: str
    family: str
    changes: list[ChangesRow]
    noise: str
    figure: str
    drawn: str
    listed: str
    rows: list[CombinationRow]
    pairs: list[PairRow]
    tables: list[TableView]
    notes: list[str]
    finding: Finding | None

    @property
    def has_more_pairs(self) -> bool:
        """Whether only the strongest pairs have a table."""
        return not all(pair.anchor for pair in self.pairs)

    @property
    def is_partial(self) -> bool:
        """Whether only the largest estimates are listed."""
        return self.listed != self.combinations


def joint_views(release: Release, choice: Choice = NOTHING_CHOSEN) -> list[JointView]:
    """All joint questions; the pairs that chance picks are shown as one."""
    content = release.content
    if content is None:
        return []
    return [_view(section, content, choice) for section in sections_of(content)]


def _view(section: Sequence[JointResults], content: Results, choice: Choice) -> JointView:
    first = section[0]
    is_drawn = first.stratum != PAGE
    asked = {
        name: text
        for joint in section
        for name, text in zip(joint.questions, joint.texts, strict=True)
    }
    tables = [
        replace(
            table_view(pair, scale_of(pair, content)), finding=finding_of(pair, content, choice)
        )
        for pair in shown_pairs(section)
    ]
    cells = () if is_drawn else first.cells
    digits = numbers.common_digits(cells)
    return JointView(
        key=first.id,
        anchor=f"together-{first.id}",
        is_drawn=is_drawn,
        names=list(asked),
        texts=list(asked.values()),
        n=numbers.count(sum(joint.n or joint.suppressed for joint in section)),
        epsilon=numbers.epsilon(max((joint.epsilon for joint in section), key=float)),
        combinations=numbers.count(first.combinations),
        family=str(served_family(first.family).description),
        changes=[] if is_drawn else _changes(first),
        noise=noise_words(first) if cells else "",
        figure=f"{first.id}:{JOINT}",
        drawn=numbers.count(min(len(cells), MOST_DRAWN)),
        listed=numbers.count(len(cells)),
        rows=[CombinationRow(answers_text(cell, first.labels), cell, digits) for cell in cells],
        pairs=_pairs(section, {table.anchor for table in tables}),
        tables=tables,
        notes=note_texts(_notes(section)),
        finding=joint_finding(first, noise_words(first)) if cells else None,
    )


def _notes(section: Sequence[JointResults]) -> list[str]:
    """The notes on the joint table; of pairs that chance picks, on those that are missing."""
    codes = {code for joint in section for code in joint.notes}
    if section[0].stratum == PAGE:
        return sorted(codes)
    return ["pair_below_threshold"] if "group_below_threshold" in codes else []


def noise_words(joint: JointResults) -> str:
    """How many of the combinations cannot be told from nobody, in words."""
    words = ngettext(
        "Of %(combinations)s combinations %(number)s cannot be told from 0 %%: its 95 %% interval "
        "reaches it.",
        "Of %(combinations)s combinations %(number)s cannot be told from 0 %%: their 95 %% "
        "intervals reach it.",
        joint.not_above_zero,
    )
    values = {"combinations": joint.combinations, "number": joint.not_above_zero}
    return words % {name: numbers.count(value) for name, value in values.items()}


def _pairs(section: Sequence[JointResults], shown: Set[str]) -> list[PairRow]:
    """The pairs with the strongest association first."""
    measured = [pair for joint in section for pair in joint.pairs if pair.cells]
    measured.sort(key=strength_of_pair, reverse=True)
    return [_pair(pair, shown) for pair in measured]


def _pair(pair: TableResults, shown: Set[str]) -> PairRow:
    strength = pair.association.cramers_v
    digits = min(numbers.digits_of_error(strength.standard_error), 3)
    view = table_view(pair)
    return PairRow(
        anchor=view.anchor if view.anchor in shown else "",
        names=f"{view.outcome_name} × {view.group_name}",
        texts=_("%(first)s and %(second)s") % {"first": view.outcome, "second": view.group},
        n=view.n,
        strength=numbers.fixed_decimals(strength.value, digits),
        interval=numbers.span(strength.interval, digits),
        p_value=numbers.p_value(pair.independence.p_value),
    )


def _changes(joint: JointResults) -> list[ChangesRow]:
    """The chance that the report differs from the real answers in so many of them."""
    table = joint.table
    reports = neighbours([len(names) for names in table.parts])
    weights = zip(reports, table.weights, strict=True)
    return [
        ChangesRow(
            changed=numbers.count(changed),
            chance=numbers.percent(number * weight / table.denominator, 2),
        )
        for changed, (number, weight) in enumerate(weights)
    ]
