"""`manage.py migrate` beside others who use the tables, and beside another one; on PostgreSQL."""

import io
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.commands import migrate as djangos
from django.db import connection, transaction

from surveys.management.commands import migrate

pytestmark = [
    # SQLite, on which `make quick` runs, has none of these locks.
    pytest.mark.slow,
    pytest.mark.production_database,
    pytest.mark.django_db(transaction=True),
]


class Told(io.StringIO):
    """What is said, and something that happens once something is."""

    def __init__(self, then=lambda: None):
        super().__init__()
        self.then = then

    def write(self, text: str) -> int:
        self.then()
        return super().write(text)


@pytest.fixture
def somebody(monkeypatch) -> Iterator:
    """Somebody with a transaction of their own; nobody waits long for them here."""
    for name, value in {"LOCK_SECONDS": 0.05, "TRIES": 3, "PAUSE": 0.0}.items():
        monkeypatch.setattr(migrate, name, value)
    other = connection.copy("somebody")
    other.set_autocommit(False)
    with other.cursor() as cursor:
        yield cursor
    other.close()


@pytest.fixture
def timeouts(monkeypatch) -> list[str]:
    """Migrations are one change of a table here; the limits under which each was tried."""
    seen = []

    def change(*_arguments, **_options):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('lock_timeout')")
            seen.append(cursor.fetchone()[0])
            cursor.execute("LOCK TABLE surveys_job IN ACCESS EXCLUSIVE MODE")

    monkeypatch.setattr(djangos.Command, "handle", change)
    return seen


def limit() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('lock_timeout')")
        return cursor.fetchone()[0]


def test_a_table_in_use_is_waited_for_a_moment_and_again(somebody, timeouts):
    # That of this process, which may have loaded the web server's.
    before = limit()
    somebody.execute("SELECT count(*) FROM surveys_job")
    told = Told(then=somebody.connection.rollback)
    call_command("migrate", stderr=told)
    assert timeouts == ["50ms", "50ms"]
    assert told.getvalue() == "A table that is to change is in use; again in 0 s.\n"
    assert limit() == before


def test_who_gets_no_lock_at_all_is_told_what_to_do(somebody, timeouts):
    before = limit()
    somebody.execute("SELECT count(*) FROM surveys_job")
    with pytest.raises(CommandError, match="no lock at any of 3 tries"):
        call_command("migrate", stderr=Told())
    assert len(timeouts) == 3
    assert limit() == before


def test_of_two_at_once_one_migrates_and_the_other_comes_after(somebody, timeouts):
    somebody.execute("SELECT pg_advisory_lock(%s)", [migrate._KEY])
    told = Told(then=lambda: somebody.execute("SELECT pg_advisory_unlock_all()"))
    call_command("migrate", stderr=told)
    assert told.getvalue() == "Somebody else migrates; again in 0 s.\n"
    assert len(timeouts) == 1
    # Whoever migrated has let go of it.
    somebody.execute("SELECT pg_try_advisory_lock(%s)", [migrate._KEY])
    assert somebody.fetchone() == (True,)
