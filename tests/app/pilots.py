"""Launched pilots with planted clusters, whose simulated reports are in the results."""

import uuid
from decimal import Decimal
from typing import Any

import numpy as np
from django.db.models import QuerySet

from surveys import jobs
from surveys.authoring.planning.simulation import SimulatedRespondents, simulated_responses
from surveys.features.pilots.models import DependenceRun
from surveys.features.pilots.runs import DEPENDENCE, start_run
from surveys.models import Launch, Submission, Survey
from surveys.parameters import Parameters, picked_of
from surveys.services.results import refresh_results
from tests.builders import launched

CHOICE = {"kind": "single_choice", "options": ["Tea", "Wine", "Pills"], "text": "What?"}
SCALE = {"kind": "scale", "options": ["Low", "Middle", "High"], "text": "How much?"}
# A hidden trait sets the answers to the first, third and fifth question, another one the others.
QUESTIONS = [
    {"text": "Ever drunk at work?"},
    {"text": "Ever bullied?"},
    CHOICE,
    SCALE,
    {"text": "Ever smoked at work?"},
    {"name": "where", "text": "Where do you work?", "randomized": False},
]
PLANTED = [["q1", "q3", "q5"], ["q2", "q4"]]


def pilot_launch(**values: Any) -> Launch:
    epsilon = Decimal(values.pop("epsilon", 2))
    asked = values.pop("questions", QUESTIONS)
    questions = [
        {**question, "epsilon": epsilon} if question.get("randomized", True) else question
        for question in asked
    ]
    usual = {"pilot": True, "budget": 2 * epsilon, "planned_n": 2_000, "questions": questions}
    return launched(**{**usual, "release_threshold": 20, **values})


def planted_people(parameters: Parameters, n: int, *, seed: int = 0) -> SimulatedRespondents:
    """Respondents whose answers follow the trait of their cluster four times out of five."""
    rng = np.random.default_rng(seed)
    cluster = {name: number for number, names in enumerate(PLANTED) for name in names}
    traits = rng.random((len(PLANTED) + 1, n))
    answers = {}
    for question in parameters.questions:
        follows = rng.random(n) < 0.8
        value = np.where(follows, traits[cluster.get(question.id, -1)], rng.random(n))
        answers[question.id] = np.floor(value * len(question.categories)).astype(np.int64)
    pairs = rng.integers(len(picked_of(parameters)), size=n)
    return SimulatedRespondents(answers, np.zeros(n, dtype=bool), pairs)


def answered(launch: Launch, n: int, *, seed: int = 0) -> Launch:
    """The same launch once these people have answered it and are in its results."""
    contents = _contents(launch.digest, n, seed, launch)
    Submission.objects.bulk_create(
        Submission(pk=uuid.uuid4(), launch=launch, content=content) for content in contents
    )
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


_known: dict[tuple[str, int, int], list[dict[str, Any]]] = {}


def _contents(digest: str, n: int, seed: int, launch: Launch) -> list[dict[str, Any]]:
    """The responses of these people, drawn once for all tests that ask the same."""
    key = digest, n, seed
    if key not in _known:
        people = planted_people(launch.parameters, n, seed=seed)
        source = np.random.default_rng([seed, n]).bytes
        _known[key] = simulated_responses(launch.parameters, people, random_bytes=source)
    return _known[key]


def main_surveys(pilot: Survey) -> QuerySet[Survey]:
    """The surveys that were made from a pilot."""
    return Survey.objects.filter(features__pilots__made_from=pilot.pk)


def run_now(launch: Launch) -> DependenceRun:
    """An estimate that was started by the author and run at once."""
    run = start_run(survey=launch.survey, user=launch.survey.owner)
    jobs.run(DEPENDENCE, launch.pk)
    run.refresh_from_db()
    return run


def planted_run(launch: Launch) -> DependenceRun:
    """A run that found exactly what was planted: the tests of its page do not depend on chance."""
    run = run_now(launch)
    cluster = {name: number for number, names in enumerate(PLANTED) for name in names}
    for row in run.content["pairs"]:
        together = cluster[row["first"]] == cluster[row["second"]]
        value, lower, p_value = (0.6, 0.4, 0.0) if together else (0.05, 0.0, 0.6)
        found = {"value": value, "lower": lower, "p_value": p_value, "standard_error": 0.1}
        row.update({**found, "note": ""})
    run.save(update_fields=["content"])
    return run
