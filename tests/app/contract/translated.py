"""Checks of what devices and kinds are called and what they need: in the reader's language.

A text that was translated when its module was read is in the language of that moment for ever, and
one that is not in the catalogues is English for everybody. Both are found by the name of the text.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import trans_real

LANGUAGE = "de"
# The texts that an author or a reader is shown of an object by these names; the first it must have.
WORDS = ("label", "short_label", "needs", "description")
# And parts that have texts of their own.
PARTS = ("relaxation", "randomizer", "innocuous")


def problems_of(thing: Any, required: tuple[str, ...] = ()) -> list[str]:
    """Return what is wrong with the texts of a kind, a family or a device, each by its name."""
    texts = dict(_texts_of(thing))
    missing = [f"{name}: is missing" for name in required if not texts.get(name)]
    return missing + [
        f"{name}: {problem}" for name, text in texts.items() if (problem := _problem(text))
    ]


def _texts_of(thing: Any) -> Iterator[tuple[str, Any]]:
    for name in WORDS:
        if text := getattr(thing, name, ""):
            yield name, text
    for name in PARTS:
        part = getattr(thing, name, None)
        if is_dataclass(part):
            texts = [each.name for each in fields(part) if each.type is Promise]
            yield from ((f"{name}.{each}", getattr(part, each)) for each in texts)
    for name, field in _setting_fields(thing):
        yield f"{name}.label", field.label
        if field.help_text:
            yield f"{name}.help_text", field.help_text
        for value, label in getattr(field, "choices", ()):
            # Numbers are the same in every language.
            if not str(label).isdigit():
                yield f"{name}.{value}", label


def _setting_fields(thing: Any) -> list[tuple[str, Any]]:
    return list(thing.setting_fields().items()) if hasattr(thing, "setting_fields") else []


def _problem(text: Any) -> str:
    if not isinstance(text, Promise):
        return f"{str(text)!r} is no lazy translation"
    with translation.override("en"):
        english = str(text)
    with translation.override(LANGUAGE):
        translated = str(text)
    # Some words are the same in both; they stand in the catalogue all the same.
    if english == translated and english not in trans_real.translation(LANGUAGE)._catalog:
        return f"{english!r} has no text in the language {LANGUAGE!r}"
    return ""
