"""The field that puts a question into a group, and the rules of groups in the form of a survey."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.forms import BaseInlineFormSet, ModelForm
from django.utils.translation import gettext as _

from surveys.features.groups.allowed import group_problems, groups_in
from surveys.features.groups.figures import group_label
from surveys.features.groups.forms import FIELD, GroupField, group_choices
from surveys.features.parts import DeskPart, OwnField, TypedSurvey
from surveys.forms.posted_questions import PREFIX, posted_numbers, posted_prefixes
from surveys.models import Question, Survey
from surveys.parameters import Parameters

# The fields of a question that must be right before the sizes of its group can be checked.
SHAPING = frozenset({"kind", "options", "epsilon"})
SUMS = frozenset({"group_over_cap", "group_too_large"})


def _choices(questions: BaseInlineFormSet) -> list[tuple[str | int, str]]:
    """Return the groups of a page, as posted or as stored."""
    if questions.is_bound:
        prefixes = map(questions.add_prefix, range(questions.total_form_count()))
        return group_choices(posted_numbers(questions.data, prefixes, FIELD))
    stored = (question.group for question in questions.get_queryset())
    return group_choices(number for number in stored if number is not None)


class GroupsAtDesk(DeskPart):
    question_field = OwnField(FIELD, partial(GroupField, required=False), choices=_choices)
    draw_field = FIELD
    cards_template = "features/groups/cards.html"
    cards_script = "js/features/groups/cards.js"

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
        """Return whether this form would save groups; of a launched survey none change."""
        posted, survey = typed.posted, typed.survey
        if f"{PREFIX}-TOTAL_FORMS" not in posted:
            stored = survey.pk and survey.is_draft
            return bool(stored and survey.questions.filter(group__isnull=False).exists())
        return bool(posted_numbers(posted, posted_prefixes(posted), FIELD))

    def question_problems(self, asked: Sequence[ModelForm]) -> Iterator[tuple[ModelForm, str, str]]:
        """Yield what stands against the groups of these questions, which are in their order."""
        unfinished = {form.instance.group for form in asked if SHAPING & form.errors.keys()}
        for problem in group_problems([form.instance for form in asked]):
            form = asked[problem.index]
            if problem.code not in SUMS or form.instance.group not in unfinished:
                yield form, problem.field, problem.message
