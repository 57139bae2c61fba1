"""A second client, written from docs/protocol.md alone: the standard library and nothing of Candor.

The numbers in the comments are sections of that page. As a program it answers a survey once:

    python protocol_client.py http://localhost:8000 health drug=1 shift=0 took=0,1
"""

import itertools
import json
import re
import secrets
import sys
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from typing import Any

RandomBytes = Callable[[int], bytes]
Json = dict[str, Any]

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,31}")
NAME = re.compile(r"[a-z][a-z0-9_]*")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DECIMAL = re.compile(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,12})?")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
EPSILON_CAP = Decimal(8)
QUESTION_LIMIT, PERSON_LIMIT = Decimal(4), Decimal(10)
LARGEST = 2**53
MOST_RESULTS = 2**52


class Untrusted(Exception):
    """The parameters break a rule, so nothing may be asked."""


# --- 2: the digest ------------------------------------------------------------------------------

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n"}
ESCAPES |= {"\f": "\\f", "\r": "\\r"}


def canonical(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    require(isinstance(value, dict), "a value is no integer, string, boolean, null, list or object")
    return f"{{{','.join(f'{canonical(key)}:{canonical(value[key])}' for key in sorted(value))}}}"


def _escaped(character: str) -> str:
    plain = f"\\u{ord(character):04x}" if character < " " else character
    return ESCAPES.get(character, plain)


def digest_of(document: Json) -> str:
    covered = {key: document[key] for key in document if key not in ("digest", "translations")}
    return f"sha256:{sha256(canonical(covered).encode('utf-8')).hexdigest()}"


# --- 3: what is checked before anything is asked ------------------------------------------------


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise Untrusted(rule)


def is_whole(value: Any, least: int = 0) -> bool:
    return type(value) is int and least <= value < LARGEST


def is_decimal(value: Any) -> bool:
    return isinstance(value, str) and bool(DECIMAL.fullmatch(value))


def is_identifier(value: Any) -> bool:
    return isinstance(value, str) and bool(IDENTIFIER.fullmatch(value))


def is_plain_name(value: Any) -> bool:
    return isinstance(value, str) and bool(NAME.fullmatch(value))


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


def is_labels(value: Any) -> bool:
    full = isinstance(value, list) and len(value) >= 2 and all(map(is_name, value))
    return full and len(set(value)) == len(value)


def is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def is_list_of_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_name, value))


def is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and value[0] != value[1]


DOCUMENT = {
    "format": lambda value: value == 4 and is_whole(value),
    "survey": lambda value: is_name(value) and len(value) <= 64 and bool(SLUG.fullmatch(value)),
    "version": lambda value: is_whole(value, 1),
    "wave": lambda value: is_whole(value, 1),
    "language": is_name,
    "title": is_name,
    "introduction": is_text,
    "consent": is_text,
    "contact": is_text,
    "linkage": lambda value: value in ("together", "apart"),
    "population": lambda value: value in ("sample", "fixed"),
    "release_threshold": lambda value: is_whole(value, 1),
    "release_batch": lambda value: is_whole(value, 1),
    "tables": lambda value: isinstance(value, list) and all(map(is_pair, value)),
    "epsilon": is_decimal,
    "reason": is_text,
    "questions": is_filled_list,
    "devices": is_filled_list,
    "digest": lambda value: is_text(value) and bool(DIGEST.fullmatch(value)),
}
QUESTION = {
    "id": is_identifier,
    "kind": lambda value: value in ("yes_no", "single_choice", "scale", "multiple_choice"),
    "text": is_text,
    "help": is_text,
    "required": is_boolean,
    "randomized": is_boolean,
    "reason": is_text,
    "prefer_not": is_boolean,
    "categories": is_labels,
}
DEVICE = {
    "id": is_plain_name,
    "questions": lambda value: is_filled_list(value) and len(value) == 1,
    "option": lambda value: value is None or is_whole(value),
    "stratum": is_plain_name,
    "design": is_plain_name,
    "reports": is_labels,
    "denominator": lambda value: is_whole(value, 1) and value <= MOST_RESULTS,
    "columns": is_filled_list,
    "epsilon": lambda value: value is None or is_decimal(value),
    "delta": lambda value: value is None or is_decimal(value),
    "instructions": is_list_of_names,
    "search": lambda value: value is None or isinstance(value, dict),
}


def check(document: Any) -> Json:
    """The document, if everything that section 3 asks for holds; else `Untrusted`."""
    require(isinstance(document, dict), "is an object")
    check_object(document, DOCUMENT, optional={"translations"})
    for question in document["questions"]:
        check_question(question)
    questions = {question["id"]: question for question in document["questions"]}
    require(len(questions) == len(document["questions"]), "question ids are unique")
    check_tables(document, questions)
    for device in document["devices"]:
        check_device(device, questions)
    check_coverage(document["devices"], questions)
    check_total(document)
    check_reasons(document)
    require(digest_of(document) == document["digest"], "the digest is that of the document")
    return document


def check_object(
    value: Any, rules: Mapping[str, Callable[[Any], bool]], optional: Iterable[str] = ()
) -> None:
    require(isinstance(value, dict), "is an object")
    keys = set(value).difference(optional)
    require(keys == set(rules), f"keys are as on the page, not {sorted(keys ^ set(rules))}")
    for key, holds in rules.items():
        require(holds(value[key]), f"{key} is of the right form")


def check_question(question: Any) -> None:
    check_object(question, QUESTION)
    answers = len(question["categories"]) - question["prefer_not"]
    require(answers >= 2, "a question has two answers")
    require(question["kind"] != "yes_no" or answers == 2, "yes or no has just two answers")


def check_tables(document: Json, questions: Mapping[str, Json]) -> None:
    tables = document["tables"]
    require(not tables or document["linkage"] == "together", "cross-tables need linkage together")
    require(all(name in questions for pair in tables for name in pair), "tables name questions")


def check_device(device: Any, questions: Mapping[str, Json]) -> None:
    check_object(device, DEVICE)
    (covered,) = device["questions"]
    require(covered in questions, "a device covers its question")
    question = questions[covered]
    check_name(device, question)
    check_hands(device)
    check_search(device)
    check_table(device, true_answers(device, question))
    if device["design"] == "cards":
        check_cards(device)
    direct = device["design"] == "direct"
    require(question["randomized"] is not direct, "randomized means randomized")
    if direct:
        check_direct(device)
    else:
        check_privacy(device)


def check_name(device: Json, question: Json) -> None:
    option, name = device["option"], question["id"]
    if option is not None:
        several = question["kind"] == "multiple_choice"
        require(several and option < len(question["categories"]), "option is one of the question's")
        name = f"{name}_{option + 1}"
    require(device["id"] == name, "a device covers what its id says")


def check_hands(device: Json) -> None:
    page = device["stratum"] == "page"
    require(not page or is_power_of_two(device["denominator"]), "denominator is a power of two")
    require(page is not bool(device["instructions"]), "instructions are for a person's own device")


def check_search(device: Json) -> None:
    searched = device["design"] == "searched" and device["stratum"] == "page"
    require(searched is (device["search"] is not None), "search is there for a searched device")


def is_power_of_two(value: Any) -> bool:
    return is_whole(value, 1) and value & (value - 1) == 0


def true_answers(device: Json, question: Json) -> int:
    """How many true answers this device has."""
    categories, refusal = len(question["categories"]), question["prefer_not"]
    if device["option"] is not None:
        return 2
    if question["kind"] == "multiple_choice":
        return 2 ** (categories - refusal) + refusal
    return categories


def check_table(device: Json, answers: int) -> None:
    require(len(device["columns"]) == answers, "one column for each true answer")
    for column in device["columns"]:
        require(isinstance(column, list), "a column is a list")
        require(len(column) == len(device["reports"]), "one entry for each report")
        require(all(map(is_whole, column)), "entries are whole numbers")
        require(sum(column) == device["denominator"], "a column sums to the denominator")


def cards_of(device: Json) -> list[list[int]]:
    """The answers on the card that each report is."""
    rows = zip(*device["columns"], strict=True)
    return [
        [answer for answer, entry in enumerate(row) if 2 * entry > max(row) + min(row)]
        for row in rows
    ]


def check_cards(device: Json) -> None:
    cards, columns = cards_of(device), device["columns"]
    several = 2 <= len(cards[0]) < len(columns)
    require(several, "a card shows several answers and not all")
    require(len({len(card) for card in cards}) == 1, "every card shows as many answers")
    on = [entry for entry, card in zip(columns[0], cards, strict=True) if 0 in card]
    off = [entry for entry, card in zip(columns[0], cards, strict=True) if 0 not in card]
    require(bool(on) and bool(off), "an answer is on some cards and not on others")
    for answer, column in enumerate(columns):
        shown = [answer in card for card in cards]
        wanted = [on[0] if there else off[0] for there in shown]
        pairs = list(zip(column, wanted, strict=True))
        even = all(abs(entry - other) <= len(cards) for entry, other in pairs)
        require(even, "all cards with an answer are alike, and all without")
        mass = sum(entry for entry, there in zip(column, shown, strict=True) if there)
        require(abs(mass - sum(on)) <= len(cards) ** 2, "every answer is on as many cards")


def check_direct(device: Json) -> None:
    size = len(device["reports"])
    identity = [[int(u == v) for u in range(size)] for v in range(size)]
    require(device["columns"] == identity and device["denominator"] == 1, "direct means direct")
    require(device["epsilon"] is None, "a direct device has no epsilon")
    require(device["delta"] is None, "a direct device has no delta")


def check_privacy(device: Json) -> None:
    require(device["epsilon"] is not None, "a randomized device declares its epsilon")
    epsilon = Decimal(device["epsilon"])
    require(0 < epsilon <= EPSILON_CAP, f"epsilon is above 0 and at most {EPSILON_CAP}")
    if device["delta"] is None:
        for row in zip(*device["columns"], strict=True):
            require(within([max(row)], [min(row)], epsilon, 0), "the table keeps its epsilon")
        return
    delta = Fraction(device["delta"])
    require(0 < delta < 1, "delta is above 0 and below 1")
    for here, there in itertools.permutations(device["columns"], 2):
        allowed = delta * device["denominator"]
        require(within(here, there, epsilon, allowed), "the table keeps its delta")


def within(
    here: Sequence[int], there: Sequence[int], epsilon: Decimal, allowed: Fraction | int
) -> bool:
    """Whether here exceeds e**epsilon * there by no more than is allowed, summed where it does."""
    digits = 50
    while True:
        low, high = power_bounds(epsilon, digits)
        most, least = (
            sum(max(Fraction(0), a - power * b) for a, b in zip(here, there, strict=True))
            for power in (low, high)
        )
        if most <= allowed or least > allowed:
            return most <= allowed
        digits *= 2


def power_bounds(epsilon: Decimal, digits: int) -> tuple[Fraction, Fraction]:
    """Just below and just above e**epsilon."""
    with localcontext() as context:
        context.prec = digits
        power = Fraction(epsilon.exp())
    return power * (1 - Fraction(10) ** (2 - digits)), power * (1 + Fraction(10) ** (2 - digits))


def check_coverage(devices: Sequence[Json], questions: Mapping[str, Json]) -> None:
    places = Counter((device["id"], device["stratum"]) for device in devices)
    require(max(places.values()) == 1, "no device comes twice in one stratum")
    for stratum in {"page", *(device["stratum"] for device in devices)}:
        for question in questions.values():
            options = [device["option"] for device in devices_of(devices, question, stratum)]
            every = list(range(len(question["categories"])))
            elsewhere = stratum != "page" and not options
            require(elsewhere or options in ([None], every), "a question is covered on the page")


def devices_of(devices: Iterable[Json], question: Json, stratum: str) -> list[Json]:
    here = [device for device in devices if device["stratum"] == stratum]
    return [device for device in here if device["questions"] == [question["id"]]]


def check_total(document: Json) -> None:
    require(spent(document["devices"]) <= Decimal(document["epsilon"]), "the budget is kept")


def check_reasons(document: Json) -> None:
    """Above the limits somebody says why."""
    above = spent(document["devices"]) > PERSON_LIMIT
    require(not above or bool(document["reason"].strip()), "a total above the limit has a reason")
    for question in document["questions"]:
        own = [each for each in document["devices"] if each["questions"] == [question["id"]]]
        above = spent(own) > QUESTION_LIMIT
        require(not above or bool(question["reason"].strip()), "weak protection has a reason")


def spent(devices: Iterable[Json]) -> Decimal:
    """What one person may spend: of each device the largest epsilon of its strata."""
    largest: dict[str, Decimal] = {}
    for device in devices:
        epsilon = Decimal(device["epsilon"] or 0)
        largest[device["id"]] = max(epsilon, largest.get(device["id"], epsilon))
    return sum(largest.values(), Decimal(0))


# --- 4: drawing ---------------------------------------------------------------------------------


def uniform_below(n: int, random_bytes: RandomBytes) -> int:
    bits = (n - 1).bit_length()
    while True:
        drawn = int.from_bytes(random_bytes((bits + 7) // 8), "big") % 2**bits
        if drawn < n:
            return drawn


def draw(device: Json, truth: int, random_bytes: RandomBytes = secrets.token_bytes) -> int:
    require(0 <= truth < len(device["columns"]), "the answer is one of the categories")
    drawn = uniform_below(device["denominator"], random_bytes)
    bounds, reached = [], 0
    for entry in device["columns"][truth]:
        reached += entry
        bounds.append(reached)
    return sum(bound <= drawn for bound in bounds)


# --- 5: the response ----------------------------------------------------------------------------


def respond(document: Json, answers: Mapping[str, int | Sequence[int]]) -> Json:
    """One response from the answers' indices, those ticked for a multiple choice.

    Draw once, keep it, and send it until it is taken.
    """
    reports: dict[str, int] = {}
    for question in document["questions"]:
        if question["id"] in answers:
            devices = devices_of(document["devices"], question, "page")
            truths = truths_of(question, devices, answers[question["id"]])
            for device, truth in zip(devices, truths, strict=True):
                reports[device["id"]] = draw(device, truth)
    return {
        "digest": document["digest"],
        "submission": str(uuid.UUID(bytes=secrets.token_bytes(16), version=4)),
        "reports": reports,
    }


def truths_of(question: Json, devices: Sequence[Json], answer: int | Sequence[int]) -> list[int]:
    """The true answer of each device of a question."""
    if isinstance(answer, int):
        return [answer]
    if devices[0]["option"] is None:
        return [sum(2**index for index in answer)]
    return [int(device["option"] in answer) for device in devices]


# --- the network --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def codes(self) -> list[tuple[str, str]]:
        return [(error["field"], error["code"]) for error in self.body["errors"]]


def fetch(base: str, slug: str) -> Answer:
    return _exchange(urllib.request.Request(f"{base}/s/{slug}/parameters.json"))


def post(
    base: str,
    slug: str,
    body: bytes,
    headers: Mapping[str, str] | None = None,
    method: str = "POST",
) -> Answer:
    given = {"Content-Type": "application/json", **(headers or {})}
    address = f"{base}/s/{slug}/responses/"
    return _exchange(urllib.request.Request(address, body, given, method=method))


def send(base: str, slug: str, response: Json) -> Answer:
    return post(base, slug, json.dumps(response).encode("utf-8"))


def _exchange(request: urllib.request.Request) -> Answer:
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return _answer(reply.status, reply)
    except urllib.error.HTTPError as reply:
        with reply:
            return _answer(reply.code, reply)


def _answer(status: int, reply: Any) -> Answer:
    text = reply.read()
    is_json = reply.headers.get_content_type() == "application/json"
    return Answer(status, json.loads(text) if is_json else None, reply.headers)


def main(base: str, slug: str, *answers: str) -> None:
    document = check(fetch(base, slug).body)
    several = {q["id"] for q in document["questions"] if q["kind"] == "multiple_choice"}
    given: dict[str, int | list[int]] = {}
    for name, _, indices in (answer.partition("=") for answer in answers):
        ticked = [int(index) for index in indices.split(",") if index]
        given[name] = ticked if name in several else ticked[0]
    answer = send(base, slug, respond(document, given))
    sys.stdout.write(f"{answer.status} {json.dumps(answer.body)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
