"""The fields of a question about the order of its answers."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from surveys.kinds.kind import MAX_OPTIONS

BY: Final = "option_order"
LAST: Final = "option_order_last"
KEPT: Final = "option_order_kept"
CHOICES = (
    ("", gettext_lazy("As they are written")),
    ("shuffled", gettext_lazy("By chance, each order alike likely")),
    ("rotated", gettext_lazy("By chance, one of them first and the others behind it in turn")),
    ("reversed", gettext_lazy("By chance, as they are written or the other way round")),
)


def by_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Order of the answers"),
        choices=CHOICES,
        required=False,
        help_text=gettext_lazy(
            "Answers that come first are chosen more often, and chance spreads that. The "
            "respondent's browser picks the order. A scale can only be reversed."
        ),
    )


def last_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=gettext_lazy("Answers that stay at the end"),
        required=False,
        min_value=0,
        max_value=MAX_OPTIONS,
        help_text=gettext_lazy(
            "How many. Empty: those at the end that read like “Other”, “None of these” or “Don't "
            "know”. “Prefer not to say” always stays there."
        ),
    )


def kept_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Keep the order with the response"),
        required=False,
        help_text=gettext_lazy(
            "Without this tick it is not sent. With it the file of reports has a column that says "
            "which order was drawn, and respondents read that. Only where it singles nobody out: "
            "answers of one person are kept together, chance reverses or rotates, and ten planned "
            "people share each combination of orders and answers that are sent as they are."
        ),
    )
