"""How long others wait while 200 connections stall.

Measured on the stack of `make run`, without a proxy. While one kind of client stalls after the
other, `/healthz` and a response are sent over connections of their own.
"""

import http.client
import json
import time
import uuid
from contextlib import closing
from typing import Any

from benchmarks.effort import Effort
from tests.system.stack import Stack
from tests.system.stalled import KINDS, stalled

COUNT, REQUESTS = 200, 30
# Seconds after which a server counts as not answering.
PATIENCE = 10
JSON = {"Content-Type": "application/json"}


def measure(stack: Stack, effort: Effort) -> dict[str, Any]:
    """The longest of REQUESTS waits in seconds, by kind ("half a head, response"), and the longest
    of all; the effort makes no difference.
    """
    document = stack.ledger("launch", "stalled")
    path = f"/s/{document['survey']}/responses/"
    longest = _waits(stack.port, path, document)
    waits = {f"nobody, {request}": wait for request, wait in longest.items()}
    for kind in KINDS:
        with stalled(stack.port, kind, path=path, count=COUNT):
            longest = _waits(stack.port, path, document)
        waits |= {f"{kind}, {request}": wait for request, wait in longest.items()}
    return waits | {"longest": max(waits.values())}


def _waits(port: int, path: str, document: dict[str, Any]) -> dict[str, float]:
    return {
        "healthz": max(_wait(port, "GET", "/healthz") for _ in range(REQUESTS)),
        "response": max(_wait(port, "POST", path, _response(document)) for _ in range(REQUESTS)),
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
            return float(PATIENCE)
    assert answer.status in (200, 201), answer.status
    return time.perf_counter() - began
