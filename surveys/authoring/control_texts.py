"""Texts of control items: questions that are true of nobody."""

from collections.abc import Iterable

from django.utils import translation
from django.utils.translation import gettext_noop

from surveys.author_texts import reader_key

TEXTS = (
    gettext_noop("Were you born on 30 February?"),
    gettext_noop("Have you ever been to the planet Mars?"),
    gettext_noop("Are you more than 200 years old?"),
    gettext_noop("Have you ever swum across the Atlantic without a break?"),
    gettext_noop("Have you ever met a living dinosaur?"),
)


def unused_text(language: str, used: Iterable[str]) -> str | None:
    """The first text in this language that is not used yet; None if all are."""
    taken = set(map(reader_key, used))
    with translation.override(language):
        texts = [translation.gettext(text) for text in TEXTS]
    return next((text for text in texts if reader_key(text) not in taken), None)
