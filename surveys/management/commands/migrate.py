"""`manage.py migrate`, which may run while the site takes responses.

On PostgreSQL a change of a table waits for whoever uses the table, and all others wait behind it.
So it waits for a moment only, lets them pass, and tries again; what has been applied stays so. One
migrates at a time: whoever comes second finds nothing left to do.
"""

import time
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

# Seconds for which others wait behind a lock that is asked for, how often, and those in between.
LOCK_SECONDS, TRIES, PAUSE = 2, 60, 1.0
# PostgreSQL's codes for a lock that was not to be had in time, and for a deadlock.
_BUSY = {"55P03", "40P01"}
# The key of the lock that one of several migrations has.
_KEY = 7263150


class _BusyError(Exception):
    """Somebody else migrates, or uses what is to change."""


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        if connection.vendor != "postgresql":
            super().handle(*args, **options)
            return
        self._retry(lambda: self._once(connection, args, options))

    def _retry(self, attempt: Callable[[], None]) -> None:
        for _ in range(TRIES):
            try:
                attempt()
                return
            except _BusyError as busy:
                self.stderr.write(f"{busy}; again in {PAUSE:g} s.")
            except DatabaseError as error:
                if getattr(error.__cause__, "sqlstate", "") not in _BUSY:
                    raise
                self.stderr.write(f"A table that is to change is in use; again in {PAUSE:g} s.")
            time.sleep(PAUSE)
        raise CommandError(
            f"migrate: no lock at any of {TRIES} tries. Nothing is half done: run it again, and"
            " look for long transactions in pg_stat_activity."
        )

    def _once(self, connection: BaseDatabaseWrapper, args: Any, options: Any) -> None:
        with connection.cursor() as cursor:
            # To wait here would be a transaction for which an index that is built waits in turn.
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [_KEY])
            if not cursor.fetchone()[0]:
                raise _BusyError("Somebody else migrates")
            # An index takes as long as it takes; locks that others wait behind do not.
            cursor.execute("SET statement_timeout = 0")
            cursor.execute(f"SET lock_timeout = '{LOCK_SECONDS * 1000:g}ms'")
        try:
            super().handle(*args, **options)
        finally:
            self._let_go(connection)

    def _let_go(self, connection: BaseDatabaseWrapper) -> None:
        """What was set is set for the connection, which tests go on using."""
        if connection.in_atomic_block or not connection.is_usable():
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_KEY])
            cursor.execute("RESET lock_timeout")
            cursor.execute("RESET statement_timeout")
