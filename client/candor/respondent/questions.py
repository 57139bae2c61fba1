"""Questions, their answers, and the numbers of a scale (section 3 of the protocol)."""

import itertools
from fractions import Fraction
from typing import Any

from candor.respondent.rules import (
    check_object,
    is_boolean,
    is_decimal,
    is_identifier,
    is_labels,
    is_list_of_names,
    is_object,
    is_plain_name,
    is_signed,
    is_text,
    is_whole,
    listing,
    none_or,
    one_of,
    require,
    text,
    whole,
)
from candor.respondent.values import LEAST_RANKED, MOST_RANKED, MOST_STEPS, Json

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

SCALE = {
    **{"lower": is_signed, "upper": is_signed, "step": is_signed},
    **{"unit": text(0, 30), "bins": listing(is_whole)},
}


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


def is_listed(question: Json | None) -> bool:
    """Whether one answer out of a list is true."""
    if question is None:
        return False
    binned = question["control"] == "number" and bool(question["scale"]["bins"])
    return binned or question["control"] in ("yes_no", "list", "scale")
