"""The part of groups for authors: what stands above their questions, and what they are told."""

from collections.abc import Iterator, Sequence
from typing import Any

from surveys.authoring.checks.epsilon import Finding
from surveys.drafts import Draft
from surveys.features.groups.allowed import groups_in, problems_of, thin_words, too_many_words
from surveys.features.groups.figures import GroupPanel, group_panels, report_words
from surveys.features.groups.findings import findings_of_groups
from surveys.features.parts import AuthorPart, DrawWords
from surveys.models import Question, Survey


class GroupsForAuthors(AuthorPart):
    has_panel_text = True

    def is_used_by(self, question: Question) -> bool:
        return question.group is not None

    def draw_words(self, questions: Sequence[Question], planned_n: int) -> Sequence[DrawWords]:
        return [
            DrawWords(
                places=group.places,
                problems=[problem.message for problem in problems_of(group)],
                too_many=too_many_words(group, planned_n),
                thin=thin_words(group, planned_n),
            )
            for group in groups_in(questions)
        ]

    def panels_above(
        self, questions: Sequence[Question], planned_n: int, deadline: float
    ) -> Sequence[GroupPanel]:
        return group_panels(questions, planned_n, deadline)

    def panel_text(self, draft: Draft, section: Any = None) -> str:
        return report_words(draft)

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        return findings_of_groups(survey, questions)
