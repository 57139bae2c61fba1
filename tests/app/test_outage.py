"""The database is away: a calm 503 that says when to come back, and no page of an error."""

from contextlib import contextmanager

import pytest
from django.db import connection
from django.urls import reverse

from surveys.models import Submission
from tests.arms import ask
from tests.builders import launched, response, sent

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.each_database]


@contextmanager
def database_away():
    """Make the database unreachable, for new and existing connections."""
    connection.close()
    before = dict(connection.settings_dict)
    away = {"NAME": "/nowhere/candor.sqlite3", "HOST": "/nowhere"}
    connection.settings_dict.update(away if connection.vendor == "sqlite" else {"HOST": "/nowhere"})
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.update(before)


@pytest.fixture
def launch(client):
    client.raise_request_exception = False
    return launched(results_public=True)


def test_a_response_is_refused_in_json_and_stored_when_it_comes_again(client, launch):
    body = response(launch)
    with database_away():
        answer = sent(client, launch, body)
    assert answer.status_code == 503
    assert answer["Content-Type"] == "application/json"
    assert int(answer["Retry-After"]) > 0
    assert answer.json()["errors"][0]["code"] == "unavailable"
    assert sent(client, launch, body).status_code == 201
    assert Submission.objects.count() == 1


def test_a_request_for_an_arm_is_refused_in_json_too(client, launch):
    body = {"digest": launch.digest, "submission": response(launch)["submission"]}
    with database_away():
        answer = ask(client, launch, body)
    assert answer.status_code == 503
    assert answer.json()["errors"][0]["code"] == "unavailable"


@pytest.mark.parametrize("name", ["parameters", "results-status", "results-json"])
def test_what_scripts_read_is_json_too(client, launch, name):
    address = reverse(name, args=[launch.survey.slug])
    with database_away():
        answer = client.get(address)
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert answer.json()["errors"][0]["code"] == "unavailable"


@pytest.mark.parametrize(
    "name", ["home", "respond", "physical", "results", "account", "admin:index"]
)
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Back in a moment"), ("de", "Gleich wieder")]
)
def test_pages_say_so_calmly(client, launch, name, language, words):
    address = reverse(
        name, args=[launch.survey.slug] if name in ("respond", "physical", "results") else []
    )
    client.cookies["sessionid"] = "x" * 32
    with database_away():
        answer = client.get(address, headers={"Accept-Language": language})
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert "no-store" in answer["Cache-Control"]
    assert words in answer.text
    assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_a_plain_form_that_is_sent_says_so_calmly(client, launch):
    with database_away():
        address = reverse("physical", args=[launch.survey.slug])
        answer = client.post(address, "a=b", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 503
    assert "sent again then, and stored once" in answer.text


def test_signing_in_says_so_calmly(client, launch):
    with database_away():
        answer = client.post(reverse("login"), {"username": "a", "password": "b"})
    assert answer.status_code == 503
    assert "Back in a moment" in answer.text


def test_the_health_of_the_process_says_so(client, launch):
    with database_away():
        answer = client.get(reverse("healthz"))
    assert answer.status_code == 503
    assert answer["Retry-After"]
    assert client.get(reverse("healthz")).text == "ok"


def test_a_mistake_of_ours_is_no_outage(client, launch, monkeypatch):
    monkeypatch.setattr("surveys.views.wire.record_at", lambda **_: 1 / 0)
    answer = sent(client, launch, response(launch))
    assert answer.status_code == 500
    assert answer.json()["errors"][0]["code"] == "server_error"
    monkeypatch.setattr("surveys.views.home.render", lambda *_: 1 / 0)
    assert "Something went wrong" in client.get("/").text
