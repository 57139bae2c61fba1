"""Fixtures for all tests of the app."""

from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.utils import translation

from surveys import throttle
from surveys.models import Launch
from surveys.responses import only_writer
from tests.app import programs

# The fixtures through which a test reaches the database, whether by mark or by argument.
REACHES = {"db", "transactional_db", "django_db_setup", "live_server"}

END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""

# Moments within a minute and within an hour, one for each test of a process.
MOMENTS = count(1_800_000_610, 3600)


@pytest.fixture(autouse=True)
def no_window_ends_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freeze the clock of limits, whose window could end between two requests of a test.

    Each test has a window of its own: keys of rows come back, and so would what was counted for
    them, until somebody's requests are too many.
    """
    moment = next(MOMENTS)
    monkeypatch.setattr(throttle, "clock", lambda: moment)


@pytest.fixture(autouse=True)
def no_language_stays() -> Iterator[None]:
    """Reset the language that a request activates, so that the next test starts without one."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """PostgreSQL drops no database that somebody is connected to, and what a thread of a test has
    opened may still be closing when the last test is over.
    """
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(END_OTHERS)


@pytest.fixture
def pauses(db: None, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds for which jobs leave SQLite's only writer to others, without waiting."""
    taken: list[float] = []
    depth = len(connection.atomic_blocks)

    def pause(seconds: float) -> None:
        assert len(connection.atomic_blocks) == depth, "nobody can write: a transaction is open"
        taken.append(seconds)

    monkeypatch.setattr(only_writer, "time", SimpleNamespace(sleep=pause))
    return taken


@pytest.fixture(scope="session", autouse=True)
def programs_end(nothing_is_left_running: None) -> Iterator[None]:
    yield
    programs.end()


@pytest.fixture
def launch(kept: Launch) -> Launch:
    """What the module keeps (`tests/app/kept.py`), as it was stored."""
    return Launch.objects.get(pk=kept.pk)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say of each test on which databases `make test` runs it, unless it says so itself."""
    for item in items:
        if not any(item.get_closest_marker(name) for name in ("any_database", "each_database")):
            item.add_marker(_databases_of(item))


def _databases_of(item: pytest.Item) -> str:
    mark = item.get_closest_marker("django_db")
    if mark and mark.kwargs.get("transaction"):
        return "each_database"
    fixtures = set(getattr(item, "fixturenames", ()))
    return "production_database" if mark or fixtures & REACHES else "any_database"
