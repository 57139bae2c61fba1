"""Closing and reopening from the admin."""

from datetime import timedelta

import pytest
from django.utils import timezone

from surveys.services.transitions import close_survey
from tests.app.author_posts import page, signed_in
from tests.builders import launched, make_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def closed():
    survey = launched().survey
    close_survey(survey=survey, actor=None)
    return survey


def test_closing_asks_first(client):
    survey = launched().survey
    assert "Close the survey" in signed_in(client).get(page(survey, "close")).text
    survey.refresh_from_db()
    assert survey.state == "open"


def test_closing_twice_is_told_and_harmless(client):
    survey = launched().survey
    assert signed_in(client).post(page(survey, "close")).status_code == 302
    response = client.post(page(survey, "close"), follow=True)
    assert "changed meanwhile" in response.text
    survey.refresh_from_db()
    assert survey.state == "closed"
    assert survey.transitions.filter(target="closed").count() == 1


def test_a_draft_can_be_neither_closed_nor_reopened(client):
    survey = make_survey()
    for name in ("close", "reopen"):
        signed_in(client).post(page(survey, name))
        assert client.get(page(survey, name)).url == page(survey)
    survey.refresh_from_db()
    assert survey.is_draft


def when(moment):
    local = timezone.localtime(moment)
    return {"closes_at": f"{local:%Y-%m-%dT%H:%M}"}


def test_reopens_with_a_new_closing_time(client, closed):
    later = (timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0)
    assert signed_in(client).post(page(closed, "reopen"), when(later)).status_code == 302
    closed.refresh_from_db()
    assert (closed.state, closed.closes_at) == ("open", later)


def test_reopens_without_a_closing_time_though_the_old_one_has_passed(client, closed):
    closed.closes_at = timezone.now() - timedelta(days=1)
    closed.save()
    assert signed_in(client).post(page(closed, "reopen"), {"closes_at": ""}).status_code == 302
    closed.refresh_from_db()
    assert (closed.state, closed.closes_at) == ("open", None)


def test_a_closing_time_that_has_passed_is_refused(client, closed):
    past = when(timezone.now() - timedelta(hours=1))
    response = signed_in(client).post(page(closed, "reopen"), past)
    assert "This time has passed" in response.text
    closed.refresh_from_db()
    assert (closed.state, closed.closes_at) == ("closed", None)
