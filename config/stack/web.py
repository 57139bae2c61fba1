"""A web process: gunicorn keeps it alive, Waitress serves."""

import logging
import os
import resource
import time
from contextlib import suppress
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from config import settings
from config.stack import intake
from config.stack.ending import is_ending

HEAD_BYTES = 16_384
# The largest form of the admin: Django's own limit for bodies in memory.
FORM_BYTES = 2_621_440
KEPT_IN_MEMORY = 65_536
# The part of an answer buffered in a temporary file, so that no thread waits for a slow reader.
AHEAD_BYTES = 268_435_456
# A connection with a large body and a large answer has two files besides its socket.
FILES_EACH, OTHER_FILES = 3, 100
LOOK_SECONDS = 1
# How long kept connections outlive the order to end.
LINGER_SECONDS = 1

# A line for each request that had to wait, and for each client that went away, would be a log that
# a stranger can fill.
logging.getLogger("waitress").setLevel(logging.ERROR)
logging.getLogger("waitress.queue").setLevel(logging.CRITICAL)


def adjustments() -> Adjustments:
    return Adjustments(
        sockets=[],
        ident=None,
        connection_limit=10**6,  # see intake.Server.handle_accept
        asyncore_use_poll=True,
        cleanup_interval=LOOK_SECONDS,
        max_request_header_size=HEAD_BYTES,
        max_request_body_size=FORM_BYTES,
        inbuf_overflow=KEPT_IN_MEMORY,
        outbuf_overflow=KEPT_IN_MEMORY,
        outbuf_high_watermark=AHEAD_BYTES,
        log_socket_errors=False,
        # X-Forwarded-For and -Proto reach the application, which believes them as far as
        # CANDOR_TRUSTED_PROXIES says; REMOTE_ADDR stays the peer.
        clear_untrusted_proxy_headers=False,
    )


def limits() -> intake.Limits:
    return intake.Limits(
        seconds={
            intake.HEAD: settings.WEB_HEAD_SECONDS,
            intake.BODY: settings.WEB_BODY_SECONDS,
            intake.NEXT: settings.WEB_IDLE_SECONDS,
            intake.END: min(settings.WEB_HEAD_SECONDS, 5),
        },
        send_seconds=settings.WEB_SEND_SECONDS,
        response_bytes=settings.SUBMISSION_MAX_BYTES,
        respondents=_respondents(),
        connections=min(settings.WEB_CONNECTIONS, _files() // FILES_EACH),
    )


def _respondents() -> str:
    """How respondents' addresses begin, as they arrive here."""
    path = "" if settings.SITE_PATH_STRIPPED else settings.SITE_PATH
    return f"{path}/s/".lstrip("/")


def _files() -> int:
    """The limit of open files, after raising it as far as needed and allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = settings.WEB_CONNECTIONS * FILES_EACH + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < limit:
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limit if soft == resource.RLIM_INFINITY else soft - OTHER_FILES


class WebWorker(Worker):
    """Serves until it is stopped, then completes the requests in progress."""

    servers: list[intake.Server]

    def run(self) -> None:
        intake.set_limits(limits())
        self.map: dict[int, Any] = {}
        tasks = ThreadedTaskDispatcher()
        tasks.set_thread_count(self.cfg.threads)
        adj = adjustments()
        self.servers = [self._server(each.sock, adj, tasks) for each in self.sockets]
        while self.alive and os.getppid() == self.ppid:
            self._step()
        self._finish()

    def _server(self, sock: Any, adj: Adjustments, tasks: ThreadedTaskDispatcher) -> intake.Server:
        info = (sock.family, sock.type, sock.proto, sock.getsockname())
        return intake.Server(
            self.wsgi,
            self.map,
            _sock=sock,
            dispatcher=tasks,
            adj=adj,
            sockinfo=info,
            bind_socket=False,
        )

    def _step(self, seconds: float = LOOK_SECONDS) -> None:
        self.notify()
        wasyncore.loop(timeout=seconds, use_poll=True, map=self.map, count=1)

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        for server in getattr(self, "servers", []):
            server.pull_trigger()

    def _finish(self) -> None:
        """Answer what is under way, and what still comes on open connections.

        A proxy keeps connections and sends into them until it learns of their end, by an answer's
        `Connection: close` or from the kernel. So they are open for a while longer, and each is
        closed at a moment when nothing has come.
        """
        self._drain()
        began = time.monotonic()
        longest = self.cfg.graceful_timeout - settings.WEB_DRAIN_SECONDS
        for server in self.servers:
            server.begin_to_end()
        while any(server.has_connections() for server in self.servers):
            self._step(LINGER_SECONDS / 10)
            passed = time.monotonic() - began
            for server in self.servers:
                server.maintenance(0)
                if passed >= LINGER_SECONDS:
                    server.close_idle()
            if passed >= longest:
                break

    def _drain(self) -> None:
        """Serve on for a while, and let `/readyz` say that this process is about to end."""
        is_ending.set()
        drained = time.monotonic() + settings.WEB_DRAIN_SECONDS
        while (left := drained - time.monotonic()) > 0:
            self._step(min(left, LOOK_SECONDS))
