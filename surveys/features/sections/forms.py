"""The fields of a section in the form of the question with which it begins."""

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy

from surveys.forms.fields.author_texts import LineField, ParagraphsField

TITLE: Final = "section_title"
TEXT: Final = "section_text"
TOGETHER: Final = "section_together"
APART: Final = "section_apart"
RANDOM: Final = "section_random"
MOVES: Final = "section_moves"
LAST_TITLE: Final = "last_page_title"
LAST_TEXT: Final = "last_page_text"
LONGEST_TITLE = 200
LONGEST_TEXT = 5000


def title_field() -> forms.CharField:
    return LineField(
        label=gettext_lazy("Title of the section that begins here"),
        required=False,
        max_length=LONGEST_TITLE,
        help_text=gettext_lazy(
            "This question and those below it belong to the section, up to the next one."
        ),
    )


def text_field() -> forms.CharField:
    return ParagraphsField(
        label=gettext_lazy("Text of the section"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=gettext_lazy("Stands once, above its first question."),
    )


def together_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("All questions of the section on one page"), required=False
    )


def apart_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Title and text on a page of their own, before the first question"),
        required=False,
    )


def random_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Questions of the section in an order that chance picks"),
        required=False,
        help_text=gettext_lazy(
            "The respondent's browser picks it, and it is not sent. Questions that are sent "
            "together stay together."
        ),
    )


def moves_field() -> forms.BooleanField:
    return forms.BooleanField(
        label=gettext_lazy("Chance changes the places of all sections with this tick"),
        required=False,
    )


def last_title_field() -> forms.CharField:
    return LineField(
        label=gettext_lazy("Title of a page after the last question"),
        required=False,
        max_length=LONGEST_TITLE,
        help_text=gettext_lazy("A page on which nothing is asked, before the answers are sent."),
    )


def last_text_field() -> forms.CharField:
    return ParagraphsField(
        label=gettext_lazy("Text of the page after the last question"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
    )
