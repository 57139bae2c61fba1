"""Receiving requests: completely before a thread handles them, within limits of time and size.

Waitress reads heads and bodies in one loop and wakes a thread for whole requests only. Its
missing features are added here: deadlines that a client cannot extend byte by byte, a limit
for respondents' addresses whose refusal the application writes itself, and an end of a connection
at which that refusal arrives. docs/decisions/0016-the-web-server.md has the reasons.
"""

import select
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, Task, WSGITask

from config.stack.framing import check_framing

# Bytes of a refused body that are read and discarded, so that the client can read the refusal.
MOST_THROWN_AWAY = 1_048_576
# Deadlines are looked at about once a second. What is beyond this, the process did not run.
MOST_SECONDS_APART = 3.0

# The server waits for these in this order: the beginning of a request, the rest of its head, its
# body; and, after a refusal, for the client to close the connection.
NEXT, HEAD, BODY, END = range(4)


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits in seconds for each state of a connection, and limits of size."""

    seconds: Mapping[int, int]
    send_seconds: int
    response_bytes: int
    # How the addresses begin at which responses are taken; a slash before it is left out.
    respondents: str
    connections: int


class Request(HTTPRequestParser):
    """A request; under /s/ a too large body is not read: the application sees its length only."""

    limits: Limits
    cut_short = False
    # The receiver of the body, which Waitress sets at the end of the headers.
    body_rcv: Any

    def received(self, data: bytes) -> int:
        consumed = super().received(data)
        if self.chunked and self._is_too_large(len(self.body_rcv)):
            self._cut_short(len(self.body_rcv))
        self.cut_short = self.cut_short or self.error is not None
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        check_framing(header_plus)
        try:
            super().parse_header(header_plus)
        except ValueError as error:
            # Waitress passes on Python's ValueError for an address such as http://[
            raise ParsingError("Bad URI") from error
        if self._is_too_large(self.content_length):
            self._cut_short(self.content_length)

    def _is_too_large(self, length: int) -> bool:
        return length > self.limits.response_bytes and self.path.lstrip("/").startswith(
            self.limits.respondents
        )

    def _cut_short(self, length: int) -> None:
        """Complete the request without its body, as the last one of its connection."""
        self.headers |= {"CONTENT_LENGTH": str(length), "CONNECTION": "close"}
        self.body_rcv, self.content_length, self.error = None, 0, None
        self.expect_continue = False
        self.cut_short = self.completed = True


class _LastAnswer(Task):
    """An answer after which its connection ends, once the server is ending."""

    def write(self, data: bytes) -> None:
        """Send the head together with what comes first.

        A process that is killed between the two would leave half an answer, which a proxy has
        passed on already; with nothing of an answer it asks the next server.
        """
        with self.channel.as_one():
            super().write(data)

    def build_response_header(self) -> bytes:
        if self.channel.server.is_ending:
            # As if the client had asked for it.
            self.request.headers["CONNECTION"] = "close"
        return super().build_response_header()


class Answer(_LastAnswer, WSGITask):
    pass


class Refusal(_LastAnswer, ErrorTask):
    pass


class Channel(HTTPChannel):
    """One connection and the state it waits in."""

    parser_class = Request
    task_class = Answer
    error_task_class = Refusal
    limits: Limits
    served = 0
    ends_slowly = False
    thrown_away = -1  # from 0 on the last answer has been sent
    owed: tuple[int, int] | None = None  # after so many answers, this
    _together: list[bytes] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.since = time.monotonic()

    def __repr__(self) -> str:
        """A representation without the client's address, because it is logged."""
        return type(self).__name__

    def service(self) -> None:
        self.ends_slowly = self.requests[0].cut_short
        super().service()
        self.served += 1

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """What is written in here goes out at its end."""
        self._together = []
        try:
            yield
            pieces = b"".join(self._together)
        finally:
            self._together = None
        super().write_soon(pieces)

    def write_soon(self, data: Any) -> int:
        if self._together is None:
            return super().write_soon(data)
        self._together.append(data)
        return len(data)

    # --- deadlines, looked at about once a second ---

    def watch(self, now: float) -> None:
        """Close this connection if its client has exceeded its time.

        It is closed at once: `will_close` would wait for the client to receive data first.
        """
        owed = self._owed()
        if owed is None or self.owed is None or owed > self.owed:
            self.owed, self.since = owed, now
        if self._is_late(now) or self._is_not_taking():
            self.handle_close()

    def _is_late(self, now: float) -> bool:
        return self.owed is not None and now - self.since >= self.limits.seconds[self.owed[1]]

    def _is_not_taking(self) -> bool:
        """Whether the client receives nothing; the base class notes the time of each transfer."""
        idle = time.time() - self.last_activity
        return self.total_outbufs_len > 0 and idle >= self.limits.send_seconds

    def _owed(self) -> tuple[int, int] | None:
        """The expected state; None while an answer is sent. Empty lines cannot reset it."""
        if self.thrown_away >= 0:
            return self.served, END
        if self.requests or self.total_outbufs_len:
            return None
        if self.request is None:
            return self.served, NEXT
        return self.served, BODY if self.request.headers_finished else HEAD

    def is_answered(self) -> bool:
        return self._owed() is None

    def is_under_way(self) -> bool:
        return self.request is not None or self.thrown_away >= 0 or self.is_answered()

    def close_if_idle(self) -> None:
        """Close this connection unless a request is under way, or has just arrived unread.

        With unread bytes it would be reset, and a proxy would not know whether they were read.
        """
        if not self.is_under_way() and not self._has_unread_bytes():
            self.handle_close()

    def _has_unread_bytes(self) -> bool:
        try:
            return bool(self.socket.recv(1, socket.MSG_PEEK))
        except OSError:
            # Nothing has come, or the connection is broken.
            return False

    # --- the end of a connection whose request was not read whole ---

    # Set by Waitress when it builds the channel.
    close_when_flushed: bool

    def handle_write(self) -> None:
        """Close in order: with unread bytes the connection would be reset and the answer lost."""
        if not self.ends_slowly or self.will_close or self.thrown_away >= 0:
            super().handle_write()
            return
        # As in the base class: while an answer is written, its thread holds the lock of what is to
        # be sent, and two that send at once would send the same twice.
        self._flush_exception(self._flush_some_if_lockable if self.requests else self._flush_some)
        if self.close_when_flushed and not self.total_outbufs_len:
            self.close_when_flushed, self.thrown_away = False, 0
            self.socket.shutdown(socket.SHUT_WR)

    def received(self, data: bytes) -> bool:
        if self.thrown_away < 0:
            return super().received(data)
        self.thrown_away += len(data)
        self.will_close = self.thrown_away > MOST_THROWN_AWAY
        return False


class Server(TcpWSGIServer):
    channel_class = Channel
    limits: Limits
    # From then on each answer is the last one of its connection.
    is_ending = False
    looked: float | None = None  # when all connections were last looked at

    def handle_accept(self) -> None:
        """Accept a connection; if the server is full, close the one that has been idle longest."""
        if len(self.active_channels) >= self.limits.connections:
            waited_for = [each for each in self.active_channels.values() if not each.is_answered()]
            if waited_for:
                min(waited_for, key=lambda each: each.since).handle_close()
        super().handle_accept()

    def begin_to_end(self) -> None:
        """Accept what the kernel has connected already, and no more.

        Connections that nobody accepted are reset, and what was sent on them is lost.
        """
        self.is_ending = True
        queue = select.poll()
        queue.register(self.socket, select.POLLIN)
        for _ in range(self.limits.connections):
            if not queue.poll(0):
                break
            self.handle_accept()
        self.del_channel(self._map)
        self.socket.close()

    def close_idle(self) -> None:
        for channel in list(self.active_channels.values()):
            channel.close_if_idle()

    def maintenance(self, now: float) -> None:
        """Look at the deadlines. Time in which this process stood still is no client's delay.

        What has come meanwhile is still unread: without this, a machine that was stopped for as
        long as a deadline would reset the connections of all who had sent in time.
        """
        now = time.monotonic()
        stood_still = 0.0 if self.looked is None else now - self.looked - MOST_SECONDS_APART
        self.looked = now
        for channel in list(self.active_channels.values()):
            channel.since += max(0.0, stood_still)
            channel.watch(now)

    def has_connections(self) -> bool:
        return bool(self.active_channels)


def set_limits(limits: Limits) -> None:
    """Set the limits on the classes, because Waitress creates parsers and channels itself."""
    Request.limits = Channel.limits = Server.limits = limits
