"""The field that puts a question into a group."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.authoring.limits import MAX_QUESTIONS

# The column of a question in which its group is stored.
FIELD: Final = "group"


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


def group_choices(numbers: Iterable[int]) -> list[tuple[str | int, str]]:
    """Return the groups that each list shows; a number posted beside them is read as well."""
    named = ((number, _("Group %s") % number) for number in _offered(numbers))
    return [("", _("On its own")), *named]


def _offered(numbers: Iterable[int]) -> list[int]:
    """Return the numbers in use, and the first one that is free."""
    used = set(numbers)
    free = next(number for number in range(1, len(used) + 2) if number not in used)
    return sorted({*used, free})
