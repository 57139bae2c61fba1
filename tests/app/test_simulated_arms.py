"""Simulated people are put into arms, and report to the devices of theirs."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec.structs import replace as changed

from surveys.authoring.planning.coverage import simulated_coverage
from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.responses import envelope
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.arms import ARMS, SHARES, arms_launch, submissions_in_arms
from tests.builders import launched
from tests.plain import checked

pytestmark = pytest.mark.django_db
TRUTH = {"drug": [0.8, 0.2], "mood": [0.2, 0.5, 0.3], "region": [0.4, 0.6]}
N = 20_000


def test_a_test_fill_tallies_every_device_by_the_share_of_its_arms():
    launch = arms_launch()
    results = checked(simulated_survey(launch.parameters, launch.digest, TRUTH, N, seed=7).results)
    counted = {
        (device["id"], device["stratum"]): sum(device["counts"])
        for question in results["questions"]
        for device in question["devices"]
    }
    expected = {("drug", name): share for name, share in SHARES.items()}
    expected |= {("mood", "page"): 65, ("mood", "split"): 35, ("region", "page"): 100}
    # Five standard deviations of a share of 20,000 people.
    assert {key: 100 * n / N for key, n in counted.items()} == pytest.approx(expected, abs=1.8)


def test_every_simulated_response_is_one_of_its_arm():
    launch = arms_launch()
    keys, arms = submissions_in_arms(launch.digest, launch.parameters, 60)
    people = simulated_respondents(launch.parameters, TRUTH, 60, 5)
    assert set(people.strata) == set(SHARES)
    people = replace(people, strata=arms)
    responses = simulated_responses(
        launch.parameters, people, random_bytes=np.random.default_rng(1).bytes
    )
    schema = envelope.response_schema(launch.parameters)
    for key, arm, response in zip(keys, arms, responses, strict=True):
        parsed = envelope.ParsedSubmission(
            submission=key["submission"], digest=launch.digest, wave=launch.wave, **response
        )
        assert envelope.checked_content(parsed, schema) == response
        assert response["strata"]["drug"] == arm
        assert response["strata"]["mood"] == ("split" if arm == "split" else "page")


def test_where_everybody_is_asked_alike_nobody_is_in_an_arm():
    launch = launched()
    assert submissions_in_arms(launch.digest, launch.parameters, 2)[1] == ()
    assert simulated_respondents(launch.parameters, {"q1": [0.5, 0.5]}, 9, 1).strata == ()


@pytest.mark.slow
def test_coverage_is_that_of_the_people_of_the_page():
    document = arms_launch().parameters
    few = simulated_coverage(document, TRUTH, 2000, rng=1).questions["drug"][1].margin
    alone = without_arms(document)
    many = simulated_coverage(alone, TRUTH, 2000, rng=1).questions["drug"][1].margin
    assert few == pytest.approx(many / 0.35**0.5, rel=0.1)


def without_arms(document):
    """The same survey where everybody is asked alike."""
    devices = tuple(device for device in document.devices if device.stratum == "page")
    return changed(document, arms=(), devices=devices)


def test_the_author_of_a_preview_chooses_the_arm(client):
    survey = arms_launch().survey
    address = page(survey, "preview")
    text = sign_in(client).get(f"{address}?arm=direct").text
    assert 'data-arm="direct"' in text
    assert text.count('<a href="?arm=') == len(ARMS)
    assert 'href="?arm=direct" aria-current="page"' in text
    for asked in ("", "?arm=nobody"):
        assert 'data-arm="page"' in client.get(address + asked).text
    assert "?arm=" not in client.get(f"/s/{survey.slug}/").text


def test_the_arms_of_a_preview_are_in_the_language_of_the_survey(client):
    survey = arms_launch(language="de").survey
    assert "Direkter Arm: unverwürfelt gefragt" in sign_in(client).get(page(survey, "preview")).text


@pytest.mark.slow
def test_the_page_of_the_test_fill_works_with_arms(client):
    survey = arms_launch().survey
    shares = {
        f"{name}-{i}": 100 * part for name, row in TRUTH.items() for i, part in enumerate(row)
    }
    data = {"respondents": "400", **{name: f"{share:g}" for name, share in shares.items()}}
    shown = visible_text(sign_in(client).post(page(survey, "trial"), data).text)
    assert "Recovered from 400 simulated respondents" in shown
    assert "Here only those answer whom the page's own devices ask" in shown
