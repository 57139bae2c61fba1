"""The truth that a test fill starts from: a share for every category."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

WHOLE = Decimal(100)
_YES = Decimal(10)
_REFUSAL = Decimal(5)


def default_shares(question: Mapping[str, Any]) -> list[Decimal]:
    """10 % “Yes”, 5 % who prefer not to say, the others alike; percent that add up to 100."""
    size = len(question["categories"])
    shares: list[Decimal | None] = [None] * size
    if question["prefer_not"]:
        shares[-1] = _REFUSAL
    if question["kind"] == "yes_no":
        shares[1] = _YES
    free = [index for index, share in enumerate(shares) if share is None]
    rest = WHOLE - sum(share for share in shares if share is not None)
    each = (rest / len(free)).quantize(Decimal("0.1"))
    for index in free:
        shares[index] = each
    shares[free[0]] = rest - each * (len(free) - 1)
    return shares


class TrialForm(forms.Form):
    respondents = forms.IntegerField(
        label=gettext_lazy("Simulated respondents"), min_value=10, max_value=1_000_000, initial=1000
    )

    def __init__(self, *args: Any, document: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.questions = document["questions"]
        for question in self.questions:
            for index, share in enumerate(default_shares(question)):
                self.fields[_name(question, index)] = forms.DecimalField(
                    label=question["categories"][index],
                    min_value=0,
                    max_value=WHOLE,
                    decimal_places=2,
                    initial=share,
                    widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
                )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for question in self.questions:
            names = _names(question)
            shares = [cleaned[name] for name in names if cleaned.get(name) is not None]
            if len(shares) == len(names) and sum(shares) != WHOLE:
                message = _("The shares add up to %(sum)s %%; they must add up to 100 %%.")
                self.add_error(names[0], message % {"sum": number_format(sum(shares).normalize())})
        return cleaned

    def truth(self) -> dict[str, list[float]]:
        """Shares by question, summing to 1."""
        return {
            question["id"]: [float(self.cleaned_data[name] / WHOLE) for name in _names(question)]
            for question in self.questions
        }

    def groups(self) -> list[dict[str, Any]]:
        """The fields by question, for the page."""
        return [
            {"question": question, "fields": [self[name] for name in _names(question)]}
            for question in self.questions
        ]


def _name(question: Mapping[str, Any], index: int) -> str:
    return f"{question['id']}-{index}"


def _names(question: Mapping[str, Any]) -> list[str]:
    return [_name(question, index) for index in range(len(question["categories"]))]
