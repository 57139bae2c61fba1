"""The part of cross-tables for authors: launch checks, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surveys.authoring.checks.epsilon import Finding
from surveys.features.parts import AuthorPart
from surveys.features.tables.findings import findings_of_tables
from surveys.features.tables.section import NAME
from surveys.features.tables.settings import tables_of
from surveys.models import Question, Survey


class TablesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(tables_of(survey))

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: tables_of(survey)}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_tables(survey, questions)
