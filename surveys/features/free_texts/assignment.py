"""The texts of a response: their check, and how they leave it."""

import re
import secrets
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from surveys.features.free_texts.models import WrittenText
from surveys.features.free_texts.section import frozen_texts
from surveys.features.parts import AnswersPart, Beside, Problems
from surveys.parameters import Parameters

if TYPE_CHECKING:
    from surveys.models import Launch
    from surveys.responses.counting import Content

KEY: Final = "texts"
# Control characters but the new line, and halves of surrogate pairs, which no database takes.
_NEVER = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class TextsOfResponses(AnswersPart):
    key = KEY

    def beside(self, parameters: Parameters) -> Beside | None:
        longest = {each.id: each.characters for each in frozen_texts(parameters)}
        return Beside(partial(_problems, longest), ()) if longest else None

    def stored_apart(self, launch: "Launch", contents: "Sequence[Content]") -> "Sequence[Content]":
        WrittenText.objects.bulk_create(rows_of(launch, contents))
        return [_without(content) for content in contents]


def rows_of(launch: "Launch", contents: "Sequence[Content]") -> list[WrittenText]:
    """Return the texts of responses of one batch, each on its own, to be stored.

    In the order of random keys, of which none follows from a response.
    """
    texts = [pair for content in contents for pair in content.get(KEY, {}).items()]
    secrets.SystemRandom().shuffle(texts)
    keys = sorted(secrets.randbits(63) for _ in texts)
    return [
        WrittenText(pk=key, launch=launch, question=name, text=text)
        for key, (name, text) in zip(keys, texts, strict=True)
    ]


def _without(content: "Content") -> "Content":
    return {key: value for key, value in content.items() if key != KEY}


def _problems(longest: Mapping[str, int], value: Any) -> Problems:
    if value is None:
        return []
    if not isinstance(value, dict) or not value.keys() <= longest.keys():
        return [(KEY, "not_the_texts", "It may have a text for each question that asks for one.")]
    return [
        (f"{KEY}.{name}", "bad_text", f"A text has 1 to {longest[name]} characters, none hidden.")
        for name, text in value.items()
        if not _is_text(text, longest[name])
    ]


def _is_text(text: Any, longest: int) -> bool:
    is_written = isinstance(text, str) and bool(text.strip()) and len(text) <= longest
    return is_written and _NEVER.search(text) is None
