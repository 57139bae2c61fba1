"""`/livez` and `/readyz`: what a balancer is told, in every state of what the site stands on."""

import threading

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections, connection
from django.db.migrations.recorder import MigrationRecorder

from config.stack.ending import is_ending
from surveys.observation import probes
from tests.app.test_outage import database_away

WELL = {
    "ok": True,
    "process": "ok",
    "database": "ok",
    "migrations": "ok",
    "broker": "ok",
    "disk": "ok",
}


@pytest.fixture(autouse=True)
def looks(monkeypatch):
    """A broker that answers, no answer from before, and how often it was looked."""
    found = []
    look = probes.look
    monkeypatch.setattr(probes, "look", lambda: found.append(1) or look())
    monkeypatch.setattr(probes, "broker_answers", lambda: True)
    probes.forget()
    yield found
    probes.forget()


def ready(client, **options):
    probes.forget()
    answer = client.get("/readyz", **options)
    return answer.status_code, answer.json()


def test_a_process_answers_without_a_database(client):
    """Without the mark of a database a query would fail this test."""
    answer = client.get("/livez", headers={"Host": "192.0.2.7"})
    assert (answer.status_code, answer.json()) == (200, {"ok": True})


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/livez", "/readyz"])
@pytest.mark.parametrize("redirects", [False, True])
def test_anybody_may_ask_under_any_name_and_nothing_is_kept(client, settings, path, redirects):
    settings.SECURE_SSL_REDIRECT = redirects
    settings.CANONICAL_HOST = "survey.example"
    for host in ("192.0.2.7", "[2001:db8::7]:8000", "survey.example", "anything.example"):
        answer = client.get(path, headers={"Host": host})
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "no-store"
        assert answer["Content-Length"] == str(len(answer.content))
        assert not answer.cookies
        assert "X-Request-ID" not in answer
        assert client.head(path, headers={"Host": host}).status_code == 200
        assert client.post(path, headers={"Host": host}).status_code == 405


@pytest.mark.django_db
def test_all_is_well(client):
    assert ready(client) == (200, WELL)


@pytest.mark.django_db(transaction=True)
@pytest.mark.each_database
def test_without_a_database_it_is_not_ready(client):
    # As in a process that serves: Django's client leaves connections open.
    request_finished.connect(close_old_connections)
    try:
        with database_away():
            status, checks = ready(client)
    finally:
        request_finished.disconnect(close_old_connections)
    assert status == 503
    assert checks == {**WELL, "ok": False, "database": "away", "migrations": "unknown"}
    assert ready(client) == (200, WELL)


@pytest.mark.django_db
def test_it_is_ready_with_all_of_its_migrations_and_with_later_ones(client):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("surveys", "9999_of_the_next_version")
    assert ready(client) == (200, WELL)
    last = max(name for app, name in probes.migrations_of_this_code() if app == "surveys")
    recorder.record_unapplied("surveys", last)
    assert ready(client) == (503, {**WELL, "ok": False, "migrations": "missing"})
    assert probes.missing_migrations() == 1


@pytest.mark.django_db
def test_a_broker_that_is_away_is_told_and_stops_nobody(client, monkeypatch):
    monkeypatch.setattr(probes, "broker_answers", lambda: False)
    assert ready(client) == (200, {**WELL, "broker": "away"})


@pytest.mark.django_db
@pytest.mark.each_database
@pytest.mark.parametrize("folder", ["data", "files"])
def test_a_full_disk_stops_only_whose_database_lies_on_it(client, monkeypatch, settings, folder):
    room = {"data": (10**9, 10**10), "files": (10**9, 10**10)}
    settings.LEAST_FREE_MB = 100
    monkeypatch.setattr(probes, "disks", lambda: {**room, folder: (99_999_999, 10**10)})
    stops = connection.vendor == "sqlite"
    assert ready(client) == (503 if stops else 200, {**WELL, "ok": not stops, "disk": "low"})


def test_folders_that_are_not_there_yet_have_the_room_of_the_one_above(settings, tmp_path):
    settings.DATA_DIR = tmp_path / "not" / "yet"
    free, total = probes.disks()["data"]
    assert 0 < free <= total


@pytest.mark.django_db
def test_a_process_that_ends_sends_balancers_elsewhere(client):
    is_ending.set()
    try:
        # Also in the second in which what was found before still holds.
        assert ready(client) == (503, {**WELL, "ok": False, "process": "ending"})
        assert client.get("/livez").status_code == 200
    finally:
        is_ending.clear()
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_however_many_ask_it_looks_once_in_a_while(client, looks, monkeypatch):
    now = 100.0
    monkeypatch.setattr(probes.time, "monotonic", lambda: now)
    for _ in range(20):
        client.get("/readyz")
    assert len(looks) == 1
    now += probes.KEPT_SECONDS
    client.get("/readyz")
    assert len(looks) == 2


def test_who_asks_during_a_slow_look_gets_the_last_answer(monkeypatch):
    """A database that does not answer holds up one thread and no more."""
    begun, goes_on = threading.Event(), threading.Event()
    monkeypatch.setattr(probes, "KEPT_SECONDS", 0.0)
    monkeypatch.setattr(probes, "look", lambda: {"database": "ok"})
    probes.current_checks()

    def slow():
        begun.set()
        goes_on.wait(60)
        return {"database": "away"}

    monkeypatch.setattr(probes, "look", slow)
    thread = threading.Thread(target=probes.current_checks)
    thread.start()
    assert begun.wait(60)
    assert probes.current_checks()["database"] == "ok"
    goes_on.set()
    thread.join()
    monkeypatch.setattr(probes, "KEPT_SECONDS", 60.0)
    assert probes.current_checks()["database"] == "away"
