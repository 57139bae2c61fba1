"""Surveys with responses in their results, without broker or browser."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from surveys.models import Launch
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from tests.builders import launched, make_user, response

# One of each kind: scrambled yes/no with a refusal, scrambled choice, direct, optional.
QUESTIONS = (
    {"name": "drug", "prefer_not": True, "epsilon": Decimal("1.1")},
    {
        "name": "absence",
        "kind": "single_choice",
        "text": "How did you last stay away from work?",
        "options": ["I was ill", "I was not ill", "Never"],
        "epsilon": Decimal("1.5"),
    },
    {"name": "permanent", "text": "Is your contract permanent?", "randomized": False},
    {"name": "bribe", "text": "Ever bribed?", "epsilon": Decimal("0.4"), "required": False},
)


def answer(launch: Launch, rows: Sequence[Mapping[str, int]], **strata: str) -> None:
    """Store one response for each mapping of device to report; they wait in the inbox.

    `strata` names the devices that are not the page's: `drug="physical"`.
    """
    for reports in rows:
        body = json.dumps(response(launch, reports=dict(reports), strata=strata))
        record_response(launch=launch, body=body.encode())


def released(rows: Sequence[Mapping[str, int]], **values: Any) -> Launch:
    """An open survey whose results rest on these responses."""
    launch = launched(**{"release_threshold": 5, **values})
    answer(launch, rows)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


def as_researcher(client: Client, launch: Launch) -> Client:
    """The same client, signed in as somebody whom the author has named: rows are for these only."""
    researcher = User.objects.filter(username="row-reader").first() or make_user("row-reader")
    launch.survey.researchers.add(researcher)
    client.force_login(researcher)
    return client


def download(client: Client, launch: Launch, name: str) -> str:
    """The text of a file of results, with rows as somebody to whom the author gives them."""
    if name.startswith("reports"):
        as_researcher(client, launch)
    answer = client.get(reverse(name, args=[launch.survey.slug]))
    assert answer.status_code == 200
    return (answer.getvalue() if answer.streaming else answer.content).decode()


def varied(count: int) -> list[dict[str, int]]:
    """Reports to QUESTIONS: every code occurs, and every third person leaves out the optional."""
    rows = []
    for number in range(count):
        row = {"drug": number % 3, "absence": number * 7 % 3, "permanent": number % 2}
        rows.append(row | ({"bribe": number % 2} if number % 3 else {}))
    return rows


# The questions that QUESTIONS has not: a physical randomizer, several answers both ways, a scale;
# one table.
RICH = (
    {"name": "drug", "prefer_not": True, "epsilon": Decimal("1.4"), "physical_device": "die"},
    {
        "name": "took",
        "text": "What did you take to get through the day?",
        "kind": "multiple_choice",
        "options": ["Pills", "Drinks"],
        "design": "per_option",
        "epsilon": Decimal("2"),
        "required": False,
    },
    {
        "name": "saw",
        "text": "What have you seen at work?",
        "kind": "multiple_choice",
        "options": ["Theft", "Fraud"],
        "design": "whole_set",
        "epsilon": Decimal("1"),
    },
    {
        "name": "stress",
        "text": "How much does your work weigh on you?",
        "kind": "scale",
        "options": ["Low", "Middle", "High"],
        "prefer_not": True,
        "epsilon": Decimal("1"),
    },
    {
        "name": "size",
        "kind": "single_choice",
        "text": "How many people work there?",
        "options": ["Few", "Some", "Many"],
        "randomized": False,
    },
)
RICH_TABLES = [["drug", "size"]]


def rich_rows(count: int) -> list[dict[str, int]]:
    """Reports to RICH: every code occurs, and every fourth person leaves out the optional."""
    rows = []
    for number in range(count):
        row = {
            "drug": number * number % 3,
            "saw": number % 4,
            "stress": number * 5 % 4,
            "size": number // 2 % 3,
        }
        if number % 4:
            row |= {"took_1": number % 2, "took_2": number // 3 % 2}
        rows.append(row)
    return rows


# A group of three questions between one alone and one that is asked directly.
GROUPED: dict[str, Any] = {"group": 1, "epsilon": Decimal("1.3")}
WITH_GROUP = (
    {"name": "team", "text": "Do you lead a team?", "epsilon": Decimal(1)},
    {**GROUPED, "name": "drug", "text": "Have you ever taken a drug?"},
    {
        **GROUPED,
        "name": "drink",
        "kind": "single_choice",
        "text": "What do you drink?",
        "options": ["Tea", "Wine", "Gin"],
    },
    {
        **GROUPED,
        "name": "stress",
        "kind": "scale",
        "text": "How much does your work weigh on you?",
        "options": ["Low", "Middle", "High"],
        "prefer_not": True,
    },
    {"name": "shift", "text": "Do you work at night?", "randomized": False},
)


def grouped_rows(count: int) -> list[dict[str, Any]]:
    """Reports to WITH_GROUP: every combination of codes occurs, some more often."""
    return [
        {
            "team": number % 2,
            "group_2": [number * number % 2, number // 2 * number % 3, number // 3 % 4],
            "shift": number // 5 % 2,
        }
        for number in range(count)
    ]


def with_groups(count: int, **values: Any) -> Launch:
    """A launch with WITH_GROUP whose results rest on `count` people."""
    values = {"questions": WITH_GROUP, "budget": Decimal(7), "release_threshold": 20, **values}
    return released(grouped_rows(count), **{"results_public": True, **values})


def rich(count: int, physical: int = 0, **values: Any) -> Launch:
    """A launch with RICH whose results rest on `count` people and `physical` more with a die."""
    values = {"linkage": "together", "questions": RICH, "budget": Decimal("6"), **values}
    if values["linkage"] == "together":
        values.setdefault("cross_tables", RICH_TABLES)
    launch = launched(**{"release_threshold": 20, "results_public": True, **values})
    answer(launch, rich_rows(count))
    answer(launch, rich_rows(physical), drug="physical")
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


LETTERS = [f"Group {letter}" for letter in "ABCDEFGHIJKL"]
LONG = [
    {"name": "group", "kind": "single_choice", "options": LETTERS, "randomized": False},
    *[
        {
            "name": f"choice{number}",
            "kind": "single_choice",
            "options": ["Never", "Once", "Twice", "Often"],
            "epsilon": Decimal("0.3"),
        }
        for number in range(9)
    ],
    *[
        {"name": f"yes{number}", "prefer_not": True, "epsilon": Decimal("0.3")}
        for number in range(20)
    ],
]


def thirty(**values: Any) -> Launch:
    """A launch with results of 30 questions and three tables of twelve groups."""
    names = [question["name"] for question in LONG]
    rows = [
        {
            name: (number * 7 + place) % (12 if name == "group" else 2)
            for place, name in enumerate(names)
        }
        for number in range(240)
    ]
    return released(
        rows,
        results_public=True,
        questions=LONG,
        budget=Decimal(10),
        linkage="together",
        cross_tables=[["yes0", "group"], ["yes1", "group"], ["choice0", "group"]],
        **values,
    )
