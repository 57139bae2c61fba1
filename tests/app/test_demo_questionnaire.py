"""The demo of a questionnaire: what it shows is there, and its simulated answers are true to it."""

import json
from decimal import Decimal

import numpy as np
import pytest

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.planning.simulation import simulated_responses
from surveys.features.languages import demo
from surveys.services.responses import record_response
from tests.builders import owner, response

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def launch():
    return demo.launch_questionnaire(owner=owner())


def test_it_has_sections_filters_a_battery_and_a_whole_second_language(launch):
    document = json.loads(json.dumps(launch.document))
    assert [len(each["questions"]) for each in document["sections"]] == [3, 3, 3, 2]
    found = [(each["question"], each["unasked"]) for each in document["filters"]]
    assert found == [("hours", True), ("repeated", False), ("found_out", False)]
    assert [each["random"] for each in document["batteries"]] == [True]
    assert list(document["translations"]) == ["de"]
    assert launch.survey.budget >= Decimal(launch.parameters.epsilon)
    assert [each.code for each in lint_survey(launch.survey)] == []


def test_every_german_text_is_one_of_the_survey(launch):
    texts = json.dumps(launch.translations["de"], ensure_ascii=False)
    assert [each for each in demo.GERMAN.values() if each not in texts] == []


def test_nobody_answers_what_is_not_for_them(launch):
    people = demo.respondents_of(launch, 2000, seed=30)
    answers = people.answers
    cheated, repeated, found_out = (answers[each] for each in ("cheated", "repeated", "found_out"))
    assert ((repeated == 2) == (cheated != 1)).all()
    assert ((found_out == 2) == (repeated != 1)).all()
    sent = simulated_responses(
        launch.parameters, people, random_bytes=np.random.default_rng(30).bytes
    )
    jobs = np.array([each["reports"]["job"] for each in sent])
    assert [("hours" in each["reports"]) for each in sent] == (jobs == 1).tolist()
    for each in sent[:20]:
        body = json.dumps(response(launch, **each)).encode()
        record_response(launch=launch, body=body)
    # Four standard errors of a share among 2,000, at most.
    for name, shares in launch.survey.simulated_truth.items():
        found = np.bincount(answers[name], minlength=len(shares)) / 2000
        assert np.abs(found - shares).max() < 4 * 0.5 / np.sqrt(2000), name
