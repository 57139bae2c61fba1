"""Walks that name buttons in English, through pages in German."""

from collections.abc import Callable
from typing import Any

import polib
from playwright.sync_api import FrameLocator, Locator, Page

from scripts import messages
from surveys.models import Survey

# What finds a part of a page by its words, and where these are given.
FINDERS = {"get_by_role": "name", "get_by_label": "text", "get_by_text": "text"}


def speak_german() -> None:
    """From here on new surveys are German, and parts of pages are found by their German words.

    For a process that does nothing else. What an author has written stays as it is.
    """
    field = Survey._meta.get_field("language")
    field.default = "de"
    # What Django has remembered of the default before.
    field.__dict__.pop("_get_default", None)
    words = _words()
    for owner in (Page, Locator, FrameLocator):
        for name, argument in FINDERS.items():
            setattr(owner, name, _finding(getattr(owner, name), argument, words))


def _words() -> dict[str, str]:
    """The German of each English text that is the same everywhere."""
    entries = [entry for path in messages.catalogues() for entry in polib.pofile(str(path))]
    return {entry.msgid: entry.msgstr for entry in entries if entry.msgstr}


def _finding(method: Callable[..., Any], argument: str, words: dict[str, str]) -> Any:
    def find(self: Any, *given: Any, **named: Any) -> Any:
        if argument == "text" and given:
            given = (words.get(given[0], given[0]), *given[1:])
        elif isinstance(named.get(argument), str):
            named[argument] = words.get(named[argument], named[argument])
        return method(self, *given, **named)

    return find
