"""Rosters and personal links (section 13 of the protocol)."""

from collections.abc import Iterable, Sequence
from typing import Any

from candor.respondent.chance import noisy_bits
from candor.respondent.rules import (
    check_object,
    is_list_of_names,
    is_whole,
    listing,
    matching,
    require,
)
from candor.respondent.symbols import SYMBOLS
from candor.respondent.values import LEAST_MEMBERS, MEMBER, MOST_MEMBERS, Json, RandomBytes

LEAST_GROUPS, MOST_GROUPS = 2, 50
LINK_SYMBOLS = 28

ROSTER = {
    "codes": listing(matching(MEMBER), LEAST_MEMBERS, MOST_MEMBERS),
    "groups": is_list_of_names,
    "group_of": listing(is_whole),
}


def check_roster(document: Json) -> None:
    personal, roster = document["mode"] == "personal", document["roster"]
    require(personal is (roster is not None), "personal links have a roster")
    about = [each for each in document["questions"] if each["control"] == "roster"]
    require(personal is bool(about), "personal links are for questions about the roster")
    if roster is None:
        return
    check_object(roster, ROSTER)
    codes, groups, group_of = roster["codes"], roster["groups"], roster["group_of"]
    for names in (codes, groups):
        require(len(set(names)) == len(names), "no code and no group comes twice")
    require(not groups or LEAST_GROUPS <= len(groups) <= MOST_GROUPS, "there are some groups")
    require(len(group_of) == (len(codes) if groups else 0), "everybody has a group, or nobody")
    require(set(group_of) == set(range(len(groups))), "every group has somebody")
    require(all(each["randomized"] for each in document["questions"]), "everything is scrambled")
    for device in document["devices"]:
        if device["table"]["form"] == "ties":
            require(device["table"]["bits"] == len(codes) - 1, "a bit for each of the others")


def is_link(value: Any) -> bool:
    """Whether it is the secret part of a personal link in the form that is sent."""
    return isinstance(value, str) and len(value) == LINK_SYMBOLS and set(value) <= set(SYMBOLS)


def ties_of(roster: Json, member: str, named: Iterable[str]) -> list[int]:
    """The true answer: for each of the others in their order 1 if there is a tie, else 0."""
    others = [code for code in roster["codes"] if code != member]
    ties = set(named)
    require(ties <= set(others), "ties are to others on the roster")
    return [int(code in ties) for code in others]


def draw_ties(table: Json, truth: Sequence[int], random_bytes: RandomBytes) -> str:
    """One bit for each of the others, each drawn by itself."""
    require(len(truth) == table["bits"], "an answer about each of the others")
    return noisy_bits(table, truth, random_bytes)
