"""People who come back: surveys with return codes, waves, and what their browsers would send."""

import json
import random
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.test import Client

from rr_engine.relaxation import draw_relaxed, exact_degradation
from surveys.features.return_codes import section
from surveys.features.return_codes.changes import launch_next_wave
from surveys.models import Launch
from surveys.parameters import coded
from surveys.parameters.exact import design_of
from tests.builders import launched, response

CODED = {"mode": "pseudonymous", "linkage": "together", "release_threshold": 5}
ASKED = (
    {"name": "drug", "epsilon": Decimal("1")},
    {
        "name": "absence",
        "kind": "single_choice",
        "text": "How did you last stay away from work?",
        "options": ["I was ill", "I was not ill", "Never"],
        "epsilon": Decimal("0.5"),
    },
    {"name": "permanent", "text": "Is your contract permanent?", "randomized": False},
)


def coded_launch(**values: Any) -> Launch:
    """An open survey with return codes, its first wave."""
    return launched(**{"questions": ASKED, "budget": Decimal("3"), **CODED, **values})


def next_wave(launch: Launch, **epsilons: str) -> Launch:
    raised = {name: Decimal(epsilon) for name, epsilon in epsilons.items()}
    return launch_next_wave(survey=launch.survey, epsilons=raised, actor=None)


new_code = section.new_code


def post(client: Client, launch: Launch, code: str, reports: Mapping[str, Any]) -> Any:
    body = response(launch, reports=dict(reports)) | {"code": code}
    return client.post(
        f"/s/{launch.survey.slug}/responses/", json.dumps(body), content_type="application/json"
    )


def look_up(client: Client, launch: Launch, code: str) -> Any:
    return client.post(
        f"/s/{launch.survey.slug}/return/",
        json.dumps({"code": code}),
        content_type="application/json",
    )


def seeded_bytes(seed: int) -> Any:
    """The bytes of a generator with a seed, for tests that count what was drawn."""
    return random.Random(seed).randbytes


def relaxed_reports(
    launch: Launch, wave: int, before: Mapping[str, int], truths: Mapping[str, int], source: Any
) -> dict[str, int]:
    """Draw what a browser draws in this wave for who reported `before` in an earlier one."""
    reports = {}
    for device in launch.parameters.devices:
        truth = truths[device.id]
        if device.direct:
            reports[device.id] = truth
            continue
        earlier = next(entry for entry in device.earlier if entry.wave == wave)
        now, later = design_of(earlier.table), design_of(coded(device.table))
        if earlier.table == device.table:
            reports[device.id] = before[device.id]
        else:
            reports[device.id] = draw_relaxed(
                exact_degradation(now, later), now, later, before[device.id], truth, source
            )
    return reports
