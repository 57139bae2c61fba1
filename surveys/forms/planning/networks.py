"""The assumed network of a test fill: how many ties there are, and how many are returned."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.networks.figures import RETURNED
from surveys.kinds.network_disclosure import LEAST_PEOPLE
from surveys.parameters import Members, Question

WHOLE = Decimal(100)


def answering_field(members: Members, expected: int | None) -> forms.IntegerField:
    """How many of the members answer, at first as many as are expected, or all."""
    least = min(LEAST_PEOPLE, members.size)
    return forms.IntegerField(
        label=_("Members who answer"),
        min_value=least,
        max_value=members.size,
        initial=max(least, min(expected or members.size, members.size)),
    )


class NetworkFields:
    """The fields of one question about members; `names` has them in their order."""

    def __init__(self, question: Question, members: Members) -> None:
        self.directed = bool(question.directed)
        self.others = members.size - 1
        self.ties, self.returned = f"{question.id}-ties", f"{question.id}-returned"
        self.names = [self.ties, self.returned] if self.directed else [self.ties]

    def fields(self, expected: Decimal | None) -> dict[str, forms.Field]:
        """`expected`: how many ties a member has, by the author's guess."""
        number = forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"})
        fields: dict[str, forms.Field] = {
            self.ties: forms.DecimalField(
                label=_("Ties of a member, on average"),
                min_value=0,
                max_value=self.others,
                decimal_places=2,
                initial=min(expected or Decimal(self.others), Decimal(self.others)),
                widget=number,
            )
        }
        if self.directed:
            fields[self.returned] = forms.DecimalField(
                label=_("Ties that are returned, percent"),
                min_value=0,
                max_value=WHOLE,
                decimal_places=2,
                initial=round(100 * RETURNED),
                widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
            )
        return fields

    def check(self, form: forms.Form) -> None:
        """Reject too few returned ties: where nearly everybody is tied, most are returned."""
        ties, returned = (form.cleaned_data.get(name) for name in (self.ties, self.returned))
        if not self.directed or not ties or returned is None:
            return
        least = 2 - Decimal(self.others) / ties
        if returned / WHOLE < least:
            message = _("With so many ties at least %s of them are returned.")
            form.add_error(self.returned, message % numbers.percent(float(least), 1))

    def truth(self, values: Mapping[str, Any]) -> list[float]:
        """The density, and of directed ties the share that is returned."""
        density = float(values[self.ties] / self.others)
        return [density, float(values[self.returned] / WHOLE)] if self.directed else [density]
