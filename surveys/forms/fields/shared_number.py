"""A number that questions share, by which a feature puts several of them together."""

from collections.abc import Iterable
from typing import Any

from django import forms

from surveys.authoring.limits import MAX_QUESTIONS


class SharedNumberField(forms.IntegerField):
    """It is chosen from those in use and a free one."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_QUESTIONS, widget=forms.Select, **kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return no attributes: the limits of a number are no attributes of a list."""
        return {}


def shared_numbers(used: Iterable[int]) -> list[int]:
    """Return the numbers in use, and the first one that is free."""
    numbers = set(used)
    free = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
    return sorted({*numbers, free})
