"""Clients that hold a connection without completing their requests."""

import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import NoReturn

# The kinds by what each has sent before it stalls, and what it goes on sending, a piece at a time.
KINDS = ("idle", "kept", "half a head", "half a body", "trickled head", "trickled body")
PAUSE = 0.5
LENGTH = 5_000


class Stalled:
    """Connections of one kind; those that trickle do so until `close`."""

    def __init__(self) -> None:
        _allow_many_files()
        self.sockets: list[socket.socket] = []
        self._stop = threading.Event()

    def trickle(self) -> None:
        while not self._stop.wait(PAUSE):
            for each in self.sockets:
                with suppress(OSError):
                    each.send(b"x")

    def still_open(self) -> int:
        return sum(map(_is_open, self.sockets))

    def close(self) -> None:
        self._stop.set()
        for each in self.sockets:
            each.close()


@contextmanager
def stalled(port: int, kind: str, *, path: str, count: int = 200) -> Iterator[Stalled]:
    with closing(Stalled()) as clients:
        for _ in range(count):
            clients.sockets.append(_connected(port, kind, path))
        if kind.startswith("trickled"):
            threading.Thread(target=clients.trickle, daemon=True).start()
        yield clients


def _connected(port: int, kind: str, path: str) -> socket.socket:
    if kind == "kept":
        return _idle_connection(port)
    connection = socket.create_connection(("127.0.0.1", port), timeout=300)
    connection.sendall(_beginning(port, kind, path))
    connection.setblocking(False)
    return connection


def _beginning(port: int, kind: str, path: str) -> bytes:
    line = f"POST {path} HTTP/1.1\r\n"
    head = f"{line}Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    response = {
        "idle": "",
        "half a head": head,
        "half a body": f'{head}Content-Length: {LENGTH}\r\n\r\n{{"digest": "sha256:',
        "trickled head": line + "X-Long: ",
        "trickled body": f"{head}Content-Length: {LENGTH}\r\n\r\n",
    }
    return response[kind].encode()


def _idle_connection(port: int) -> socket.socket:
    """A connection that is idle after an answer."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=300)
    try:
        connection.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"ok"):
            answer += connection.recv(65536) or _ended()
    except BaseException:
        connection.close()
        raise
    connection.setblocking(False)
    return connection


def _ended() -> NoReturn:
    raise ConnectionError("the server ended a connection that it should keep")


def _is_open(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _allow_many_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = 8192 if hard == resource.RLIM_INFINITY else min(8192, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
