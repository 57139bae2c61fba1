"""Refusals that are walked through both doors: a function for each, by the sentences of it."""

import re
from collections.abc import Callable
from typing import Any

from surveys.models import Survey
from tests.app.doors import door_of

# What a page says, and what a program is told.
Told = tuple[str, str]
WALKED: dict[str, Callable[[], Told]] = {}
DIGEST = "sha256:" + "0" * 64


def walks(*sentences: str) -> Callable[[Callable[[], Told]], Callable[[], Told]]:
    """Note that a function is refused with these sentences, on a page and as a program."""

    def decorate(walk: Callable[[], Told]) -> Callable[[], Told]:
        WALKED.update(dict.fromkeys(sentences, walk))
        return walk

    return decorate


def is_said(sentence: str, text: str) -> bool:
    """Whether a text has a sentence, with whatever it names."""
    parts = re.split(r"%\(\w+\)s|%s|%d|%\(\w+\)d", sentence)
    return re.search(".+?".join(map(re.escape, parts)), text, re.DOTALL) is not None


def both(user: Any, survey: Survey, page: tuple[Any, ...], request: tuple[Any, ...]) -> Told:
    """The page and the request of one refusal, as somebody's."""
    door = door_of(user)
    name, parts, posted = page
    _status, said = door.page(name, survey, *parts, **posted)
    status, detail = door.call(*request[:2], survey, *request[2:])
    assert status in (403, 409, 422, 429), (status, detail)
    return said, detail
