"""The field that puts a question into a group, and the rules of groups in the form of a survey."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.forms import BaseInlineFormSet, Field, ModelForm
from django.utils.translation import gettext as _

from surveys.features.groups.allowed import group_problems
from surveys.features.groups.forms import FIELD, GroupField, group_choices
from surveys.features.parts import DeskPart
from surveys.forms.posted_questions import PREFIX, posted_numbers, posted_prefixes
from surveys.models import Question, Survey

# The fields of a question that must be right before the sizes of its group can be checked.
SHAPING = frozenset({"kind", "options", "epsilon"})
SUMS = frozenset({"group_over_cap", "group_too_large"})


class GroupsAtDesk(DeskPart):
    draw_field = FIELD
    cards_template = "features/groups/cards.html"
    cards_script = "js/features/groups/cards.js"

    def question_fields(self) -> dict[str, Field]:
        return {FIELD: GroupField(required=False)}

    def question_choices(self, questions: BaseInlineFormSet) -> dict[str, Any]:
        if questions.is_bound:
            places = range(questions.total_form_count())
            prefixes = map(questions.add_prefix, places)
            return {FIELD: group_choices(posted_numbers(questions.data, prefixes, FIELD))}
        stored = (question.group for question in questions.get_queryset())
        return {FIELD: group_choices(number for number in stored if number is not None)}

    def frozen_chips(self, question: Question) -> list[str]:
        return [] if question.group is None else [_("Group %s") % question.group]

    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        """Return whether this form would save groups; of a launched survey none change."""
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
