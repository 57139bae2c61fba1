"""Rules of single values, from which the forms of a document are made."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from candor.respondent.values import (
    DECIMAL,
    DIGEST,
    IDENTIFIER,
    LARGEST,
    MOST_RESULTS,
    NAME,
    SIGNED,
    WHOLE,
    Json,
    Untrusted,
)


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


def check_object(value: Any, rules: Mapping[str, Rule], optional: Iterable[str] = ()) -> None:
    require(isinstance(value, dict), "is an object")
    keys = set(value).difference(optional)
    require(keys == set(rules), f"keys are as on the page, not {sorted(keys ^ set(rules))}")
    for key, holds in rules.items():
        require(holds(value[key]), f"{key} is of the right form")


def check_form(value: Json, forms: Mapping[str, Mapping[str, Rule]], rule: str) -> None:
    require(value.get("form") in forms, rule)
    check_object(value, {"form": is_text, **forms[value["form"]]})


def is_power_of_two(value: Any) -> bool:
    return is_counted(value) and value & (value - 1) == 0
