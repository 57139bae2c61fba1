"""A date and time in one labelled input, which every browser and phone has a picker for."""

from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

TIME_ZONE = format_lazy(_("Time zone: {zone}."), zone=settings.TIME_ZONE)


class MomentInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A moment to the minute; a difference in seconds from the stored value is no change."""

    widget = MomentInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return _minute(initial) != _minute(self._posted(data))

    def _posted(self, data: Any) -> Any:
        try:
            return self.to_python(data)
        except forms.ValidationError:
            return data


def _minute(value: Any) -> Any:
    return value.replace(second=0, microsecond=0) if isinstance(value, datetime) else value
