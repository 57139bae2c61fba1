"""The forms that confirm a deletion, and that say when a reopened survey closes again."""

from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.forms.fields.author_texts import LineField
from surveys.forms.fields.moments import TIME_ZONE, MomentField
from surveys.models import Survey


class DeleteForm(forms.Form):
    typed = LineField(
        label=gettext_lazy("Type the survey's address to delete it"),
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, *args: Any, survey: Survey, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.survey = survey

    def clean_typed(self) -> str:
        slug = self.cleaned_data["typed"]
        if slug != self.survey.slug:
            raise forms.ValidationError(
                _("This is not the address. Type “%s” to delete the survey.") % self.survey.slug
            )
        return slug


class ReopenForm(forms.Form):
    closes_at = MomentField(
        label=gettext_lazy("Closes"),
        required=False,
        help_text=format_lazy("{} {}", gettext_lazy("Leave it empty to close by hand."), TIME_ZONE),
    )

    def __init__(self, *args: Any, survey: Survey, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.survey = survey
        if survey.closes_at is not None and survey.closes_at > timezone.now():
            self.initial["closes_at"] = survey.closes_at

    def clean_closes_at(self) -> datetime | None:
        closes: datetime | None = self.cleaned_data["closes_at"]
        if problem := self.survey.closing_problem(closes):
            raise forms.ValidationError(problem)
        return closes
