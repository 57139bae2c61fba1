"""What the change page asks the panel about: a part of its own fields, with the same rules."""

from typing import Any

from django import forms
from django.conf import settings

from surveys.forms.question import QuestionForm
from surveys.models import Survey


class PanelForm(forms.ModelForm):
    language = forms.ChoiceField(choices=lambda: list(settings.LANGUAGES))

    class Meta:
        model = Survey
        fields = ["budget", "planned_n", "language"]

    def _get_validation_exclusions(self) -> set[str]:
        return super()._get_validation_exclusions() | {"opens_at", "closes_at"}


class DeviceForm(QuestionForm):
    class Meta(QuestionForm.Meta):
        fields = ["kind", "options", "randomized", "epsilon", "prefer_not"]


def device_form(entry: dict[str, Any]) -> DeviceForm:
    """A form on one entry of the request; only texts and truth values are taken from it."""
    fields = {name: entry[name] for name in DeviceForm.Meta.fields if name in entry}
    return DeviceForm({name: value for name, value in fields.items() if _plain(value)})


def _plain(value: Any) -> bool:
    return isinstance(value, str | bool)
