"""The rules of groups for the questions in the form of a survey."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.forms import ModelForm

from surveys.authoring.group_rules import group_problems
from surveys.features.parts import DeskPart
from surveys.forms.posted_questions import has_groups
from surveys.models import Survey

# The fields of a question that must be right before the sizes of its group can be checked.
SHAPING = frozenset({"kind", "options", "epsilon"})
SUMS = frozenset({"group_over_cap", "group_too_large"})


class GroupsAtDesk(DeskPart):
    def is_typed(
        self, cleaned: Mapping[str, Any], posted: Mapping[str, Any], survey: Survey
    ) -> bool:
        return has_groups(posted, survey)

    def question_problems(self, asked: Sequence[ModelForm]) -> Iterator[tuple[ModelForm, str, str]]:
        """Yield what stands against the groups of these questions, which are in their order."""
        unfinished = {form.instance.group for form in asked if SHAPING & form.errors.keys()}
        for problem in group_problems([form.instance for form in asked]):
            form = asked[problem.index]
            if problem.code not in SUMS or form.instance.group not in unfinished:
                yield form, problem.field, problem.message
