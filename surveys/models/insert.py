"""INSERT of rows by statements that are composed once.

Django builds the same statement anew for each `save`, which costs a response more time than the
database takes for it.
"""

import functools
import json
import secrets
import uuid
from typing import Any

from django.db import connection, models, transaction

from surveys.models.launch import in_force_statement
from surveys.models.submission import Receipt, Submission


def insert_response(
    slug: str, digest: str, submission: uuid.UUID, content: dict[str, Any]
) -> int | None:
    """Store a response if the survey at this address accepts it under these parameters.

    Returns the launch it was stored for; None if the survey is not open, has other parameters in
    force, does not exist, or if the id is known already.
    """
    key, text = secrets.randbits(63), json.dumps(content)
    if connection.vendor == "postgresql":
        return _insert_prepared(slug, digest, (key, submission, submission, text))
    with transaction.atomic(), connection.cursor() as cursor:
        receipt, prepared = _response_statements()
        cursor.execute(receipt, (*_in_force_values(slug), key, submission.hex, digest))
        launch = cursor.fetchone()
        if launch is None:
            return None
        cursor.execute(prepared, (submission.hex, launch[0], text))
        return launch[0]


def _insert_prepared(slug: str, digest: str, values: tuple[Any, ...]) -> int | None:
    """Insert through a psycopg cursor: Django's binds on the client and so cannot prepare."""
    key, submission, repeated_key, text = values
    values = (*_in_force_values(slug), key, submission, digest, repeated_key, text)
    # Attributes that only the backend of PostgreSQL has.
    backend: Any = connection
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with (
        connection.wrap_database_errors,
        backend.Database.Cursor(connection.connection) as cursor,
    ):
        launch = cursor.execute(_response_statements()[0], values, prepare=True).fetchone()
    return launch[0] if launch else None


def _in_force_values(slug: str) -> tuple[Any, ...]:
    return in_force_statement(slug)[1]


@functools.cache
def _response_statements() -> tuple[str, str]:
    """Statements for the receipt, if the survey accepts the response, and for the inbox row.

    On PostgreSQL both are one statement, which is a transaction of its own and one round trip.
    """
    # Casts of untyped parameters, whose types a SELECT cannot infer as an INSERT can.
    on_postgresql = connection.vendor == "postgresql"
    uid, bigint, document = ("::uuid", "::bigint", "::jsonb") if on_postgresql else ("", "", "")
    in_force = f"in_force (launch, digest, accepting) AS ({in_force_statement('')[0]})"
    receipt = f"""INSERT INTO {Receipt._meta.db_table} (id, submission, launch_id)
        SELECT %s{bigint}, %s{uid}, launch FROM in_force WHERE accepting AND digest = %s
        ON CONFLICT (submission) DO NOTHING RETURNING launch_id"""
    inserted = f"INSERT INTO {Submission._meta.db_table} (id, launch_id, content, quarantined)"
    if not on_postgresql:
        return f"WITH {in_force} {receipt}", f"{inserted} VALUES (%s, %s, %s, false)"
    values = f"SELECT %s{uid}, launch_id, %s{document}, false FROM receipt RETURNING launch_id"
    return f"WITH {in_force}, receipt AS ({receipt}) {inserted} {values}", ""


def insert_rows(*rows: models.Model) -> None:
    """Insert rows that have their keys, as `row.save(force_insert=True)` does: all or none.

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
    columns = [quote(field.column) for field in model._meta.concrete_fields if field.column]
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(columns)}) VALUES ({marks})"
