"""The field of a control item: the share of people of whom “Yes” is true."""

from decimal import Decimal
from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

FIELD: Final = "known_share"


def known_share_field() -> forms.DecimalField:
    """Return the field; it counts for a sensitive yes/no question only."""
    return forms.DecimalField(
        label=gettext_lazy("Known share of “Yes”, from 0 to 1"),
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(1),
        max_digits=13,
        decimal_places=12,
        widget=forms.NumberInput(
            # The page shows it of sensitive questions whose answers are written by nobody.
            attrs={"step": "any", "inputmode": "decimal", "data-sensitive-with": "none"}
        ),
        help_text=gettext_lazy(
            "For a control item only: 0 if the question is true of nobody. Results then say how "
            "many respondents do not follow the device. Leave it empty for every other question."
        ),
    )
