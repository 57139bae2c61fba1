"""Batteries (section 23 of the protocol)."""

import itertools
from collections.abc import Iterable

from candor.respondent.rules import (
    check_object,
    is_boolean,
    is_filled_list,
    is_name,
    listing,
    require,
)
from candor.respondent.together import is_drawn_pair, is_joint
from candor.respondent.values import LISTED, MOST_ITEMS, Json

OF_ITEMS = ("control", "categories", "required", "prefer_not", "randomized", "not_applicable")
BATTERY = {"text": is_name, "questions": listing(is_name, 2, MOST_ITEMS), "random": is_boolean}


def check_batteries(document: Json) -> None:
    """Section 23."""
    batteries = document.get("batteries", [])
    require("batteries" not in document or is_filled_list(batteries), "there are batteries")
    pairs = any(is_drawn_pair(device) for device in document["devices"])
    require(not (batteries and pairs), "no pair is drawn where there are batteries")
    asked = [question["id"] for question in document["questions"]]
    items = []
    for battery in batteries:
        check_object(battery, BATTERY)
        check_items(battery["questions"], document)
        items += battery["questions"]
    places = [asked.index(name) for name in items]
    require(places == sorted(set(places)), "each item is in one battery, in the order asked")


def check_items(names: list[str], document: Json) -> None:
    asked = [question["id"] for question in document["questions"]]
    require(set(names) <= set(asked), "an item is a question")
    first = asked.index(names[0])
    require(asked[first : first + len(names)] == names, "items follow one another")
    items = document["questions"][first : first + len(names)]
    require(items[0]["control"] in LISTED, "one listed answer to an item is true")
    require(all(alike(item, items[0], OF_ITEMS) for item in items), "items are asked alike")
    own = [each for each in document["devices"] if {*names}.intersection(each["questions"])]
    if any(map(is_joint, own)):
        require(all(each["questions"] == names for each in own), "one draw is for all items")
    else:
        kept = set(own[0]) - {"id", "questions"}
        drawn = [[each for each in own if name in each["questions"]] for name in names]
        for devices in drawn:
            nothing: Json = {}
            pairs = itertools.zip_longest(devices, drawn[0], fillvalue=nothing)
            require(all(alike(one, other, kept) for one, other in pairs), "devices are alike")
    whom = [
        [
            (each["any"], each["unasked"])
            for each in document.get("filters", ())
            if each["question"] == name
        ]
        for name in names
    ]
    require(all(each == whom[0] for each in whom), "all items are for the same people")
    for section in document.get("sections", ()):
        inside = {*names}.intersection(section["questions"])
        require(inside in (set(), {*names}), "all items are in one section")


def alike(one: Json, other: Json, keys: Iterable[str]) -> bool:
    return all(one.get(key) == other.get(key) for key in keys)
