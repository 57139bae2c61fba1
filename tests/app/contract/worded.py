"""Texts of what lives in the tests alone: in both languages, without the product's catalogues."""

from django.utils.functional import lazy
from django.utils.translation import get_language


def _in_language(english: str, german: str) -> str:
    return german if get_language() == "de" else english


# As gettext_lazy, but with the German beside the English.
worded = lazy(_in_language, str)
