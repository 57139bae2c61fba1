"""The web server's loop with an application of a few lines: one thread, so that any wait shows."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from config.stack import intake, web
from tests.system.stack import wait_for

pytestmark = pytest.mark.system
PIECE, PIECES = b"x" * 100_000, 400
GET = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Pieces:
    """40 MB in pieces, more than the kernel takes for a client that does not read."""

    def __init__(self) -> None:
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(PIECES):
            yield PIECE

    def close(self) -> None:
        self.closed.set()


class Application:
    def __init__(self) -> None:
        self.large = Pieces()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/large":
            start("200 OK", [("Content-Type", "text/plain")])
            return self.large
        text = f"{environ['REMOTE_ADDR']} {environ.get('HTTP_X_FORWARDED_FOR')}".encode()
        start("200 OK", [("Content-Length", str(len(text)))])
        return [text]


@contextmanager
def listening(application: Application, **changes: Any) -> Iterator[intake.Server]:
    """A server with one thread, whose loop is for the caller to run."""
    seconds = {intake.NEXT: 2, intake.HEAD: 2, intake.BODY: 2, intake.END: 2}
    values = {"seconds": seconds, "send_seconds": 2, "response_bytes": 1000, "connections": 100}
    values |= {"respondents": "s/"}
    intake.set_limits(intake.Limits(**values | changes))
    tasks, everything = ThreadedTaskDispatcher(), {}
    tasks.set_thread_count(1)
    with socket.create_server(("127.0.0.1", 0)) as sock:
        info = (sock.family, sock.type, sock.proto, sock.getsockname())
        server = intake.Server(
            application,
            everything,
            _sock=sock,
            dispatcher=tasks,
            adj=web.adjustments(),
            sockinfo=info,
            bind_socket=False,
        )
        try:
            yield server
        finally:
            tasks.shutdown()
            server.trigger.close()
            wasyncore.close_all(everything)


@contextmanager
def serving(application: Application, **changes: Any) -> Iterator[int]:
    stop = threading.Event()
    with listening(application, **changes) as server:
        loop = threading.Thread(target=_loop, args=(server._map, stop))
        loop.start()
        try:
            yield server.effective_port
        finally:
            stop.set()
            loop.join()


def _loop(everything: dict[int, Any], stop: threading.Event) -> None:
    while not stop.is_set():
        wasyncore.loop(timeout=0.2, use_poll=True, map=everything, count=1)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=300)


def answer(port: int, *headers: bytes) -> bytes:
    lines = b"".join(header + b"\r\n" for header in (*headers, b"Connection: close"))
    with connect(port) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n")
        return b"".join(iter(lambda: client.recv(65536), b""))


def ended(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def _read(client: socket.socket) -> int:
    received = 0
    with suppress(ConnectionError):
        while data := client.recv(1_000_000):
            received += len(data)
    return received


def test_a_full_house_makes_room_for_a_newcomer():
    patient = dict.fromkeys((intake.NEXT, intake.HEAD, intake.BODY, intake.END), 600)
    with serving(Application(), connections=5, seconds=patient) as port:
        idle = []
        for _ in range(5):
            idle.append(connect(port))
            time.sleep(0.05)
        try:
            assert b"200 OK" in answer(port)
            wait_for(lambda: ended(idle[0]))
            assert not any(map(ended, idle[1:]))
        finally:
            for each in idle:
                each.close()


def test_a_machine_that_stood_still_does_not_hold_it_against_those_who_had_sent(monkeypatch):
    """A stop of the machine cannot be had at the right moment: its clock is set forward instead."""
    ahead = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + ahead[0], time=time.time)
    monkeypatch.setattr(intake, "time", clock)
    seconds = {intake.NEXT: 15, intake.HEAD: 10, intake.BODY: 20, intake.END: 5}
    with (
        listening(Application(), seconds=seconds) as server,
        closing(connect(server.effective_port)) as client,
    ):
        server.handle_accept()
        server.maintenance(0)
        client.sendall(GET % b"/")
        ahead[0] += 60
        server.maintenance(0)
        assert server.has_connections()
        # Whoever is late while the process runs is late.
        for _ in range(15):
            ahead[0] += 1
            server.maintenance(0)
        assert not server.has_connections()


@pytest.mark.parametrize("piece", [b"", b"\r\n", b"\r", b"G"])
def test_no_drip_puts_the_end_off(piece):
    soon = dict.fromkeys((intake.NEXT, intake.HEAD, intake.BODY, intake.END), 1)
    with serving(Application(), seconds=soon) as port, closing(connect(port)) as client:
        began = time.monotonic()
        while not ended(client):
            assert time.monotonic() - began < 30
            with suppress(OSError):
                client.send(piece)
            time.sleep(0.1)


def test_a_reader_that_does_not_read_holds_no_thread_and_is_cut_off():
    application = Application()
    with serving(application, send_seconds=1) as port, closing(connect(port)) as client:
        client.sendall(GET % b"/large")
        assert b"200 OK" in answer(port)
        assert application.large.closed.wait(20)
        time.sleep(3)
        assert _read(client) < len(PIECE) * PIECES


def test_a_reader_gets_the_whole():
    application = Application()
    with serving(application) as port, closing(connect(port)) as client:
        client.sendall(GET % b"/large")
        assert _read(client) > len(PIECE) * PIECES
        assert application.large.closed.wait(20)


def test_the_address_is_the_peers_and_what_a_proxy_says_stays_a_header():
    with serving(Application()) as port:
        text = answer(port, b"X-Forwarded-For: 192.0.2.7", b"X_Forwarded_For: 192.0.2.8")
    assert text.endswith(b"127.0.0.1 192.0.2.7")
    assert b"Server:" not in text


@pytest.mark.parametrize("address", ["http://[", "/s/Arbeit & Leben ü/", "/s/ü/", "http://ü/"])
def test_an_address_that_is_none_is_refused_and_not_dropped(address):
    with serving(Application()) as port, connect(port) as client:
        client.sendall(f"GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert client.recv(65536).split(b" ")[1] == b"400"


TWICE = [
    b"Content-Length: 5\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: chunked\r\ncontent-length: 5",
    b"Content-Length: 5\r\nTransfer-Encoding:\tChunked",
    b"Content-Length: 5\r\nTransfer-Encoding:",
    b"Content-Length: 5\r\nContent-Length: 5",
    b"Content-Length: 5\r\nContent-Length: 6",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    b"Transfer-Encoding: chunked, chunked",
]


@pytest.mark.parametrize("headers", TWICE)
@pytest.mark.parametrize("version", [b"1.1", b"1.0"])
def test_a_body_whose_end_is_said_twice_is_refused_and_the_connection_closed(headers, version):
    """The bytes behind it are no request: it would be one that a proxy has not seen."""
    first = b"POST / HTTP/%s\r\nHost: localhost\r\nConnection: keep-alive\r\n%s\r\n\r\n"
    hidden = b"0\r\n\r\n" + GET % b"/hidden"
    with serving(Application()) as port, connect(port) as client:
        client.sendall(first % (version, headers) + hidden)
        received = b"".join(iter(lambda: client.recv(65536), b""))
    assert received.split(b" ")[1] == b"400"
    assert received.count(b"HTTP/1.") == 1
    assert b"connection: close" in received.lower()


def test_a_body_in_pieces_is_read_by_http_1_1_only():
    body = b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    for version, status in ((b"1.1", b"200"), (b"1.0", b"400")):
        with serving(Application()) as port, connect(port) as client:
            client.sendall(b"POST / HTTP/%s\r\nHost: localhost\r\n%s" % (version, body))
            assert client.recv(65536).split(b" ")[1] == status


# --- the end of a web process: the loop runs in the test, so nothing depends on time ---

PATIENT = dict.fromkeys((intake.NEXT, intake.HEAD, intake.BODY, intake.END), 600)


def ask(client: socket.socket) -> None:
    client.sendall(GET % b"/")


def answer_on(server: intake.Server, client: socket.socket) -> bytes:
    """Return a whole answer, or none where the connection ended, however long the loop takes.

    Waitress may send a head and its body apart.
    """
    client.setblocking(False)
    received = b""
    while not _is_whole(received):
        wasyncore.loop(timeout=0.1, use_poll=True, map=server._map, count=1)
        with suppress(BlockingIOError):
            arrived = client.recv(65536)
            if not arrived:
                break
            received += arrived
    return received


def _is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    return bool(end) and length is not None and len(body) >= int(length[1])


@pytest.fixture
def ending() -> Iterator[tuple[intake.Server, socket.socket, socket.socket]]:
    """A server, a connection that is kept after an answer, and one that nobody accepted yet."""
    with listening(Application(), seconds=PATIENT) as server:
        port = server.effective_port
        with closing(connect(port)) as kept:
            ask(kept)
            assert b"Connection" not in answer_on(server, kept)
            with closing(connect(port)) as fresh:
                yield server, kept, fresh


def test_whoever_is_connected_when_the_end_begins_is_answered_once_more(ending):
    server, kept, fresh = ending
    server.begin_to_end()
    with pytest.raises(ConnectionRefusedError):
        connect(server.effective_port)
    for client in (kept, fresh):
        ask(client)
        answer = answer_on(server, client)
        assert answer.startswith(b"HTTP/1.1 200 OK")
        assert b"Connection: close" in answer
        assert answer_on(server, client) == b""


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_refusal_and_an_answer_to_an_old_client_are_the_last_ones_too(ending, version):
    server, kept, fresh = ending
    server.begin_to_end()
    fresh.sendall(b"GET http://[ HTTP/%s\r\nHost: localhost\r\n\r\n" % version)
    kept.sendall(b"GET / HTTP/%s\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n" % version)
    for client, status in ((fresh, b"400"), (kept, b"200")):
        answer = answer_on(server, client).lower()
        assert answer[9:12] == status
        assert answer.count(b"connection:") == answer.count(b"connection: close") == 1


def test_an_idle_connection_is_not_closed_over_a_request_that_has_just_come(ending):
    server, kept, fresh = ending
    server.begin_to_end()
    ask(kept)
    server.close_idle()
    assert answer_on(server, kept).startswith(b"HTTP/1.1 200 OK")
    assert fresh.recv(1) == b""


def test_a_web_process_ends_in_this_way(ending):
    server, kept, fresh = ending
    worker = object.__new__(web.WebWorker)
    worker.servers, worker.map = [server], server._map
    worker.cfg = SimpleNamespace(graceful_timeout=600)
    worker.notify = lambda: None
    ask(kept)
    worker._finish()
    answer = kept.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert b"Connection: close" in answer
    assert kept.recv(1) == fresh.recv(1) == b""
