"""The form that adds a cross-table: an outcome and a group, picked from the questions."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.features.tables.reading import problems_of
from surveys.models import Question

MOST_SHOWN = 80


class TableForm(forms.Form):
    """`pairs`: those that the survey has already."""

    outcome = forms.ChoiceField(label=gettext_lazy("Show the answers to"))
    group = forms.ChoiceField(label=gettext_lazy("for each answer to"))

    def __init__(
        self,
        *args: Any,
        questions: Sequence[Question],
        pairs: Sequence[tuple[str, str]],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.questions = {question.name: question for question in questions}
        self.pairs = pairs
        choices = [("", _("Choose a question")), *map(_choice, questions)]
        for name in ("outcome", "group"):
            field: Any = self.fields[name]
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            pair = (cleaned["outcome"], cleaned["group"])
            before = problems_of(self.pairs, self.questions)
            for problem in problems_of([*self.pairs, pair], self.questions):
                if problem not in before:
                    self.add_error(None, problem)
        return cleaned

    @property
    def pair(self) -> tuple[str, str]:
        """Return what a valid form adds."""
        return self.cleaned_data["outcome"], self.cleaned_data["group"]


def _choice(question: Question) -> tuple[str, str]:
    text = " ".join(question.text.split())[:MOST_SHOWN]
    return question.name, f"{question.position}. {text}" if text else question.name
