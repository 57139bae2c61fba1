"""Shares weighted to declared margins: the library's numbers, on the page, and nothing of a few."""

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

import rr_engine
from surveys.models import WeightedShares
from surveys.parameters.exact import channel_of
from surveys.results.release import release_of
from surveys.results.status import status_of
from surveys.services.weighted_results import WEIGHTS, weighted_values
from tests.app.test_analysis_fits import people, survey_of

pytestmark = pytest.mark.django_db

WEIGHTING = {"margins": [{"question": "region", "shares": ["0.6", "0.3", "0.1"]}]}


@pytest.fixture
def surveyed():
    rows = people(120)
    return survey_of(rows, weighting=WEIGHTING, results_public=True), rows


def compute(launch):
    stored = WeightedShares.objects.get(launch=launch)
    WeightedShares.objects.filter(pk=stored.pk).update(**weighted_values(stored))
    stored.refresh_from_db()
    return stored


def test_weighted_shares_are_the_librarys(surveyed):
    launch, rows = surveyed
    content = compute(launch).content
    sample = rr_engine.sampling.rake(
        rr_engine.SurveySample(n=120), [[row["region"] for row in rows]], [[0.6, 0.3, 0.1]]
    )
    for place, name in enumerate(("drug", "mood")):
        device = channel_of(launch.parameters.devices[place], launch.parameters.questions[place])
        wanted = rr_engine.estimate_weighted(device, [row[name] for row in rows], sample)
        found = content["questions"][name]["categories"]
        assert [row["estimate"] for row in found] == pytest.approx(wanted.proportions)
        assert [row["standard_error"] for row in found] == pytest.approx(wanted.standard_errors)
        ends = np.array([row["interval"] for row in found])
        assert ends == pytest.approx(wanted.interval())
    assert content["design_effect"] == pytest.approx(sample.design_effect)


def test_the_margins_come_out_as_they_were_declared(surveyed):
    launch, _ = surveyed
    found = compute(launch).content["questions"]["region"]["categories"]
    assert [row["estimate"] for row in found] == pytest.approx([0.6, 0.3, 0.1])
    assert all(row["fixed"] for row in found)
    assert [(row["standard_error"], row["interval"]) for row in found] == [(None, [None, None])] * 3


def test_the_page_shows_them_once_they_are_there(surveyed):
    launch, _ = surveyed
    address = reverse("results", args=[launch.survey.slug])
    before = status_of(release_of(launch), for_author=False)
    assert "being computed" in Client().get(address).content.decode()
    assert WEIGHTS.is_lagging(WeightedShares.objects.get(launch=launch).pk)
    compute(launch)
    assert not WEIGHTS.is_lagging(WeightedShares.objects.get(launch=launch).pk)
    page = Client().get(address).content.decode()
    assert "Weighted estimate" in page
    assert "design effect" in page
    after = status_of(release_of(launch), for_author=False)
    assert after.revision != before.revision
    assert set(after.as_json()) == set(before.as_json())


def test_rare_answers_and_their_shares_count_together():
    rows = [row for row in people(120) if row["region"] < 2]
    rows += [{**row, "region": 2} for row in people(3, seed=1)]
    launch = survey_of(rows, weighting=WEIGHTING)
    found = compute(launch).content["questions"]["region"]
    assert [2, 1] not in found["answers"]
    merged = next(answers for answers in found["answers"] if 2 in answers)
    assert len(merged) == 2
    place = found["answers"].index(merged)
    wanted = sum([0.6, 0.3, 0.1][answer] for answer in merged)
    assert found["categories"][place]["estimate"] == pytest.approx(wanted)


def test_a_share_that_nobody_stands_for_is_refused_in_words():
    rows = [{**row, "region": row["region"] % 2} for row in people(60)]
    launch = survey_of(rows, weighting=WEIGHTING, results_public=True)
    stored = compute(launch)
    assert stored.refusal == "weights_not_met\nregion"
    page = Client().get(reverse("results", args=[launch.survey.slug])).content.decode()
    assert "No weights meet the margins" in page


def test_a_survey_without_margins_has_none():
    launch = survey_of(people(20))
    assert not WeightedShares.objects.filter(launch=launch).exists()
    page = release_of(launch)
    assert np.isclose(status_of(page, for_author=False).weighted, 0)
