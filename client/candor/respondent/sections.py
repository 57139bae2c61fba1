"""Sections and pages (section 20 of the protocol)."""

import secrets
from typing import Any

from candor.respondent.rules import (
    check_object,
    is_boolean,
    is_filled_list,
    is_identifier,
    is_text,
    listing,
    require,
)
from candor.respondent.together import is_drawn_pair
from candor.respondent.values import Json

SECTION = {
    **{"title": is_text, "text": is_text},
    **{"questions": listing(is_identifier), "together": is_boolean},
    **{"random": is_boolean, "moves": is_boolean},
}


def check_sections(document: Json) -> None:
    """Section 20."""
    sections = document["sections"]
    require(is_filled_list(sections), "there is a section")
    for section in sections:
        check_object(section, SECTION)
        says = section["title"] != "" or section["text"] != ""
        own, has_chance = set(section["questions"]), section["random"] or section["moves"]
        has_order = section["together"] or has_chance
        require(bool(own) or (says and not has_order), "a statement says something")
        draws = [set(device["questions"]) for device in document["devices"]]
        parted = any(own & draw and not own >= draw for draw in draws)
        require(not (has_chance and parted), "questions with one draw are in one section")
    named = [name for section in sections for name in section["questions"]]
    asked = [question["id"] for question in document["questions"]]
    require(named == asked, "the sections have each question once, in its order")
    pairs = any(is_drawn_pair(device) for device in document["devices"])
    require(not pairs, "no pair is drawn of questions in sections")


def in_order_by_chance(sections: list[Json], together: list[list[str]]) -> list[Json]:
    """The sections as one person comes to them, a statement before its own.

    `together`: the questions in lists of those that stay one after the other.
    """
    chance = secrets.SystemRandom()
    units: list[list[Json]] = [[]]
    for section in sections:
        names = section["questions"]
        if section["random"]:
            own = [each for each in together if each[0] in names]
            chance.shuffle(own)
            names = [name for each in own for name in each]
        units[-1].append({**section, "questions": names})
        if names:
            units.append([])
    moving = [unit for unit in units if unit and unit[-1]["moves"]]
    chance.shuffle(moving)
    order = [moving.pop() if unit and unit[-1]["moves"] else unit for unit in units]
    return [section for unit in order for section in unit]


def runs_of(names: list[str], together: list[list[str]]) -> list[list[str]]:
    """The names in lists, those that are together in one."""
    found: dict[str, list[str]] = {}
    for name in names:
        first = next((each[0] for each in together if name in each), name)
        found.setdefault(first, []).append(name)
    return list(found.values())


def pages_of(document: Json) -> list[dict[str, Any]]:
    """What a person is shown, page after page: texts, and the ids of the questions (section 20).

    All items of a battery are on one page, also where chance orders them (section 23).
    """
    chance = secrets.SystemRandom()
    shuffled: dict[str, str] = {}
    for battery in document.get("batteries", ()):
        if battery["random"]:
            names = battery["questions"]
            shuffled |= dict(zip(names, chance.sample(names, len(names)), strict=True))
    return [
        {**page, "questions": [shuffled.get(name, name) for name in page["questions"]]}
        for page in pages_before_batteries(document)
    ]


def pages_before_batteries(document: Json) -> list[dict[str, Any]]:
    """The pages, with the items of each battery as they are in the document."""
    batteries = [each["questions"] for each in document.get("batteries", ())]
    if "sections" not in document:
        names = [each["id"] for each in document["questions"]]
        return [{"title": "", "text": "", "questions": part} for part in runs_of(names, batteries)]
    pages = []
    draws = [*batteries, *(each["questions"] for each in document["devices"])]
    together = runs_of([each["id"] for each in document["questions"]], draws)
    for section in in_order_by_chance(document["sections"], together):
        names = section["questions"]
        parts = runs_of(names, batteries) if names and not section["together"] else [names]
        for number, part in enumerate(parts):
            text = section["text"] if number == 0 else ""
            pages.append({"title": section["title"], "text": text, "questions": part})
    return pages
