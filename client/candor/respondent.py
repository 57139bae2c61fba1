"""What a respondent's device does: it checks the parameters, draws, and sends.

It is written from docs/protocol.md alone, with the standard library and nothing of the site.

The numbers in the comments are sections of that page. As a program it answers a survey once:

    python respondent.py http://localhost:8000 health drug=1 shift=0 took=0,1

Where a survey has return codes it writes down the one that it made; somebody who has one comes back
with --code= and their code, such as 7K2M-7K2M-7K2M-7K2M-7K2M.
"""

import functools
import http.client
import itertools
import json
import math
import re
import secrets
import sys
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from hashlib import sha256
from typing import Any

RandomBytes = Callable[[int], bytes]
Json = dict[str, Any]
# An index, those that are ticked, or a text with None for a refusal; of a roster 0 or 1 for each of
# the others.
Answered = int | Sequence[int] | str | None

IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,31}")
NAME = re.compile(r"[a-z][a-z0-9_]*")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
DECIMAL = re.compile(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,12})?")
SIGNED = re.compile(r"0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9]")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
WHOLE = re.compile(r"0|[1-9][0-9]{0,2999}")
SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RANDOM_SYMBOLS, GROUP, MODULUS = 18, 4, 1021
EPSILON_CAP = Decimal(8)
QUESTION_LIMIT, PERSON_LIMIT = Decimal(4), Decimal(10)
DELTA_LIMIT = Decimal("0.1")
LARGEST = 2**53
MOST_RESULTS = 2**52
MOST_BITS = 2**16
MOST_FILTER_BITS = 2**12
MOST_CELLS = 2**18
MOST_COMBINATIONS = 2**20
LEAST_PAIRED, MOST_PAIRED = 3, 20
# The signs of section 4: what a text loses, and what becomes another sign, in this order.
INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff\ufe0e\ufe0f]")
FOLDED = (
    ("\u03c2", "\u03c3"),
    ("\u00df", "ss"),
    (("i\u0307",), "i"),
    ("\u2018\u2019\u02bc", "'"),
    ("\u201c\u201d\u201e", '"'),
    ("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
)
SPACES = re.compile(
    "[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
)
MOST_STEPS = 10_000
MEMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
LEAST_MEMBERS, MOST_MEMBERS = 3, 1_000
LEAST_RANKED, MOST_RANKED = 3, 6
LEAST_GROUPS, MOST_GROUPS = 2, 50
LINK_SYMBOLS = 28
MOST_ANALYSES, MOST_PREDICTORS, MOST_MARGINS, MOST_IN_A_NAME = 10, 8, 6, 80
MOST_IN_AN_EXIT = 300
EXIT = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?")
MOST_ARMS, EVERYBODY = 4, 100
MOST_COMPARISONS = 10
MOST_QUOTAS, MOST_IN_A_WAY = 60, 500
PANEL_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
PANEL_ID = re.compile(r"[A-Za-z0-9._~+/=-]{1,128}")
MOST_ITEMS = 20
OF_ITEMS = ("control", "categories", "required", "prefer_not", "randomized", "not_applicable")
LISTED = ("yes_no", "list", "scale")
# Braces in a text in which answers stand: doubled ones, those around a name, and lone ones.
BRACES = re.compile(r"(\{\{|\}\})|\{([a-z][a-z0-9_]{0,31})(?:\|([^{}]*))?\}|[{}]")


class Untrusted(Exception):
    """The server's words break a rule, so no question may be asked."""


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


# --- 18: several languages -----------------------------------------------------------------------

TRANSLATED = re.compile(
    r"(?:^|\.)(?:title|name|introduction|consent|contact|host|law|retention|withdrawal|reason"
    r"|text|help|unit|categories\.\d+)$"
)


def in_language(document: Json, language: str) -> Json:
    """A checked document as it is shown in another language; raises `Untrusted`."""
    translation = document["translations"][language]
    covered = {"document": document["digest"], "language": language, "texts": translation["texts"]}
    require(digest_of(covered) == translation["digest"], "the digest is that of the translation")
    shown: Json = json.loads(json.dumps(document))
    for path, words in translation["texts"].items():
        require(bool(TRANSLATED.search(path)), "a path ends like that of a text")
        *keys, last = path.split(".")
        part: Any = shown
        for key in keys:
            part = part[place_in(part, key)]
        place = place_in(part, last)
        require(isinstance(part[place], str) and is_name(words), "a path leads to a text")
        part[place] = words
    return shown


def place_in(part: Any, key: str) -> Any:
    if isinstance(part, dict):
        require(key in part, "a path leads to a text")
        return key
    require(isinstance(part, list), "a path leads to a text")
    ids = [item.get("id") if isinstance(item, dict) else None for item in part]
    require(key in ids or (key.isdecimal() and int(key) < len(part)), "a path leads to a text")
    return ids.index(key) if key in ids else int(key)


# --- 3: what is checked before anything is asked ------------------------------------------------


def require(holds: bool, rule: str) -> None:
    if not holds:
        raise Untrusted(rule)


# What a value of the document may be, as a function that tells it.
Rule = Callable[[Any], bool]


def of_type(kind: type) -> Rule:
    return lambda value: isinstance(value, kind)


def matching(pattern: re.Pattern[str]) -> Rule:
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def one_of(*values: str) -> Rule:
    return lambda value: value in values


def none_or(rule: Rule) -> Rule:
    return lambda value: value is None or rule(value)


def listing(rule: Rule, least: int = 0, most: float = math.inf) -> Rule:
    """So many values, of each of which a rule holds."""
    return lambda value: (
        isinstance(value, list) and least <= len(value) <= most and all(map(rule, value))
    )


def whole(least: int = 0, most: int = LARGEST - 1) -> Rule:
    return lambda value: type(value) is int and least <= value <= most


def text(least: int = 0, most: float = math.inf) -> Rule:
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def anything(value: Any) -> bool:
    """Hold of every value, which is looked at elsewhere."""
    return True


is_whole, is_counted, is_denominator = whole(), whole(1), whole(1, MOST_RESULTS)
is_text, is_name, is_boolean, is_object = text(), text(1), of_type(bool), of_type(dict)
is_decimal, is_signed, is_digest = matching(DECIMAL), matching(SIGNED), matching(DIGEST)
is_identifier, is_plain_name, is_whole_text = matching(IDENTIFIER), matching(NAME), matching(WHOLE)
is_list_of_names, is_filled_list = listing(is_name), listing(anything, 1)


def is_labels(value: Any) -> bool:
    return listing(is_name, 2)(value) and len(set(value)) == len(value)


def is_pair(value: Any) -> bool:
    return listing(anything, 2, 2)(value) and value[0] != value[1]


# Texts about the site, each absent where nothing is said.
ABOUT_SITE = ("host", "law", "retention", "withdrawal")
OF_SOME = {"support", "shared_device", "date_parts", "sections", "filters", "batteries"}
OF_SOME |= {"piping", "link_values", "option_orders", "free_texts", "quotas", "closing_page"}
MAY_BE_ABSENT = {"translations", *OF_SOME, *ABOUT_SITE}
DOCUMENT: dict[str, Rule] = {
    "format": whole(1, 1),
    "survey": lambda value: text(1, 64)(value) and bool(SLUG.fullmatch(value)),
    "version": is_counted,
    "wave": is_counted,
    "previous": none_or(is_digest),
    "mode": one_of("open", "pseudonymous", "personal"),
    "language": is_name,
    "title": is_name,
    "introduction": is_text,
    "consent": is_text,
    "contact": is_text,
    "linkage": one_of("together", "apart"),
    "population": one_of("sample", "fixed"),
    "release_threshold": is_counted,
    "tiers": listing(anything),
    "release_batch": is_counted,
    "roster": none_or(is_object),
    "analyses": listing(anything, 0, MOST_ANALYSES),
    "weighting": none_or(is_object),
    "arms": listing(anything, 0, MOST_ARMS),
    "tables": listing(is_pair),
    "epsilon": is_decimal,
    "reason": is_text,
    "questions": is_filled_list,
    "devices": is_filled_list,
    "digest": is_digest,
}
QUESTION = {
    "id": is_identifier,
    "kind": is_plain_name,
    "control": one_of("yes_no", "list", "scale", "boxes", "number", "text", "ranking", "roster"),
    "text": is_text,
    "help": is_text,
    "required": is_boolean,
    "randomized": is_boolean,
    "reason": is_text,
    "prefer_not": is_boolean,
    "categories": is_list_of_names,
    "scale": none_or(is_object),
    "characters": none_or(whole(1, 200)),
    "directed": none_or(is_boolean),
    "known": none_or(is_decimal),
}
ROSTER = {
    "codes": listing(matching(MEMBER), LEAST_MEMBERS, MOST_MEMBERS),
    "groups": is_list_of_names,
    "group_of": listing(is_whole),
}
ANALYSIS = {
    "name": text(1, MOST_IN_A_NAME),
    "outcome": is_identifier,
    "event": listing(is_whole),
    "link": one_of("logit", "probit", "cloglog", "identity"),
    "predictors": listing(anything, 1, MOST_PREDICTORS),
    "weighted": is_boolean,
}
PREDICTOR = {"question": is_identifier, "scored": is_boolean}
WEIGHTING = {"margins": listing(anything, 1, MOST_MARGINS)}
MARGIN = {"question": is_identifier, "shares": listing(is_decimal)}
ARM = {"stratum": is_plain_name, "share": whole(1, EVERYBODY - 1)}
DATES = {
    "question": is_identifier,
    "unit": one_of("year", "month", "day"),
    "starts": listing(is_text, 2),
    "last": is_text,
}
SUPPORT = {"text": is_text, "after": listing(is_identifier), "exit": none_or(is_text)}
FILTER = {"question": is_identifier, "any": is_filled_list, "unasked": is_boolean}
COMPARISON = {
    "question": is_identifier,
    "answers": listing(is_whole),
    "above": none_or(is_signed),
    "below": none_or(is_signed),
    "negated": is_boolean,
}
SECTION = {
    **{"title": is_text, "text": is_text},
    **{"questions": listing(is_identifier), "together": is_boolean},
    **{"random": is_boolean, "moves": is_boolean},
}
LINK_VALUE = {"question": is_identifier, "values": listing(matching(MEMBER), 1)}
PIPED = {"text": is_text, "answers": listing(is_identifier)}
TIER = {"name": is_name, "share": is_decimal}
SCALE = {
    **{"lower": is_signed, "upper": is_signed, "step": is_signed},
    **{"unit": text(0, 30), "bins": listing(is_whole)},
}
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
EARLIER = {"wave": is_counted, "table": is_object, "degradation": is_object}
# By form of degradation.
DEGRADATIONS: dict[str, dict[str, Rule]] = {
    "same": {},
    "uniform": dict.fromkeys(("denominator", "kept", "other"), is_whole_text),
    "dense": {"denominator": is_whole_text, "columns": is_filled_list},
}
FOUND = {
    "wave": is_counted,
    "answered": is_boolean,
    "reports": is_object,
    "ledger": is_filled_list,
    "total": is_decimal,
}
ENTRY = {"wave": is_counted, "epsilon": is_decimal}
CODES = {"reports": is_labels, "denominator": is_denominator}
ENTRIES = {"denominator": is_denominator, "one": is_whole, "zero": is_whole}
# By form of table.
TABLES: dict[str, dict[str, Rule]] = {
    "dense": {**CODES, "columns": is_filled_list},
    "uniform": {**CODES, "kept": is_whole, "other": is_whole},
    "product": {"parts": listing(anything, 2)},
    "linear": {
        "reports": lambda value: is_labels(value) and len(value) == 2,
        "denominator": is_denominator,
        "low": is_whole,
        "rise": is_counted,
        "steps": whole(1, MOST_STEPS),
    },
    "bits": {"bits": whole(2, MOST_BITS), **ENTRIES},
    "bloom": {
        **{"cohorts": is_counted, "bits": whole(2, MOST_FILTER_BITS), "hashes": is_counted},
        **ENTRIES,
    },
    "joint": {
        "parts": listing(is_labels, 2),
        "denominator": is_denominator,
        "weights": listing(is_whole, 1),
    },
    "ties": {"bits": whole(LEAST_MEMBERS - 1, MOST_MEMBERS - 1), **ENTRIES},
    "ranking": {
        "items": whole(LEAST_RANKED, MOST_RANKED),
        "denominator": is_denominator,
        "weights": listing(is_whole, LEAST_RANKED + 1),
        "refusal": none_or(listing(is_whole, 3, 3)),
    },
    "chain": {
        "steps": listing(is_object, 1),
        "epsilons": listing(is_decimal, 1),
        "degradations": listing(is_object, 1),
    },
}
STEPS = ("dense", "uniform", "linear")
SENT_AGAIN = ("bloom", "bits", "joint", "ranking")


def check(document: Any) -> Json:
    """The document, if all rules of section 3 hold; raises `Untrusted` otherwise."""
    require(isinstance(document, dict), "is an object")
    check_object(document, DOCUMENT, optional=MAY_BE_ABSENT)
    for question in document["questions"]:
        check_question(question)
    questions = {question["id"]: question for question in document["questions"]}
    require(len(questions) == len(document["questions"]), "question ids are unique")
    check_tables(document, questions)
    for arm in document["arms"]:
        check_object(arm, ARM)
    arms = other_arms(document)
    for device in document["devices"]:
        check_object(device, DEVICE)
        if is_joint(device):
            check_joint_device(device, questions)
        else:
            check_device(device, questions, in_arm=device["stratum"] in arms)
    check_arms(document, questions)
    check_together(document)
    check_roster(document)
    check_analyses(document, questions)
    check_control_items(document)
    check_support(document)
    check_beside_support(document)
    check_filters(document)
    check_batteries(document)
    check_piping(document)
    check_link_values(document)
    check_quotas(document)
    check_end(document)
    check_dates(document, questions)
    check_tiers(document)
    check_waves(document)
    check_coverage(document["devices"], questions)
    check_total(document)
    check_reasons(document)
    require(digest_of(document) == document["digest"], "the digest is that of the document")
    return document


def check_object(value: Any, rules: Mapping[str, Rule], optional: Iterable[str] = ()) -> None:
    require(isinstance(value, dict), "is an object")
    keys = set(value).difference(optional)
    require(keys == set(rules), f"keys are as on the page, not {sorted(keys ^ set(rules))}")
    for key, holds in rules.items():
        require(holds(value[key]), f"{key} is of the right form")


def check_form(value: Json, forms: Mapping[str, Mapping[str, Rule]], rule: str) -> None:
    require(value.get("form") in forms, rule)
    check_object(value, {"form": is_text, **forms[value["form"]]})


def check_question(question: Any) -> None:
    check_object(question, QUESTION, optional=["not_applicable"])
    require(question.get("not_applicable", True) is True, "not_applicable is true, or absent")
    answers = answers_of(question)
    is_text_question = question["control"] == "text"
    require(is_text_question is (question["characters"] is not None), "a text has a length")
    about_roster = question["control"] == "roster"
    require(about_roster is (question["directed"] is not None), "ties are directed or not")
    if about_roster:
        require(not question["categories"] and not question["prefer_not"], "no listed answers")
    elif is_text_question:
        require(answers == 0, "of a text there is the refusal alone")
        require(len(question["categories"]) == question["prefer_not"], "a refusal has its words")
    else:
        require(is_labels(question["categories"]), "the categories are labels")
        require(answers >= 2, "a question has two answers")
    if question["control"] == "ranking":
        require(LEAST_RANKED <= answers <= MOST_RANKED, "3 to 6 items are ranked")
    is_number, scale = question["control"] == "number", question["scale"]
    require(is_number is (scale is not None), "a number has a scale, and nothing else")
    if is_number:
        check_scale(scale)
        require(answers == (len(scale["bins"]) or 2), "a category for each bin, or two")
        others = len(question["categories"]) - answers
        require(not others or bool(scale["bins"]), "what is no number has a place beside bins only")


def answers_of(question: Json) -> int:
    """How many categories are answers: "does not apply" and a refusal follow them (22)."""
    others = question["prefer_not"] + question.get("not_applicable", False)
    return len(question["categories"]) - others


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


def steps_in(table: Json) -> list[Json]:
    """The tables that are drawn from: of a chain all of its steps."""
    return table["steps"] if table["form"] == "chain" else [table]


def tables_of(device: Json) -> list[tuple[Json, str]]:
    """Every table of a device with the epsilon that it keeps."""
    table = device["table"]
    if table["form"] != "chain":
        return [(table, device["epsilon"])]
    require(device["delta"] is None, "a chain has no delta")
    require(table["epsilons"][-1] == device["epsilon"], "the last epsilon is the device's")
    return list(zip(table["steps"], table["epsilons"], strict=True))


def check_tiers(document: Json) -> None:
    tiers = document["tiers"]
    for tier in tiers:
        check_object(tier, TIER)
    require(len(tiers) in (0, 2, 3, 4, 5), "there are 2 to 5 tiers, or none")
    require(len({tier["name"] for tier in tiers}) == len(tiers), "tiers have different names")
    shares = [Fraction(0), *(Fraction(tier["share"]) for tier in tiers)]
    require(all(map(Fraction.__lt__, shares, shares[1:])), "shares rise from above 0")
    require(not tiers or tiers[-1]["share"] == "1", "the last share is 1")
    require(not tiers or document["mode"] == "open", "tiers are for an open survey")
    for device in document["devices"]:
        require(not tiers or device["stratum"] == "page", "with tiers only the client draws")
        table, direct = device["table"], device["epsilon"] is None
        steps = len(table["steps"]) if table["form"] == "chain" else 0
        require(steps == (0 if direct else len(tiers)), "a chain has a step for each tier")
        for share, epsilon in zip(shares[1:], table.get("epsilons", ()), strict=False):
            most = share * Fraction(device["epsilon"])
            require(Fraction(epsilon) <= most, "a step keeps the share of its tier")


def check_chain(chain: Json, on_page: bool) -> None:
    steps, epsilons, links = chain["steps"], chain["epsilons"], chain["degradations"]
    require(len(steps) > 1, "a chain has two steps")
    require(len(epsilons) == len(steps), "an epsilon for each step")
    require(len(links) == len(steps) - 1, "a degradation between each two steps")
    for step in steps:
        require(step.get("form") in STEPS, "a step has codes")
        check_table(step, on_page)
    rising = map(Fraction.__lt__, map(Fraction, epsilons), map(Fraction, epsilons[1:]))
    require(all(rising), "the epsilons of a chain rise")
    for (step, later), link in zip(itertools.pairwise(steps), links, strict=True):
        check_link(step, later, link)


def check_link(before: Json, now: Json, degradation: Json) -> None:
    """Check that one table is another, degraded."""
    check_form(degradation, DEGRADATIONS, "a degradation has one of three forms")
    if degradation["form"] == "same":
        require(before == now, "a table that has not changed is the same")
    else:
        check_degraded(before, now, degradation)


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


def is_power_of_two(value: Any) -> bool:
    return is_counted(value) and value & (value - 1) == 0


def true_answers(device: Json, question: Json) -> int:
    """How many true answers this device has."""
    categories, refusal = len(question["categories"]), question["prefer_not"]
    if device["option"] is not None:
        return 2
    if question["control"] == "boxes":
        return 2 ** (categories - refusal) + refusal
    return int(steps_of(question["scale"])) + 1 if is_every_step(question) else categories


def check_table(table: Json, on_page: bool) -> None:
    check_form(table, TABLES, "a table has one of the ten forms")
    if table["form"] == "chain":
        check_chain(table, on_page)
        return
    if table["form"] == "product":
        for part in table["parts"]:
            require(isinstance(part, dict), "a part is a table")
            require(part.get("form") in ("dense", "uniform"), "a part of a product has codes")
            check_table(part, on_page)
        return
    require(not on_page or is_power_of_two(table["denominator"]), "denominator is a power of two")
    if table["form"] == "joint":
        check_weights(table)
        return
    if table["form"] == "ranking":
        check_orders(table)
        return
    if table["form"] in ("bits", "bloom", "ties"):
        require(max(table["one"], table["zero"]) <= table["denominator"], "chances are at most one")
        if table["form"] == "bloom":
            check_filter(table)
        if table["form"] == "ties":
            require(table["one"] > table["zero"], "a tie is sent as 1 more often than none")
        return
    for column in columns_of(table):
        require(isinstance(column, list), "a column is a list")
        require(len(column) == len(table["reports"]), "one entry for each report")
        require(all(map(is_whole, column)), "entries are whole numbers")
        require(sum(column) == table["denominator"], "a column sums to the denominator")


def check_orders(table: Json) -> None:
    """The weights of all orders, and of a refusal (section 18)."""
    counts = [len(orders_with(table["items"], d)) for d in distances_of(table["items"])]
    require(len(table["weights"]) == len(counts), "a weight for each distance")
    reported, kept, each = table["refusal"] or (0, table["denominator"], 0)
    of_orders = sum(map(int.__mul__, table["weights"], counts))
    require(reported + of_orders == table["denominator"], "all that an order becomes")
    require(kept + each * sum(counts) == table["denominator"], "all that a refusal becomes")


def distances_of(items: int) -> range:
    return range(items * (items - 1) // 2 + 1)


@functools.cache
def orders_with(items: int, inversions: int) -> list[tuple[int, ...]]:
    """The orders with so many inversions, as they are sorted."""
    return [
        order
        for order in itertools.permutations(range(items))
        if sum(a > b for a, b in itertools.combinations(order, 2)) == inversions
    ]


def number_of(order: Sequence[int]) -> int:
    """The number of an order among all, as they are sorted."""
    return list(itertools.permutations(range(len(order)))).index(tuple(order))


def draw_order(table: Json, truth: int, random_bytes: RandomBytes) -> int:
    """The number of an order, or of the refusal after them, by one integer (section 18)."""
    orders = list(itertools.permutations(range(table["items"])))
    left, refusal = uniform_below(table["denominator"], random_bytes), table["refusal"]
    require(0 <= truth < len(orders) + bool(refusal), "the answer is an order or a refusal")
    if truth == len(orders):
        each = refusal[2]
        return left // each if left < each * len(orders) else truth
    for distance, weight in enumerate(table["weights"]):
        exchanges = orders_with(table["items"], distance)
        if left < weight * len(exchanges):
            exchange = exchanges[left // weight]
            return number_of([orders[truth][place] for place in exchange])
        left -= weight * len(exchanges)
    return len(orders)


def check_filter(table: Json) -> None:
    require(table["one"] > table["zero"], "a set bit is sent as 1 more often than a clear one")
    require(2 * table["hashes"] <= table["bits"], "a text sets half of the bits at most")
    require(table["cohorts"] * table["bits"] <= MOST_CELLS, "the bits of all cohorts are limited")


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
    if table["form"] == "chain":
        return truths_in(table["steps"][-1])
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
    slack = len(cards) * max(1, table["denominator"] // 2**29)
    for answer, column in enumerate(columns):
        contains = [answer in card for card in cards]
        expected = [included[0] if is_included else excluded[0] for is_included in contains]
        pairs = list(zip(column, expected, strict=True))
        is_even = all(abs(entry - other) <= slack for entry, other in pairs)
        require(is_even, "all cards with an answer are alike, and all without")
        mass = sum(
            entry for entry, is_included in zip(column, contains, strict=True) if is_included
        )
        require(abs(mass - sum(included)) <= len(cards) * slack, "every answer is on as many cards")


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
    if table["form"] == "joint":
        return [(max(table["weights"]), min(table["weights"]))]
    if table["form"] == "ranking":
        reported, kept, each = table["refusal"] or (1, 1, table["weights"][0])
        entries = [*table["weights"], each]
        return [(max(entries), min(entries)), (max(kept, reported), min(kept, reported))]
    if table["form"] == "ties":
        clear = (table["denominator"] - table["zero"], table["denominator"] - table["one"])
        return [(table["one"], table["zero"]), clear]
    if table["form"] in ("bits", "bloom"):
        one_entry, zero, denominator = table["one"], table["zero"], table["denominator"]
        upper, lower = one_entry * (denominator - zero), zero * (denominator - one_entry)
        power = table.get("hashes", 1)
        return [(max(upper, lower) ** power, min(upper, lower) ** power)]
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


def check_waves(document: Json) -> None:
    coded, wave = document["mode"] == "pseudonymous", document["wave"]
    is_first = wave == 1
    require(is_first is (document["previous"] is None), "previous is null in the first wave alone")
    require(coded or is_first, "a survey without return codes has one wave")
    together, is_open = document["linkage"] == "together", document["mode"] == "open"
    require(is_open or together, "what comes under a code or a link is kept together")
    for device in document["devices"]:
        on_page = device["stratum"] == "page"
        require(is_open or on_page, "with codes and links only the client draws")
        waves = [] if device["epsilon"] is None else list(range(1, wave))
        listed = [entry["wave"] for entry in device["earlier"]]
        require(listed == waves, "a device has all its earlier waves in their order")


def check_earlier(entry: Any, device: Json) -> None:
    check_object(entry, EARLIER)
    before, now, degradation = entry["table"], device["table"], entry["degradation"]
    if before.get("form") == now["form"] and now["form"] in SENT_AGAIN:
        require(degradation == {"form": "same"}, "texts, bits and groups are sent again")
    else:
        for table in (before, now):
            require(table.get("form") in STEPS, "only codes are relaxed")
    check_table(before, on_page=True)
    check_link(before, now, degradation)


def check_degraded(before: Json, now: Json, degradation: Json) -> None:
    """Check that the chances of the table before are those of the table of now, degraded."""
    whole = int(degradation["denominator"])
    require(whole > 0, "the denominator of a degradation is above 0")
    degraded = degraded_columns(degradation, len(now["reports"]))
    require(len(degraded) == len(now["reports"]), "a column of the degradation for each report")
    for column in degraded:
        require(len(column) == len(before["reports"]), "one entry for each earlier report")
        require(sum(column) == whole, "a column of the degradation sums to its denominator")
    require(truths_in(before) == truths_in(now), "the same answers in each wave")
    for column, later in zip(columns_of(before), columns_of(now), strict=True):
        for u, entry in enumerate(column):
            chances = [Fraction(degraded[w][u], whole) for w in range(len(later))]
            chance = sum(map(Fraction.__mul__, chances, map(Fraction, later)))
            same = Fraction(entry, before["denominator"]) == chance / now["denominator"]
            require(same, "the earlier table is that of now, degraded")


def degraded_columns(degradation: Json, reports: int) -> list[list[int]]:
    """Every entry of a degradation, by report of now and by earlier report."""
    if degradation["form"] == "uniform":
        kept, other = int(degradation["kept"]), int(degradation["other"])
        return [[kept if u == w else other for u in range(reports)] for w in range(reports)]
    for column in degradation["columns"]:
        require(isinstance(column, list), "a column of a degradation is a list")
        require(all(map(is_whole_text, column)), "entries of a degradation are whole strings")
    return [list(map(int, column)) for column in degradation["columns"]]


def check_history(documents: Sequence[Json]) -> None:
    """Check that the waves, the first one first, say of each other what is in their documents."""
    for before, after in itertools.pairwise(documents):
        require(digest_of(before) == after["previous"], "each wave names the one before")
    for document in documents:
        for device in document["devices"]:
            for entry in device["earlier"]:
                (then,) = [
                    other
                    for other in documents[entry["wave"] - 1]["devices"]
                    if other["id"] == device["id"]
                ]
                require(entry["table"] == then["table"], "an earlier table is that of its wave")


def check_coverage(devices: Sequence[Json], questions: Mapping[str, Json]) -> None:
    places = Counter((device["id"], device["stratum"]) for device in devices)
    require(max(places.values()) == 1, "no device comes twice in one stratum")
    pairs = [device for device in devices if is_drawn_pair(device)]
    paired = {name for device in pairs for name in device["questions"]}
    alone = [question for question in questions.values() if question["id"] not in paired]
    for stratum in {"page", *(device["stratum"] for device in devices if device not in pairs)}:
        for question in alone:
            options = [device["option"] for device in devices_of(devices, question, stratum)]
            every = list(range(len(question["categories"])))
            elsewhere = stratum != "page" and not options
            require(elsewhere or options in ([None], every), "a question is covered on the page")
            drawn = [device["option"] for device in devices_of(devices, question, "page")]
            require(elsewhere or options == drawn, "a question has the same devices everywhere")


def devices_of(devices: Iterable[Json], question: Json, stratum: str) -> list[Json]:
    devices_of_stratum = [device for device in devices if device["stratum"] == stratum]
    return [device for device in devices_of_stratum if question["id"] in device["questions"]]


def check_total(document: Json) -> None:
    require(spent(document["devices"]) <= Decimal(document["epsilon"]), "the budget is kept")
    deltas = spent(document["devices"], "delta")
    require(deltas <= DELTA_LIMIT, f"the deltas add up to {DELTA_LIMIT} at most")


def check_reasons(document: Json) -> None:
    """Check that epsilons above the limits have reasons."""
    above = spent(document["devices"]) > PERSON_LIMIT
    require(not above or bool(document["reason"].strip()), "a total above the limit has a reason")
    for question in document["questions"]:
        own = [each for each in document["devices"] if question["id"] in each["questions"]]
        above = spent(own) > QUESTION_LIMIT
        require(not above or bool(question["reason"].strip()), "weak protection has a reason")


def spent(devices: Iterable[Json], key: str = "epsilon") -> Decimal:
    """Return what one person may spend of it: the sum over devices of the largest over strata."""
    largest: dict[str, Decimal] = {}
    for device in devices:
        value = Decimal(device[key] or 0)
        largest[device["id"]] = max(value, largest.get(device["id"], value))
    return sum(largest.values(), Decimal(0))


# --- 12: questions that are sent together -------------------------------------------------------


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


def check_weights(table: Json) -> None:
    others = [len(names) - 1 for names in table["parts"]]
    require(math.prod(map(len, table["parts"])) <= MOST_COMBINATIONS, "not too many combinations")
    require(len(table["weights"]) == len(others) + 1, "a weight for each number of changes")
    numbers = [1] + [0] * len(others)
    for other in others:
        numbers = [a + other * b for a, b in zip(numbers, [0, *numbers], strict=False)]
    total = sum(map(int.__mul__, numbers, table["weights"]))
    require(total == table["denominator"], "the chances sum to the denominator")


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


# --- 13: rosters and personal links -------------------------------------------------------------


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


def is_listed(question: Json | None) -> bool:
    """Whether one answer out of a list is true."""
    if question is None:
        return False
    binned = question["control"] == "number" and bool(question["scale"]["bins"])
    return binned or question["control"] in ("yes_no", "list", "scale")


def check_analyses(document: Json, questions: Mapping[str, Json]) -> None:
    analyses, weighting = document["analyses"], document["weighting"]
    for analysis in analyses:
        check_object(analysis, ANALYSIS)
        check_analysis(analysis, questions)
        used = {analysis["outcome"], *(each["question"] for each in analysis["predictors"])}
        for device in document["devices"]:
            together = used.intersection(device["questions"])
            require(len(together) <= 1, "one question of a group at most")
        require(not analysis["weighted"] or weighting is not None, "weights come from margins")
    require(len({each["name"] for each in analyses}) == len(analyses), "analyses are named apart")
    if analyses or weighting is not None:
        require(document["linkage"] == "together", "models need the answers of a person together")
        require(not any(map(is_drawn_pair, document["devices"])), "no models of random pairs")
    if weighting is not None:
        check_weighting(weighting, questions)


def check_control_items(document: Json) -> None:
    for question in document["questions"]:
        if question["known"] is None:
            continue
        require(Decimal(question["known"]) <= 1, "a known share is 1 at most")
        require(question["control"] == "yes_no", "a control item is answered with yes or no")
        require(question["randomized"], "a control item is scrambled")
        require(not question["prefer_not"], "a control item has no refusal")
        covering = [each for each in document["devices"] if question["id"] in each["questions"]]
        require(not any(map(is_joint, covering)), "a control item is sent on its own")


def check_analysis(analysis: Json, questions: Mapping[str, Json]) -> None:
    outcome, event = questions.get(analysis["outcome"]), analysis["event"]
    require(is_listed(outcome), "an outcome has one answer out of a list")
    size = len(questions[analysis["outcome"]]["categories"])
    require(event == sorted(set(event)), "the answers of an event rise")
    require(len(event) < size and all(code < size for code in event), "an event is some answers")
    apart = size >= 3 and analysis["link"] == "logit"
    require(bool(event) or apart, "only a logit tells all of three or more answers apart")
    used = {analysis["outcome"]}
    for predictor in analysis["predictors"]:
        check_object(predictor, PREDICTOR)
        name = predictor["question"]
        require(is_listed(questions.get(name)), "a predictor has one answer out of a list")
        require(name not in used, "a question comes once in an analysis")
        asked = questions[name]
        ordered = asked["control"] != "list" and answers_of(asked) == len(asked["categories"])
        require(ordered or not predictor["scored"], "scores are of answers with an order")
        used.add(name)


def check_support(document: Json) -> None:
    if "support" not in document:
        return
    support = document["support"]
    check_object(support, SUPPORT)
    help_text, after, leads_to = support["text"], support["after"], support["exit"]
    require(help_text != "" or leads_to is not None, "there is a text or an exit")
    require(help_text != "" or not after, "a question with the help has a text")
    questions = [each["id"] for each in document["questions"]]
    require(after == [each for each in questions if each in after], "the help is in its order")
    if leads_to is not None:
        require(len(leads_to) <= MOST_IN_AN_EXIT, "an exit is short")
        require(EXIT.fullmatch(leads_to) is not None, "an exit is an address with https")


def check_beside_support(document: Json) -> None:
    require(all(is_text(document.get(key, "")) for key in ABOUT_SITE), "the site says texts")
    if "shared_device" in document:
        check_object(document["shared_device"], {"always": is_boolean})
    if "sections" in document:
        check_sections(document)
    if "option_orders" in document:
        check_answer_orders(document)
    if "free_texts" in document:
        check_texts(document)


# --- 27: texts in one's own words -----------------------------------------------------------------

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


# --- 26: orders of answers ------------------------------------------------------------------------

WAYS = {"list": 3, "boxes": 3, "scale": 1}
BY = ("reversed", "rotated", "shuffled")
ORDER: dict[str, Rule] = {
    "question": is_name,
    "by": one_of(*BY),
    "last": whole(0),
    "kept": is_boolean,
}


def check_answer_orders(document: Json) -> None:
    orders = document["option_orders"]
    require(is_filled_list(orders), "there is an order")
    for each in orders:
        check_object(each, ORDER)
    questions = {question["id"]: question for question in document["questions"]}
    named = [each["question"] for each in orders]
    require(named == [name for name in questions if name in named], "orders are in their order")
    for each in orders:
        question = questions[each["question"]]
        ways = BY[: WAYS.get(question["control"], 0)]
        items = [name for battery in document.get("batteries", ()) for name in battery["questions"]]
        require(each["question"] not in items, "a battery has its answers in one order")
        require(each["by"] in ways, "a way in which these answers can be ordered")
        require(moving(question, each) >= 2, "two answers change their places")
        if each["kept"]:
            require(each["by"] != "shuffled" and count_of(question, each) <= 10, "few orders")
            require(document["mode"] == "open", "an order is kept of nobody who is told apart")
            require(document["linkage"] == "together", "an order is kept beside the answers")
            require(not document["tiers"], "an order joins no versions")
            strata = {"page", *(arm["stratum"] for arm in document["arms"])}
            asked = {device["stratum"] for device in document["devices"]}
            require(asked <= strata, "everybody is asked the same questions on the page")


def moving(question: Json, order: Json) -> int:
    """How many answers change their places."""
    return answers_of(question) - order["last"]


def count_of(question: Json, order: Json) -> int:
    """How many orders there are, of those that can be kept."""
    return 2 if order["by"] == "reversed" else moving(question, order)


def places_of(question: Json, order: Json, number: int) -> list[int]:
    """The answers in the order with this number, by their places in the document."""
    places = list(range(len(question["categories"])))
    first, rest = places[: moving(question, order)], places[moving(question, order) :]
    if order["by"] == "reversed":
        return (first[::-1] if number else first) + rest
    return first[number:] + first[:number] + rest


def drawn_orders(document: Json) -> tuple[dict[str, list[int]], dict[str, int]]:
    """In which order a person sees the answers to each question, and the orders that are sent."""
    questions = {question["id"]: question for question in document["questions"]}
    shown, kept = {}, {}
    for each in document.get("option_orders", []):
        question = questions[each["question"]]
        if each["by"] == "shuffled":
            places = list(range(moving(question, each)))
            secrets.SystemRandom().shuffle(places)
            shown[question["id"]] = places
        else:
            number = secrets.randbelow(count_of(question, each))
            shown[question["id"]] = places_of(question, each, number)
            if each["kept"]:
                kept[question["id"]] = number
    return shown, kept


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


# --- 28: quotas, and the end ----------------------------------------------------------------------

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


# --- 23: batteries --------------------------------------------------------------------------------


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


# --- 22: questions that are for some people only ------------------------------------------------


def check_filters(document: Json) -> None:
    filters = document.get("filters", [])
    require("filters" not in document or is_filled_list(filters), "there are filters, or no key")
    for each in filters:
        check_object(each, FILTER)
        check_route(each, document)
    names = [question["id"] for question in document["questions"]]
    filtered = [each["question"] for each in filters]
    require(filtered == [name for name in names if name in filtered], "filters are in their order")
    marked = [each["id"] for each in document["questions"] if "not_applicable" in each]
    reporting = [each["question"] for each in filters if not each["unasked"]]
    require(marked == reporting, "of these questions “does not apply” is an answer")


def check_route(each: Json, document: Json) -> None:
    questions = document["questions"]
    names = [question["id"] for question in questions]
    require(each["question"] in names, "a filter is of a question")
    place = names.index(each["question"])
    require(not is_together(document, names[place]), "a filtered question is sent on its own")
    require(all(map(is_filled_list, each["any"])), "alternatives are lists of comparisons")
    comparisons = [comparison for every in each["any"] for comparison in every]
    require(len(comparisons) <= MOST_COMPARISONS, "there are few comparisons")
    for comparison in comparisons:
        check_object(comparison, COMPARISON)
        require(comparison["question"] in names[:place], "an earlier question is compared")
        require(not is_together(document, comparison["question"]), "it is sent on its own")
        moved = may_come_first(document, each["question"], comparison["question"])
        require(not moved, "what is compared is asked before")
        source = questions[names.index(comparison["question"])]
        check_comparison(comparison, source)
        if each["unasked"]:
            require(not source["randomized"], "everybody may know who is asked")
            require(divides_no_bin(comparison, source["scale"]), "a bin tells of what is compared")
    if not each["unasked"]:
        check_reporting(questions[place], document)


def may_come_first(document: Json, later: str, earlier: str) -> bool:
    """Whether chance may ask the later one of two questions before the earlier one."""
    sections = document.get("sections", [])
    own = [each for each in sections if {later, earlier}.intersection(each["questions"])]
    moving = any(each["moves" if len(own) > 1 else "random"] for each in own)
    batteries = [each for each in document.get("batteries", []) if each["random"]]
    return moving or any({later, earlier} <= set(each["questions"]) for each in batteries)


# --- 24: answers in later texts -----------------------------------------------------------------


def parts_of(text: str) -> list[Any]:
    """A text in parts: what is read as it is, and pairs of a question and other words for it."""
    parts: list[Any] = []
    at = 0
    for match in BRACES.finditer(text):
        doubled, name, words = match.groups()
        require(bool(doubled or name), "no brace stands alone")
        parts += [text[at : match.start()], doubled[0] if doubled else (name, words)]
        at = match.end()
    return [*parts, text[at:]]


def check_piping(document: Json) -> None:
    piping = document.get("piping", [])
    require("piping" not in document or is_filled_list(piping), "answers stand in texts, or no key")
    said = said_before(document)
    for each in piping:
        check_object(each, PIPED)
        require(each["text"] in said, "answers stand in what is said at a question")
        text, before = said[each["text"]]
        names = [part[0] for part in parts_of(text) if isinstance(part, tuple)]
        require(list(dict.fromkeys(names)) == each["answers"], "these answers stand in the text")
        for name in each["answers"]:
            check_source(document, name, before)
    require(len({each["text"] for each in piping}) == len(piping), "each text comes once")


def said_before(document: Json) -> dict[str, tuple[str, list[str]]]:
    """The texts in which answers may stand, each with the questions that come after it."""
    said = {}
    for question in document["questions"]:
        for key in ("text", "help"):
            said[f"questions.{question['id']}.{key}"] = (question[key], [question["id"]])
    sections = document.get("sections", [])
    for place, section in enumerate(sections):
        here = (each["questions"] for each in sections[place:] if each["questions"])
        after: list[str] = next(here, [])
        for key in ("title", "text"):
            said[f"sections.{place}.{key}"] = (section[key], after)
    for place, battery in enumerate(document.get("batteries", [])):
        said[f"batteries.{place}.text"] = (battery["text"], battery["questions"])
    return said


def check_source(document: Json, name: str, before: list[str]) -> None:
    names = [question["id"] for question in document["questions"]]
    first = min((names.index(later) for later in before), default=len(names))
    require(name in names[:first], "the answer to an earlier question stands in a text")
    source = document["questions"][names.index(name)]
    takes = source["control"] in (*LISTED, "boxes", "number")
    require(takes and not source["randomized"], "a scrambled answer stands in no text")
    unasked = [each["question"] for each in document.get("filters", []) if each["unasked"]]
    require(name not in unasked, "everybody is asked what stands in a text")
    moved = any(may_come_first(document, later, name) for later in before)
    require(not moved, "what stands in a text is asked before")


def filled(text: str, said: Mapping[str, str]) -> str:
    """A text with answers in it, for somebody who has given these."""
    return "".join(
        part if isinstance(part, str) else said.get(part[0]) or (part[1] or "").strip() or "…"
        for part in parts_of(text)
    )


# --- 25: values from the link -------------------------------------------------------------------


def check_link_values(document: Json) -> None:
    found = document.get("link_values", [])
    require("link_values" not in document or is_filled_list(found), "a link says something")
    questions = document["questions"]
    require(len(found) < len(questions), "something is asked")
    unasked = [each["question"] for each in document.get("filters", []) if each["unasked"]]
    for each, question in zip(found, questions, strict=False):
        check_object(each, LINK_VALUE)
        require(each["question"] == question["id"], "the link answers the first questions")
        is_direct = not (question["randomized"] or question["prefer_not"])
        require(is_direct and question["control"] == "list", "the link answers direct choices")
        require(question["id"] not in unasked, "everybody has a link")
        require(len(set(each["values"])) == len(each["values"]), "values are different")
        require(len(each["values"]) == len(question["categories"]) - 1, "the last is for others")


def from_link(document: Json, fragment: str) -> dict[str, int]:
    """The answers that stand behind the # of a link, to the questions that nobody is asked."""
    pairs = [pair.split("=", 1) for pair in fragment.split("&") if "=" in pair]
    said: dict[str, str] = {}
    for key, value in pairs:
        said.setdefault(urllib.parse.unquote(key), urllib.parse.unquote(value))
    answers = {}
    for each in document.get("link_values", []):
        value = said.get(each["question"], "")
        values = each["values"]
        answers[each["question"]] = values.index(value) if value in values else len(values)
    return answers


def check_reporting(question: Json, document: Json) -> None:
    binned = question["control"] == "number" and bool(question["scale"]["bins"])
    require(question["randomized"], "“does not apply” is scrambled")
    require(question["required"], "nobody leaves out what some report that it does not apply")
    require(question["control"] in LISTED or binned, "“does not apply” is one of a list")
    own = [each for each in document["devices"] if question["id"] in each["questions"]]
    require(all(each["epsilon"] is not None for each in own), "and in every arm")


def is_together(document: Json, name: str) -> bool:
    return any(is_joint(each) and name in each["questions"] for each in document["devices"])


def check_comparison(comparison: Json, source: Json) -> None:
    answers = comparison["answers"]
    bounds = [Fraction(each) for each in bounds_of(comparison) if each is not None]
    if source["control"] == "number":
        require(bool(bounds) and not answers, "a number is compared with bounds")
        require(bounds == sorted(set(bounds)), "the bounds rise")
        return
    require(source["control"] in (*LISTED, "boxes"), "answers of a list are compared")
    require(not bounds and bool(answers), "an answer is compared with answers")
    require(answers == sorted(set(answers)), "the answers rise")
    require(answers[-1] < len(source["categories"]), "there are these answers")


def bounds_of(comparison: Json) -> tuple[str | None, str | None]:
    return comparison["above"], comparison["below"]


def is_between(number: Fraction, comparison: Json) -> bool:
    above, below = bounds_of(comparison)
    return (above is None or number > Fraction(above)) and (
        below is None or number < Fraction(below)
    )


def divides_no_bin(comparison: Json, scale: Json | None) -> bool:
    if scale is None:
        return True
    ends = [*scale["bins"], int(steps_of(scale)) + 1]
    numbers = [
        [Fraction(scale["lower"]) + step * Fraction(scale["step"]) for step in range(first, after)]
        for first, after in itertools.pairwise(ends)
    ]
    return all(len({is_between(number, comparison) for number in each}) == 1 for each in numbers)


def is_for(each: Json, real: Mapping[str, Any]) -> bool:
    """Whether a question is for a person with these real answers: an answer, a list of what is
    ticked, or a number as a fraction."""
    return any(all(is_true(comparison, real) for comparison in every) for every in each["any"])


def is_true(comparison: Json, real: Mapping[str, Any]) -> bool:
    answer = real.get(comparison["question"])
    if answer is None:
        return False
    if isinstance(answer, Fraction):
        found = is_between(answer, comparison)
    else:
        chosen = answer if isinstance(answer, list) else [answer]
        found = any(each in comparison["answers"] for each in chosen)
    return found is not comparison["negated"]


def routed(
    document: Json, answers: Mapping[str, Answered], numbers: Mapping[str, Fraction]
) -> dict[str, Answered]:
    """The answers that a person gives, each question in its turn.

    `answers`: what they would say if they were asked everything. `numbers`: the numbers that they
    have in mind where a bin is their answer.
    """
    filters = {each["question"]: each for each in document.get("filters", [])}
    given: dict[str, Answered] = {}
    real: dict[str, Any] = {}
    for question in document["questions"]:
        name = question["id"]
        each = filters.get(name)
        if each is None or is_for(each, real):
            if name in answers:
                given[name] = answers[name]
                real[name] = numbers.get(name, answers[name])
        elif not each["unasked"]:
            given[name] = real[name] = answers_of(question)
    return given


def check_dates(document: Json, questions: Mapping[str, Json]) -> None:
    if "date_parts" not in document:
        return
    dates = document["date_parts"]
    require(isinstance(dates, list) and bool(dates), "dates are a list")
    for each in dates:
        check_object(each, DATES)
        question = questions.get(each["question"])
        require(question is not None and question["control"] == "list", "dates are of a list")
        assert question is not None
        answers = answers_of(question)
        require(answers == len(each["starts"]), "a first date for each answer")
        days = [day_of(each["unit"], text) for text in (*each["starts"], each["last"])]
        rising = all(a < b for a, b in itertools.pairwise(days[:-1])) and days[-2] <= days[-1]
        require(rising, "dates rise")
        require(days[0].year >= 1800 and days[-1].year <= 2199, "dates are of our time")
    names = [each["question"] for each in dates]
    require(len(set(names)) == len(names), "a question has its dates once")


def day_of(unit: str, written: str) -> date:
    """The first day of a year, a month or a day."""
    lengths = {"year": 4, "month": 7, "day": 10}
    require(len(written) == lengths[unit], "a date is as long as its unit")
    try:
        return date.fromisoformat(written + {"year": "-01-01", "month": "-01", "day": ""}[unit])
    except ValueError:
        raise Untrusted("there is such a date") from None


def check_weighting(weighting: Json, questions: Mapping[str, Json]) -> None:
    check_object(weighting, WEIGHTING)
    for margin in weighting["margins"]:
        check_object(margin, MARGIN)
        question = questions.get(margin["question"])
        require(is_listed(question), "a margin is of a question of one answer out of a list")
        require(question is not None and not question["randomized"], "a margin is of what is known")
        shares = [Fraction(share) for share in margin["shares"]]
        size = len(questions[margin["question"]]["categories"])
        require(len(shares) == size, "a margin has a share for each category")
        require(sum(shares) == 1, "the shares of a margin sum to 1")
        require(sum(share > 0 for share in shares) >= 2, "two categories have somebody")
    names = [margin["question"] for margin in weighting["margins"]]
    require(len(set(names)) == len(names), "a question has one margin")


# --- 15: arms -----------------------------------------------------------------------------------


def other_arms(document: Json) -> set[str]:
    """The arms besides that of the page."""
    return {arm["stratum"] for arm in document["arms"]} - {"page"}


def check_arms(document: Json, questions: Mapping[str, Json]) -> None:
    arms, devices = document["arms"], document["devices"]
    if not arms:
        return
    strata = [arm["stratum"] for arm in arms]
    require(len(arms) >= 2 and strata[0] == "page", "the page's arm comes first, and another")
    require(len(set(strata)) == len(strata), "no arm comes twice")
    require(not any(name.startswith("pair_") for name in strata), "an arm is not named as a pair")
    require(sum(arm["share"] for arm in arms) == EVERYBODY, "the shares add up to a hundred")
    require(document["mode"] == "open", "arms are for an open survey")
    require(not document["tiers"], "tiers are for everybody alike")
    require(not any(map(is_drawn_pair, devices)), "no random pairs beside arms")
    require(not any(device["instructions"] for device in devices), "only the client draws")
    for stratum in strata[1:]:
        own = [device for device in devices if device["stratum"] == stratum]
        require(len({device["epsilon"] is None for device in own}) == 1, "all scramble, or none")
        for device in own:
            question = questions[device["questions"][0]]
            require(question["control"] in ("yes_no", "list", "scale"), "one answer is true")
            require(question["randomized"], "arms are for what is scrambled on the page")
            require(question["known"] is None, "a control item is in no arm")


@dataclass(frozen=True)
class Assigned:
    """A submission id that was drawn, and the arm that the server has put it into."""

    submission: str
    arm: str


def new_submission() -> str:
    return str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))


def assign(base: str, document: Json) -> Assigned:
    """Draw a submission id and ask for its arm: once for one person, whatever the arm is."""
    submission = new_submission()
    answer = ask_for_arm(base, document["survey"], document["digest"], submission)
    require(answer.status == 200, "the server says the arm")
    check_object(answer.body, {"arm": is_plain_name})
    arm = answer.body["arm"]
    require(arm in {each["stratum"] for each in document["arms"]}, "the arm is of the document")
    return Assigned(submission, arm)


def asked_directly(document: Json, arm: str) -> list[str]:
    """Return what is sent as it is in an arm, though not on the page: the person must be told."""
    own = [device for device in document["devices"] if device["stratum"] == arm != "page"]
    return [device["questions"][0] for device in own if device["epsilon"] is None]


def devices_in_arm(document: Json, question: Json, arm: str) -> list[Json]:
    """The devices of a question for the people in an arm."""
    own = devices_of(document["devices"], question, arm)
    return own or devices_of(document["devices"], question, "page")


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
    if table["form"] == "chain":
        last = draw_from(table["steps"][-1], truth, random_bytes)
        return draw_down(table, last, random_bytes)
    if table["form"] == "bits":
        return noisy_bits(table, [bit == truth for bit in range(table["bits"])], random_bytes)
    if table["form"] == "bloom":
        return draw_text(table, truth, random_bytes)
    if table["form"] == "joint":
        return draw_together(table, truth, random_bytes)
    if table["form"] == "ties":
        return draw_ties(table, truth, random_bytes)
    if table["form"] == "ranking":
        return draw_order(table, truth, random_bytes)
    columns = columns_of(table)
    require(0 <= truth < len(columns), "the answer is one of the categories")
    return report_at(columns[truth], uniform_below(table["denominator"], random_bytes))


def noisy_bits(table: Json, truth: Iterable[Any], random_bytes: RandomBytes) -> str:
    """Each bit drawn by itself, by whether it is set in truth."""
    chances = [table["one"] if is_set else table["zero"] for is_set in truth]
    below = [uniform_below(table["denominator"], random_bytes) < chance for chance in chances]
    return "".join("01"[bit] for bit in below)


def draw_text(table: Json, text: str, random_bytes: RandomBytes) -> list[Any]:
    """A cohort, and the noisy filter of a normalized text in it."""
    cohort = uniform_below(table["cohorts"], random_bytes)
    positions = positions_of(text, cohort, table["bits"], table["hashes"])
    is_set = [bit in positions for bit in range(table["bits"])]
    return [cohort, noisy_bits(table, is_set, random_bytes)]


def positions_of(text: str, cohort: int, bits: int, hashes: int) -> list[int]:
    positions: list[int] = []
    for block in itertools.count():
        digest = sha256(f"candor bloom {cohort} {block} {text}".encode()).digest()
        for start in range(0, len(digest), 4):
            position = int.from_bytes(digest[start : start + 4], "big") % bits
            if position not in positions:
                positions.append(position)
            if len(positions) == hashes:
                return positions
    raise AssertionError


def normalize(typed: str) -> str:
    """The one form of a text; empty if nothing is left of it."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", typed)
    text = INVISIBLE.sub("", unicodedata.normalize("NFKC", text).lower())
    for letters, replacement in FOLDED:
        for letter in letters:
            text = text.replace(letter, replacement)
    return SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip(" ")


def text_of(question: Json, typed: str | None) -> str:
    """Return what a text question hashes: a text that may be typed, or nothing for None."""
    if typed is None:
        require(question["prefer_not"], "a refusal is one of the answers")
        return ""
    text = normalize(typed)
    require(0 < len(text) <= question["characters"], "a text has some characters, and not too many")
    return text


def draw_down(chain: Json, last: int, random_bytes: RandomBytes) -> list[int]:
    """The reports of all steps from that of the last one (section 11)."""
    reports = [last]
    for later, link in zip(chain["steps"][:0:-1], chain["degradations"][::-1], strict=True):
        if link["form"] != "same":
            integer = uniform_below(int(link["denominator"]), random_bytes)
            columns = degraded_columns(link, len(later["reports"]))
            last = report_at(columns[last], integer)
        reports.insert(0, last)
    return reports


def report_at(entries: Iterable[int], integer: int) -> int:
    return sum(bound <= integer for bound in itertools.accumulate(entries))


# --- 10: return codes and later waves -----------------------------------------------------------


def new_code(random_bytes: RandomBytes = secrets.token_bytes) -> str:
    drawn = [uniform_below(len(SYMBOLS), random_bytes) for _ in range(RANDOM_SYMBOLS)]
    symbols = "".join(SYMBOLS[number] for number in drawn)
    return in_groups(symbols + check_symbols(symbols))


def check_symbols(symbols: str) -> str:
    powers = [len(SYMBOLS) ** place for place in reversed(range(len(symbols)))]
    number = sum(map(int.__mul__, map(SYMBOLS.index, symbols), powers)) % MODULUS
    return SYMBOLS[number // len(SYMBOLS)] + SYMBOLS[number % len(SYMBOLS)]


def in_groups(symbols: str) -> str:
    return "-".join(symbols[start : start + GROUP] for start in range(0, len(symbols), GROUP))


def is_code(value: Any) -> bool:
    """Whether it is a return code in the form that is sent."""
    if not isinstance(value, str):
        return False
    symbols = value.replace("-", "")
    if len(symbols) != RANDOM_SYMBOLS + 2 or not set(symbols) <= set(SYMBOLS):
        return False
    follows = check_symbols(symbols[:RANDOM_SYMBOLS]) == symbols[RANDOM_SYMBOLS:]
    return follows and in_groups(symbols) == value


def read_code(typed: str) -> str | None:
    """The code that somebody typed, in the form that is sent; None if it is wrong."""
    kept = [sign for sign in typed if not sign.isspace() and unicodedata.category(sign) != "Pd"]
    symbols = "".join(kept).upper().replace("O", "0")
    code = in_groups(re.sub("[IL]", "1", symbols))
    return code if is_code(code) else None


def check_found(found: Any, document: Json) -> Json:
    """Return what was found under a code; raise `Untrusted` if it cannot be of this survey."""
    check_object(found, FOUND)
    for entry in found["ledger"]:
        check_object(entry, ENTRY)
    require(found["wave"] <= document["wave"], "nobody has answered a wave to come")
    require(found["answered"] is (found["wave"] == document["wave"]), "answered says which wave")
    last = {"wave": found["wave"], "epsilon": found["total"]}
    require(found["ledger"][-1] == last, "the ledger ends with the last wave and the total")
    devices = {
        device["id"]: device
        for device in document["devices"]
        if device["stratum"] == "page" and device["epsilon"] is not None
    }
    for name, report in found["reports"].items():
        require(name in devices, "a report is of a device that scrambles")
        table = table_in(devices[name], found["wave"], document)
        require(is_report(report, table), "a report is of its table")
    for question in document["questions"]:
        own = devices_of(devices.values(), question, "page")
        known = {device["id"] in found["reports"] for device in own}
        require(len(known) <= 1, "of a question all reports are known or none")
    return found


def is_report(value: Any, table: Json) -> bool:
    """Whether a value is a report of a table of codes, of a group or of filters."""
    if table["form"] == "joint":
        sizes = list(map(len, table["parts"]))
        is_list = isinstance(value, list) and len(value) == len(sizes)
        return is_list and all(is_whole(x) and x < y for x, y in zip(value, sizes, strict=True))
    if table["form"] != "bloom":
        return is_whole(value) and value < len(table["reports"])
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], str):
        return False
    of_bits = len(value[1]) == table["bits"] and set(value[1]) <= {"0", "1"}
    return of_bits and is_whole(value[0]) and value[0] < table["cohorts"]


def table_in(device: Json, wave: int, document: Json) -> Json:
    """The table of a device in this wave or an earlier one."""
    return device["table"] if wave == document["wave"] else earlier_of(device, wave)["table"]


def earlier_of(device: Json, wave: int) -> Json:
    (entry,) = [entry for entry in device["earlier"] if entry["wave"] == wave]
    return entry


def relax(
    device: Json,
    wave: int,
    previous: Any,
    truth: Any,
    random_bytes: RandomBytes = secrets.token_bytes,
) -> Any:
    """The report of this wave, given the one of an earlier wave."""
    entry = earlier_of(device, wave)
    require(is_report(previous, entry["table"]), "a report is of its table")
    if entry["degradation"]["form"] == "same":
        return previous
    rows = relaxed_weights(device["table"], entry["degradation"], previous)
    common = math.lcm(*map(sum, rows))
    number = uniform_below(common, random_bytes)
    scale = common // sum(rows[truth])
    return report_at([weight * scale for weight in rows[truth]], number)


def relaxed_weights(table: Json, degradation: Json, previous: int) -> list[list[int]]:
    """Return for each true answer the weight of each report."""
    degraded = degraded_columns(degradation, len(table["reports"]))
    chances = [column[previous] for column in degraded]
    rows = [list(map(int.__mul__, chances, column)) for column in columns_of(table)]
    return [
        row if any(row) else column for row, column in zip(rows, columns_of(table), strict=True)
    ]


# --- 5: the response ----------------------------------------------------------------------------


def check_door(document: Json, code: str | None, link: str | None, found: Json | None) -> None:
    coded, personal = (document["mode"] == mode for mode in ("pseudonymous", "personal"))
    require((code is not None) is coded, "a code is for a survey that has codes")
    require((link is not None) is personal, "a personal link is for a survey that has links")
    require(link is None or is_link(link), "a personal link is of the form that is sent")
    require(found is None or not found["answered"], "this wave has been answered under this code")


def respond(
    document: Json,
    answers: Mapping[str, Answered],
    code: str | None = None,
    found: Json | None = None,
    random_bytes: RandomBytes = secrets.token_bytes,
    link: str | None = None,
    assigned: Assigned | None = None,
    texts: Mapping[str, str] | None = None,
) -> Json:
    """One response from the answers' indices, those ticked for a multiple choice; of a
    text what was typed, None for a refusal.

    `found` is what was sent before under the code. Draw once, keep it, and send it until it is
    taken.
    """
    check_door(document, code, link, found)
    require((assigned is not None) is bool(document["arms"]), "arms are for a survey that has arms")
    submission, arm = new_submission(), "page"
    _shown, kept = drawn_orders(document)
    if assigned:
        submission, arm = assigned.submission, assigned.arm
    before = found or {"wave": 0, "reports": {}}
    reports: Json = {}
    strata: Json = {}
    for question in document["questions"]:
        devices = devices_in_arm(document, question, arm)
        alone = bool(devices) and not any(map(is_joint, devices))
        if alone and question["id"] in answers:
            truths = truths_of(question, devices, answers[question["id"]])
            for device, truth in zip(devices, truths, strict=True):
                reports[device["id"]] = report_of(device, truth, before, random_bytes)
                strata |= {} if device["stratum"] == "page" else {device["id"]: arm}
    for device in filter(is_joint, document["devices"]):
        given = [name for name in device["questions"] if name in answers]
        # A report of a group that was sent before is sent again, whether it is answered again or
        # not.
        if given == device["questions"] or device["id"] in before["reports"]:
            truth = [answers.get(name) for name in device["questions"]]
            reports[device["id"]] = report_of(device, truth, before, random_bytes)
            strata |= {device["id"]: device["stratum"]} if is_drawn_pair(device) else {}
        else:
            require(is_drawn_pair(device) or not given, "half of a group is not sent")
    return {
        "digest": document["digest"],
        "submission": submission,
        "reports": reports,
        **({"strata": strata} if strata else {}),
        **({"orders": kept} if kept else {}),
        **({"texts": dict(texts or {})} if "free_texts" in document else {}),
        **({} if code is None else {"code": code}),
        **({} if link is None else {"link": link}),
    }


def report_of(device: Json, truth: Any, before: Json, random_bytes: RandomBytes) -> Any:
    if device["id"] not in before["reports"]:
        return draw(device, truth, random_bytes)
    return relax(device, before["wave"], before["reports"][device["id"]], truth, random_bytes)


def truths_of(question: Json, devices: Sequence[Json], answer: Any) -> list[Any]:
    """The true answer of each device of a question."""
    if question["control"] == "text":
        return [text_of(question, answer)]
    if question["control"] == "roster":
        return [answer]
    if isinstance(answer, int):
        return [answer]
    if devices[0]["option"] is None:
        return [sum(2**index for index in answer)]
    return [int(device["option"] in answer) for device in devices]


# --- the length of a body ------------------------------------------------------------------------


def body_of(document: Json, response: Json) -> bytes:
    """A response as bytes, as many as every response to this document has."""
    compact = json.dumps(response, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    return compact.ljust(body_length(document))


def body_length(document: Json) -> int:
    reports: dict[str, int] = {}
    strata: dict[str, int] = {}
    for device in document["devices"]:
        name, stratum = device["id"], device["stratum"]
        if device["instructions"]:
            continue
        length = len(name) + longest_report(device["table"]) + 4
        reports[name] = max(reports.get(name, 0), length)
        if stratum != "page":
            strata[name] = max(strata.get(name, 0), len(name) + len(stratum) + 6)
    orders = [each["question"] for each in document.get("option_orders", []) if each["kept"]]
    beside = 11 + sum(len(name) + 5 for name in orders) if orders else 0
    texts = document.get("free_texts", [])
    room = [len(each["id"]) + 6 + 4 * each["characters"] for each in texts]
    beside += 11 + sum(room) if room else 0
    return 200 + sum(reports.values()) + sum(strata.values()) + beside


def longest_report(table: Json) -> int:
    if table["form"] in ("bits", "ties"):
        return int(table["bits"]) + 2
    if table["form"] == "bloom":
        return of_list([len(str(table["cohorts"] - 1)), table["bits"] + 2])
    if table["form"] == "joint":
        return of_list([len(str(len(names) - 1)) for names in table["parts"]])
    if table["form"] in ("product", "chain"):
        return of_list([longest_report(each) for each in table.get("parts") or table["steps"]])
    return len(str(len(table["reports"]) - 1))


def of_list(lengths: Sequence[int]) -> int:
    return 1 + sum(length + 1 for length in lengths)


# --- the network --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def codes(self) -> list[tuple[str, str]]:
        return [(error["field"], error["code"]) for error in self.body["errors"]]


def fetch(base: str, slug: str, wave: int | None = None) -> Answer:
    of_wave = "" if wave is None else f"waves/{wave}/"
    return _exchange(urllib.request.Request(f"{base}/s/{slug}/{of_wave}parameters.json"))


def fetch_full(base: str, slug: str) -> Answer:
    return _exchange(urllib.request.Request(f"{base}/s/{slug}/quotas.json"))


def post(
    base: str,
    slug: str,
    body: bytes,
    headers: Mapping[str, str] | None = None,
    method: str = "POST",
    place: str = "responses",
) -> Answer:
    all_headers = {"Content-Type": "application/json", **(headers or {})}
    address = f"{base}/s/{slug}/{place}/"
    return _exchange(urllib.request.Request(address, body, all_headers, method=method))


def send(base: str, slug: str, response: Json, document: Json | None = None) -> Answer:
    """Without its document a response is sent as it is: for tests, and never for people.

    Whoever gets no answer sends the same once more: what has a submission id is stored once.
    """
    body = body_of(document, response) if document else json.dumps(response).encode("utf-8")
    try:
        return post(base, slug, body)
    except (ConnectionError, http.client.RemoteDisconnected):
        time.sleep(1)
        return post(base, slug, body)


def look_up(base: str, slug: str, code: str) -> Answer:
    return post(base, slug, json.dumps({"code": code}).encode("utf-8"), place="return")


def person(base: str, slug: str, link: str) -> Answer:
    """Whose link it is, and the names on the roster."""
    return post(base, slug, json.dumps({"link": link}).encode("utf-8"), place="person")


def ask_for_arm(base: str, slug: str, digest: str, submission: str) -> Answer:
    """Which arm chance has put a response into."""
    body = json.dumps({"digest": digest, "submission": submission}).encode("utf-8")
    return post(base, slug, body, place="arm")


def _exchange(request: urllib.request.Request) -> Answer:
    try:
        with urllib.request.urlopen(request, timeout=300) as reply:
            return _answer(reply.status, reply)
    except urllib.error.HTTPError as reply:
        with reply:
            return _answer(reply.code, reply)


def _answer(status: int, reply: Any) -> Answer:
    text = reply.read()
    is_json = reply.headers.get_content_type() == "application/json"
    return Answer(status, json.loads(text) if is_json else None, reply.headers)


def main(base: str, slug: str, *arguments: str) -> None:
    document = check(fetch(base, slug).body)
    require(document["mode"] != "personal", "this program has no personal links")
    typed = [each.removeprefix("--code=") for each in arguments if each.startswith("--code=")]
    answers = [each for each in arguments if not each.startswith("--code=")]
    code, found = return_to(base, document, typed[0]) if typed else (None, None)
    if document["mode"] == "pseudonymous" and code is None:
        code = new_code()
    assigned = assign(base, document) if document["arms"] else None
    truths = routed(document, truths_from(document, answers), {})
    for name in asked_directly(document, assigned.arm) if assigned else []:
        # It was typed by somebody who could not know that it would be sent as it is.
        truths.pop(name, None)
        sys.stdout.write(f"{name} would be sent as it is and is left out\n")
    full = fetch_full(base, slug).body["full"] if "quotas" in document else []
    end = end_of(document, truths, full)
    if end != "complete":
        sys.stdout.write(f"Nothing is sent: {end}\n")
        return
    response = respond(document, truths, code, found, assigned=assigned)
    if code:
        sys.stdout.write(f"Keep your return code, nobody can recover it: {code}\n")
    answer = send(base, slug, response, document)
    sys.stdout.write(f"{answer.status} {json.dumps(answer.body)}\n")


def return_to(base: str, document: Json, typed: str) -> tuple[str, Json]:
    """Their code and what was sent under it, for somebody who comes back."""
    code = read_code(typed)
    if code is None:
        raise Untrusted("the return code is mistyped")
    return code, check_found(look_up(base, document["survey"], code).body, document)


def truths_from(document: Json, answers: Iterable[str]) -> dict[str, Answered]:
    several = {q["id"] for q in document["questions"] if q["control"] == "boxes"}
    texts = {q["id"] for q in document["questions"] if q["control"] == "text"}
    truths: dict[str, Answered] = {}
    for name, _, indices in (answer.partition("=") for answer in answers):
        if name in texts:
            # "drug=" refuses.
            truths[name] = indices or None
            continue
        ticked = [int(index) for index in indices.split(",") if index]
        truths[name] = ticked if name in several else ticked[0]
    return truths


if __name__ == "__main__":
    main(*sys.argv[1:])
