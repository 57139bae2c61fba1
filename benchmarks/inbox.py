"""Fill a database with responses without sending requests."""

import json
import secrets
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, repeat

from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import F, Model

from surveys.models import Launch, Receipt, ReportSet, Submission
from surveys.responses import tallies

PARTS = 10
RECEIPT = ("id", "submission", "launch_id")
REPORT_SET = ("id", "launch_id", "step", "content")
# Random keys of 63 bits, and random ids, in their order.
_SORTED = "ARRAY(SELECT {} AS drawn FROM generate_series(1, %s) ORDER BY drawn)"
_HIGH, _LOW = (f"floor(random() * {1 << bits})::bigint" for bits in (31, 32))
KEYS = _SORTED.format(f"({_HIGH} << 32 | {_LOW})")
IDS = _SORTED.format("gen_random_uuid()")


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
    write = _write_by_server if connection.vendor == "postgresql" else _write
    for part in range(PARTS):
        size = count // PARTS
        turn = part * size % len(texts)
        write(launch, size, texts[turn:] + texts[:turn])
    totals = {
        ("q1", "page"): [len(range(code, count, 2)) for code in range(2)],
        ("q2", "page"): [len(range(code, count, 3)) for code in range(3)],
    }
    tallies._add_to_tallies(launch, 0, totals)
    Launch.objects.filter(pk=launch.pk).update(aggregated=F("aggregated") + count)


def _write(launch: Launch, size: int, texts: Sequence[str]) -> None:
    """Insert receipts and report sets as fast as SQLite can; this is not measured."""
    ids = sorted(uuid.uuid4().hex for _ in range(size))
    receipts = zip(_ascending_keys(size), ids, repeat(launch.pk), strict=False)
    sets = zip(_ascending_keys(size), repeat(launch.pk), repeat(0), cycle(texts), strict=False)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(f"{_into(Receipt, *RECEIPT)} VALUES (%s, %s, %s)", receipts)
        cursor.executemany(f"{_into(ReportSet, *REPORT_SET)} VALUES (%s, %s, %s, %s)", sets)


def _ascending_keys(count: int) -> list[int]:
    return sorted(secrets.randbits(63) for _ in range(count))


def _write_by_server(launch: Launch, size: int, texts: Sequence[str]) -> None:
    """The same on PostgreSQL, which makes up the rows itself: ten million in minutes."""
    with without_triggers() as cursor:
        cursor.execute(
            f"""{_into(Receipt, *RECEIPT)} SELECT key, submission, %s
            FROM unnest({KEYS}, {IDS}) AS both_sorted (key, submission)""",
            (launch.pk, size, size),
        )
        cursor.execute(
            f"""{_into(ReportSet, *REPORT_SET)}
            SELECT key, %s, 0, (%s::jsonb[])[1 + (number - 1) %% %s]
            FROM unnest({KEYS}) WITH ORDINALITY AS sorted (key, number)""",
            (launch.pk, list(texts), len(texts), size),
        )


@contextmanager
def without_triggers() -> Iterator[CursorWrapper]:
    """A transaction of PostgreSQL that looks for no foreign key: each row takes its own time."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield cursor
        cursor.execute("SET LOCAL session_replication_role = DEFAULT")


def _into(model: type[Model], *columns: str) -> str:
    return f"INSERT INTO {model._meta.db_table} ({', '.join(columns)})"
