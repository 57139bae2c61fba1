"""Surveys with arms, and responses of people in each."""

import json
import random
import uuid
from dataclasses import replace
from decimal import Decimal
from typing import Any

from django.test import Client
from msgspec import structs

from surveys.drafts import Draft
from surveys.features.arms.assignment import assigned_arm
from surveys.features.arms.section import Arm
from surveys.features.arms.settings import (
    arms_of_question,
    set_arms_of_question,
    set_shares,
    shares_of_survey,
)
from surveys.models import Launch, Question, Survey
from surveys.parameters import Parameters, strata_of_devices
from tests.builders import OF_QUESTION, OF_SURVEY, launched, response, with_features

SEED = 20261123
# The arms of a survey with both a split sample and people who are asked directly.
SHARES = {"page": 35, "split": 35, "direct": 30}
ARMS = tuple(Arm(stratum=name, share=share) for name, share in SHARES.items())

BOTH = {"name": "drug", "split_epsilon": Decimal("0.5"), "asked_directly": True}
SPLIT_ONLY = {
    "name": "mood",
    "kind": "scale",
    "options": ["Bad", "Fair", "Good"],
    "split_epsilon": Decimal("0.4"),
    "required": False,
}
PLAIN = {"name": "region", "kind": "single_choice", "options": ["N", "S"], "randomized": False}


def arms_launch(**values: Any) -> Launch:
    """An open survey: one question in both arms, one in the split sample, one direct one."""
    shares = {"split_share": 35, "direct_share": 30}
    return launched(**{"questions": [BOTH, SPLIT_ONLY, PLAIN], **shares, **values})


def armed_draft(draft: Draft, **values: Any) -> Draft:
    """A draft question with these arms, in a survey with these shares."""
    question = with_features(dict(values), OF_QUESTION).get("features", {})
    survey = with_features(dict(values), OF_SURVEY).get("features", {})
    return replace(draft, of_features=json.dumps(question), survey_of_features=json.dumps(survey))


def change_shares(survey: Survey, **changes: int) -> None:
    """Store other shares of the arms of a draft."""
    stored = Survey.objects.get(pk=survey.pk)
    set_shares(stored, structs.replace(shares_of_survey(stored), **changes))
    stored.save(update_fields=["features"])


def change_arms(question: Question, **changes: Any) -> Question:
    """The question with other arms; nothing is stored."""
    set_arms_of_question(question, structs.replace(arms_of_question(question), **changes))
    return question


def seeded_id(number: int) -> uuid.UUID:
    """One of a row of submission ids, the same in every run."""
    return uuid.UUID(int=random.Random(f"{SEED} {number}").getrandbits(128), version=4)


def id_in(launch: Launch, arm: str) -> str:
    """A submission id that chance puts into this arm of the launch."""
    arms = launch.parameters.arms
    ids = map(seeded_id, range(10_000))
    return str(next(each for each in ids if assigned_arm(launch.digest, each, arms) == arm))


def submissions_in_arms(
    digest: str, document: Parameters, count: int
) -> tuple[list[dict[str, str]], tuple[str, ...]]:
    """Return new submission ids, each as the key of a response, and the arms that they are in.

    There are no arms where everybody is asked alike.
    """
    ids = [uuid.uuid4() for _ in range(count)]
    arms = tuple(assigned_arm(digest, each, document.arms) for each in ids if document.arms)
    return [{"submission": str(each)} for each in ids], arms


def response_in(launch: Launch, arm: str, **values: Any) -> dict[str, Any]:
    """A valid response of somebody in this arm: report 0 to every device."""
    strata = strata_of_devices(launch.parameters, arm)
    named = {name: stratum for name, stratum in strata.items() if stratum != "page"}
    return response(launch, **{"submission": id_in(launch, arm), "strata": named, **values})


def ask(client: Client, launch: Launch, body: Any, **headers: Any) -> Any:
    """Ask for the arm of a response."""
    return _post(client, f"/s/{launch.survey.slug}/arm/", body, headers)


def send(client: Client, launch: Launch, body: Any, **headers: Any) -> Any:
    return _post(client, f"/s/{launch.survey.slug}/responses/", body, headers)


def _post(client: Client, address: str, body: Any, headers: dict[str, Any]) -> Any:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(address, text, **{"content_type": "application/json", **headers})
