"""The fields of the last screen in the form of a survey."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from django import forms
from django.utils.translation import gettext_lazy

from surveys.features.closing_page.section import LONGEST_ADDRESS
from surveys.features.closing_page.settings import USUAL_KEY

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

LONGEST_TEXT = 2000
LONGEST_NAME = 80
PREFIX: Final = "closing_"
# What the panel learns, below the field and where the launch is confirmed.
LEARNS = gettext_lazy(
    "A button leads there; nobody is sent by themselves. The panel then learns that somebody has "
    "come to this end, and when. Whoever sees both the panel and the traffic of this site could "
    "match these times with the arrival of responses: then direct answers have a name, and "
    "scrambled ones stay as protected as they are."
)


def _text(label: "StrOrPromise", help_text: "StrOrPromise") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 2, "cols": 40})
    return forms.CharField(
        label=label, required=False, max_length=LONGEST_TEXT, widget=widget, help_text=help_text
    )


def _address(label: "StrOrPromise", help_text: "StrOrPromise") -> forms.CharField:
    attrs = {"inputmode": "url", "spellcheck": "false", "autocapitalize": "none", "size": 60}
    return forms.CharField(
        label=label,
        required=False,
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(attrs=attrs),
        help_text=help_text,
    )


def panel_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Respondents come from"),
        required=False,
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"size": 40}),
        help_text=gettext_lazy(
            "The name of the panel, as its members know it. Respondents read it before the first "
            "question, and on the button that leads back."
        ),
    )


def key_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("The panel’s id in the link is called"),
        required=False,
        initial=USUAL_KEY,
        max_length=32,
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "none", "size": 12}),
        help_text=gettext_lazy(
            "Called pid, it comes with a link that ends in #pid= and the id. What stands behind # "
            "goes to no server: this site never sees it."
        ),
    )


# In the order of the form, by the names of the settings.
FIELDS: dict[str, Callable[[], forms.CharField]] = {
    "complete_text": partial(
        _text,
        gettext_lazy("Thanks on the last screen"),
        gettext_lazy("Your own words once a response is stored, above the receipt."),
    ),
    "panel": panel_field,
    "key": key_field,
    "complete_address": partial(
        _address,
        gettext_lazy("The button leads, after an answer, to"),
        LEARNS,
    ),
    "full_address": partial(
        _address,
        gettext_lazy("The button leads, for a full group, to"),
        gettext_lazy("For people of whose group enough have answered. Empty for no button."),
    ),
    "full_text": partial(
        _text,
        gettext_lazy("To people whose group is full"),
        gettext_lazy("Nothing was sent. Empty for Candor’s own words."),
    ),
    "screened_address": partial(
        _address,
        gettext_lazy("The button leads, for people not asked, to"),
        gettext_lazy("For people of whose group nobody is asked. Empty for no button."),
    ),
    "screened_text": partial(
        _text,
        gettext_lazy("To people whom the survey is not for"),
        gettext_lazy("Nothing was sent. Empty for Candor’s own words."),
    ),
}
