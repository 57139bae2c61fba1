"""Questions for a date (section 19 of the protocol)."""

import itertools
from collections.abc import Mapping
from datetime import date

from candor.respondent.questions import answers_of
from candor.respondent.rules import (
    check_object,
    is_identifier,
    is_text,
    listing,
    one_of,
    require,
)
from candor.respondent.values import Json, Untrusted

DATES = {
    "question": is_identifier,
    "unit": one_of("year", "month", "day"),
    "starts": listing(is_text, 2),
    "last": is_text,
}


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
