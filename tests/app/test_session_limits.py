"""How long somebody stays signed in: eight idle hours, three days at most, and what is left."""

from datetime import timedelta

import pytest
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.urls import reverse
from django.utils import timezone

from surveys import session_limits, tasks
from tests.builders import PASSWORD, launched, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
HOUR = 3600


class Clock:
    """The time of the sessions' limits and of Django's own expiry."""

    def __init__(self, monkeypatch):
        self.start, self.passed = timezone.now(), 0
        monkeypatch.setattr(timezone, "now", lambda: self.start + timedelta(seconds=self.passed))
        monkeypatch.setattr(
            session_limits.time, "time", lambda: self.start.timestamp() + self.passed
        )


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.fixture
def signed_in(client, clock):
    make_user("author", author=True)
    client.post(reverse("login"), {"username": "author", "password": PASSWORD})
    return client


def is_in(client, **headers):
    answer = client.get(reverse("account"), headers=headers)
    assert answer.status_code in (200, 302)
    return answer.status_code == 200


@pytest.mark.parametrize(("hours", "expected"), [(7.9, True), (8.1, False)])
def test_eight_idle_hours_end_it(signed_in, clock, hours, expected):
    clock.passed = 0.5 * HOUR
    assert is_in(signed_in)
    clock.passed += hours * HOUR
    assert is_in(signed_in) == expected


def test_whoever_goes_on_is_signed_out_after_three_days(signed_in, clock):
    while clock.passed < 3 * 24 * HOUR - 7 * HOUR:
        clock.passed += 7 * HOUR
        assert is_in(signed_in)
    clock.passed = 3 * 24 * HOUR
    assert not is_in(signed_in)
    # Nothing is left of the session, in the browser or here.
    assert not Session.objects.exists()
    # The next one has three days of its own.
    signed_in.post(reverse("login"), {"username": "author", "password": PASSWORD})
    clock.passed += 7 * HOUR
    assert is_in(signed_in)


def test_a_page_that_looks_for_news_by_itself_keeps_nobody_signed_in(signed_in, clock):
    by_script = {"Sec-Fetch-Dest": "empty"}
    for _ in range(3):
        clock.passed += 2.6 * HOUR
        assert is_in(signed_in, **by_script)
    clock.passed += 0.5 * HOUR
    assert not is_in(signed_in)


def test_a_session_from_before_this_rule_has_three_days_from_now(signed_in, clock):
    session = signed_in.session
    del session[session_limits.BEGAN], session[session_limits.SEEN]
    session.save()
    assert is_in(signed_in)
    clock.passed = 3 * 24 * HOUR
    assert not is_in(signed_in)


def test_a_click_costs_no_write(signed_in, clock):
    clock.passed = session_limits.STORED_EACH + 1
    assert is_in(signed_in)
    clock.passed += session_limits.STORED_EACH - 2
    before = Session.objects.get().expire_date
    assert is_in(signed_in)
    assert Session.objects.get().expire_date == before


def test_respondents_have_no_session(client):
    launch = launched()
    client.get(reverse("respond", args=[launch.survey.slug]))
    assert not client.cookies
    assert not Session.objects.exists()


def test_the_clock_clears_ended_sessions_and_no_others(signed_in, clock):
    schedule = django_settings.CELERY_BEAT_SCHEDULE
    assert "surveys.tasks.clear_old_sessions" in {each["task"] for each in schedule.values()}
    clock.passed = 7 * HOUR
    tasks.clear_old_sessions()
    assert Session.objects.count() == 1
    clock.passed = 9 * HOUR
    tasks.clear_old_sessions()
    assert not Session.objects.exists()


def test_every_task_of_the_schedule_exists():
    names = {
        each["task"].rpartition(".")[2] for each in django_settings.CELERY_BEAT_SCHEDULE.values()
    }
    assert all(callable(getattr(tasks, name)) for name in names)
