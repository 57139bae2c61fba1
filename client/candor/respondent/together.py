"""Questions that are sent together (section 12 of the protocol)."""

import itertools
import math
import secrets
from collections.abc import Mapping, Sequence

from candor.respondent.chance import uniform_below
from candor.respondent.privacy import check_privacy
from candor.respondent.rules import require
from candor.respondent.tables import check_table
from candor.respondent.values import Json, RandomBytes
from candor.respondent.waves import check_earlier

LEAST_PAIRED, MOST_PAIRED = 3, 20


def is_joint(device: Json) -> bool:
    return device["table"].get("form") == "joint"


def is_drawn_pair(device: Json) -> bool:
    """Whether chance picks the people who report to it."""
    return is_joint(device) and device["stratum"] != "page"


def check_joint_device(device: Json, questions: Mapping[str, Json]) -> None:
    names, table = device["questions"], device["table"]
    require(len(names) > 1, "a joint table covers several questions")
    require(all(name in questions for name in names), "a device covers its questions")
    places = [list(questions).index(name) for name in names]
    if is_drawn_pair(device):
        require(len(places) == 2 and places[0] < places[1], "a pair has two questions in order")
        stratum = f"pair_{places[0] + 1}_{places[1] + 1}"
        require((device["id"], device["stratum"]) == ("pair", stratum), "a pair has their numbers")
    else:
        following = list(range(places[0], places[0] + len(places)))
        require(places == following, "the questions of a group follow one another")
        require(device["id"] == f"group_{places[0] + 1}", "a group has the number of the first")
    for key in ("option", "delta", "search"):
        require(device[key] is None, f"a device of several questions has no {key}")
    require(device["look"] == "codes", "the reports are codes")
    require(not device["instructions"], "the client draws")
    require(device["epsilon"] is not None, "answers that are sent together are scrambled")
    check_table(table, on_page=True)
    check_sent_together([questions[name] for name in names], table)
    for entry in device["earlier"]:
        check_earlier(entry, device)
    check_privacy(device)


def check_sent_together(together: Sequence[Json], table: Json) -> None:
    one_answer = all(question["control"] in ("yes_no", "list", "scale") for question in together)
    require(one_answer, "one answer is true")
    require(all(question["randomized"] for question in together), "all of them are scrambled")
    require(len({question["required"] for question in together}) == 1, "all required, or none")
    sizes = [len(question["categories"]) for question in together]
    require(list(map(len, table["parts"])) == sizes, "a part for each question, with its answers")


def check_together(document: Json) -> None:
    """Check what groups and pairs have to do with the rest of the document."""
    joint = list(filter(is_joint, document["devices"]))
    is_open = document["mode"] == "open"
    require(is_open or not any(map(is_drawn_pair, joint)), "random pairs are for an open survey")
    require(not joint or not document["tiers"], "tiers read chains")
    pairs = [device["questions"] for device in joint if is_drawn_pair(device)]
    names = [
        question["id"]
        for question in document["questions"]
        if any(question["id"] in pair for pair in pairs)
    ]
    if pairs:
        require(LEAST_PAIRED <= len(names) <= MOST_PAIRED, "pairs of 3 to 20 questions")
        every = [list(pair) for pair in itertools.combinations(names, 2)]
        require(pairs == every, "every pair once, in their order")
    for device in document["devices"]:
        alone = is_drawn_pair(device) or not set(device["questions"]) & set(names)
        require(alone, "a paired question is in pairs only")
    for pair in document["tables"]:
        require(not set(pair) & set(names), "no cross-table has a paired question")
        grouped = any(set(pair) <= set(device["questions"]) for device in joint)
        require(not grouped, "no cross-table is of two questions of a group")


def pick_pair(document: Json, random_bytes: RandomBytes = secrets.token_bytes) -> Json | None:
    """The pair that chance picks for a person; None where there are no pairs."""
    pairs = [device for device in document["devices"] if is_drawn_pair(device)]
    return pairs[uniform_below(len(pairs), random_bytes)] if pairs else None


def draw_together(table: Json, truth: Sequence[int], random_bytes: RandomBytes) -> list[int]:
    """One report for the answers to several questions."""
    left = uniform_below(table["denominator"], random_bytes)
    sizes = [len(names) for names in table["parts"]]
    for changed in itertools.product((False, True), repeat=len(sizes)):
        weight = table["weights"][sum(changed)]
        bases = [size - 1 for size, is_changed in zip(sizes, changed, strict=True) if is_changed]
        block = weight * math.prod(bases)
        if left < block:
            return changed_codes(truth, changed, bases, left // weight)
        left -= block
    raise AssertionError


def changed_codes(
    truth: Sequence[int], changed: Sequence[bool], bases: Sequence[int], number: int
) -> list[int]:
    """The report with this number among those that change these answers."""
    digits: list[int] = []
    for base in reversed(bases):
        number, digit = divmod(number, base)
        digits.insert(0, digit)
    others = iter(digits)
    return [
        code if not is_changed else (digit := next(others)) + (digit >= code)
        for code, is_changed in zip(truth, changed, strict=True)
    ]
