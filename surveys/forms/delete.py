"""The form that confirms a deletion."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.forms.fields.author_texts import LineField
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
