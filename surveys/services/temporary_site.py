"""A site for a moment: an empty database that only this thread of this process knows."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.utils import load_backend

ENGINE = "django.db.backends.sqlite3"
# Nothing of it has to survive anything. The cache, in KiB, bounds the memory however large it gets.
PRAGMAS = "PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;"


@contextmanager
def temporary_site() -> Iterator[None]:
    """Let all queries of this thread go to an empty SQLite database, which is deleted afterwards.

    It lies in a folder for its owner alone, where the system keeps temporary files (`TMPDIR`).
    """
    site = connections[DEFAULT_DB_ALIAS]
    with tempfile.TemporaryDirectory(prefix="candor-") as folder:
        path = Path(folder, "copy.sqlite3")
        other = _connection_to(path)
        try:
            _exchange(other)
            make_tables(path)
            yield
        finally:
            _exchange(site)
            other.close()


def make_tables(path: Path) -> None:
    """Make the tables of this version; `path` is where the connection's database lies."""
    call_command("migrate", interactive=False, verbosity=0)
    if not path.exists():
        raise RuntimeError("The tables were made in another database.")


def _connection_to(path: Path) -> Any:
    given = {"ENGINE": ENGINE, "NAME": str(path), "OPTIONS": {"init_command": PRAGMAS}}
    # With the defaults of what a database can be given beside these.
    complete = connections.configure_settings({DEFAULT_DB_ALIAS: given})[DEFAULT_DB_ALIAS]
    return load_backend(ENGINE).DatabaseWrapper(complete, DEFAULT_DB_ALIAS)


def _exchange(connection: Any) -> None:
    connections[DEFAULT_DB_ALIAS] = connection
    # The keys of content types are those of one database.
    ContentType.objects.clear_cache()
