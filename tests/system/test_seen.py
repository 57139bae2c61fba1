"""What balancers, Prometheus, logs and traces get of a real site, in each of its states."""

import http.client
import json
import os
import re
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests import postgresql
from tests.collector import Messages, collecting, spans_of
from tests.system.stack import Stack, free_port, running_stack, wait_for
from tests.system.test_outage import ADDRESS, TIME

pytestmark = pytest.mark.system

WELL = {
    "ok": True,
    "process": "ok",
    "database": "ok",
    "migrations": "ok",
    "broker": "ok",
    "disk": "ok",
}
# Told as soon as the exporter runs.
AT_ONCE = {
    "candor_database_up",
    "candor_broker_up",
    "candor_migrations_missing",
    "candor_disk_low",
    "candor_surveys",
    "candor_jobs",
    "candor_sweep_age_seconds",
    "candor_requests_total",
    "candor_request_seconds_bucket",
}
OURS = ("web", "worker", "searches", "beat", "metrics")


@dataclass
class Site:
    stack: Stack
    database: postgresql.Server
    traces: Messages
    metrics_port: int

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, Any, bytes]:
        """Status, headers and body, by a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.stack.port, timeout=60)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def ready(self) -> tuple[int, dict[str, Any]]:
        with suppress(OSError, http.client.HTTPException):
            status, _, body = self.ask("/readyz", Host="192.0.2.7")
            return status, json.loads(body)
        return 0, {}

    def exposed(self) -> dict[str, set[tuple[tuple[str, str], ...]]]:
        """The labels of each metric, by its name."""
        url = f"http://127.0.0.1:{self.metrics_port}/metrics"
        with urllib.request.urlopen(url, timeout=60) as answer:
            text = answer.read().decode()
        found: dict[str, set[tuple[tuple[str, str], ...]]] = {}
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found.setdefault(sample.name, set()).add(tuple(sorted(sample.labels.items())))
        return found


@pytest.fixture(scope="module")
def site(static_files: Path) -> Iterator[Site]:
    port = free_port()
    with postgresql.server(quick=True) as database, collecting() as (address, traces):
        settings = {
            "CANDOR_METRICS_PORT": str(port),
            "CANDOR_LOG_FORMAT": "json",
            "CANDOR_OTLP_ENDPOINT": address,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            "CANDOR_DRAIN_SECONDS": "5",
        }
        running = running_stack(
            database_url=database.url, static_files=static_files, settings=settings
        )
        with running as stack:
            yield Site(stack, database, traces, port)


def test_probes_in_every_state(site: Site) -> None:
    for path, expected in (("/livez", {"ok": True}), ("/readyz", WELL)):
        status, headers, body = site.ask(path, Host="192.0.2.7")
        assert (status, json.loads(body)) == (200, expected)
        assert (headers["Cache-Control"], headers["Set-Cookie"]) == ("no-store", None)
        assert headers["X-Request-ID"] is None
        assert site.ask(path, "HEAD", Host="192.0.2.7")[::2] == (200, b"")

    broker = site.stack.role("broker")
    broker.suspend()
    try:
        wait_for(lambda: site.ready() == (200, {**WELL, "broker": "away"}))
    finally:
        broker.resume()
    wait_for(lambda: site.ready() == (200, WELL))

    last = "(SELECT max(id) FROM django_migrations)"
    with psycopg.connect(site.database.url, autocommit=True) as connection:
        connection.execute(f"UPDATE django_migrations SET name = name || '!' WHERE id = {last}")
        wait_for(lambda: site.ready() == (503, {**WELL, "ok": False, "migrations": "missing"}))
        connection.execute(
            f"UPDATE django_migrations SET name = rtrim(name, '!') WHERE id = {last}"
        )
    wait_for(lambda: site.ready() == (200, WELL))

    site.database.stop()
    try:
        away = {**WELL, "ok": False, "database": "away", "migrations": "unknown"}
        wait_for(lambda: site.ready() == (503, away))
        assert site.ask("/livez")[0] == 200
        # What goes wrong here is in the logs, for the test of them.
        assert site.ask("/")[0] == 503
        assert site.ask("/s/nowhere/")[0] == 503
    finally:
        site.database.start()
    wait_for(lambda: site.ready() == (200, WELL))


def test_metrics_names_and_traces_are_of_the_desk_alone(site: Site) -> None:
    site.stack.ledger("launch", "seen")
    for path in ("/s/seen/", "/s/seen/parameters.json", "/check/", "/s/seen/results/"):
        assert site.ask(path, **{"X-Request-ID": "of-a-stranger"})[1]["X-Request-ID"] is None
    name = site.ask("/account/login/", **{"X-Request-ID": "of-a-stranger"})[1]["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{16}", name)

    assert site.ask("/metrics")[0] == 404
    wait_for(lambda: set(site.exposed()) >= AT_ONCE)
    exposed = site.exposed()
    assert not [key for key in exposed if not key.startswith("candor_")]
    assert "seen" not in str(exposed)
    wait_for(lambda: "'login'" in str(site.exposed()["candor_requests_total"]))
    assert {dict(labels)["group"] for labels in site.exposed()["candor_requests_total"]} <= {
        *("account", "admin", "api", "review", "results")
    }

    wait_for(lambda: name in str(spans_of(site.traces)))
    assert {span.name for span in spans_of(site.traces)} <= {"login", "no such page"}
    assert "seen" not in str(site.traces)


def test_a_web_server_that_ends_sends_balancers_elsewhere_and_serves_on(site: Site) -> None:
    os.kill(site.stack.role("web").pid, signal.SIGTERM)
    wait_for(lambda: site.ready() == (503, {**WELL, "ok": False, "process": "ending"}), every=0.1)
    assert site.ask("/livez")[0] == 200
    wait_for(lambda: site.ready() == (200, WELL))


def test_every_line_is_an_object_that_places_nobody(site: Site) -> None:
    """The last one: what the others have left in the logs."""
    logs = site.stack.logs(whole=True)
    lines = [line for name in OURS for line in logs.get(f"{name}.log", "").splitlines()]
    objects = [json.loads(line) for line in lines]
    assert any("the database is away" in str(each.get("error")) for each in objects)
    for each in objects:
        assert {"level", "logger", "message", "kind"} <= set(each)
        # Both are made of random or hashed digits.
        text = json.dumps({**each, "kind": "", "request": ""})
        assert not ADDRESS.search(text), text
        assert not TIME.search(text), text
        assert "/s/" not in text
