"""The field that puts a question into a group."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.limits import MAX_QUESTIONS


class GroupField(forms.IntegerField):
    """A number that questions share, chosen from those in use and a free one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=gettext_lazy("Sent together with"),
            min_value=1,
            max_value=MAX_QUESTIONS,
            widget=forms.Select,
            help_text=gettext_lazy(
                "Questions of one group are scrambled by one draw, with one device for all of "
                "them, and sent as one report."
            ),
            **kwargs,
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return no attributes: the limits of a number are no attributes of a list."""
        return {}

    def offer(self, numbers: Iterable[int]) -> None:
        """The groups that the list shows; a number that is posted beside them is read as well."""
        self.widget.choices = [("", _("On its own")), *((n, group_name(n)) for n in numbers)]


def group_name(number: int) -> str:
    return _("Group %s") % number


def numbers_offered(numbers: Iterable[int]) -> list[int]:
    """Return the numbers in use, and the first one that is free."""
    used = set(numbers)
    free = next(number for number in range(1, len(used) + 2) if number not in used)
    return sorted({*used, free})


def posted_numbers(data: Mapping[str, Any], prefixes: Iterable[str]) -> list[int]:
    """The groups of the posted questions, without what is no number of a group."""
    values = [str(data.get(f"{prefix}-group", "")) for prefix in prefixes]
    numbers = [int(value) for value in values if value.isdecimal() and len(value) < 4]
    return [number for number in numbers if 1 <= number <= MAX_QUESTIONS]
