"""The fields of texts in one's own words in the form of a survey."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from surveys.features.free_texts.section import LONGEST
from surveys.features.free_texts.settings import USUAL_LENGTH

QUESTIONS: Final = "free_text_questions"
CHARACTERS: Final = "free_text_characters"
# What an author gives up, below the field and where the launch is confirmed.
COST = gettext_lazy(
    "Nothing scrambles a text: it is sent and read as it was written, and how somebody writes, or "
    "what only they know, can tell who they are. So texts are kept apart from all other answers, "
    "nothing is counted by them, and respondents are told not to write what identifies anybody."
)


def questions_field() -> forms.CharField:
    return forms.CharField(
        label=gettext_lazy("Questions in one’s own words, after the last question"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=COST,
    )


def characters_field() -> forms.IntegerField:
    return forms.IntegerField(
        label=gettext_lazy("Characters of such a text at most"),
        required=False,
        initial=USUAL_LENGTH,
        min_value=1,
        max_value=LONGEST,
        help_text=gettext_lazy(
            "Every response is filled up to the length that the longest texts would have."
        ),
    )


class ReadTextsForm(forms.Form):
    """The statement that an author has read what a text can tell about its writer."""

    understood = forms.BooleanField(
        label=gettext_lazy("I need these texts, and I shall publish none that tells who wrote it."),
        error_messages={
            "required": gettext_lazy("Confirm that you need the texts and how you use them.")
        },
    )
