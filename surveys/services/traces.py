"""Erasing the remains of deleted rows from the database files."""

from django.db import connection

# Milliseconds to wait for another writer or reader; the next sweep tries again.
PATIENCE_MS = 250


def truncate_write_ahead_log() -> None:
    """Empty SQLite's log, which has deleted inbox rows with the id beside the reports.

    On PostgreSQL nothing is done here; docs/decisions/0001 describes what remains.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        usual = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        try:
            # Most of the work is done while others write; they wait only for the second part.
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
