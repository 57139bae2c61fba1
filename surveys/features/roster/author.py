"""The part of rosters for authors: what they are told before launch, and what a launch freezes."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.features.parts import AuthorPart
from surveys.features.roster.findings import findings_of_rosters
from surveys.features.roster.reading import roster_of
from surveys.features.roster.section import PERSONAL, Roster
from surveys.models import Question, Survey


class RosterForAuthors(AuthorPart):
    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Roster | None:
        return roster_of(survey) if survey.mode == PERSONAL else None

    def why_no_members(self) -> str:
        return _(
            "The figures follow from the roster. Choose “by personal link”, save the survey, and "
            "upload the list of its members."
        )

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_rosters(survey, questions)
