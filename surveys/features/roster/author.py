"""The part of rosters for authors: what they are told before launch, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surveys.authoring.checks.epsilon import Finding
from surveys.features.parts import AuthorPart
from surveys.features.roster.findings import findings_of_rosters
from surveys.features.roster.reading import roster_of
from surveys.features.roster.section import NAME, PERSONAL
from surveys.models import Question, Survey


class RosterForAuthors(AuthorPart):
    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: roster_of(survey) if survey.mode == PERSONAL else None}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_rosters(survey, questions)
