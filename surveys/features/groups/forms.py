"""The field that puts a question into a group."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.devices.joint import may_be_joint
from surveys.drafts import Draft
from surveys.forms.fields.shared_number import SharedNumberField, shared_numbers
from surveys.models import Question

# The column of a question in which its group is stored.
FIELD: Final = "group"


class GroupForm(forms.Form):
    """Picks questions that are in no group yet."""

    questions = forms.MultipleChoiceField(
        label=gettext_lazy("Send these together"), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, questions: Sequence[Question], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["questions"]
        field.choices = [
            (question.name, f"{question.position}. {question.text[:80]}")
            for question in questions
            if question.group is None and may_be_joint(Draft.of(question)) and question.randomized
        ]

    def clean_questions(self) -> list[str]:
        names: list[str] = self.cleaned_data["questions"]
        if len(names) < 2:
            raise forms.ValidationError(_("Tick two questions at least."))
        return names


def group_field() -> SharedNumberField:
    return SharedNumberField(
        label=gettext_lazy("Sent together with"),
        required=False,
        help_text=gettext_lazy(
            "Questions of one group are scrambled by one draw, with one device for all of "
            "them, and sent as one report."
        ),
    )


def group_choices(numbers: Iterable[int]) -> list[tuple[str | int, str]]:
    """Return the groups that each list shows; a number posted beside them is read as well."""
    named = ((number, _("Group %s") % number) for number in shared_numbers(numbers))
    return [("", _("On its own")), *named]
