"""Quotas, and the end (section 28 of the protocol)."""

import re
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any

from candor.respondent.filters import may_come_first
from candor.respondent.rules import (
    anything,
    check_object,
    is_filled_list,
    is_identifier,
    is_name,
    is_object,
    is_text,
    is_whole,
    listing,
    matching,
    none_or,
    require,
)
from candor.respondent.values import EXIT, LISTED, Json

MOST_QUOTAS, MOST_IN_A_WAY = 60, 500
PANEL_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
PANEL_ID = re.compile(r"[A-Za-z0-9._~+/=-]{1,128}")
QUOTA = {"given": listing(anything, 1, 2), "wanted": is_whole}
GIVEN = {"question": is_identifier, "answers": listing(is_whole, 1)}
ENDS = ("complete", "full", "screened")
CLOSING = {"panel": none_or(is_object), **dict.fromkeys(ENDS, is_object)}


def check_quotas(document: Json) -> None:
    """Section 28."""
    quotas = document.get("quotas", [])
    require(listing(anything, 1, MOST_QUOTAS)(quotas or [0]), "there are not too many quotas")
    require("quotas" not in document or is_filled_list(quotas), "there are quotas")
    for quota in quotas:
        check_object(quota, QUOTA)
        places = [check_given(given, document) for given in quota["given"]]
        require(places == sorted(set(places)), "two questions are in their order")
        wanted = quota["wanted"]
        require(
            wanted == 0 or wanted >= document["release_threshold"], "a quota is of nobody or many"
        )
    pairs = any(len(quota["given"]) > 1 for quota in quotas)
    require(not pairs or document["linkage"] == "together", "two questions need linkage together")


def check_given(given: Any, document: Json) -> int:
    """The place of the question that a quota is about."""
    check_object(given, GIVEN)
    names = [question["id"] for question in document["questions"]]
    require(given["question"] in names, "a quota is about questions of the survey")
    place, answers = names.index(given["question"]), given["answers"]
    question = document["questions"][place]
    require(answers == sorted(set(answers)), "answers rise")
    require(answers[-1] < len(question["categories"]), "answers are those of the question")
    direct = question["required"] and not question["randomized"]
    require(direct and question["control"] in LISTED, "everybody answers it as it is")
    for other, each in enumerate(document["questions"]):
        early = other < place or may_come_first(document, each["id"], question["id"])
        require(not (each["randomized"] and early), "nothing scrambled is asked before it")
    return place


def end_of(document: Json, answers: Mapping[str, Any], full: Sequence[int]) -> str:
    """How somebody with these answers so far gets to the end: `complete` while they are asked."""
    own = [
        place
        for place, quota in enumerate(document.get("quotas", []))
        if all(answers.get(x["question"]) in x["answers"] for x in quota["given"])
    ]
    if any(document["quotas"][place]["wanted"] == 0 for place in own):
        return "screened"
    return "full" if set(own) & set(full) else "complete"


def check_end(document: Json) -> None:
    """Section 28."""
    if "closing_page" not in document:
        return
    closing = document["closing_page"]
    check_object(closing, CLOSING)
    for way in ENDS:
        check_object(closing[way], {"text": is_text, "address": none_or(is_text)})
    addresses = [closing[way]["address"] for way in ENDS if closing[way]["address"] is not None]
    require(bool(addresses) or any(closing[way]["text"] for way in ENDS), "an end says something")
    for address in addresses:
        before, has_id, _after = address.partition("{id}")
        plain = EXIT.fullmatch(address.replace("{id}", "", 1)) is not None
        require(plain and len(address) <= MOST_IN_A_WAY, "an address is one with https")
        require(not has_id or "?" in before or "#" in before, "an id is behind a ? or a #")
    require(len({address.split("/")[2].lower() for address in addresses}) <= 1, "one host")
    require((closing["panel"] is None) is (not addresses), "a panel has an address")
    if addresses:
        check_object(closing["panel"], {"name": is_name, "key": matching(PANEL_KEY)})


def way_back(document: Json, way: str, fragment: str) -> str | None:
    """Where somebody can go from this end; `fragment`: what their link has behind its #."""
    closing = document.get("closing_page")
    address: str | None = closing[way]["address"] if closing else None
    if closing is None or address is None:
        return None
    values: dict[str, str] = {}
    for pair in fragment.split("&"):
        key, equals, value = pair.partition("=")
        if equals:
            values.setdefault(urllib.parse.unquote(key), urllib.parse.unquote(value))
    panel_id = values.get(closing["panel"]["key"], "")
    if "{id}" in address and not PANEL_ID.fullmatch(panel_id):
        return None
    return address.replace("{id}", urllib.parse.quote(panel_id, safe=""))
