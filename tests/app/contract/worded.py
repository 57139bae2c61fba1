"""Texts of the tests' own family and kind in both languages, without the catalogues."""

from django.utils.functional import lazy
from django.utils.translation import get_language


def _text_in_language(english: str, german: str) -> str:
    return german if get_language() == "de" else english


# As gettext_lazy, but with the German beside the English.
worded = lazy(_text_in_language, str)
