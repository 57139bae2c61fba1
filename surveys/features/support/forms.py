"""The fields of support in the form of a survey, and the tick of a question."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from surveys.features.support.section import LONGEST_ADDRESS

TEXT: Final = "help_text_for_respondents"
EXIT: Final = "quick_exit"
ADDRESS: Final = "exit_address"
BOX: Final = "help_box"
AFTER_SECTION: Final = "help_after_section"
LONGEST_TEXT = 3000


def text_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Help for respondents"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 40}),
        help_text=gettext_lazy(
            "Helplines, opening hours and addresses. It can always be unfolded under “Help”, and "
            "stands in a box below each question that is ticked for it; without such a question it "
            "stands on the first screen and the last. Telephone numbers, and addresses that begin "
            "with https://, become links."
        ),
    )


def exit_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Quick exit"),
        required=False,
        help_text=gettext_lazy(
            "A button on every screen, and Shift pressed three times, empty the page, remove what "
            "the browser keeps of this survey, and open another page."
        ),
    )


def address_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("The quick exit leads to"),
        required=False,
        max_length=LONGEST_ADDRESS,
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false", "size": 40}),
        help_text=gettext_lazy(
            "A harmless page that begins with https:// and shows nothing about whoever opens it. "
            "Empty for the encyclopedia Wikipedia in the language of the survey."
        ),
    )


def box_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Show the box with help below this question"),
        required=False,
        help_text=gettext_lazy("Everybody sees it there, whatever they answer."),
    )


def after_section_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Show it below the last question of this section"),
        required=False,
        help_text=gettext_lazy(
            "Whichever question that is. Without sections it is the last one of the survey."
        ),
    )
