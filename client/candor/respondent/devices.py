"""Devices, and the tables from which they draw (section 3 of the protocol)."""

from collections.abc import Iterable, Mapping
from typing import Any

from candor.respondent.cards import check_cards
from candor.respondent.privacy import check_privacy
from candor.respondent.questions import is_every_step, steps_of
from candor.respondent.reading import columns_of, steps_in, tables_of, truths_in
from candor.respondent.rules import (
    anything,
    is_decimal,
    is_list_of_names,
    is_name,
    is_object,
    is_plain_name,
    is_whole,
    listing,
    none_or,
    one_of,
    require,
)
from candor.respondent.tables import check_table
from candor.respondent.values import Json
from candor.respondent.waves import check_earlier

DEVICE = {
    "id": is_plain_name,
    "questions": listing(is_name, 1),
    "option": none_or(is_whole),
    "stratum": is_plain_name,
    "family": is_plain_name,
    "look": one_of("codes", "cards", "bits", "text", "ranking", "ties"),
    "table": is_object,
    "epsilon": none_or(is_decimal),
    "delta": none_or(is_decimal),
    "instructions": is_list_of_names,
    "search": none_or(is_object),
    "earlier": listing(anything),
}


def check_device(device: Any, questions: Mapping[str, Json], *, in_arm: bool) -> None:
    require(len(device["questions"]) == 1, "only a joint table covers several questions")
    (name,) = device["questions"]
    require(name in questions, "a device covers its question")
    question = questions[name]
    check_name(device, question)
    drawn = in_arm or device["stratum"] == "page"
    check_hands(device, drawn)
    check_table(device["table"], drawn)
    bloom = device["table"]["form"] == "bloom"
    require(bloom is (question["control"] == "text"), "a Bloom filter is for a text")
    ties = device["table"]["form"] == "ties"
    require(ties is (question["control"] == "roster"), "ties are for a question about the roster")
    ranking = question["control"] == "ranking"
    for part in (device["table"]["form"], device["look"]):
        require((part == "ranking") is ranking, "orders are for a ranking")
    if ranking:
        refuses = device["table"]["refusal"] is not None
        items = len(question["categories"]) - question["prefer_not"]
        fits = device["table"]["items"] == items and refuses is question["prefer_not"]
        require(fits, "the table is of these items")
    for step in steps_in(device["table"]):
        linear = step["form"] == "linear"
        require(linear is is_every_step(question), "a linear table is for a number without bins")
    fits = bloom or ties or ranking or truths_in(device["table"]) == true_answers(device, question)
    require(fits, "a column for each answer")
    if device["look"] == "bits":
        require(device["table"]["form"] == "bits", "bits are shown of a table of bits")
    if device["look"] == "cards":
        for step in steps_in(device["table"]):
            check_cards(step)
    for entry in device["earlier"]:
        check_earlier(entry, device)
    direct = device["epsilon"] is None
    plainly = in_arm and direct
    require(plainly or question["randomized"] is not direct, "randomized means randomized")
    if direct:
        check_direct(device)
    else:
        for table, epsilon in tables_of(device):
            check_privacy({**device, "table": table, "epsilon": epsilon})


def check_name(device: Json, question: Json) -> None:
    option, name = device["option"], question["id"]
    if option is not None:
        several = question["control"] == "boxes"
        require(several and option < len(question["categories"]), "option is one of the question's")
        name = f"{name}_{option + 1}"
    require(device["id"] == name, "a device covers what its id says")


def check_hands(device: Json, drawn: bool) -> None:
    require(drawn is not bool(device["instructions"]), "instructions are for a physical randomizer")
    page = device["stratum"] == "page"
    require(page or device["search"] is None, "only a device of the page is searched")


def true_answers(device: Json, question: Json) -> int:
    """How many true answers this device has."""
    categories, refusal = len(question["categories"]), question["prefer_not"]
    if device["option"] is not None:
        return 2
    if question["control"] == "boxes":
        return 2 ** (categories - refusal) + refusal
    return int(steps_of(question["scale"])) + 1 if is_every_step(question) else categories


def check_direct(device: Json) -> None:
    table = device["table"]
    require(table["form"] in ("dense", "uniform"), "direct means a code for each answer")
    size = len(table["reports"])
    identity = [[int(u == v) for u in range(size)] for v in range(size)]
    require(columns_of(table) == identity and table["denominator"] == 1, "direct means direct")
    require(device["delta"] is None, "a direct device has no delta")


def devices_of(devices: Iterable[Json], question: Json, stratum: str) -> list[Json]:
    devices_of_stratum = [device for device in devices if device["stratum"] == stratum]
    return [device for device in devices_of_stratum if question["id"] in device["questions"]]
