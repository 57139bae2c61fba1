"""The field of a question that the link of respondents answers."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

FIELD: Final = "link_values"
LONGEST = 1000


def values_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Values in the link"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"size": 60, "autocapitalize": "none", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "Nobody is asked then: the link answers, as in …/#batch=a for a question named batch. "
            "Write one value for each option but the last, with commas: a, b. The last option, "
            "such as “Not given”, is for links that say nothing of it. Respondents read on the "
            "first page what their link says."
        ),
    )
