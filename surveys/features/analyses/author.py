"""The part of analyses for authors: launch checks, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from surveys.authoring.checks.epsilon import Finding
from surveys.features.analyses.declarations import analyses_of, weighting_of
from surveys.features.analyses.findings import findings_of_analyses
from surveys.features.analyses.section import NAME, WEIGHTING
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class AnalysesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(analyses_of(survey)) or weighting_of(survey) is not None

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: analyses_of(survey), WEIGHTING: weighting_of(survey)}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_analyses(survey, questions)
