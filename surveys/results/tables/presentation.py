"""Declared tables of a release as texts for templates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec.structs import astuple

from surveys import numbers
from surveys.results.findings.choice import NOTHING_CHOSEN, Choice
from surveys.results.findings.finding import Finding
from surveys.results.findings.tables import SIZE, table_finding
from surveys.results.notes import note_texts
from surveys.results.release import Release
from surveys.results.shown_shares import ShownShare
from surveys.results.tables.figures import GROUPS, HEAT
from surveys.results.weighted.presentation import (
    WeightedTableView,
    computed_weighted,
    stored_weighted,
    weighted_table_views,
)
from surveys.results_document.document import Results
from surveys.results_document.parts import Derived, HypothesisTest
from surveys.results_document.questions import ScaleMean
from surveys.results_document.tables import Association, TableResults
from surveys.results_document.weighted import WeightedTable

Shown = ShownShare[numbers.Estimated]


@dataclass(frozen=True, slots=True)
class MeanView:
    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group: its joint and conditional shares, its own share, and the mean of a scale."""

    label: str
    joint: list[Shown]
    conditional_shares: list[Shown]
    size: Shown
    mean: MeanView | None


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    outcome: str
    groups: str
    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class MeasureRow:
    name: str
    value: str
    error: str
    interval: str
    words: str


@dataclass(frozen=True, slots=True)
class TableView:
    key: str
    anchor: str
    heat: str
    comparison: str
    outcome: str
    group: str
    outcome_name: str
    group_name: str
    n: str
    outcomes: Sequence[str]
    has_means: bool
    rows: list[GroupRow]
    totals: list[Shown]
    differences: list[DifferenceRow]
    measures: list[MeasureRow]
    test: str
    test_facts: str
    notes: list[str]
    weighted: WeightedTableView | None = None
    finding: Finding | None = None


def table_views(release: Release, choice: Choice = NOTHING_CHOSEN) -> list[TableView]:
    """The declared tables, each with its finding."""
    if release.content is None or not release.content.tables:
        return []
    weighted = weighted_table_views(release)
    stored = computed_weighted(stored_weighted(release)) if choice.weighted else None
    return [
        replace(
            table_view(table, scale_of(table, release.content)),
            weighted=weighted.get(table.id),
            finding=finding_of(table, release.content, choice, own),
        )
        for table in release.content.tables
        for own in [stored.tables.get(table.id) if stored else None]
    ]


def finding_of(
    table: TableResults, content: Results, choice: Choice, weighted: WeightedTable | None = None
) -> Finding:
    questions = {question.id: question for question in content.questions}
    return table_finding(table, questions, choice, weighted)


def scale_of(table: TableResults, content: Results) -> ScaleMean | None:
    """The mean of everybody's scores, of a table with means: it knows how far they can go."""
    means = (each.mean for each in content.questions if each.id == table.outcome)
    return next(means, None) or None


def table_view(table: TableResults, scale: ScaleMean | None = None) -> TableView:
    """One table, declared or of a pair of joint questions."""
    has_cells = bool(table.cells)
    return TableView(
        key=table.id,
        anchor=table.id.replace(",", "-by-"),
        heat=f"{table.id}:{HEAT}",
        comparison=f"{table.id}:{GROUPS}",
        outcome=table.outcome_text,
        group=table.group_text,
        outcome_name=table.outcome,
        group_name=table.group,
        n=numbers.count(table.n or table.suppressed),
        outcomes=table.outcome_labels,
        has_means=has_cells and table.means is not None,
        rows=_rows(table, scale) if has_cells else [],
        totals=_shares(table.margins.outcome) if has_cells else [],
        differences=_differences(table) if has_cells else [],
        measures=_measures(table.association) if has_cells else [],
        test=_test(table.independence) if has_cells else "",
        test_facts=_test_facts(table.independence) if has_cells else "",
        notes=note_texts(_notes(table)),
    )


def _rows(table: TableResults, scale: ScaleMean | None) -> list[GroupRow]:
    rows = zip(
        table.group_labels,
        _grid(table.cells),
        _grid(table.conditional),
        _shares(table.margins.group),
        [_mean(mean, scale) for mean in table.means or [None] * len(table.cells)],
        strict=True,
    )
    return [GroupRow(*row) for row in rows]


def _mean(mean: Derived | None, scale: ScaleMean | None) -> MeanView | None:
    if mean is None:
        return None
    low, high = mean.interval
    if scale and low is not None and high is not None and high - low >= scale.reach:
        return MeanView(numbers.UNKNOWN, _("Too few answers to say anything"))
    digits = numbers.digits_of_error(mean.standard_error)
    interval = numbers.span(mean.interval, digits)
    return MeanView(numbers.fixed_decimals(mean.value, digits), interval)


def _grid(rows: Sequence[Sequence[numbers.Estimated]]) -> list[list[Shown]]:
    digits = numbers.common_digits([cell for row in rows for cell in row])
    return [[ShownShare("", cell, digits) for cell in row] for row in rows]


def _shares(cells: Sequence[numbers.Estimated]) -> list[Shown]:
    digits = numbers.common_digits(cells)
    return [ShownShare("", cell, digits) for cell in cells]


def _differences(table: TableResults) -> list[DifferenceRow]:
    digits, words = numbers.common_digits(table.differences), _("%(first)s less %(second)s")
    labels = table.group_labels
    return [
        DifferenceRow(
            outcome=table.outcome_labels[entry.outcome],
            groups=words % {"first": labels[first], "second": labels[second]},
            value=numbers.points(entry.value, digits),
            interval=numbers.percent_span(entry.interval, digits),
        )
        for entry in table.differences
        for first, second in [entry.groups]
    ]


# Name and meaning of each statistic, in the order of the page.
MEASURES: dict[str, tuple[str | Promise, Promise]] = {
    "cramers_v": (
        gettext_lazy("Cramér's V"),
        gettext_lazy(
            "0: no association; 1: one answer tells the other. What scrambling adds is taken off."
        ),
    ),
    "mutual_information": (
        gettext_lazy("Mutual information (bits)"),
        gettext_lazy("How much knowing one answer tells of the other."),
    ),
    "odds_ratio": (
        gettext_lazy("Odds ratio"),
        gettext_lazy("1: no association. Its interval is wide where a combination is rare."),
    ),
    "pearson_correlation": (
        gettext_lazy("Correlation"),
        gettext_lazy("Of the places of the answers in their order, from -1 to 1."),
    ),
    "entropy": (
        gettext_lazy("Entropy of both together (bits)"),
        gettext_lazy("How varied the combinations are."),
    ),
    "chi_square": (
        gettext_lazy("Chi-square of the estimated table"),
        gettext_lazy("As if everybody had answered directly; not the test's statistic."),
    ),
    "g_squared": (
        gettext_lazy("G² of the estimated table"),
        gettext_lazy("The likelihood counterpart of chi-square; not the test's statistic."),
    ),
}


def _measures(association: Association) -> list[MeasureRow]:
    rows = []
    for name, (label, words) in MEASURES.items():
        measure: Derived = getattr(association, name)
        if not measure:
            continue
        digits = min(numbers.digits_of_error(measure.standard_error), 3)
        row = MeasureRow(
            name=str(label),
            value=numbers.fixed_decimals(measure.value, digits),
            error=numbers.fixed_decimals(measure.standard_error, digits),
            interval=numbers.span(measure.interval, digits),
            words=str(words),
        )
        rows.append(row)
    return rows


def _test(test: HypothesisTest) -> str:
    """The result of the test in words; a large p-value is not described as no association."""
    p = test.p_value
    if p is None:
        return _("The reports are too few for a test of association.")
    values = {"p": numbers.p_value(p)}
    if p < SIZE:
        return _("The two answers are associated (%(p)s, two-sided).") % values
    return _("No association could be shown (%(p)s, two-sided).") % values


def _test_facts(test: HypothesisTest) -> str:
    freedom = round(test.degrees_of_freedom or 0)
    words = ngettext(
        "Test statistic %(value)s, %(freedom)s degree of freedom.",
        "Test statistic %(value)s, %(freedom)s degrees of freedom.",
        freedom,
    )
    return words % {
        "value": numbers.fixed_decimals(test.statistic, 2),
        "freedom": numbers.count(freedom),
    }


def _notes(table: TableResults) -> Sequence[str]:
    if not table.cells:
        return table.notes
    of_measures = [
        code for measure in astuple(table.association) if measure for code in measure.notes
    ]
    return sorted({*table.notes, *of_measures, *table.independence.notes})
