"""Accepted submissions a second, ours against a bare view, in turns on one running stack."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from statistics import median
from typing import Any

from config.stack.profile import local_environment
from tests.system.stack import ROOT, Stack, free_port, wait_for

CONNECTIONS = 10
OURS, BARE = "config.wsgi", "benchmarks.bare.wsgi"


def measure(stack: Stack, *, rounds: int, seconds: float) -> dict[str, Any]:
    """Alternate rounds of the two while broker, worker and beat run as in production."""
    ours, theirs = [], []
    document = stack.ledger("launch", "load")
    with serving(stack, BARE, processes=2) as port:
        for order in (our_order(stack.port, document, 2), bare_order(port, 2)):
            load(order)  # warms up
        for _ in range(rounds):
            theirs.append(load(bare_order(port, seconds)))
            ours.append(load(our_order(stack.port, document, seconds)))
    return {
        "ours_per_second": median(run["per_second"] for run in ours),
        "bare_per_second": median(run["per_second"] for run in theirs),
        "ratio": median(
            a["per_second"] / b["per_second"] for a, b in zip(ours, theirs, strict=True)
        ),
        "p50_ms": median(run["p50_ms"] for run in ours),
        "p95_ms": median(run["p95_ms"] for run in ours),
        "bare_p95_ms": median(run["p95_ms"] for run in theirs),
        "max_ms": max(run["max_ms"] for run in ours),
        "statuses": [run["statuses"] for run in ours + theirs],
    }


def our_order(port: int, document: dict[str, Any], seconds: float) -> dict[str, Any]:
    reports = {device["id"]: 0 for device in document["devices"]}
    body = {"digest": document["digest"], "submission": "@uuid@", "reports": reports}
    headers = {"Content-Type": "application/json"}
    return order(port, f"/s/{document['survey']}/responses/", headers, body, seconds)


def bare_order(port: int, seconds: float) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/token")
    answer = connection.getresponse()
    token = answer.read().decode()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    connection.close()
    headers = {"Content-Type": "application/json", "Cookie": cookie, "X-CSRFToken": token}
    return order(port, "/rows", headers, {"submission": "@uuid@", "reports": {"q1": 0}}, seconds)


def order(port: int, path: str, headers: Any, body: Any, seconds: float) -> dict[str, Any]:
    return {
        "port": port,
        "path": path,
        "headers": headers,
        "body": json.dumps(body),
        "seconds": seconds,
        "connections": CONNECTIONS,
    }


def load(order: dict[str, Any]) -> dict[str, Any]:
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.load"],
        cwd=ROOT,
        input=json.dumps(order),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(process.stdout)


@contextmanager
def serving(stack: Stack, application: str, *, processes: int) -> Iterator[int]:
    """A server with the stack's gunicorn, flags, database and broker; only the application and the
    number of its processes differ.
    """
    port = free_port()
    environment = local_environment(
        stack.environment
        | {"HOST": "127.0.0.1", "PORT": str(port), "CANDOR_WEB_WORKERS": str(processes)}
        | {"REDIS_URL": stack.broker_url()}
    )
    flags = ["--config", "config/stack/gunicorn.conf.py", application]
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", *flags],
        cwd=ROOT,
        env=environment | {k: v for k, v in os.environ.items() if k == "GUNICORN_CMD_ARGS"},
    )
    try:
        wait_for(lambda: _answers(port))
        yield port
    finally:
        server.terminate()
        server.wait()


def _answers(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
        return True
    return False
