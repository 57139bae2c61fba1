"""Brokers of the tests: servers that are killed and started again, Sentinels, and TLS in front."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psutil
import redis

from config.stack.broker import server_program
from tests import leftovers
from tests.system.stack import free_port, wait_for


class Server:
    """One server, or one Sentinel, on a port of its own."""

    def __init__(self, folder: Path, *words: str, sentinel: str = "") -> None:
        self.port = free_port()
        self.folder = folder / str(self.port)
        self.folder.mkdir()
        self._conf = self.folder / "broker.conf"
        self._words = [*words, *(["--sentinel"] if sentinel else [])]
        lines = [f"port {self.port}", "bind 127.0.0.1", f'dir "{self.folder}"', sentinel]
        if not sentinel:
            lines += ['save ""', "appendonly no", "repl-diskless-sync-delay 0"]
        self._conf.write_text("\n".join(lines) + "\n")
        self.process: psutil.Popen | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> "Server":
        command = [server_program(), str(self._conf), *self._words]
        self.process = psutil.Popen(command, stdout=subprocess.DEVNULL)
        wait_for(self.answers, every=0.02)
        return self

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url, decode_responses=True, socket_timeout=5)

    def answers(self) -> bool:
        with self.client() as client:
            try:
                return bool(client.ping())
            except redis.AuthenticationError:
                return True
            except redis.RedisError:
                return False

    def kill(self) -> None:
        if self.process is not None:
            leftovers.kill({self.process})
            self.process.wait(timeout=300)
            self.process = None


@contextmanager
def server(folder: Path, *words: str) -> Iterator[Server]:
    started = Server(folder, *words).start()
    try:
        yield started
    finally:
        started.kill()


# --- TLS in front of a server that has none -------------------------------------------------------


class Authority:
    """An authority made for the tests, and certificates that it signs, by the program openssl."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.certificate, self._key = folder / f"{name}.pem", folder / f"{name}.key"
        words = ["-x509", "-days", "2", "-subj", f"/CN={name}", "-keyout", self._key]
        _openssl("req", "-newkey", *EC, "-nodes", *words, "-out", self.certificate)

    def signs(self, name: str) -> tuple[str, str]:
        """The files of a certificate for 127.0.0.1 and of its key."""
        certificate, key = self.folder / f"{name}.crt", self.folder / f"{name}.crt.key"
        request = self.folder / f"{name}.csr"
        words = ["-nodes", "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
        _openssl("req", "-newkey", *EC, *words, "-keyout", key, "-out", request)
        by = ["-CA", self.certificate, "-CAkey", self._key, "-CAcreateserial", "-days", "2"]
        _openssl(
            "x509", "-req", "-in", request, *by, "-copy_extensions", "copy", "-out", certificate
        )
        return str(certificate), str(key)


EC = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def _openssl(*words: object) -> None:
    program = shutil.which("openssl")
    assert program, "the program openssl makes the certificates"
    subprocess.run([program, *map(str, words)], check=True, capture_output=True)


@contextmanager
def behind_tls(port: int, context: ssl.SSLContext) -> Iterator[int]:
    """Pass on to a port of this machine what comes by TLS; yields the port where it comes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=_accept, args=(listener, context, port), daemon=True).start()
        yield listener.getsockname()[1]
        # Whoever waits for the next connection would hold the port.
        listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, context: ssl.SSLContext, port: int) -> None:
    with suppress(OSError):
        while True:
            plain, _ = listener.accept()
            threading.Thread(target=_serve, args=(plain, context, port), daemon=True).start()


def _serve(plain: socket.socket, context: ssl.SSLContext, port: int) -> None:
    # A refused certificate ends the connection here, and is the other side's to tell.
    with (
        suppress(OSError),
        context.wrap_socket(plain, server_side=True) as secure,
        socket.create_connection(("127.0.0.1", port)) as onward,
    ):
        threading.Thread(target=_pass_on, args=(onward, secure), daemon=True).start()
        _pass_on(secure, onward)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
