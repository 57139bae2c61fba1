"""The field of a control item: the share of people of whom “Yes” is true."""

from decimal import Decimal
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.features.control_items.section import YES_NO
from surveys.features.feature import draw_fields
from surveys.kinds import KINDS

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


def fit_known_share(form: forms.Form, cleaned: dict[str, Any]) -> None:
    """Forget what is typed for another question, and add what does not go with a control item."""
    kind = KINDS.get(cleaned.get("kind") or "")
    if kind is None or kind.control != YES_NO or cleaned.get("randomized") is False:
        form.errors.pop(FIELD, None)
        cleaned[FIELD] = None
    if cleaned.get(FIELD) is None:
        return
    if cleaned.get("prefer_not"):
        message = _("A control item is answered with yes or no: take the refusal away.")
        form.add_error("prefer_not", message)
    for name in (name for name in draw_fields() if cleaned.get(name) is not None):
        form.add_error(name, _("A control item is sent on its own: choose no group."))
