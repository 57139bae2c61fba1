"""INSERT of rows by statements that are put together once.

Django builds the same statement anew for each `save`, which costs a response more time than the
database takes for it.
"""

import functools
from typing import Any

from django.db import connection, models, transaction


def insert_rows(*rows: models.Model) -> None:
    """What `row.save(force_insert=True)` does for rows that have their keys, all or none of them.

    Signals are not sent. PostgreSQL takes all rows in one statement, which is a transaction of its
    own: one round trip instead of one for each row, for BEGIN and for COMMIT.
    """
    types = tuple(type(row) for row in rows)
    if connection.vendor == "postgresql" and not connection.in_atomic_block:
        _execute(_joint_statement(types), [value for row in rows for value in _values(row)])
        return
    with transaction.atomic():
        for row in rows:
            _execute(_statement(type(row)), _values(row))


def _execute(statement: str, values: list[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _values(row: models.Model) -> list[Any]:
    return [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for field in row._meta.concrete_fields
    ]


@functools.cache
def _joint_statement(types: tuple[type[models.Model], ...]) -> str:
    """Data-modifying WITH queries run whether or not anything reads from them."""
    *first, last = (_statement(model) for model in types)
    parts = ", ".join(f"part_{number} AS ({part})" for number, part in enumerate(first))
    return f"WITH {parts} {last}" if first else last


@functools.cache
def _statement(model: type[models.Model]) -> str:
    quote = connection.ops.quote_name
    columns = [quote(field.column) for field in model._meta.concrete_fields]
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(columns)}) VALUES ({marks})"
