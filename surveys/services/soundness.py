"""Whether this process can serve: its tables are there, and what was acknowledged is stored."""

import functools
import time

from django.apps import apps
from django.db import DatabaseError, connection
from django.db.models import Sum

from surveys.models import Launch
from surveys.responses.acknowledged import unaccounted

# Counting receipts reads all of them, so it is done once an hour in each process, and not at all
# where it would take seconds; `manage.py candor recount` counts however many there are.
COUNTED_EACH, MOST_COUNTED = 3600, 1_000_000


def read_every_table() -> None:
    """Raise DatabaseError where the database is away or has not every table.

    SQLite makes an empty database of a missing file, and a backup may leave a table out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_every_table())
        cursor.fetchone()


@functools.cache
def _every_table() -> str:
    """One statement that reads no more than a row of each."""
    every = apps.get_models(include_auto_created=True)
    tables = {model._meta.db_table for model in every if model._meta.managed}
    quote = connection.ops.quote_name
    return "SELECT " + ", ".join(
        f"EXISTS(SELECT 1 FROM {quote(table)})" for table in sorted(tables)
    )


def has_every_table() -> bool:
    """Asked of a database that has just refused: whether it is another fault than a table's."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    try:
        return tables <= set(connection.introspection.table_names())
    except DatabaseError:
        return True


def responses_are_missing() -> bool:
    """Whether there are receipts without a response, as of the last look."""
    return _last_look(int(time.monotonic() // COUNTED_EACH))


@functools.lru_cache(maxsize=1)
def _last_look(hour: int) -> bool:
    total = Launch.objects.kept().aggregate(total=Sum("aggregated"))["total"] or 0
    return total <= MOST_COUNTED and any(beyond > 0 for beyond in unaccounted().values())
