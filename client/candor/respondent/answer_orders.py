"""Orders of answers (section 26 of the protocol)."""

import secrets

from candor.respondent.questions import answers_of
from candor.respondent.rules import (
    Rule,
    check_object,
    is_boolean,
    is_filled_list,
    is_name,
    one_of,
    require,
    whole,
)
from candor.respondent.values import Json

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
