"""Logs: nothing that places a person at a time, and nothing that a stranger can flood."""

import io
import itertools
import json
import logging
import re
import subprocess
import sys

import pytest
from django.db import OperationalError, connection

from config import logs
from config.logs import CalmHandler
from tests.builders import launched

ADDRESSES = ("192.0.2.7", "2001:db8::7", "[2001:db8::7]:4711", "::ffff:192.0.2.7", "fe80::1%eth0")
TIMES = ("2026-11-22 03:05:01 +0000", "03:05:01", "[22/Nov/2026:03:05:01]", "1795319101.25")


@pytest.fixture
def handler():
    calm = CalmHandler()
    calm.setStream(io.StringIO())
    return calm


@pytest.fixture
def log_text(handler):
    """The written log, also of all other loggers, through a handler as in the settings."""
    root = logging.getLogger()
    root.addHandler(handler)
    yield handler.stream.getvalue
    root.removeHandler(handler)


@pytest.fixture
def log(handler):
    """Pass a record to the handler, as a logger does, each from another line of code."""
    lines = itertools.count()

    def write(name, message, *values, error=None, line=None):
        line_number = next(lines) if line is None else line
        error = (type(error), error, error.__traceback__) if error else None
        handler.handle(
            logging.LogRecord(name, logging.ERROR, "code.py", line_number, message, values, error)
        )

    return write


def raise_and_catch(error):
    try:
        raise error
    except type(error) as caught:
        return caught


# --- what is written ----------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [*ADDRESSES, *TIMES, "/s/health/?a=truth", "b'GET truth'"])
@pytest.mark.parametrize("name", ["gunicorn.error", "granian", "uvicorn.error", "anything.else"])
def test_lines_of_a_server_lose_what_came_with_the_request(log, log_text, name, secret):
    log(name, f"Invalid request from ip={secret}: bad header")
    log(name, "Invalid request from ip=%s: bad header", secret)
    log(name, "Invalid request from %(ip)s", {"ip": secret})
    text = log_text()
    assert "Invalid request from" in text
    assert len(text.splitlines()) == 3
    for word in re.findall(r"[\w:.]{5,}", secret):
        assert word not in text


def test_what_an_operator_needs_stays(log, log_text):
    log("gunicorn.error", "Worker (pid:%s) was sent SIG%s!", 4711, "KILL")
    log("celery.app.trace", "Task %(name)s[%(id)s] %(description)s: %(exc)s", {"name": "a.b"})
    log("surveys.jobs.queue", "No broker, so %s: %s", "results will lag", "ConnectionError")
    text = log_text()
    assert "ERROR gunicorn.error: Worker (pid:4711) was sent SIG" in text
    assert "Task a.b[" in text
    assert "No broker, so results will lag: ConnectionError" in text


def test_an_error_shows_its_code_and_not_its_text(log, log_text):
    cause = KeyError("yes, last Friday")
    error = ValueError("invalid literal: 'my real answer'")
    error.__cause__ = cause
    log(
        "django.request",
        "%s: %s",
        "Internal Server Error",
        "/s/health/",
        error=raise_and_catch(error),
    )
    text = log_text()
    assert "ERROR django.request: a request failed: ValueError" in text
    assert re.search(r"tests/app/test_logs\.py:\d+ raise_and_catch: raise error", text)
    assert "after KeyError" in text
    for part in ("Friday", "literal", "answer", "health"):
        assert part not in text


def test_a_line_cannot_be_forged(log, log_text):
    log("surveys.x", "one\nERROR root: two\r\n\x1b[31m three\u2028four")
    assert len(log_text().splitlines()) == 1


def test_a_long_message_is_cut_in_no_time(log, log_text):
    log("anything.else", "x" * 1_000_000)
    log("anything.else", "'" * 1_000_001)
    assert len(log_text()) < 2_000


def test_values_that_do_not_fit_their_message_break_nothing(log, log_text):
    log("anything.else", "%s and %d and %(name)s", "one")
    log("anything.else", "100 % of %s", "one")
    assert len(log_text().splitlines()) == 2


# --- how often ----------------------------------------------------------------------------------


def test_a_kind_is_written_once_and_then_counted(log, log_text, handler):
    for number in range(1000):
        log("surveys.x", "The %s-th.", number, line=1)
    assert log_text().splitlines() == ["ERROR surveys.x: The 0-th."]
    handler.close()
    assert log_text().splitlines()[1:] == ["ERROR surveys.x: The 0-th. (999 more of these)"]


def test_it_is_written_again_after_the_interval(log, monkeypatch, log_text):
    now = 1000.0
    monkeypatch.setattr(logs.time, "monotonic", lambda: now)
    for now in (1000.0, 1001.0, 1601.0, 1602.0):  # noqa: B007
        log("surveys.x", "Again.", line=1)
    assert log_text().splitlines() == [
        "ERROR surveys.x: Again.",
        "ERROR surveys.x: Again. (1 more of these)",
        "ERROR surveys.x: Again.",
    ]


def test_another_place_in_the_code_is_another_kind(log, log_text):
    for name, error in (("x", ValueError()), ("x", KeyError()), ("y", None)):
        log(f"surveys.{name}", "One.", error=error and raise_and_catch(error), line=1)
    assert sum(line.startswith("ERROR") for line in log_text().splitlines()) == 3


def test_there_are_never_more_kinds_than_fit(log, log_text):
    for number in range(3 * logs.MOST_KINDS):
        log(f"made.up.{number}", "A new one each time.", line=1)
    assert len(log_text().splitlines()) == logs.MOST_KINDS + 1


# --- requests -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_flood_of_bad_hosts_leaves_one_line(client, log_text):
    for number in range(200):
        assert client.get("/check/", headers={"Host": f"h{number}.example"}).status_code == 400
    (line,) = log_text().splitlines()
    assert line == "ERROR django.security.DisallowedHost: a request was refused"


@pytest.mark.django_db
def test_an_unexpected_error_is_written_once_without_the_request(client, monkeypatch, log_text):
    client.raise_request_exception = False
    launched()

    def broken(**values):
        raise RuntimeError(repr(values))

    monkeypatch.setattr("surveys.views.wire.record_at", broken)
    for number in range(50):
        body = f'{{"truth": "real answer {number}"}}'
        client.post(
            "/s/health/responses/?a=b",
            body,
            content_type="application/json",
            REMOTE_ADDR="192.0.2.7",
        )
    text = log_text()
    assert text.count("RuntimeError (its text is left out)") == 1
    assert "surveys/views/wire.py" in text
    for part in ("real", 'truth"', "a=b", "192.0.2.7", "/s/health"):
        assert part not in text


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_leaves_a_few_lines(client, settings, log_text):
    from tests.app.test_outage import database_away

    client.raise_request_exception = False
    # Without limits nothing asks for the broker, which is away too and would be told of meanwhile.
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launched()
    with database_away():
        for _ in range(45):
            assert client.get("/s/health/").status_code == 503
            assert client.get("/").status_code == 503
    said = log_text()
    lines = said.splitlines()
    assert 0 < len(lines) <= 4
    assert all("the database is away" in line for line in lines)
    assert len(said) < 1_000


def test_the_drivers_code_is_told_and_not_its_text(log, log_text):
    connection_error = OperationalError("DETAIL: Key (answer)=(yes)")
    connection_error.__cause__ = type("Driver", (Exception,), {"sqlstate": "08006"})()
    log("django.request", "x", error=raise_and_catch(connection_error))
    assert "OperationalError, 08006" in log_text()
    assert "answer" not in log_text()
    assert connection.vendor


# --- lines of JSON --------------------------------------------------------------------------------


@pytest.fixture
def json_handler():
    calm = CalmHandler(form=logs.JSON)
    calm.setStream(io.StringIO())
    return calm


@pytest.fixture
def json_lines(json_handler):
    """What is written by all loggers, each line as an object."""
    root = logging.getLogger()
    root.addHandler(json_handler)
    yield lambda: [json.loads(line) for line in json_handler.stream.getvalue().splitlines()]
    root.removeHandler(json_handler)


@pytest.mark.parametrize("secret", [*ADDRESSES, *TIMES, "/s/health/?a=truth", "b'GET truth'"])
def test_an_object_tells_no_more_than_a_line(json_handler, json_lines, secret):
    error = raise_and_catch(ValueError(secret))
    info = (type(error), error, error.__traceback__)
    for line, (message, values) in enumerate(
        [(f"Invalid request from ip={secret}", ()), ("From %s\n%s", (secret, 7))]
    ):
        json_handler.handle(
            logging.LogRecord("gunicorn.error", 40, "code.py", line, message, values, info)
        )
    first, second = json_lines()
    assert set(first) == {"level", "logger", "message", "kind", "error"}
    assert first["level"] == "ERROR"
    assert second["message"] == "From … 7"
    assert first["error"]["type"] == "ValueError"
    assert "raise_and_catch: raise error" in first["error"]["frames"][0]
    assert first["kind"] != second["kind"]
    for word in re.findall(r"[\w:.]{5,}", secret):
        assert word not in json_handler.stream.getvalue()


def test_what_was_left_out_is_a_number(json_handler, json_lines):
    record = logging.LogRecord("surveys.x", 40, "code.py", 1, "It waits.", (), None)
    for _ in range(1000):
        json_handler.handle(record)
    json_handler.close()
    first, rest = json_lines()
    assert rest == {**first, "more": 999}


@pytest.mark.django_db
def test_a_request_of_the_desk_has_a_name_and_a_respondents_has_none(
    client, settings, monkeypatch, json_lines
):
    client.raise_request_exception = False
    launch = launched(results_public=True)

    def broken(*_, **__):
        raise RuntimeError("a text")

    monkeypatch.setattr("surveys.views.respond.render", broken)
    slug = launch.survey.slug
    for path in (f"/s/{slug}/", f"/s/{slug}/physical/", "/check/"):
        answer = client.get(path, headers={"X-Request-ID": "given-by-a-proxy"})
        assert "X-Request-ID" not in answer
    assert all("request" not in line for line in json_lines())
    assert json_lines()

    def broken_elsewhere(*_, **__):
        raise RuntimeError("another kind")

    said = len(json_lines())
    monkeypatch.setattr("surveys.views.accounts.SignInView.get", broken_elsewhere)
    answer = client.get("/account/login/", headers={"X-Request-ID": "given-by-a-proxy"})
    assert answer.status_code == 500
    assert re.fullmatch("[0-9a-f]{16}", answer["X-Request-ID"])
    assert [line["request"] for line in json_lines()[said:]] == [answer["X-Request-ID"]]

    settings.TRUSTED_PROXIES = 1
    names = {"given-by-a-proxy": True, "short": False, "with a space": False, "x" * 65: False}
    for name, is_taken in names.items():
        answer = client.get("/account/login/", headers={"X-Request-ID": name})
        assert (answer["X-Request-ID"] == name) == is_taken


# --- every process ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gunicorn.error", "granian", "uvicorn.error", "django", "celery"])
def test_every_logger_ends_at_the_one_handler(name):
    from django.conf import settings

    assert settings.LOGGING["root"]["handlers"] == ["calm"]
    rules = settings.LOGGING["loggers"][name]
    assert not rules.get("handlers")
    assert rules.get("propagate", True)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["celery", "clock"])
def test_workers_and_the_clock_write_through_the_same_handler(module):
    code = (
        f"import logging, config.{module}; config.{module}.app.log.setup(loglevel='WARNING');"
        "handlers = {type(h).__name__ for n in (None, 'celery', 'celery.app.trace', 'celery.task')"
        " for h in logging.getLogger(n).handlers}; print(handlers)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "{'CalmHandler'}"
