"""Values from the link (section 25 of the protocol)."""

import urllib.parse

from candor.respondent.rules import (
    check_object,
    is_filled_list,
    is_identifier,
    listing,
    matching,
    require,
)
from candor.respondent.values import MEMBER, Json

LINK_VALUE = {"question": is_identifier, "values": listing(matching(MEMBER), 1)}


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
