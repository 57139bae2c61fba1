"""The weighted numbers: a row for each answer of each question, each mean, and each cell of each
declared table, as a share of everybody and of the group.
"""

from collections.abc import Iterator, Mapping
from typing import Any

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
from surveys.results.release import Release, release_of
from surveys.results.tables.recoding import labels_of
from surveys.results.weighted.presentation import computed_weighted, stored_weighted

NAME = "weighted"
NUMBERS = ("estimate", "standard_error", "low", "high")

Numbers = Mapping[str, Any]


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
        rows = _rows(content, release, stored.responses) if stored and content else iter(())
        return Table(NAME, _("Weighted results"), _columns(), rows)


def _rows(content: Numbers, release: Release, responses: int) -> Iterator[Row]:
    of_weights = (content["design_effect"], content["effective_n"], responses)
    for row in _numbers(content, release.content or {}):
        yield (*row, *of_weights)


def _numbers(content: Numbers, results: Numbers) -> Iterator[Row]:
    labels = {question["id"]: question["labels"] for question in results["questions"]}
    for name, found in content["questions"].items():
        if found is None:
            continue
        answers = labels_of(found["answers"], labels[name])
        for answer, share in zip(answers, found["categories"], strict=True):
            yield (name, "", "", answer, EVERYBODY, found["n"], *_cells(share))
        if found["mean"] is not None:
            yield (name, "", "", "mean", NUMBER, found["n"], *_cells(found["mean"]))
    for crossing in results["tables"]:
        found = content["tables"].get(crossing["id"])
        if found is not None:
            yield from _of_groups(found, crossing, labels, (EVERYBODY, "cells"))
            yield from _of_groups(found, crossing, labels, (GROUP, "conditional"))


def _of_groups(
    found: Numbers, crossing: Numbers, labels: Numbers, base: tuple[str, str]
) -> Iterator[Row]:
    share_of, key = base
    outcome, group = crossing["outcome"], crossing["group"]
    answers = labels_of(found["outcomes"], labels[outcome])
    groups = labels_of(found["groups"], labels[group])
    for label, shares in zip(groups, found[key], strict=True):
        for answer, share in zip(answers, shares, strict=True):
            yield (outcome, group, label, answer, share_of, found["n"], *_cells(share))


def _cells(share: Numbers) -> tuple[Cell, ...]:
    known = (share["estimate"], share["standard_error"], *share["interval"])
    return (*known, int(share["fixed"]))


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
