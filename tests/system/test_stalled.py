"""Clients that connect and do not send what they owe: the others are answered meanwhile."""

import http.client
import itertools
import json
import socket
import threading
import time
import uuid
from contextlib import ExitStack, closing
from typing import Any

import pytest

from config import settings
from tests.system.stack import Stack, wait_for
from tests.system.stalled import KINDS, stalled

pytestmark = [pytest.mark.system, pytest.mark.parametrize("stack", ["sqlite"], indirect=True)]
COUNT = 200
# The shortest of the server's deadlines, and the patience of those who ask: a thread that waits
# for a stalled client holds them up for longer.
DEADLINE, PATIENCE = settings.WEB_HEAD_SECONDS, 20
_numbers = itertools.count(1)


@pytest.fixture
def document(stack: Stack) -> dict[str, Any]:
    return stack.ledger("launch", f"stalled-{next(_numbers)}")


def path(document: dict[str, Any]) -> str:
    return f"/s/{document['survey']}/responses/"


def body(document: dict[str, Any], **fields: Any) -> str:
    reports = {"q1": 0, "q2": 1}
    submission = str(uuid.uuid4())
    return json.dumps(
        {"digest": document["digest"], "submission": submission, "reports": reports, **fields}
    )


JSON = {"Content-Type": "application/json"}


def status(stack: Stack, method: str, path: str, body: str | None = None) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", stack.port, timeout=PATIENCE)) as client:
        client.request(method, path, body, JSON)
        answer = client.getresponse()
        answer.read()
        return answer.status


def test_others_are_answered_while_connections_stall_and_those_end_in_time(stack, document):
    with ExitStack() as crowd:
        connections = []
        for kind in KINDS:
            began = time.monotonic()
            clients = stalled(stack.port, kind, path=path(document), count=COUNT)
            connections.append(crowd.enter_context(clients))
            assert status(stack, "GET", "/healthz") == 200, kind
            assert status(stack, "POST", path(document), body(document)) == 201, kind
            if time.monotonic() - began < DEADLINE:
                assert connections[-1].still_open() == COUNT, kind
        # Trickling does not help: the deadlines are for the whole.
        wait_for(lambda: not any(each.still_open() for each in connections), seconds=60, every=0.2)
    assert "127.0.0.1" not in stack.logs()["web.log"]


def test_a_response_that_arrives_in_pieces_is_taken(stack, document):
    payload = body(document).encode()
    head = f"POST {path(document)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json"
    message = f"{head}\r\nContent-Length: {len(payload)}\r\n\r\n".encode() + payload
    with socket.create_connection(("127.0.0.1", stack.port), timeout=PATIENCE) as client:
        for start in range(0, len(message), 40):
            client.sendall(message[start : start + 40])
            time.sleep(0.01)
        assert client.recv(65536).startswith(b"HTTP/1.1 201")


def answer_to_large_body(stack: Stack, path: str, *, chunked: bool) -> tuple[Any, dict[str, Any]]:
    # A megabyte, most of which the server does not want: the client must get to read its answer.
    pieces = iter([b" " * 100_000] * 10)
    length = {} if chunked else {"Content-Length": "1000000"}
    with closing(http.client.HTTPConnection("127.0.0.1", stack.port, timeout=PATIENCE)) as client:
        client.request("POST", path, pieces, JSON | length, encode_chunked=chunked)
        answer = client.getresponse()
        return answer, json.loads(answer.read())


@pytest.mark.parametrize("chunked", [False, True])
def test_a_large_body_is_refused_and_its_connection_ends(stack, document, chunked):
    answer, problems = answer_to_large_body(stack, path(document), chunked=chunked)

    assert answer.status == 413
    assert answer.headers["Connection"] == "close"
    assert problems["errors"][0]["code"] == "too_large"


def test_a_large_body_is_refused_before_it_is_sent(stack, document):
    head = f"POST {path(document)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json"
    with socket.create_connection(("127.0.0.1", stack.port), timeout=PATIENCE) as client:
        client.sendall(f"{head}\r\nContent-Length: 100000\r\n\r\n".encode())
        assert client.recv(65536).startswith(b"HTTP/1.1 413")


def test_what_follows_a_refused_body_is_not_taken_for_a_request(stack, document):
    """The rest of a body that was not read must not be answered as if it were a request."""
    inside = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = f"POST {path(document)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json"
    with socket.create_connection(("127.0.0.1", stack.port), timeout=PATIENCE) as client:
        client.sendall(f"{head}\r\nContent-Length: 100000\r\n\r\n".encode() + inside * 20)
        client.shutdown(socket.SHUT_WR)
        answers = b"".join(iter(lambda: client.recv(65536), b""))
    assert answers.count(b"HTTP/1.1 ") == 1
    assert answers.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: +5",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: xchunked",
        " X: folded",
        "X : spaced",
        "X: " + "y" * 20_000,
    ],
)
def test_a_doubtful_head_is_refused_and_its_connection_ends(stack, head):
    with socket.create_connection(("127.0.0.1", stack.port), timeout=PATIENCE) as client:
        client.sendall(f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    assert answer[9:12] in (b"400", b"431", b"501")
    assert b"Connection: close" in answer


def test_requests_that_are_under_way_are_finished_at_the_end(stack, document):
    """An ordinary end of the web server: half a response has arrived, the rest still may."""
    payload = body(document).encode()
    head = f"POST {path(document)} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json"
    with socket.create_connection(("127.0.0.1", stack.port), timeout=PATIENCE) as client:
        client.sendall(f"{head}\r\nContent-Length: {len(payload)}\r\n\r\n".encode() + payload[:20])
        status(stack, "GET", "/healthz")
        old = stack.role("web")
        old.terminate()
        threading.Timer(1.0, client.sendall, [payload[20:]]).start()
        answer = client.recv(65536)
    assert answer.startswith(b"HTTP/1.1 201")
    # So a proxy sends nothing more into a connection that is about to end.
    assert b"Connection: close" in answer
    old.wait(timeout=300)
    assert stack.get_json(f"/s/{document['survey']}/results/status.json")
