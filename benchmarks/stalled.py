"""`python -m benchmarks.stalled`: how long others wait while 200 connections stall.

One real stack as of `make run`, without a proxy; each kind of stalling client in its turn, and the
seconds until `/healthz` and a response are answered, each over a connection of its own.
"""

import http.client
import json
import time
import uuid
from contextlib import closing
from statistics import median
from typing import Any

from tests.system.stack import running_stack
from tests.system.stalled import KINDS, stalled

COUNT, ASKED = 200, 30
# A server that does not answer is not waited for any longer.
PATIENCE = 10
JSON = {"Content-Type": "application/json"}


def measure(port: int, document: dict[str, Any]) -> dict[str, dict[str, list[float]]]:
    path = f"/s/{document['survey']}/responses/"
    waits = {"nobody": _waits(port, path, document)}
    for kind in KINDS:
        with stalled(port, kind, path=path, count=COUNT):
            waits[kind] = _waits(port, path, document)
    return waits


def _waits(port: int, path: str, document: dict[str, Any]) -> dict[str, list[float]]:
    return {
        "/healthz": [_wait(port, "GET", "/healthz") for _ in range(ASKED)],
        "response": [_wait(port, "POST", path, _response(document)) for _ in range(ASKED)],
    }


def _response(document: dict[str, Any]) -> str:
    reports = {device["id"]: 0 for device in document["devices"]}
    submission = str(uuid.uuid4())
    return json.dumps({"digest": document["digest"], "submission": submission, "reports": reports})


def _wait(port: int, method: str, path: str, body: str | None = None) -> float:
    began = time.perf_counter()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as client:
        try:
            client.request(method, path, body, JSON)
            answer = client.getresponse()
            answer.read()
        except TimeoutError:
            return float("inf")
    assert answer.status in (200, 201), answer.status
    return time.perf_counter() - began


def print_waits(waits: dict[str, dict[str, list[float]]]) -> None:
    print(f"{'stalled':14} {'asked':10} {'min':>8} {'median':>8} {'max':>8}   seconds")
    for kind, asked in waits.items():
        for what, seconds in asked.items():
            numbers = (min(seconds), median(seconds), max(seconds))
            print(f"{kind:14} {what:10}", *(f"{number:8.4f}" for number in numbers))


if __name__ == "__main__":
    with running_stack() as stack:
        print_waits(measure(stack.port, stack.ledger("launch", "stalled")))
