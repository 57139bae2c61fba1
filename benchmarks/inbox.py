"""Fill a database with responses without sending requests."""

import json
import secrets
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Model

from surveys.models import Launch, Receipt, ReportSet, Submission
from surveys.responses import tallies

PARTS = 10


def content(number: int) -> dict[str, dict[str, object]]:
    reports = {"q1": number % 2, "q2": number % 3}
    return {"reports": reports, "strata": dict.fromkeys(reports, "page")}


def fill_inbox(launch: Launch, count: int) -> None:
    """Store responses that wait, as `record_response` does."""
    keys = [uuid.uuid4() for _ in range(count)]
    Receipt.objects.bulk_create(
        [Receipt(pk=secrets.randbits(63), submission=key, launch=launch) for key in keys]
    )
    Submission.objects.bulk_create(
        [
            Submission(pk=key, launch=launch, content=content(number))
            for number, key in enumerate(keys)
        ]
    )


def fill_aggregated(launch: Launch, count: int) -> None:
    """Store responses that are aggregated already, with their receipts, in ten parts.

    The pages of a B-tree that has grown have room, as in production; those of one written at once
    have none.
    """
    texts = [json.dumps(content(number)) for number in range(6)]
    for part in range(PARTS):
        size = count // PARTS
        if connection.vendor == "postgresql":
            _write_within(launch, part, size, texts)
            continue
        ids = sorted(uuid.uuid4() for _ in range(size))
        receipts = zip(_ascending_keys(size), ids, repeat(launch.pk), strict=False)
        _write(Receipt, ("id", "submission", "launch_id"), receipts)
        sets = (
            (key, launch.pk, 0, texts[(part * size + number) % len(texts)])
            for number, key in enumerate(_ascending_keys(size))
        )
        _write(ReportSet, ("id", "launch_id", "step", "content"), sets)
    totals = {
        ("q1", "page"): [len(range(code, count, 2)) for code in range(2)],
        ("q2", "page"): [len(range(code, count, 3)) for code in range(3)],
    }
    tallies._add_to_tallies(launch, 0, totals)
    Launch.objects.filter(pk=launch.pk).update(aggregated=F("aggregated") + count)


@contextmanager
def without_triggers() -> Iterator[CursorWrapper]:
    """A cursor of PostgreSQL for rows that need no check: each takes as long as the row itself."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield cursor
        cursor.execute("SET session_replication_role = DEFAULT")


def _write_within(launch: Launch, part: int, size: int, texts: list[str]) -> None:
    """The same by PostgreSQL itself, ten millions in a few minutes.

    Keys are random within equal stretches, so that they ascend and the next part falls between
    them.
    """
    key = f"((n * {PARTS} + {part} + random()) * {9e18 / PARTS} / {size})::bigint"
    numbers = f"generate_series(0, {size - 1}) n"
    receipts, sets = Receipt._meta.db_table, ReportSet._meta.db_table
    with without_triggers() as cursor:
        cursor.execute(
            f"INSERT INTO {receipts} (id, submission, launch_id) "
            f"SELECT {key}, gen_random_uuid(), %s FROM {numbers}",
            [launch.pk],
        )
        cursor.execute(
            f"INSERT INTO {sets} (id, launch_id, step, content) "
            f"SELECT {key}, %s, 0, (%s::jsonb[])[1 + ({part * size} + n) %% {len(texts)}] "
            f"FROM {numbers}",
            [launch.pk, texts],
        )


def _ascending_keys(count: int) -> list[int]:
    return sorted(secrets.randbits(63) for _ in range(count))


def _write(model: type[Model], columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
    """Insert rows as fast as the database can; this is not measured."""
    table, names = model._meta.db_table, ", ".join(columns)
    with transaction.atomic(), connection.cursor() as cursor:
        marks = ", ".join(["%s"] * len(columns))
        records = (
            [cell.hex if isinstance(cell, uuid.UUID) else cell for cell in row] for row in rows
        )
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", records)
