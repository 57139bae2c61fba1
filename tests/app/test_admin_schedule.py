"""Closing and reopening from the admin."""

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.services.transitions import close_survey
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey
from tests.released import answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed():
    survey = launched().survey
    close_survey(survey=survey, actor=None)
    return survey


def test_closing_asks_first(client):
    survey = launched().survey
    assert "Close the survey" in sign_in(client).get(page(survey, "close")).text
    survey.refresh_from_db()
    assert survey.state == "open"


@pytest.mark.parametrize(
    ("inbox_size", "sentence"),
    [
        (0, None),
        (3, "3 responses stay out of the results, because fewer than 5"),
        (7, "7 responses that were kept back enter the results"),
    ],
)
def test_closing_says_what_becomes_of_those_who_wait(client, inbox_size, sentence):
    launch = launched(release_batch=5)
    answer(launch, [{"q1": 0}] * inbox_size)
    text = sign_in(client).get(page(launch.survey, "close")).text
    assert (sentence or "What happens") in text
    assert ("enter the results" in text) == (inbox_size >= 5)
    assert ("stay out" in text) == (inbox_size == 3)


@pytest.mark.parametrize(
    ("inbox_size", "text"),
    [
        (0, "Fewer than 5 new responses would stay out"),
        (2, "2 responses are held back from the results. They enter when 3 more have come in"),
    ],
)
def test_reopening_says_how_many_it_takes(client, inbox_size, text):
    launch = launched(release_batch=5)
    answer(launch, [{"q1": 0}] * inbox_size)
    close_survey(survey=launch.survey, actor=None)
    assert text in sign_in(client).get(page(launch.survey, "reopen")).text


def test_a_clone_with_sensitive_questions_warns_of_asking_twice(client):
    survey = launched().survey
    html = sign_in(client).post(page(survey, "clone"), follow=True).text
    assert "Do not ask the same people twice" in html
    plain = launched(slug="plain", questions=[{"randomized": False}]).survey
    html = client.post(page(plain, "clone"), follow=True).text
    assert "Do not ask the same people twice" not in html


@pytest.mark.parametrize(
    ("batch", "text"),
    [(5, "by at least 5 people at a time"), (1, "The results change with every answer.")],
)
def test_respondents_read_the_batch_as_it_was_frozen(client, batch, text):
    launch = launched(release_batch=batch, questions=[{"physical_device": "die", "epsilon": 2}])
    assert client.get("/s/health/parameters.json").json()["release_batch"] == batch
    assert text in client.get("/s/health/").text
    assert text in client.get("/s/health/physical/").text
    assert "adds up" in client.get("/s/health/").text
    assert "Several surveys add up" in client.get("/check/").text
    assert launch.document["format"] == 1


def test_closing_twice_is_told_and_harmless(client):
    survey = launched().survey
    assert sign_in(client).post(page(survey, "close")).status_code == 302
    response = client.post(page(survey, "close"), follow=True)
    assert "changed meanwhile" in response.text
    survey.refresh_from_db()
    assert survey.state == "closed"
    assert survey.transitions.filter(target="closed").count() == 1


def test_a_draft_can_be_neither_closed_nor_reopened(client):
    survey = make_survey()
    for name in ("close", "reopen"):
        sign_in(client).post(page(survey, name))
        assert client.get(page(survey, name)).url == page(survey)
    survey.refresh_from_db()
    assert survey.is_draft


def closing_values(moment):
    local = timezone.localtime(moment)
    return {"closes_at": f"{local:%Y-%m-%dT%H:%M}"}


def test_reopens_with_a_new_closing_time(client, closed):
    later = (timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0)
    assert sign_in(client).post(page(closed, "reopen"), closing_values(later)).status_code == 302
    closed.refresh_from_db()
    assert (closed.state, closed.closes_at) == ("open", later)


def test_reopens_without_a_closing_time_though_the_old_one_has_passed(client, closed):
    closed.closes_at = timezone.now() - timedelta(days=1)
    closed.save()
    assert sign_in(client).post(page(closed, "reopen"), {"closes_at": ""}).status_code == 302
    closed.refresh_from_db()
    assert (closed.state, closed.closes_at) == ("open", None)


def test_a_closing_time_that_has_passed_is_refused(client, closed):
    past = closing_values(timezone.now() - timedelta(hours=1))
    response = sign_in(client).post(page(closed, "reopen"), past)
    assert "This time has passed" in response.text
    closed.refresh_from_db()
    assert (closed.state, closed.closes_at) == ("closed", None)
