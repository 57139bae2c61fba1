"""SQLite has one writer at a time: a job of many transactions leaves it free in between."""

import time

from django.db import connection

PAUSE_SECONDS = 0.1


def let_others_write() -> None:
    """Wait between two transactions, on SQLite alone, until everybody who waits has looked once.

    They look every 0.1 seconds whether the writer is free.
    """
    if connection.vendor == "sqlite":
        time.sleep(PAUSE_SECONDS)
