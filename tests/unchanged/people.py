"""People who answer a survey, by HTTP as browsers do, and the workers that compute its results."""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.test import Client

from surveys import tasks
from surveys.authoring.planning.simulation import (
    SimulatedRespondents,
    simulated_respondents,
    simulated_responses,
    simulated_returns,
)
from surveys.models import AnalysisFit, Launch, WeightedShares
from surveys.services.results import refresh_results
from tests.arms import submissions_in_arms
from tests.rosters import links_of
from tests.unchanged import chance
from tests.waves import new_code

SEED = 20_261_126
# The shares of a roster: how many members are tied to one another, and how often it is returned.
TIES = [0.3, 0.5]
# Whoever has a place that is the last of so many leaves out what is not required.
LEAVING_OUT = 4

Sent = dict[str, Any]


def shares_of(launch: Launch, texts: Mapping[str, Sequence[str]]) -> dict[str, list[float]]:
    """Return falling shares of the answers to each question."""
    truth = {}
    for question in launch.parameters.questions:
        size = len(question.categories) + len(texts.get(question.id, ()))
        total = size * (size + 1) / 2
        shares = [(size - place) / total for place in range(size)]
        truth[question.id] = TIES if question.control == "roster" else shares
    return truth


def fill(
    launch: Launch,
    count: int,
    *,
    texts: Mapping[str, Sequence[str]] | None = None,
    physical: float = 0.0,
) -> Launch:
    """Let so many simulated people answer, and compute the results."""
    people = people_of(launch, count, texts=texts, physical=physical)
    send(launch, *sent_by(launch, people, texts=texts))
    return computed(launch)


def people_of(
    launch: Launch,
    count: int,
    *,
    texts: Mapping[str, Sequence[str]] | None = None,
    physical: float = 0.0,
) -> SimulatedRespondents:
    truth = shares_of(launch, texts or {})
    return simulated_respondents(launch.parameters, truth, count, SEED, physical_share=physical)


def sent_by(
    launch: Launch,
    people: SimulatedRespondents,
    *,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> tuple[list[Sent], list[dict[str, str]]]:
    """Return what these people send, and the key of each."""
    count = len(people.physical)
    keys = keys_of(launch, count)
    if launch.parameters.arms:
        keys, arms = submissions_in_arms(launch.digest, launch.parameters, count)
        people = replace(people, strata=arms)
    sent = simulated_responses(launch.parameters, people, texts=texts, random_bytes=chance.drawn)
    return [without_some(launch, response, place) for place, response in enumerate(sent)], keys


def keys_of(launch: Launch, count: int) -> list[dict[str, str]]:
    """Return what each person answers with: a code, a personal link, or neither."""
    if launch.parameters.mode == "pseudonymous":
        return [{"code": new_code()} for _ in range(count)]
    if launch.parameters.mode == "personal":
        links = links_of(launch.survey)
        return [{"link": link} for link in links.values()]
    return [{} for _ in range(count)]


def without_some(launch: Launch, response: Sent, place: int) -> Sent:
    """Return the response, without what somebody at this place leaves out."""
    if place % LEAVING_OUT != LEAVING_OUT - 1:
        return response
    optional = {entry.id for entry in launch.parameters.questions if not entry.required}
    left_out = {
        device.id for device in launch.parameters.devices if optional.issuperset(device.questions)
    }
    return {
        key: {name: value for name, value in part.items() if name not in left_out}
        for key, part in response.items()
    }


def send(launch: Launch, sent: Sequence[Sent], keys: Sequence[Mapping[str, str]]) -> None:
    client = Client()
    for response, key in zip(sent, keys, strict=True):
        body = {"digest": launch.digest, "submission": str(uuid.uuid4()), **response, **key}
        answer = client.post(
            f"/s/{launch.survey.slug}/responses/", json.dumps(body), "application/json"
        )
        if answer.status_code != 201:
            raise ValueError(f"{answer.status_code} {answer.text}")


def come_back(
    first: Launch,
    ask_again: Callable[[Launch], Launch],
    people: SimulatedRespondents,
    returning: int,
) -> Launch:
    """Let people answer a wave, and so many of them the next, which `ask_again` launches.

    Nobody leaves out anything. Returns the next wave.
    """
    keys = keys_of(first, len(people.physical))
    sent = simulated_responses(first.parameters, people, random_bytes=chance.drawn)
    send(first, sent, keys)
    second = ask_again(computed(first))
    again = simulated_returns(
        second.parameters, people, sent[:returning], first.wave, random_bytes=chance.drawn
    )
    send(second, again, keys[:returning])
    return computed(second)


def computed(launch: Launch) -> Launch:
    """Return the launch once workers have computed all that follows from its reports."""
    while refresh_results(launch_id=launch.pk):
        pass
    for kind, model in (("analysis", AnalysisFit), ("weights", WeightedShares)):
        for key in model.objects.filter(launch=launch).order_by("pk").values_list("pk", flat=True):
            tasks.run_job(kind, key)
    launch.refresh_from_db()
    return launch
