"""The weighted numbers: a row for each answer of each question, each mean, and each cell of each
declared table, as a share of everybody and of the group.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils import translation
from django.utils.translation import gettext as _

from surveys.exports.document import language_of
from surveys.exports.snapshot import MovingError
from surveys.exports.table import Cell, Column, Row, Table, Type, Value
from surveys.exports.tables.estimates import (
    EVERYBODY,
    GROUP,
    NUMBER,
    number_columns,
    text_columns,
)
from surveys.features import weighting_of
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.results.release import release_of
from surveys.results.tables.recoding import labels_of
from surveys.results.weighted.presentation import computed_weighted, stored_weighted
from surveys.results_document.document import Results
from surveys.results_document.tables import TableResults
from surveys.results_document.weighted import WeightedResults, WeightedShare, WeightedTable

NAME = "weighted"
NUMBERS = ("estimate", "standard_error", "low", "high")


def exists(parameters: Parameters) -> bool:
    """Whether a survey declares margins of the population."""
    return weighting_of(parameters) is not None


def table(launch: Launch, step: int = 0) -> Table:
    """The weighted numbers with all digits; raises MovingError until there are some.

    Without rows where there are no margins, or no weights that meet them.
    """
    release = release_of(launch, step)
    stored = stored_weighted(release)
    content = computed_weighted(stored)
    waits = stored is not None and not (content or stored.refusal)
    if release.content is None or waits:
        raise MovingError("There are no weighted results to export.")
    with translation.override(language_of(launch)):
        rows = _rows(content, release.content, stored.responses) if stored and content else iter(())
        return Table(NAME, _("Weighted results"), _columns(), rows)


def _rows(content: WeightedResults, results: Results, responses: int) -> Iterator[Row]:
    of_weights = (content.design_effect, content.effective_n, responses)
    for row in _numbers(content, results):
        yield (*row, *of_weights)


def _numbers(content: WeightedResults, results: Results) -> Iterator[Row]:
    labels = {question.id: question.labels for question in results.questions}
    for name, found in content.questions.items():
        if found is None:
            continue
        answers = labels_of(found.answers, labels[name])
        for answer, share in zip(answers, found.categories, strict=True):
            yield (name, "", "", answer, EVERYBODY, found.n, *_cells(share))
        if found.mean is not None:
            yield (name, "", "", "mean", NUMBER, found.n, *_cells(found.mean))
    for crossing in results.tables:
        table = content.tables.get(crossing.id)
        if table is not None:
            for base, rows in ((EVERYBODY, table.cells), (GROUP, table.conditional)):
                yield from _of_groups(table, crossing, labels, base, rows)


def _of_groups(
    found: WeightedTable,
    crossing: TableResults,
    labels: Mapping[str, Sequence[str]],
    base: str,
    rows: Sequence[Sequence[WeightedShare]],
) -> Iterator[Row]:
    outcome, group = crossing.outcome, crossing.group
    answers = labels_of(found.outcomes, labels[outcome])
    groups = labels_of(found.groups, labels[group])
    for label, shares in zip(groups, rows, strict=True):
        for answer, share in zip(answers, shares, strict=True):
            yield (outcome, group, label, answer, base, found.n, *_cells(share))


def _cells(share: WeightedShare) -> tuple[Cell, ...]:
    known = (share.estimate, share.standard_error, *share.interval)
    return (*known, int(share.fixed))


def _fixed() -> tuple[Value, ...]:
    return Value(0, _("estimated")), Value(1, _("fixed by the margin"))


def _columns() -> tuple[Column, ...]:
    bases = (
        Value(EVERYBODY, _("everybody")),
        Value(GROUP, _("the group")),
        Value(NUMBER, _("no share: a mean, of a scale of its scores 1, 2 and so on")),
    )
    numbers = tuple(column for column in number_columns() if column.name in NUMBERS)
    of_weights = (
        Column(
            "fixed", Type.INTEGER, _("1 if the margins fix it, so that it has no error"), _fixed()
        ),
        Column("design_effect", Type.NUMBER, _("Design effect of the weights")),
        Column("effective_n", Type.NUMBER, _("Equally weighted people who would tell as much")),
        Column("responses", Type.INTEGER, _("Responses that the numbers rest on")),
    )
    return (*text_columns(bases), *numbers, *of_weights)
