"""Texts in one's own words (section 27 of the protocol)."""

from candor.respondent.rules import (
    Rule,
    anything,
    check_object,
    is_identifier,
    is_name,
    listing,
    require,
    whole,
)
from candor.respondent.values import Json

OWN_TEXT: dict[str, Rule] = {"id": is_identifier, "text": is_name, "characters": whole(1, 1000)}


def check_texts(document: Json) -> None:
    texts = document["free_texts"]
    require(listing(anything, 1, 5)(texts), "one to five texts are asked for")
    for each in texts:
        check_object(each, OWN_TEXT)
    names = [each["id"] for each in (*document["questions"], *texts)]
    require(len(set(names)) == len(names), "each name is one question's")
    told_apart = document["mode"] != "open" or document["tiers"]
    by_hand = any(device["instructions"] for device in document["devices"])
    require(not told_apart and not by_hand, "nobody who writes is told apart")
