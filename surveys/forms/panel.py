"""What the change page asks the panel about: a part of its own fields, with the same rules."""

from typing import Any

from django import forms
from django.conf import settings

from surveys.engine_bridge.designs import choices_for
from surveys.forms.device import DeviceFields
from surveys.forms.question import QuestionForm
from surveys.kinds import KINDS
from surveys.models import Survey


class PanelForm(forms.ModelForm):
    language = forms.ChoiceField(choices=lambda: list(settings.LANGUAGES))

    class Meta:
        model = Survey
        fields = ["budget", "planned_n", "language"]

    def _get_validation_exclusions(self) -> set[str]:
        return super()._get_validation_exclusions() | {"opens_at", "closes_at"}


class DeviceForm(QuestionForm):
    """A device that does not fit any more gives way to the usual one of the kind: the page then
    shows that one chosen, so that nothing is saved unseen.
    """

    class Meta(QuestionForm.Meta):
        fields = ["kind", "options", "randomized", "epsilon", "prefer_not", "design", "own_device"]

    def fit_device(self, cleaned: dict[str, Any]) -> None:
        if cleaned.get("kind") in KINDS and cleaned.get("design") not in self.fitting(cleaned):
            cleaned["design"] = ""
        super().fit_device(cleaned)

    def fitting(self, cleaned: dict[str, Any]) -> list[str]:
        return [choice.name for choice in choices_for(self.draft(cleaned))]


FIELDS = (*DeviceForm.Meta.fields, *DeviceFields.base_fields)


def device_form(entry: dict[str, Any]) -> DeviceForm:
    """A form on one entry of the request; only texts and truth values are taken from it."""
    fields = {name: entry[name] for name in FIELDS if name in entry}
    return DeviceForm({name: value for name, value in fields.items() if _plain(value)})


def _plain(value: Any) -> bool:
    return isinstance(value, str | bool)
