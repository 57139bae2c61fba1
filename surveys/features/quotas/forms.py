"""The field of quotas in the form of a survey."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

FIELD: Final = "quota_lines"
LONGEST = 6000


def lines_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Quotas"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea(
            attrs={"rows": 4, "cols": 40, "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text=gettext_lazy(
            "How many responses are wanted, one group in each line, by direct questions that stand "
            "before all scrambled ones: gender = Woman: 200, or gender = Woman and age = 18 to 29 "
            "| 30 to 44: 80. With 0 nobody of these people is asked. Whoever is in a group that is "
            "full is told so before the first scrambled question, and nothing is sent of them."
        ),
    )
