"""How long others wait while 200 connections stall.

On the stack of `make run`, without a proxy; each kind of stalling client in its turn, and the
seconds until `/healthz` and a response are answered, each over a connection of its own.
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

COUNT, ASKED = 200, 30
# A server that does not answer is not waited for any longer.
PATIENCE = 10
JSON = {"Content-Type": "application/json"}


def measure(stack: Stack, effort: Effort) -> dict[str, Any]:
    """The longest of `ASKED` waits in seconds, by kind ("half a head, response"),
    and the longest of all. Both efforts ask alike.
    """
    document = stack.ledger("launch", "stalled")
    path = f"/s/{document['survey']}/responses/"
    waits = {f"nobody, {what}": wait for what, wait in _waits(stack.port, path, document).items()}
    for kind in KINDS:
        with stalled(stack.port, kind, path=path, count=COUNT):
            asked = _waits(stack.port, path, document)
        waits |= {f"{kind}, {what}": wait for what, wait in asked.items()}
    return waits | {"longest": max(waits.values())}


def _waits(port: int, path: str, document: dict[str, Any]) -> dict[str, float]:
    return {
        "healthz": max(_wait(port, "GET", "/healthz") for _ in range(ASKED)),
        "response": max(_wait(port, "POST", path, _response(document)) for _ in range(ASKED)),
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
