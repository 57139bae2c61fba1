"""The field that puts a question into a group, and the rules of groups in the form of a survey."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys.features.groups.allowed import group_problems, groups_in
from surveys.features.groups.figures import group_label
from surveys.features.groups.forms import FIELD, group_choices, group_field
from surveys.features.groups.pages import group_end, groups
from surveys.features.parts import DeskPart, OwnField, TypedSurvey
from surveys.models import Question, Survey
from surveys.parameters import Parameters


def _choices(question: Question) -> list[tuple[str | int, str]]:
    """Return the groups of its survey, and a free one."""
    stored = Question.objects.filter(survey=question.survey_id, group__isnull=False)
    return group_choices(number for number in stored.values_list("group", flat=True) if number)


class GroupsAtDesk(DeskPart):
    added_on = "groups"
    pages = {"groups": ("groups/", groups), "group_end": ("groups/end/", group_end)}
    question_field = OwnField(FIELD, group_field, choices=_choices)
    draw_field = FIELD
    above_template = "features/groups/above.html"

    def frozen_questions(
        self, survey: Survey, questions: Sequence[Question], parameters: Parameters
    ) -> Mapping[str, Mapping[str, Any]]:
        labels = {group.places[0]: group_label(group) for group in groups_in(questions)}
        return {
            question.name: {
                "chips": [_("Group %s") % question.group],
                "label_above": labels.get(place, ""),
            }
            for place, question in enumerate(questions)
            if question.group is not None
        }

    def is_typed(self, typed: TypedSurvey) -> bool:
        """Return whether the draft has groups; of a launched survey none change."""
        survey = typed.survey
        is_draft = survey.pk and survey.is_draft
        return bool(is_draft and survey.questions.filter(group__isnull=False).exists())

    def question_problems(self, asked: Sequence[Question]) -> Iterator[tuple[int, str, str]]:
        for problem in group_problems(asked):
            yield problem.index, problem.field, problem.message
