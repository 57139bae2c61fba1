"""Questions that are for some people only (section 22 of the protocol)."""

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from candor.respondent.questions import answers_of, steps_of
from candor.respondent.rules import (
    check_object,
    is_boolean,
    is_filled_list,
    is_identifier,
    is_signed,
    is_whole,
    listing,
    none_or,
    require,
)
from candor.respondent.together import is_joint
from candor.respondent.values import LISTED, Answered, Json

MOST_COMPARISONS = 10
FILTER = {"question": is_identifier, "any": is_filled_list, "unasked": is_boolean}

COMPARISON = {
    "question": is_identifier,
    "answers": listing(is_whole),
    "above": none_or(is_signed),
    "below": none_or(is_signed),
    "negated": is_boolean,
}


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
