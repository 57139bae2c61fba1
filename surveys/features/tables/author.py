"""The part of cross-tables for authors: launch checks, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import used_in_draft
from surveys.authoring.planning.figures import joint_effective_share
from surveys.drafts import Draft
from surveys.features.parts import AuthorPart
from surveys.features.tables.reading import cells_of, problems_of
from surveys.features.tables.section import NAME
from surveys.features.tables.settings import tables_of
from surveys.features.traits import Trait
from surveys.kinds import kind_of
from surveys.models import Question, Survey

# The least effective number of direct answers in each cell of a table.
LEAST_PER_CELL = 10


class TablesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(tables_of(survey))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: tables_of(survey)}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        pairs = tables_of(survey)
        if not pairs:
            return
        if survey.linkage == Survey.Linkage.APART:
            message = _("Cross-tables need the answers of one person kept together.")
            yield Finding("tables_apart", message, blocks=True)
        by_name = {question.name: question for question in questions}
        used = used_in_draft(survey, questions)
        sensitive = {question.name for question in questions if question.randomized}
        if any(Trait.PAIRED in x.traits for x in used) and sensitive.intersection(chain(*pairs)):
            message = _(
                "Nobody is asked more than two sensitive questions, and each pair of them has its "
                "table anyway. Remove the cross-tables with sensitive questions."
            )
            yield Finding("paired_tables", message, blocks=True)
        for problem in problems_of(pairs, by_name):
            message = _("Cross-tables: %s") % problem
            yield Finding("bad_table", message, blocks=True)
        for pair in pairs:
            yield from _thin_cells(survey, [by_name[name] for name in pair if name in by_name])


def _thin_cells(survey: Survey, pair: list[Question]) -> Iterator[Finding]:
    """Whether the effective number of respondents fills the cells of the tables."""
    kinds = [kind_of(question) for question in pair]
    if len(pair) != 2 or any(kind.several or not kind.has_margin for kind in kinds):
        return
    share = joint_effective_share([Draft.of(question) for question in pair])
    if share is None:
        return
    effective_n, cells = survey.planned_n * share, cells_of(*pair)
    if effective_n / cells < LEAST_PER_CELL:
        message = _(
            "The table %(outcome)s by %(group)s has %(cells)s cells, and the scrambled answers of "
            "%(n)s respondents are worth about %(worth)s direct ones. Ask more people, raise an "
            "epsilon, or merge options."
        ) % {
            "outcome": pair[0].name,
            "group": pair[1].name,
            "cells": numbers.count(cells),
            "n": numbers.count(survey.planned_n),
            "worth": numbers.count(round(effective_n)),
        }
        yield Finding("thin_table", message, blocks=False)
