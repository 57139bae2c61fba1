"""The field of shared devices in the form of a survey."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

FIELD: Final = "shared_device"
CHOICES = (
    ("", gettext_lazy("No: a browser asks once, and a reload goes on where it was")),
    ("offered", gettext_lazy("Respondents can tick that others use their phone or computer")),
    ("always", gettext_lazy("All are shared, such as a tablet that is passed on")),
)
# What an author gives up, below the field and where the launch is confirmed.
COST = gettext_lazy(
    "A shared phone or computer keeps nothing of a response, and the next person can answer. What "
    "that costs: nobody is kept from answering twice, and what was answered is lost with a reload. "
    "Whoever answers twice reveals up to twice as much."
)


def sharing_field() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("Shared phones and computers"),
        choices=CHOICES,
        required=False,
        help_text=COST,
    )
