"""The part of groups for authors: what stands above their questions, and what they are told."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.authoring.checks.epsilon import Finding
from surveys.authoring.features import has_trait
from surveys.drafts import Draft
from surveys.features import Trait
from surveys.features.groups.allowed import (
    Group,
    group_problems,
    groups_in,
    problems_of,
    thin_words,
    too_many_words,
)
from surveys.features.groups.figures import GroupPanel, group_panels, report_words
from surveys.features.parts import AuthorPart, DrawWords
from surveys.models import Question, Survey
from surveys.parameters import joint_id


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
        problems = list(group_problems(questions))
        for problem in problems:
            question = questions[problem.index]
            yield Finding.of(question, problem.code, problem.message, blocks=True)
        found = groups_in(questions)
        if not found:
            return
        if has_trait(survey, questions, Trait.RETURNING):
            message = _(
                "Questions that are sent together keep their epsilon in all waves: whoever comes "
                "back sends the same report again. Ask on its own what you want to know more "
                "exactly later."
            )
            yield Finding("groups_sent_again", message, blocks=False)
        yield from _same_id(found, questions)
        if not problems:
            for group in found:
                yield from _size(group, survey.planned_n)


def _same_id(found: list[Group], questions: Sequence[Question]) -> Iterator[Finding]:
    """The device of a group is called after the number of its first question."""
    by_name = {question.name: question for question in questions}
    for group in found:
        name = joint_id(group.places[0])
        if name in by_name:
            message = _(
                "The report of group %(group)s is called “%(name)s” in downloads, like this "
                "question. Rename the question."
            )
            text = message % {"group": group.number, "name": name}
            yield Finding.of(by_name[name], "same_id", text, blocks=True)


def _size(group: Group, planned_n: int) -> Iterator[Finding]:
    question = group.questions[0]
    if words := too_many_words(group, planned_n):
        yield Finding.of(question, "group_above_planned", words, blocks=True)
    elif words := thin_words(group, planned_n):
        yield Finding.of(question, "group_thin", words, blocks=False)
