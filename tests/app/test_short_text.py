"""A short text: how it is asked, frozen, answered and looked for by a list of candidates."""

import json
import uuid
from decimal import Decimal

import numpy as np
import pytest

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.simulation import simulated_responses
from surveys.devices import FAMILIES, family_of
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.kinds.text_estimates import list_digest, rappor_of
from surveys.parameters import Bloom
from surveys.parameters.exact import likelihood_ratio_bound
from surveys.responses.spaces import space_of
from surveys.services.candidates import change_candidates
from surveys.services.results import refresh_results
from surveys.services.responses import record_response
from tests.builders import launched, make_question, make_survey

DRUGS = ["Cannabis", "Cocaine", "Heroin", "Ecstasy", "Ketamine"]
TEXT = {
    "name": "drug",
    "kind": "short_text",
    "design": "rappor",
    "text": "Which drug did you take last?",
    "epsilon": Decimal(4),
    "prefer_not": True,
    "required": False,
}
SHARES = [0.5, 0.3, 0.1, 0.0, 0.0, 0.1]


def text_launch(n=1_000, **values):
    return launched(
        questions=[{**TEXT, **values}],
        planned_n=n,
        budget=Decimal(8),
        release_batch=1,
        release_threshold=20,
    )


def answered(launch, n=1_000, seed=1):
    """The same launch after the responses of people with these shares."""
    responses = simulated_responses(
        launch.parameters, {"drug": SHARES}, n, seed, texts={"drug": DRUGS}
    )
    for response in responses:
        send(launch, response["reports"])
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


@pytest.mark.django_db
def test_it():
    launch = text_launch()
    print(launch.parameters.devices, launch.parameters.questions)


def send(launch, reports):
    body = {"digest": launch.digest, "submission": str(uuid.uuid4()), "reports": reports}
    record_response(launch=launch, body=json.dumps(body).encode())


@pytest.mark.django_db
def test_all():
    launch = answered(text_launch())
    change_candidates(survey=launch.survey, question="drug", texts=DRUGS, actor=None)
    refresh_results(launch_id=launch.pk)
    r = launch.result
    import pprint
    q = r.content["questions"][0]
    q["devices"][0]["counts"] = 0
    pprint.pprint(q)
