"""The field of a control item: the share of people of whom “Yes” is true."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.kinds import KINDS
from surveys.parameters.known_shares import YES_NO


class KnownShareField(forms.Form):
    """It counts for a sensitive yes/no question only; of any other it is forgotten."""

    known_share = forms.DecimalField(
        label=gettext_lazy("Known share of “Yes”, from 0 to 1"),
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(1),
        max_digits=13,
        decimal_places=12,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
        help_text=gettext_lazy(
            "For a control item only: 0 if the question is true of nobody. Results then say how "
            "many respondents do not follow the device. Leave it empty for every other question."
        ),
    )

    def fit_known_share(self, cleaned: dict[str, Any]) -> None:
        kind = KINDS.get(cleaned.get("kind") or "")
        if kind is None or kind.control != YES_NO or cleaned.get("randomized") is False:
            self.errors.pop("known_share", None)
            cleaned["known_share"] = None
        if cleaned.get("known_share") is None:
            return
        if cleaned.get("prefer_not"):
            message = _("A control item is answered with yes or no: take the refusal away.")
            self.add_error("prefer_not", message)
        if cleaned.get("group") is not None:
            message = _("A control item is sent on its own: choose no group.")
            self.add_error("group", message)
