"""The part of groups for authors: what stands above their questions, and what they are told."""

from collections.abc import Iterator, Sequence

from surveys.authoring.checks.epsilon import Finding
from surveys.features.groups.figures import GroupPanel, group_panels
from surveys.features.groups.findings import findings_of_groups
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class GroupsForAuthors(AuthorPart):
    def is_used_by(self, question: Question) -> bool:
        return question.group is not None

    def panels_above(
        self, questions: Sequence[Question], planned_n: int, deadline: float
    ) -> Sequence[GroupPanel]:
        return group_panels(questions, planned_n, deadline)

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_groups(survey, questions)
