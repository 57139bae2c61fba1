"""A second client, written from docs/protocol.md alone: the standard library and nothing of Candor.

The numbers in the comments are sections of that page. As a program it answers a survey once:

    python protocol_client.py http://localhost:8000 health drug=1 shift=0
"""

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
from hashlib import sha256
from typing import Any

RandomBytes = Callable[[int], bytes]
Json = dict[str, Any]

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,31}")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DECIMAL = re.compile(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,12})?")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
EPSILON_CAP = Decimal(8)
LARGEST = 2**53


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
    "epsilon": is_decimal,
    "questions": is_filled_list,
    "devices": is_filled_list,
    "digest": lambda value: is_text(value) and bool(DIGEST.fullmatch(value)),
}
QUESTION = {
    "id": is_identifier,
    "kind": lambda value: value in ("yes_no", "single_choice"),
    "text": is_text,
    "help": is_text,
    "required": is_boolean,
    "randomized": is_boolean,
    "prefer_not": is_boolean,
    "categories": is_labels,
}
DEVICE = {
    "id": is_identifier,
    "questions": lambda value: is_filled_list(value) and len(value) == 1,
    "stratum": is_identifier,
    "design": is_identifier,
    "reports": is_labels,
    "denominator": lambda value: is_whole(value, 1) and value & (value - 1) == 0,
    "columns": is_filled_list,
    "epsilon": lambda value: value is None or is_decimal(value),
}


def check(document: Any) -> Json:
    """The document, if everything that section 3 asks for holds; else `Untrusted`."""
    check_object(document, DOCUMENT, optional={"translations"})
    for question in document["questions"]:
        check_question(question)
    questions = {question["id"]: question for question in document["questions"]}
    require(len(questions) == len(document["questions"]), "question ids are unique")
    for device in document["devices"]:
        check_device(device, questions)
    check_coverage(document["devices"], questions)
    check_total(document)
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


def check_device(device: Any, questions: Mapping[str, Json]) -> None:
    check_object(device, DEVICE)
    (covered,) = device["questions"]
    require(device["id"] == covered and covered in questions, "a device covers its question")
    check_table(device, len(questions[covered]["categories"]))
    direct = device["design"] == "direct"
    require(questions[covered]["randomized"] is not direct, "randomized means randomized")
    if direct:
        check_direct(device)
    else:
        check_epsilon(device)


def check_table(device: Json, categories: int) -> None:
    require(len(device["columns"]) == categories, "one column for each category")
    for column in device["columns"]:
        require(isinstance(column, list), "a column is a list")
        require(len(column) == len(device["reports"]), "one entry for each report")
        require(all(map(is_whole, column)), "entries are whole numbers")
        require(sum(column) == device["denominator"], "a column sums to the denominator")


def check_direct(device: Json) -> None:
    size = len(device["reports"])
    identity = [[int(u == v) for u in range(size)] for v in range(size)]
    require(device["columns"] == identity and device["denominator"] == 1, "direct means direct")
    require(device["epsilon"] is None, "a direct device has no epsilon")


def check_epsilon(device: Json) -> None:
    require(device["epsilon"] is not None, "a randomized device declares its epsilon")
    epsilon = Decimal(device["epsilon"])
    require(0 < epsilon <= EPSILON_CAP, f"epsilon is above 0 and at most {EPSILON_CAP}")
    for row in zip(*device["columns"], strict=True):
        require(within(max(row), min(row), epsilon), "the table keeps its epsilon")


def within(most: int, least: int, epsilon: Decimal) -> bool:
    """Whether most <= e**epsilon * least: more digits until one side has clearly won."""
    if least == 0 or most <= least:
        return most <= least
    digits = 50
    while True:
        with localcontext() as context:
            context.prec = digits
            bound = epsilon.exp() * least
            if abs(bound - most) > bound * Decimal(10) ** (2 - digits):
                return most < bound
        digits *= 2


def check_coverage(devices: Sequence[Json], questions: Mapping[str, Json]) -> None:
    places = Counter((device["id"], device["stratum"]) for device in devices)
    require(max(places.values()) == 1, "no device comes twice in one stratum")
    on_page = {device["id"] for device in devices if device["stratum"] == "page"}
    require(on_page == set(questions), "every question has a device on the page")


def check_total(document: Json) -> None:
    largest: dict[str, Decimal] = {}
    for device in document["devices"]:
        epsilon = Decimal(device["epsilon"] or 0)
        largest[device["id"]] = max(epsilon, largest.get(device["id"], epsilon))
    require(sum(largest.values()) <= Decimal(document["epsilon"]), "the budget is kept")


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


def respond(document: Json, truths: Mapping[str, int]) -> Json:
    """One response from the answers' indices. Draw once, keep it, and send it until it is taken."""
    devices = {
        device["id"]: device for device in document["devices"] if device["stratum"] == "page"
    }
    return {
        "digest": document["digest"],
        "submission": str(uuid.UUID(bytes=secrets.token_bytes(16), version=4)),
        "reports": {name: draw(devices[name], truth) for name, truth in truths.items()},
    }


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
    truths = {name: int(index) for name, _, index in (answer.partition("=") for answer in answers)}
    answer = send(base, slug, respond(document, truths))
    sys.stdout.write(f"{answer.status} {json.dumps(answer.body)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
