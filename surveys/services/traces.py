"""Wiping what the database keeps of rows that were deleted."""

from django.db import connection

# For a writer or reader that is in the way; the next sweep tries again.
PATIENCE_MS = 250


def truncate_write_ahead_log() -> None:
    """Empty SQLite's log: it has the inbox rows, id beside reports, that aggregation has deleted.

    On PostgreSQL there is nothing to do from here; docs/decisions/0001 says what stays.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        usual = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        try:
            # Most of the work, while others write; then the rest, which they wait for.
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
