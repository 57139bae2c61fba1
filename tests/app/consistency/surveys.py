"""Closed surveys that between them have every kind of question, and results of every sort.

Few people have answered, of rare answers and of those that nearly everybody gives.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from surveys.authoring.planning.simulation import simulated_respondents, simulated_responses
from surveys.models import Launch
from surveys.services.responses import record_response
from surveys.services.transitions import close_survey
from tests import analyses, arm_reports, tiers, waves
from tests.app.test_network_results import answered_network
from tests.builders import launched, response
from tests.released import RICH, WITH_GROUP
from tests.translations import launched_in
from tests.unchanged import chance
from tests.unchanged.people import come_back, computed, people_of

SEED = 29
TOGETHER: dict[str, Any] = {
    "linkage": "together",
    "release_threshold": 10,
    "budget": Decimal(40),
    "results_public": True,
}
HOURS = {
    "name": "hours",
    "kind": "bounded_number",
    "text": "How many hours did you work last week?",
    "scale": {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []},
    "design": "one_bit",
    "epsilon": Decimal(2),
}
AGE = {
    "name": "age",
    "kind": "bounded_number",
    "text": "How old are you?",
    "scale": {"lower": "18", "upper": "99", "step": "1", "unit": "years", "bins": [0, 12, 47]},
    "prefer_not": True,
    "epsilon": Decimal(3),
}
WORDS = {
    "name": "substance",
    "kind": "short_text",
    "design": "rappor",
    "text": "What did you take last?",
    "epsilon": Decimal(4),
    "candidates": ["Cannabis", "Cocaine", "Heroin"],
}
TEXTS = {"substance": ("Cannabis", "Cocaine", "Heroin", "Ecstasy")}
RICH_SCALE = next(each for each in RICH if each["name"] == "stress")
PARENT = {"name": "parent", "text": "Have you children?", "randomized": False}
HONEST = {"name": "honest", "text": "Have you ever lied?", "epsilon": Decimal(2)}
RARE = {"name": "rare", "text": "Have you ever set a fire?", "epsilon": Decimal("0.3")}
TRUTH: dict[str, Sequence[float]] = {
    "drug": [0.05, 0.9, 0.05],
    "took": [0.02, 0.97],
    "saw": [0.1, 0.02],
    "stress": [0.05, 0.1, 0.8, 0.05],
    "size": [0.02, 0.38, 0.6],
    "hours": [0.97, 0.03],
    "age": [0.4, 0.55, 0.04, 0.01],
    "substance": [0.7, 0.25, 0.04, 0.01],
    "parent": [0.0, 1.0],
    "honest": [0.01, 0.99],
    "rare": [0.99, 0.01],
    "mood": [0.1, 0.2, 0.7],
    "region": [0.55, 0.45],
    "team": [0.6, 0.4],
}


def fill(launch: Launch, count: int, physical: float = 0.0, **truth: Sequence[float]) -> Launch:
    """Let so many people answer, close the survey, and compute all that follows."""
    parameters, generator = launch.parameters, np.random.default_rng(SEED)
    shares = {**TRUTH, **truth}
    people = simulated_respondents(parameters, shares, count, SEED, physical_share=physical)
    sent = simulated_responses(parameters, people, texts=TEXTS, random_bytes=generator.bytes)
    for content in sent:
        record_response(launch=launch, body=json.dumps(response(launch, **content)).encode())
    return closed(launch)


def closed(launch: Launch) -> Launch:
    close_survey(survey=launch.survey, actor=None)
    return computed(launch)


def kinds(
    people: int,
    physical: float = 0.0,
    launch: Callable[..., Launch] = launched,
    **values: Any,
) -> Launch:
    asked = (*RICH, HOURS, AGE, WORDS, PARENT, HONEST, RARE)
    crossed = [["drug", "size"], ["stress", "size"], ["rare", "size"], ["parent", "size"]]
    given = {"questions": asked, "cross_tables": crossed, "planned_n": 600, **TOGETHER, **values}
    return fill(launch(**given), people, physical)


def weighted(people: int = 140, launch: Callable[..., Launch] = launched, **values: Any) -> Launch:
    own = {"mood": {"epsilon": Decimal(2)}, "size": {"text": "How large is your firm?"}}
    asked = [{**each, **own.get(each["name"], {})} for each in analyses.QUESTIONS]
    given = {
        **TOGETHER,
        "questions": [*asked, RARE],
        "weighting": analyses.regional(),
        "analyses": [analyses.ANALYSIS],
        "cross_tables": [["drug", "region"], ["mood", "size"], ["rare", "region"]],
        **values,
    }
    return fill(launch(**given), people, drug=[0.9, 0.1], size=[0.4, 0.6])


def in_waves() -> Launch:
    """A group of questions; of sixty people half come back to the second wave."""
    given = {**TOGETHER, "questions": WITH_GROUP, "release_threshold": 5}
    chance.begin("waves")
    first = waves.coded_launch(**given)
    people = people_of(first, 60)
    second = come_back(first, lambda launch: waves.next_wave(launch, team="2"), people, 30)
    return closed(second)


def in_arms() -> Launch:
    return closed(arm_reports.store(arm_reports.arms_survey(), arm_reports.everybody(60, 30, 20)))


def of_a_network() -> Launch:
    return closed(answered_network(results_public=True))


def of_some(count: int, **values: Any) -> Launch:
    """Questions that are for some people only, a number in bins and a scale among them."""
    behind = {"features": {"filters": {"only_if": "honest = Yes"}}}
    asked = [
        HONEST,
        {**RARE, "epsilon": Decimal(2), **behind},
        {**AGE, **behind},
        {**RICH_SCALE, **behind},
        PARENT,
    ]
    truth = {"honest": [0.4, 0.6], "rare": [0.5, 0.1, 0.4], "age": [0.3, 0.2, 0.05, 0.4, 0.05]}
    given = {**TOGETHER, "questions": asked, "cross_tables": [["rare", "parent"]], **values}
    return fill(launched(**given), count, **truth, stress=[0.1, 0.2, 0.25, 0.4, 0.05])


def of_rankings() -> Launch:
    asked = {"kind": "ranked_items", "text": "What matters most?", "prefer_not": True}
    few = {**asked, "name": "few", "options": ["Pay", "Hours", "People"], "design": "all_orders"}
    items = ["Pay", "Hours", "People", "The work", "The way", "Food"]
    many = {**asked, "name": "many", "options": items, "design": "near_orders"}
    questions = [{**few, "epsilon": Decimal(3)}, {**many, "epsilon": Decimal(4)}]
    truth = {"few": [0.6, 0.2, 0.1, 0.1], "many": [0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05]}
    return fill(launched(questions=questions, planned_n=600, **TOGETHER), 160, **truth)


LAUNCHES: Mapping[str, Callable[[], Launch]] = {
    "few": lambda: kinds(40),
    "some with a die": lambda: kinds(150, 0.05),
    "exactly these": lambda: kinds(80, population="fixed"),
    "weighted": weighted,
    "waves and a group": in_waves,
    "tiers": lambda: closed(tiers.filled(80, results_public=True)),
    "arms": in_arms,
    "a network": of_a_network,
    "for some": lambda: of_some(400),
    "for a few": lambda: of_some(30),
    "for some of these": lambda: of_some(80, population="fixed"),
    "rankings": of_rankings,
    "kinds in Hebrew": lambda: kinds(150, launch=launched_in),
    "weighted in Hebrew": lambda: weighted(launch=launched_in),
}
