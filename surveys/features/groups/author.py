"""The part of groups for authors: what they are told before launch."""

from collections.abc import Iterator, Sequence

from surveys.authoring.checks.epsilon import Finding
from surveys.features.groups.findings import findings_of_groups
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class GroupsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return question.group is not None

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_groups(survey, questions)
