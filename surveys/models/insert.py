"""INSERT of one row by a statement that is put together once.

Django builds the same statement anew for each `save`, which costs a response more time than the
database takes for it.
"""

import functools

from django.db import connection, models


def insert_row(row: models.Model) -> None:
    """What `row.save(force_insert=True)` does for a row that has its key, signals aside."""
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for field in row._meta.concrete_fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(_statement(type(row)), values)


@functools.cache
def _statement(model: type[models.Model]) -> str:
    quote = connection.ops.quote_name
    columns = [quote(field.column) for field in model._meta.concrete_fields]
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(columns)}) VALUES ({marks})"
