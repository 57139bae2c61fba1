"""The form of a new webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from surveys.forms.fields.author_texts import LineField
from surveys.models import Survey
from surveys.models.survey import SurveyQuerySet
from surveys.models.webhook import LONGEST_ADDRESS, Event


class WebhookForm(forms.Form):
    """`surveys`: those that it can be about. The rules of the address are the service's."""

    url = LineField(
        label=_("Address of your program"),
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "inputmode": "url", "placeholder": "https://"}
        ),
    )
    events = forms.MultipleChoiceField(
        label=_("What it is told"), choices=Event.choices, widget=forms.CheckboxSelectMultiple
    )
    survey = forms.ModelChoiceField(
        label=_("About which survey"),
        queryset=Survey.objects.none(),
        required=False,
        empty_label=_("All that you may see"),
    )

    def __init__(self, *args: object, surveys: SurveyQuerySet, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # as Django's form takes them
        self.fields["survey"].queryset = surveys.only("title")  # type: ignore[attr-defined]  # of its field
