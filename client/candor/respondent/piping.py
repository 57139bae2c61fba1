"""Answers in later texts (section 24 of the protocol)."""

import re
from collections.abc import Mapping
from typing import Any

from candor.respondent.filters import may_come_first
from candor.respondent.rules import (
    check_object,
    is_filled_list,
    is_identifier,
    is_text,
    listing,
    require,
)
from candor.respondent.values import LISTED, Json

# Braces in a text in which answers stand: doubled ones, those around a name, and lone ones.
BRACES = re.compile(r"(\{\{|\}\})|\{([a-z][a-z0-9_]{0,31})(?:\|([^{}]*))?\}|[{}]")

PIPED = {"text": is_text, "answers": listing(is_identifier)}


def parts_of(text: str) -> list[Any]:
    """A text in parts: what is read as it is, and pairs of a question and other words for it."""
    parts: list[Any] = []
    at = 0
    for match in BRACES.finditer(text):
        doubled, name, words = match.groups()
        require(bool(doubled or name), "no brace stands alone")
        parts += [text[at : match.start()], doubled[0] if doubled else (name, words)]
        at = match.end()
    return [*parts, text[at:]]


def check_piping(document: Json) -> None:
    piping = document.get("piping", [])
    require("piping" not in document or is_filled_list(piping), "answers stand in texts, or no key")
    said = said_before(document)
    for each in piping:
        check_object(each, PIPED)
        require(each["text"] in said, "answers stand in what is said at a question")
        text, before = said[each["text"]]
        names = [part[0] for part in parts_of(text) if isinstance(part, tuple)]
        require(list(dict.fromkeys(names)) == each["answers"], "these answers stand in the text")
        for name in each["answers"]:
            check_source(document, name, before)
    require(len({each["text"] for each in piping}) == len(piping), "each text comes once")


def said_before(document: Json) -> dict[str, tuple[str, list[str]]]:
    """The texts in which answers may stand, each with the questions that come after it."""
    said = {}
    for question in document["questions"]:
        for key in ("text", "help"):
            said[f"questions.{question['id']}.{key}"] = (question[key], [question["id"]])
    sections = document.get("sections", [])
    for place, section in enumerate(sections):
        here = (each["questions"] for each in sections[place:] if each["questions"])
        after: list[str] = next(here, [])
        for key in ("title", "text"):
            said[f"sections.{place}.{key}"] = (section[key], after)
    for place, battery in enumerate(document.get("batteries", [])):
        said[f"batteries.{place}.text"] = (battery["text"], battery["questions"])
    return said


def check_source(document: Json, name: str, before: list[str]) -> None:
    names = [question["id"] for question in document["questions"]]
    first = min((names.index(later) for later in before), default=len(names))
    require(name in names[:first], "the answer to an earlier question stands in a text")
    source = document["questions"][names.index(name)]
    takes = source["control"] in (*LISTED, "boxes", "number")
    require(takes and not source["randomized"], "a scrambled answer stands in no text")
    unasked = [each["question"] for each in document.get("filters", []) if each["unasked"]]
    require(name not in unasked, "everybody is asked what stands in a text")
    moved = any(may_come_first(document, later, name) for later in before)
    require(not moved, "what stands in a text is asked before")


def filled(text: str, said: Mapping[str, str]) -> str:
    """A text with answers in it, for somebody who has given these."""
    return "".join(
        part if isinstance(part, str) else said.get(part[0]) or (part[1] or "").strip() or "…"
        for part in parts_of(text)
    )
