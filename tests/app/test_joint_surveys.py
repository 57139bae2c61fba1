"""Surveys with groups of questions, from the draft to the tallies."""

from decimal import Decimal

import numpy as np
import pytest

from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.parameters import Joint, joint_of_all, picked_of
from surveys.parameters.budget import spent
from surveys.responses.counting import count
from surveys.responses.envelope import is_content, response_schema
from tests.builders import launched
from tests.plain import checked

pytestmark = pytest.mark.django_db

GROUP = {"group": 1, "epsilon": Decimal("1.5")}
THREE = {"kind": "single_choice", "text": "Which?", "options": ["Tea", "Wine", "Pills"]}
QUESTIONS = [
    {"text": "Do you lead a team?", "epsilon": Decimal(1)},
    {**GROUP, "text": "Have you ever taken a drug?"},
    {**GROUP, **THREE},
    {"text": "Where?", "randomized": False},
]
TRUTH = {"q1": [0.5, 0.5], "q2": [0.8, 0.2], "q3": [0.5, 0.3, 0.2], "q4": [0.3, 0.7]}


def source(seed=1):
    return np.random.default_rng(seed).bytes


@pytest.fixture
def launch():
    return launched(questions=QUESTIONS, budget=Decimal(6))


def test_the_epsilons_of_a_group_are_spent_by_one_device(launch):
    (group,) = joint_of_all(launch.parameters)
    assert (group.id, group.questions, group.epsilon) == ("group_2", ("q2", "q3"), "3")
    assert isinstance(group.table, Joint)
    assert group.table.shape == (2, 3)
    assert spent(launch.parameters.devices) == Decimal(4)
    assert [device.id for device in launch.parameters.devices] == ["q1", "group_2", "q4"]


def test_simulated_people_send_one_report_for_a_group(launch):
    people = simulated_respondents(launch.parameters, TRUTH, 400, seed=1)
    responses = simulated_responses(launch.parameters, people, random_bytes=source())
    assert set(responses[0]["reports"]) == {"q1", "group_2", "q4"}
    counts = count(responses, launch.parameters)
    cells = np.array(counts["group_2", "page"]).reshape(2, 3)
    assert cells.sum() == 400
    assert cells.sum(axis=1).tolist() == counts["q2", "page"]
    assert cells.sum(axis=0).tolist() == counts["q3", "page"]
    truths = [people.answers[name].tolist() for name in ("q2", "q3")]
    kept = sum(
        [int(first), int(second)] == response["reports"]["group_2"]
        for first, second, response in zip(*truths, responses, strict=True)
    )
    (group,) = joint_of_all(launch.parameters)
    chance = group.table.weights[0] / group.table.denominator
    # Six standard errors.
    assert abs(kept / 400 - chance) < 6 * np.sqrt(chance * (1 - chance) / 400)


def test_the_results_of_a_question_of_a_group_are_near_the_truth(launch):
    results = checked(
        simulated_survey(launch.parameters, launch.digest, TRUTH, 200_000, seed=2).results
    )
    for question in results["questions"]:
        for category, share in zip(question["categories"], TRUTH[question["id"]], strict=True):
            # Five standard errors.
            near = 5 * category["standard_error"] + 1e-9
            assert category["estimate"] == pytest.approx(share, abs=near)


PILOT = [
    {"text": "Do you drink?", "epsilon": Decimal(1)},
    {"text": "Do you smoke?", "epsilon": Decimal("1.2")},
    {"text": "Where?", "randomized": False},
    {**THREE, "epsilon": Decimal("1.5")},
]


def test_a_pilot_asks_each_person_one_pair():
    launch = launched(questions=PILOT, budget=Decimal(3), pilot=True)
    parameters = launch.parameters
    pairs = [(device.id, device.stratum, device.epsilon) for device in picked_of(parameters)]
    assert pairs == [
        ("pair", "pair_1_2", "2.2"),
        ("pair", "pair_1_4", "2.5"),
        ("pair", "pair_2_4", "2.7"),
    ]
    assert spent(parameters.devices) == Decimal("2.7")
    truth = {"q1": [0.5, 0.5], "q2": [0.8, 0.2], "q3": [0.3, 0.7], "q4": [0.5, 0.3, 0.2]}
    people = simulated_respondents(parameters, truth, 300, seed=1)
    responses = simulated_responses(parameters, people, random_bytes=source())
    schema = response_schema(parameters)
    for answered in responses:
        assert set(answered["reports"]) == {"pair", "q3"}
        assert is_content(answered, schema)
    counts = count(responses, parameters)
    picked = [sum(counts["pair", stratum]) for _id, stratum, _epsilon in pairs]
    assert sum(picked) == 300
    assert min(picked) > 60
    assert sum(counts["q4", "pair_1_4"]) == picked[1]
    assert schema.required == {"pair", "q3"}


def test_a_question_of_a_pilot_is_estimated_from_all_its_pairs():
    launch = launched(questions=PILOT, budget=Decimal(3), pilot=True)
    truth = {"q1": [0.5, 0.5], "q2": [0.8, 0.2], "q3": [0.3, 0.7], "q4": [0.5, 0.3, 0.2]}
    results = checked(
        simulated_survey(launch.parameters, launch.digest, truth, 300_000, seed=3).results
    )
    for question in results["questions"]:
        for category, share in zip(question["categories"], truth[question["id"]], strict=True):
            near = 5 * category["standard_error"] + 1e-9
            assert category["estimate"] == pytest.approx(share, abs=near)
    assert [device["stratum"] for device in results["questions"][3]["devices"]] == [
        "pair_1_4",
        "pair_2_4",
    ]
