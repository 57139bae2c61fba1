"""Surveys with three tiers, and what arrives and is seen of them."""

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.test import Client
from django.urls import URLPattern, reverse

from surveys import jobs
from surveys.authoring.planning.simulation import simulated_respondents, simulated_responses
from surveys.features.tiers.models import Tier
from surveys.models import Job, Launch
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from surveys.tasks import MAKERS
from surveys.urls import researcher
from tests.builders import launched, response

TIERS = (("The public", "0.25"), ("Partners", "0.5"), ("Our own team", "1"))
HOURS = {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []}
# A uniform, a dense and a linear table; a device for each option; and direct answers.
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"name": "drug", "prefer_not": True, "epsilon": "1.4"},
    {
        "name": "reason",
        "kind": "single_choice",
        "text": "Why?",
        "options": [f"Reason {number}" for number in range(1, 7)],
        "design": "cards",
        "epsilon": "2",
    },
    {
        "name": "hours",
        "kind": "bounded_number",
        "text": "How many hours did you work last week?",
        "scale": HOURS,
        "design": "one_bit",
        "epsilon": "1.2",
    },
    {
        "name": "took",
        "text": "What did you take to get through the day?",
        "kind": "multiple_choice",
        "options": ["Pills", "Drinks"],
        "design": "per_option",
        "epsilon": "2",
        "required": False,
    },
    {
        "name": "size",
        "kind": "single_choice",
        "text": "How many people work there?",
        "options": ["Few", "Some", "Many"],
        "randomized": False,
    },
)
TABLES = [["drug", "size"]]
TRUTH = {
    "drug": [0.6, 0.3, 0.1],
    "reason": [0.3, 0.25, 0.2, 0.1, 0.1, 0.05],
    "hours": [0.4, 0.6],
    "took": [0.4, 0.2],
    "size": [0.3, 0.3, 0.4],
}
NAMES = tuple(pattern.name for pattern in researcher if isinstance(pattern, URLPattern))


def tiered(**values: Any) -> Launch:
    """An open survey with three tiers and no responses."""
    values = {"linkage": "together", "questions": QUESTIONS, "budget": 8, **values}
    if values["linkage"] == "together":
        values.setdefault("cross_tables", TABLES)
    return launched(**{"release_threshold": 20, "tiers": TIERS, **values})


def simulate(
    launch: Launch, count: int, *, seed: int = 7, client: Client | None = None
) -> list[dict[str, Any]]:
    """Send the chains of simulated respondents, by HTTP if there is a client; returns them."""
    people = simulated_respondents(launch.parameters, TRUTH, count, seed)
    sent = simulated_responses(
        launch.parameters, people, random_bytes=np.random.default_rng(seed).bytes
    )
    for content in sent:
        body = json.dumps(response(launch, reports=content["reports"]))
        if client is None:
            record_response(launch=launch, body=body.encode())
            continue
        answer = client.post(address(launch, "responses"), body, content_type="application/json")
        assert answer.status_code == 201
    return sent


def filled(count: int = 200, **values: Any) -> Launch:
    """A survey with three tiers, whose results rest on so many simulated respondents."""
    launch = tiered(**values)
    simulate(launch, count)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


def read_by(launch: Launch, user: Any, *numbers: int) -> None:
    """Make somebody a reader of these tiers, which are numbered from 1."""
    rows = list(Tier.objects.filter(survey=launch.survey_id).order_by("position"))
    for number in numbers:
        rows[number - 1].readers.add(user)


def address(launch: Launch, name: str, tier: int | str | None = None) -> str:
    query = "" if tier is None else f"?tier={tier}"
    return reverse(name, args=[launch.survey.slug]) + query


def fetch(client: Client, url: str, **headers: str) -> Any:
    """The complete answer; a file that a worker has to make is made first."""
    answer = client.get(url, headers=headers)
    if answer.status_code == 302 and "/results/files/" in answer["Location"]:
        for maker in MAKERS:
            for job in Job.objects.filter(kind=maker.name, state="queued"):
                jobs.run(maker.job, job.subject)
        answer = client.get(url, headers=headers)
    content = answer.getvalue() if answer.streaming else answer.content
    # A file of another program is no text; its name says whose it is.
    answer.text_read = text_of(content)
    return answer


def text_of(content: bytes) -> str:
    """All that can be read in a file, also what a bundle has in it."""
    if not content.startswith(b"PK\x03\x04"):
        return content.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        return "\n".join(bundle.read(name).decode(errors="replace") for name in bundle.namelist())


def entries_of(table: dict[str, Any]) -> Sequence[Sequence[int]]:
    """The served integers of one step, truth by truth, by the words of docs/protocol.md."""
    if table["form"] == "dense":
        return table["columns"]
    size = len(table["reports"])
    if table["form"] == "uniform":
        return [
            [table["kept"] if code == truth else table["other"] for code in range(size)]
            for truth in range(size)
        ]
    seconds = [table["low"] + table["rise"] * step for step in range(table["steps"] + 1)]
    return [[table["denominator"] - second, second] for second in seconds]
