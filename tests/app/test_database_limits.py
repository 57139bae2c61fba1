"""PostgreSQL gives up: a statement, a lock, a connection too many. Nobody sees an error of ours."""

from contextlib import contextmanager

import psycopg
import pytest
from django.conf import settings
from django.db import InternalError, connection
from django.urls import reverse

from config import database
from surveys.models import Submission
from surveys.views import errors, home
from tests.builders import launched, response, sent

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.production_database,
    # Not in `make quick`, which has no PostgreSQL.
    pytest.mark.slow,
]


@pytest.fixture
def launch(client):
    client.raise_request_exception = False
    return launched(results_public=True)


@contextmanager
def connections_with(**changes):
    """New connections of this process have these parameters."""
    connection.close()
    before = {name: connection.settings_dict[name] for name in changes}
    connection.settings_dict.update(changes)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


@contextmanager
def limited(**seconds):
    before = dict(settings.DATABASES["default"]["OPTIONS"])
    connection.close()
    database.limit(seconds)
    try:
        yield
    finally:
        connection.close()
        settings.DATABASES["default"]["OPTIONS"].clear()
        settings.DATABASES["default"]["OPTIONS"].update(before)


@contextmanager
def somebody_else():
    given = connection.get_connection_params()
    kept = {name: given[name] for name in ("dbname", "user", "host", "port") if name in given}
    with psycopg.connect(**kept) as other:
        yield other


def assert_come_back(answer):
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert answer.json()["errors"][0]["code"] == "unavailable"


def test_a_response_that_waits_for_a_lock_is_sent_again(client, launch):
    body = response(launch)
    with limited(**{database.LOCK: 1}):
        with somebody_else() as other:
            other.execute("LOCK TABLE surveys_submission")
            assert_come_back(sent(client, launch, body))
        assert sent(client, launch, body).status_code == 201
    assert Submission.objects.count() == 1


def test_a_page_whose_statement_takes_too_long_says_so_calmly(client, launch, monkeypatch):
    def slow(*_):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(60)")

    monkeypatch.setattr(home, "render", slow)
    with limited(**{database.STATEMENT: 1}):
        answer = client.get("/")
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert "Back in a moment" in answer.text


def test_where_there_are_too_many_connections_a_response_is_sent_again(client, launch):
    body = response(launch)
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE one_of_too_many LOGIN CONNECTION LIMIT 0")
    try:
        with connections_with(USER="one_of_too_many"):
            assert_come_back(sent(client, launch, body))
            assert client.get(reverse("healthz")).status_code == 503
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP ROLE one_of_too_many")
    assert sent(client, launch, body).status_code == 201


def test_a_server_that_only_reads_and_a_transaction_that_was_idle_are_outages(client, launch):
    with connections_with(
        OPTIONS={
            **connection.settings_dict["OPTIONS"],
            "options": "-c default_transaction_read_only=on",
        }
    ):
        assert_come_back(sent(client, launch, response(launch)))
    idle = InternalError()
    idle.__cause__ = psycopg.errors.IdleInTransactionSessionTimeout()
    assert errors.is_outage(idle)
    mistake = InternalError()
    mistake.__cause__ = psycopg.errors.InFailedSqlTransaction()
    assert not errors.is_outage(mistake)


def test_a_process_has_its_limits_and_a_pooled_one_leaves_them_to_the_pooler(monkeypatch):
    options = {"options": "-c lock_timeout=7000"}
    changed = {"default": {"ENGINE": "django.db.backends.postgresql", "OPTIONS": options}}
    monkeypatch.setattr(settings, "DATABASES", changed)
    monkeypatch.setattr(settings, "WEB_LOCK_SECONDS", 0)
    database.limit(database.limits_of_web())
    given = "-c statement_timeout=30000 -c idle_in_transaction_session_timeout=600000"
    assert options["options"] == f"{given} -c lock_timeout=7000"
    monkeypatch.setattr(settings, "DATABASE_POOLED", True)
    database.limit(database.limits_of_tasks())
    assert options["options"] == f"{given} -c lock_timeout=7000"
