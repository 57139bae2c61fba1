"""A second client, written from docs/protocol.md alone: the standard library and nothing of Candor.

The numbers in the comments are sections of that page. As a program it answers a survey once:

    python protocol_client.py http://localhost:8000 health drug=1 shift=0 took=0,1
"""

import itertools
import json
import math
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
SIGNED = re.compile(r"0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9]")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
EPSILON_CAP = Decimal(8)
QUESTION_LIMIT, PERSON_LIMIT = Decimal(4), Decimal(10)
DELTA_LIMIT = Decimal("0.1")
LARGEST = 2**53
MOST_RESULTS = 2**52
MOST_BITS = 2**16
MOST_STEPS = 10_000


class Untrusted(Exception):
    """The parameters break a rule, so no question may be asked."""


# --- 2: the digest ------------------------------------------------------------------------------

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n"}
ESCAPES |= {"\f": "\\f", "\r": "\\r"}


def canonical(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{"".join(map(_escape, value))}"'
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    require(isinstance(value, dict), "a value is no integer, string, boolean, null, list or object")
    return f"{{{','.join(f'{canonical(key)}:{canonical(value[key])}' for key in sorted(value))}}}"


def _escape(character: str) -> str:
    plain = f"\\u{ord(character):04x}" if character < " " else character
    return ESCAPES.get(character, plain)


def digest_of(document: Json) -> str:
    fields = {key: document[key] for key in document if key not in ("digest", "translations")}
    return f"sha256:{sha256(canonical(fields).encode('utf-8')).hexdigest()}"


# --- 3: what is checked before anything is asked ------------------------------------------------


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise Untrusted(rule)


def is_whole(value: Any, lowest: int = 0) -> bool:
    return type(value) is int and lowest <= value < LARGEST


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
    "format": lambda value: value == 1 and is_whole(value),
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
    "kind": is_plain_name,
    "control": lambda value: value in ("yes_no", "list", "scale", "boxes", "number"),
    "text": is_text,
    "help": is_text,
    "required": is_boolean,
    "randomized": is_boolean,
    "reason": is_text,
    "prefer_not": is_boolean,
    "categories": is_labels,
    "scale": lambda value: value is None or isinstance(value, dict),
}


def is_signed(value: Any) -> bool:
    return isinstance(value, str) and bool(SIGNED.fullmatch(value))


SCALE = {
    "lower": is_signed,
    "upper": is_signed,
    "step": is_signed,
    "unit": lambda value: is_text(value) and len(value) <= 30,
    "bins": lambda value: isinstance(value, list) and all(map(is_whole, value)),
}
DEVICE = {
    "id": is_plain_name,
    "questions": lambda value: is_filled_list(value) and len(value) == 1,
    "option": lambda value: value is None or is_whole(value),
    "stratum": is_plain_name,
    "family": is_plain_name,
    "look": lambda value: value in ("codes", "cards"),
    "table": lambda value: isinstance(value, dict),
    "epsilon": lambda value: value is None or is_decimal(value),
    "delta": lambda value: value is None or is_decimal(value),
    "instructions": is_list_of_names,
    "search": lambda value: value is None or isinstance(value, dict),
}


def is_denominator(value: Any) -> bool:
    return is_whole(value, 1) and value <= MOST_RESULTS


CODES = {"form": is_text, "reports": is_labels, "denominator": is_denominator}
# By form of table.
TABLES = {
    "dense": {**CODES, "columns": is_filled_list},
    "uniform": {**CODES, "kept": is_whole, "other": is_whole},
    "product": {"form": is_text, "parts": lambda value: is_filled_list(value) and len(value) > 1},
    "linear": {
        "form": is_text,
        "reports": lambda value: is_labels(value) and len(value) == 2,
        "denominator": is_denominator,
        "low": is_whole,
        "rise": lambda value: is_whole(value, 1),
        "steps": lambda value: is_whole(value, 1) and value <= MOST_STEPS,
    },
    "bits": {
        "form": is_text,
        "bits": lambda value: is_whole(value, 2) and value <= MOST_BITS,
        "denominator": is_denominator,
        "one": is_whole,
        "zero": is_whole,
    },
}


def check(document: Any) -> Json:
    """The document, if all rules of section 3 hold; raises `Untrusted` otherwise."""
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
    is_number, scale = question["control"] == "number", question["scale"]
    require(is_number is (scale is not None), "a number has a scale, and nothing else")
    if is_number:
        check_scale(scale)
        require(answers == (len(scale["bins"]) or 2), "a category for each bin, or two")
        refusal = question["prefer_not"]
        require(not refusal or bool(scale["bins"]), "a refusal has a place beside bins only")


def check_scale(scale: Any) -> None:
    check_object(scale, SCALE)
    require(Fraction(scale["step"]) > 0, "a step is above 0")
    steps, bins = steps_of(scale), scale["bins"]
    require(steps.denominator == 1 and 1 <= steps <= MOST_STEPS, "a range is some whole steps")
    rising = all(first < second for first, second in itertools.pairwise(bins))
    fits = len(bins) != 1 and rising and (not bins or (bins[0] == 0 and bins[-1] <= steps))
    require(fits, "bins begin at rising steps of the range")


def steps_of(scale: Json) -> Fraction:
    return (Fraction(scale["upper"]) - Fraction(scale["lower"])) / Fraction(scale["step"])


def is_every_step(question: Json) -> bool:
    """Whether the true answers of a question are all steps of its scale."""
    return question["scale"] is not None and not question["scale"]["bins"]


def check_tables(document: Json, questions: Mapping[str, Json]) -> None:
    tables = document["tables"]
    require(not tables or document["linkage"] == "together", "cross-tables need linkage together")
    require(all(name in questions for pair in tables for name in pair), "tables name questions")


def check_device(device: Any, questions: Mapping[str, Json]) -> None:
    check_object(device, DEVICE)
    (name,) = device["questions"]
    require(name in questions, "a device covers its question")
    question = questions[name]
    check_name(device, question)
    check_hands(device)
    on_page = device["stratum"] == "page"
    check_table(device["table"], on_page)
    linear = device["table"]["form"] == "linear"
    require(linear is is_every_step(question), "a linear table is for a number without bins")
    require(
        truths_in(device["table"]) == true_answers(device, question), "a column for each answer"
    )
    if device["look"] == "cards":
        check_cards(device["table"])
    direct = device["epsilon"] is None
    require(question["randomized"] is not direct, "randomized means randomized")
    if direct:
        check_direct(device)
    else:
        check_privacy(device)


def check_name(device: Json, question: Json) -> None:
    option, name = device["option"], question["id"]
    if option is not None:
        several = question["control"] == "boxes"
        require(several and option < len(question["categories"]), "option is one of the question's")
        name = f"{name}_{option + 1}"
    require(device["id"] == name, "a device covers what its id says")


def check_hands(device: Json) -> None:
    page = device["stratum"] == "page"
    require(page is not bool(device["instructions"]), "instructions are for a physical randomizer")
    require(page or device["search"] is None, "only a device of the page is searched")


def is_power_of_two(value: Any) -> bool:
    return is_whole(value, 1) and value & (value - 1) == 0


def true_answers(device: Json, question: Json) -> int:
    """How many true answers this device has."""
    categories, refusal = len(question["categories"]), question["prefer_not"]
    if device["option"] is not None:
        return 2
    if question["control"] == "boxes":
        return 2 ** (categories - refusal) + refusal
    return int(steps_of(question["scale"])) + 1 if is_every_step(question) else categories


def check_table(table: Json, on_page: bool) -> None:
    require(table.get("form") in TABLES, "a table has one of the five forms")
    check_object(table, TABLES[table["form"]])
    if table["form"] == "product":
        for part in table["parts"]:
            require(isinstance(part, dict), "a part is a table")
            require(part.get("form") in ("dense", "uniform"), "a part of a product has codes")
            check_table(part, on_page)
        return
    require(not on_page or is_power_of_two(table["denominator"]), "denominator is a power of two")
    if table["form"] == "bits":
        require(max(table["one"], table["zero"]) <= table["denominator"], "chances are at most one")
        return
    for column in columns_of(table):
        require(isinstance(column, list), "a column is a list")
        require(len(column) == len(table["reports"]), "one entry for each report")
        require(all(map(is_whole, column)), "entries are whole numbers")
        require(sum(column) == table["denominator"], "a column sums to the denominator")


def columns_of(table: Json) -> list[list[int]]:
    """Every entry of a table of codes."""
    if table["form"] == "linear":
        seconds = (table["low"] + table["rise"] * step for step in range(table["steps"] + 1))
        return [[table["denominator"] - second, second] for second in seconds]
    if table["form"] == "dense":
        return table["columns"]
    size = range(len(table["reports"]))
    return [[table["kept"] if u == v else table["other"] for u in size] for v in size]


def truths_in(table: Json) -> int:
    if table["form"] == "product":
        return math.prod(map(truths_in, table["parts"]))
    return table["bits"] if table["form"] == "bits" else len(columns_of(table))


def cards_of(table: Json) -> list[list[int]]:
    """The answers on the card that each report is."""
    rows = zip(*columns_of(table), strict=True)
    return [
        [answer for answer, entry in enumerate(row) if 2 * entry > max(row) + min(row)]
        for row in rows
    ]


def check_cards(table: Json) -> None:
    require(table["form"] in ("dense", "uniform"), "a card is a code")
    cards, columns = cards_of(table), columns_of(table)
    several = 2 <= len(cards[0]) < len(columns)
    require(several, "a card shows several answers and not all")
    require(len({len(card) for card in cards}) == 1, "every card shows as many answers")
    included = [entry for entry, card in zip(columns[0], cards, strict=True) if 0 in card]
    excluded = [entry for entry, card in zip(columns[0], cards, strict=True) if 0 not in card]
    require(bool(included) and bool(excluded), "an answer is on some cards and not on others")
    for answer, column in enumerate(columns):
        contains = [answer in card for card in cards]
        expected = [included[0] if is_included else excluded[0] for is_included in contains]
        pairs = list(zip(column, expected, strict=True))
        is_even = all(abs(entry - other) <= len(cards) for entry, other in pairs)
        require(is_even, "all cards with an answer are alike, and all without")
        mass = sum(
            entry for entry, is_included in zip(column, contains, strict=True) if is_included
        )
        require(abs(mass - sum(included)) <= len(cards) ** 2, "every answer is on as many cards")


def check_direct(device: Json) -> None:
    table = device["table"]
    require(table["form"] in ("dense", "uniform"), "direct means a code for each answer")
    size = len(table["reports"])
    identity = [[int(u == v) for u in range(size)] for v in range(size)]
    require(columns_of(table) == identity and table["denominator"] == 1, "direct means direct")
    require(device["delta"] is None, "a direct device has no delta")


def check_privacy(device: Json) -> None:
    epsilon, table = Decimal(device["epsilon"]), device["table"]
    require(0 < epsilon <= EPSILON_CAP, f"epsilon is above 0 and at most {EPSILON_CAP}")
    if device["delta"] is None:
        for highest, lowest in extremes(table):
            require(is_within([highest], [lowest], epsilon, 0), "the table keeps its epsilon")
        return
    delta = Fraction(device["delta"])
    require(0 < delta < 1, "delta is above 0 and below 1")
    require(table["form"] in ("dense", "uniform"), "a delta is for a table of codes")
    for first, second in itertools.permutations(columns_of(table), 2):
        allowed = delta * table["denominator"]
        require(is_within(first, second, epsilon, allowed), "the table keeps its delta")


def extremes(table: Json) -> list[tuple[int, int]]:
    """Pairs of which none may have a larger ratio than e**epsilon."""
    if table["form"] == "product":
        worst = [max(extremes(part), key=ratio) for part in table["parts"]]
        return [
            (math.prod(highest for highest, _ in worst), math.prod(lowest for _, lowest in worst))
        ]
    if table["form"] == "bits":
        one_entry, zero, denominator = table["one"], table["zero"], table["denominator"]
        upper, lower = one_entry * (denominator - zero), zero * (denominator - one_entry)
        return [(max(upper, lower), min(upper, lower))]
    return [(max(row), min(row)) for row in zip(*columns_of(table), strict=True)]


def ratio(pair: tuple[int, int]) -> float | Fraction:
    highest, lowest = pair
    if lowest:
        return Fraction(highest, lowest)
    return math.inf if highest else 0


def is_within(
    first: Sequence[int], second: Sequence[int], epsilon: Decimal, allowed: Fraction | int
) -> bool:
    """Whether `first` exceeds e**epsilon * `second` by at most `allowed`, summed where it does."""
    digits = 50
    while True:
        low, high = power_bounds(epsilon, digits)
        highest, lowest = (
            sum(max(Fraction(0), a - power * b) for a, b in zip(first, second, strict=True))
            for power in (low, high)
        )
        if highest <= allowed or lowest > allowed:
            return highest <= allowed
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
            drawn = [device["option"] for device in devices_of(devices, question, "page")]
            require(elsewhere or options == drawn, "a question has the same devices everywhere")


def devices_of(devices: Iterable[Json], question: Json, stratum: str) -> list[Json]:
    devices_of_stratum = [device for device in devices if device["stratum"] == stratum]
    return [device for device in devices_of_stratum if device["questions"] == [question["id"]]]


def check_total(document: Json) -> None:
    require(spent(document["devices"]) <= Decimal(document["epsilon"]), "the budget is kept")
    deltas = spent(document["devices"], "delta")
    require(deltas <= DELTA_LIMIT, f"the deltas add up to {DELTA_LIMIT} at most")


def check_reasons(document: Json) -> None:
    """Check that epsilons above the limits have reasons."""
    above = spent(document["devices"]) > PERSON_LIMIT
    require(not above or bool(document["reason"].strip()), "a total above the limit has a reason")
    for question in document["questions"]:
        own = [each for each in document["devices"] if each["questions"] == [question["id"]]]
        above = spent(own) > QUESTION_LIMIT
        require(not above or bool(question["reason"].strip()), "weak protection has a reason")


def spent(devices: Iterable[Json], key: str = "epsilon") -> Decimal:
    """What one person may spend of it: the sum over devices of the largest over strata."""
    largest: dict[str, Decimal] = {}
    for device in devices:
        value = Decimal(device[key] or 0)
        largest[device["id"]] = max(value, largest.get(device["id"], value))
    return sum(largest.values(), Decimal(0))


# --- 4: drawing ---------------------------------------------------------------------------------


def uniform_below(n: int, random_bytes: RandomBytes) -> int:
    bits = (n - 1).bit_length()
    while True:
        integer = int.from_bytes(random_bytes((bits + 7) // 8), "big") % 2**bits
        if integer < n:
            return integer


def draw(device: Json, truth: Any, random_bytes: RandomBytes = secrets.token_bytes) -> Any:
    return draw_from(device["table"], truth, random_bytes)


def draw_from(table: Json, truth: Any, random_bytes: RandomBytes) -> Any:
    if table["form"] == "product":
        pairs = zip(table["parts"], truth, strict=True)
        return [draw_from(part, truth_of_part, random_bytes) for part, truth_of_part in pairs]
    if table["form"] == "bits":
        chances = [table["one"] if bit == truth else table["zero"] for bit in range(table["bits"])]
        below = [uniform_below(table["denominator"], random_bytes) < each for each in chances]
        return "".join("01"[bit] for bit in below)
    columns = columns_of(table)
    require(0 <= truth < len(columns), "the answer is one of the categories")
    integer = uniform_below(table["denominator"], random_bytes)
    bounds, reached = [], 0
    for entry in columns[truth]:
        reached += entry
        bounds.append(reached)
    return sum(bound <= integer for bound in bounds)


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
    all_headers = {"Content-Type": "application/json", **(headers or {})}
    address = f"{base}/s/{slug}/responses/"
    return _exchange(urllib.request.Request(address, body, all_headers, method=method))


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
    several = {q["id"] for q in document["questions"] if q["control"] == "boxes"}
    truths: dict[str, int | list[int]] = {}
    for name, _, indices in (answer.partition("=") for answer in answers):
        ticked = [int(index) for index in indices.split(",") if index]
        truths[name] = ticked if name in several else ticked[0]
    answer = send(base, slug, respond(document, truths))
    sys.stdout.write(f"{answer.status} {json.dumps(answer.body)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
