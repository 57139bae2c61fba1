"""Other questions beside one about the roster are in the files of its survey as in others."""

import csv
import io
import json
from decimal import Decimal

import numpy as np
import pytest

from surveys.authoring.planning.simulation import SimulatedRespondents, simulated_responses
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from tests.app.kept import kept_once
from tests.app.test_downloads_reproduce import download, program_and_page
from tests.builders import owner, response
from tests.rosters import TIES, launched_network, links_of, roster_rows

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GROUPED = {"group": 1, "epsilon": Decimal("1.3")}
BESIDE = (
    {**GROUPED, "name": "drug", "text": "Have you ever taken a drug?"},
    {
        **GROUPED,
        "name": "drink",
        "kind": "single_choice",
        "text": "What do you drink?",
        "options": ["Tea", "Wine", "Gin"],
    },
    {
        "name": "took",
        "kind": "multiple_choice",
        "text": "What have you taken from work?",
        "options": ["Paper", "Tools"],
        "design": "per_option",
        "epsilon": Decimal(1),
    },
)
MEMBERS = 24


@kept_once
def kept():
    """Everybody has answered everything."""
    launch = launched_network(roster_rows(MEMBERS), questions=(TIES[0], *BESIDE), budget=Decimal(6))
    chance = np.random.default_rng(7)
    answers = {
        "friends": chance.integers(2, size=(MEMBERS, MEMBERS - 1)),
        "drug": chance.integers(2, size=MEMBERS),
        "drink": chance.integers(3, size=MEMBERS),
        "took": chance.integers(2, size=(MEMBERS, 2)),
    }
    nobody = np.zeros(MEMBERS, dtype=np.int64)
    people = SimulatedRespondents(answers, physical=nobody.astype(bool), picks=nobody)
    responses = simulated_responses(launch.parameters, people, random_bytes=chance.bytes)
    for content, link in zip(responses, links_of(launch.survey).values(), strict=True):
        body = json.dumps(response(launch, **content, link=link))
        record_response(launch=launch, body=body.encode())
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


def test_what_was_sent_together_has_a_column_for_each_question(client, launch):
    client.force_login(owner())
    rows = list(csv.DictReader(io.StringIO(download(client, launch, "reports-csv"))))
    sent = {
        content["member"]: tuple(map(str, content["reports"]["group_2"]))
        for content in launch.report_sets.values_list("content", flat=True)
    }
    assert {row["member"]: (row["drug"], row["drink"]) for row in rows} == sent
    assert len(set(sent.values())) > 3


def test_the_program_of_the_guide_gives_their_numbers(client, launch, tmp_path):
    client.force_login(owner())
    lines, document = program_and_page(client, launch, tmp_path)
    for question in document["questions"][1:]:
        again = lines[question["id"]]
        assert again["n"] == question["n"] == MEMBERS
        for key in set(again) - {"id", "n"}:
            assert again[key] == [row[key] for row in question["categories"]], key
    (group,) = document["groups"]
    assert lines[group["id"]]["n"] == group["n"] == MEMBERS
