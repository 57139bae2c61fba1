"""The fields of a question that say whom it is for."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

ONLY_IF: Final = "only_if"
UNASKED: Final = "leave_unasked"
LONGEST_FILTER = 500


def only_if_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Only if"),
        required=False,
        max_length=LONGEST_FILTER,
        widget=forms.TextInput(attrs={"size": 60, "autocapitalize": "none", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Compare earlier questions, by their names, with answers or numbers: drug = Yes and "
            "age > 17. One of several answers: shift = Night | Late. Everybody else reports “does "
            "not apply”, scrambled like every answer, so that nobody learns who was asked; the "
            "question is required then, because a blank would tell. Empty: everybody is asked."
        ),
    )


def unasked_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Leave it out for everybody else"),
        required=False,
        help_text=gettext_lazy(
            "Only where all that is compared is sent as it is, so that everybody may know who is "
            "asked. Then only those who are asked count, and “does not apply” costs no accuracy."
        ),
    )
