"""Plain tables against tables partitioned by launch, on a PostgreSQL of its own.

    python -m benchmarks.partitions [--rows 2000000] [--surveys 2000]

Receipts, inbox and report sets as the migrations make them (`plain`), as the first migration made
them (`first`), in a partition for each launch (`list`), and in 32 by a hash of the launch (`hash`).
Half of the rows are of one survey, the rest of all others alike. Everything is done to the four in
turns; times are milliseconds of a processor in the database's process, so they compare on a busy
machine too, and the rest are counts and sizes. docs/decisions/0109 says what came of it.
"""

import argparse
import os
import random
import sys
import tempfile
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from psycopg import sql

from tests import postgresql

KINDS = ("plain", "first", "list", "hash")
TABLES = {
    "receipts": "surveys_receipt",
    "inbox": "surveys_submission",
    "reports": "surveys_reportset",
}
KEYS = {"receipts": "submission", "inbox": "id", "reports": "id"}
HASHES = 32
LARGE = 1
CONTENT = '{"strata": {"q1": "page", "q2": "page"}, "reports": {"q1": 1, "q2": 2}}'

RECEIPT = """INSERT INTO receipts (id, submission, launch_id) VALUES (%s, %s, %s)
    ON CONFLICT DO NOTHING RETURNING launch_id"""
RESPONSE = f"""WITH receipt AS ({RECEIPT}) INSERT INTO inbox (id, launch_id, content, quarantined)
    SELECT %s::uuid, launch_id, '{CONTENT}', false FROM receipt"""
BATCH = f"""INSERT INTO reports (id, launch_id, step, content)
    SELECT key, %s, 0, '{CONTENT}' FROM unnest(%s::bigint[]) AS key"""
EXPORT = "SELECT content FROM reports WHERE launch_id = %s AND step = 0 ORDER BY id"
PATTERNS = """SELECT pattern, count(*) FROM reports
    WHERE launch_id = %s AND step = 0 AND pattern IS NOT NULL GROUP BY pattern"""
BY_ID = "SELECT launch_id FROM receipts WHERE submission = %s"
BY_ID_AND_LAUNCH = f"{BY_ID} AND launch_id = %s"
BY_PERSON = "SELECT id FROM reports WHERE respondent_id = %s"


class Backend:
    """A connection, and what its process of the server takes."""

    def __init__(self, url: str, kind: str) -> None:
        self.connection = psycopg.connect(url, autocommit=True, prepare_threshold=0)
        self.kind = kind
        self.do(f"SET search_path = {kind}, public")
        self.do("SET max_parallel_workers_per_gather = 0")
        self.process = self.connection.info.backend_pid

    def do(self, statement: str, values: Any = None) -> list[Any]:
        cursor = self.connection.execute(sql.SQL(statement), values)  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []

    def number(self, statement: str, values: Any = None) -> int:
        return int(self.do(statement, values)[0][0])

    def milliseconds(self) -> float:
        """Of a processor, to the nanosecond as the scheduler has it."""
        return int(Path(f"/proc/{self.process}/schedstat").read_text().split()[0]) / 1e6

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.partition("RssAnon:")[2].split()[0]) / 1024

    def wal(self) -> int:
        return self.number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")

    def bytes(self) -> int:
        return self.number(
            "SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relnamespace = %s::regnamespace",
            [self.kind],
        )


# --- the tables -----------------------------------------------------------------------------------


def make_tables(url: str, surveys: int) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for kind in KINDS:
            connection.execute(f"CREATE SCHEMA {kind}")
            connection.execute(f"CREATE TABLE {kind}.launches (id bigint PRIMARY KEY)")
            connection.execute(f"INSERT INTO {kind}.launches SELECT generate_series(1, {surveys})")
            for statement in _tables(kind, surveys):
                connection.execute(statement)  # type: ignore[arg-type]


def _tables(kind: str, surveys: int) -> Iterator[str]:
    for name, original in TABLES.items():
        table = f"{kind}.{name}"
        if kind in ("plain", "first"):
            yield f"CREATE TABLE {table} (LIKE public.{original} INCLUDING ALL)"
        else:
            yield f"CREATE TABLE {table} (LIKE public.{original}) PARTITION BY {kind} (launch_id)"
            # A unique key of a partitioned table has the launch in it: so ids are unique in each.
            yield f"ALTER TABLE {table} ADD PRIMARY KEY (launch_id, {KEYS[name]})"
        yield f"ALTER TABLE {table} ADD FOREIGN KEY (launch_id) REFERENCES {kind}.launches"
        yield from _partitions(kind, table, surveys)
    if kind == "first":
        yield "DROP INDEX first.receipts_launch_id_idx"
        yield "ALTER TABLE first.receipts ADD PRIMARY KEY (id)"
    if kind in ("list", "hash"):
        for name in ("inbox", "reports"):
            yield f"CREATE INDEX ON {kind}.{name} (respondent_id) WHERE respondent_id IS NOT NULL"
        columns = "(launch_id, step, pattern) WHERE pattern IS NOT NULL"
        yield f"CREATE INDEX ON {kind}.reports {columns}"


def _partitions(kind: str, table: str, surveys: int) -> Iterator[str]:
    if kind == "list":
        for launch in range(1, surveys + 1):
            yield f"CREATE TABLE {table}_{launch} PARTITION OF {table} FOR VALUES IN ({launch})"
    if kind == "hash":
        for rest in range(HASHES):
            yield f"""CREATE TABLE {table}_{rest} PARTITION OF {table}
                FOR VALUES WITH (MODULUS {HASHES}, REMAINDER {rest})"""


def fill(backend: Backend, rows: int, surveys: int) -> None:
    """As responses come: to all surveys by turns, under random keys, in ten parts."""
    launch = f"CASE WHEN random() < .5 THEN {LARGE} ELSE 1 + floor(random() * {surveys})::int END"
    key = "(random() * 9e18)::bigint"
    for _part in range(10):
        backend.do(
            f"""INSERT INTO receipts (id, submission, launch_id)
            SELECT {key}, gen_random_uuid(), {launch} FROM generate_series(1, {rows // 10})"""
        )
        backend.do(
            f"""INSERT INTO reports (id, launch_id, step, content)
            SELECT {key}, {launch}, 0, '{CONTENT}' FROM generate_series(1, {rows // 10})"""
        )
    backend.do("VACUUM (ANALYZE) receipts")
    backend.do("VACUUM (ANALYZE) reports")


# --- what is measured -----------------------------------------------------------------------------


class Turns:
    """Does the same to each kind, in an order that changes, and keeps what it took."""

    def __init__(self, backends: dict[str, Backend]) -> None:
        self.backends = backends
        self.found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def cost(self, name: str, times: int, action: Callable[[Backend], object]) -> None:
        for _time in range(times):
            for backend in random.sample([*self.backends.values()], len(self.backends)):
                before, wal = backend.milliseconds(), backend.wal()
                action(backend)
                spent, written = backend.milliseconds() - before, backend.wal() - wal
                self.found[f"{name}: ms"][backend.kind].append(spent)
                self.found[f"{name}: WAL, kB"][backend.kind].append(written / 1024)

    def value(self, name: str, look: Callable[[Backend], float]) -> None:
        for kind, backend in self.backends.items():
            self.found[name][kind].append(look(backend))

    def print(self) -> None:
        width = max(map(len, self.found)) + 2
        print(" " * width, *(f"{kind:>11}" for kind in KINDS), "   to plain")
        for name, found in self.found.items():
            numbers = [median(found[kind]) for kind in KINDS]
            if not any(numbers):
                continue
            ratios = [f"{number / numbers[0]:.3g}" if numbers[0] else "-" for number in numbers[1:]]
            cells = " ".join(f"{number:11.5g}" for number in numbers)
            print(f"{name:{width}} {cells}    {' / '.join(ratios)}")


def measure(turns: Turns, url: str, surveys: int) -> None:
    chosen = random.Random(1)
    others = range(2, surveys + 1)
    turns.value("size, MB", lambda one: one.bytes() / 2**20)
    relations = "SELECT count(*) FROM pg_class WHERE relnamespace = %s::regnamespace"
    turns.value("relations", lambda one: one.number(relations, [one.kind]))
    turns.cost("1,000 responses stored", 9, lambda one: _responses(one, chosen, others))
    turns.cost("a batch of 1,000 stored", 30, lambda one: _batch(one, chosen.choice(others)))
    turns.cost("a batch of the large one", 9, lambda one: _batch(one, LARGE))
    turns.cost("patterns for a recompute", 9, lambda one: one.do(PATTERNS, [LARGE]))
    turns.cost("export of a small survey", 9, lambda one: _read(one, chosen.choice(others)))
    turns.cost("export of the large survey", 3, lambda one: _read(one, LARGE))
    lookup = [uuid.uuid4()]
    turns.cost("a receipt by its id", 9, lambda one: one.do(BY_ID, lookup))
    turns.cost("a receipt by id and launch", 9, lambda one: one.do(BY_ID_AND_LAUNCH, [*lookup, 9]))
    for name, statement, values in (
        ("by id and launch", BY_ID_AND_LAUNCH, [uuid.uuid4(), 9]),
        ("by id", BY_ID, lookup),
        ("of a person", BY_PERSON, [1]),
    ):
        _planned(turns, url, name, statement, values)
    _new_partition(turns, url, surveys)
    _deletions(turns, chosen.sample(others, 5))


def _responses(backend: Backend, chosen: random.Random, launches: range) -> None:
    for _response in range(1_000):
        key = uuid.uuid4()
        backend.do(RESPONSE, [chosen.getrandbits(63), key, chosen.choice(launches), key])


def _batch(backend: Backend, launch: int) -> None:
    backend.do(BATCH, [launch, sorted(random.getrandbits(63) for _ in range(1_000))])


def _read(backend: Backend, launch: int) -> None:
    """Read as the application does, by a cursor of the server."""
    with backend.connection.transaction(), backend.connection.cursor("export") as cursor:
        cursor.itersize = 2_000
        for _row in cursor.execute(EXPORT, [launch]):
            pass


@contextmanager
def _fresh(url: str, kind: str) -> Iterator[Backend]:
    backend = Backend(url, kind)
    try:
        yield backend
    finally:
        backend.connection.close()


def _planned(turns: Turns, url: str, name: str, statement: str, values: list[Any]) -> None:
    """What the first such statement of a new connection holds: milliseconds, locks, memory."""
    explain = f"EXPLAIN (SUMMARY, FORMAT JSON) {statement}"
    for kind in KINDS:
        with _fresh(url, kind) as one, one.connection.transaction():
            memory = one.megabytes()
            first, second = (one.do(explain, values)[0][0][0]["Planning Time"] for _ in range(2))
            one.do(statement, values)
            locks = one.number("SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()")
            found = {
                "planned first, ms": first,
                "planned again, ms": second,
                "locks": locks,
                "memory of a connection, MB": one.megabytes() - memory,
            }
        for what, number in found.items():
            turns.found[f"a row {name}: {what}"][kind].append(number)


def _new_partition(turns: Turns, url: str, surveys: int) -> None:
    """Whether a launch would wait for a response that is being stored, and hold up those after."""
    one = turns.backends["list"]
    number = surveys + 1
    one.do("INSERT INTO launches VALUES (%s)", [number])
    with _fresh(url, "list") as other, other.connection.transaction():
        other.do(RECEIPT, [1, uuid.uuid4(), 9])
        one.do("SET lock_timeout = '500ms'")
        made = f"CREATE TABLE list.receipts_{number} PARTITION OF receipts FOR VALUES IN ({number})"
        beside = f"CREATE TABLE list.receipts_{number} (LIKE receipts INCLUDING ALL)"
        attached = (
            f"ALTER TABLE receipts ATTACH PARTITION list.receipts_{number} FOR VALUES IN ({number})"
        )
        for how, statements in (("created", [made]), ("attached", [beside, attached])):
            waited = "does not wait"
            try:
                for statement in statements:
                    one.do(statement)
            except psycopg.errors.LockNotAvailable:
                waited = "WAITS, and everybody behind it"
            print(f"a partition {how} while a response is being stored {waited}", flush=True)
    one.do("RESET lock_timeout")


def _deletions(turns: Turns, small: list[int]) -> None:
    for name, launches in (("a small", small), ("the large", [LARGE])):
        before = {kind: one.bytes() for kind, one in turns.backends.items()}
        for launch in launches:
            turns.cost(f"{name} survey deleted", 1, lambda one, at=launch: _delete(one, at))
        turns.cost(f"vacuum after {name} survey", 1, _vacuum)
        turns.value(
            f"given back to the disk by {name} survey, MB",
            lambda one, size=before: (size[one.kind] - one.bytes()) / 2**20,
        )
    stay = next(launch for launch in range(2, 100) if launch not in small)
    before = {kind: one.bytes() for kind, one in turns.backends.items()}
    for one in turns.backends.values():
        for _batch_of in range(100):
            _batch(one, stay)
    turns.value(
        "grown by 100,000 more reports, MB", lambda one: (one.bytes() - before[one.kind]) / 2**20
    )


def _delete(backend: Backend, launch: int) -> None:
    """Remove the rows, then the launch, for which the database asks what refers to it."""
    for name in TABLES:
        if backend.kind == "list":
            backend.do(f"DROP TABLE list.{name}_{launch}")
        else:
            backend.do(f"DELETE FROM {name} WHERE launch_id = %s", [launch])
    backend.do("DELETE FROM launches WHERE id = %s", [launch])


def _vacuum(backend: Backend) -> None:
    if backend.kind != "list":
        for name in TABLES:
            backend.do(f"VACUUM {name}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", type=int, default=2_000_000)
    arguments.add_argument("--surveys", type=int, default=2_000)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="candor-parts-") as folder, postgresql.running() as url:
        os.environ |= {"CANDOR_SECRET_KEY": "x" * 50, "CANDOR_DATA_DIR": folder}
        os.environ |= {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET max_wal_size = '8GB'")
            connection.execute("ALTER SYSTEM SET synchronous_commit = off")
            connection.execute("ALTER SYSTEM SET autovacuum = off")
            connection.execute("SELECT pg_reload_conf()")
        make_tables(url, chosen.surveys)
        turns = Turns({kind: Backend(url, kind) for kind in KINDS})
        for kind, backend in turns.backends.items():
            began = time.monotonic()
            fill(backend, chosen.rows, chosen.surveys)
            print(f"{kind} filled in {time.monotonic() - began:.0f} s", file=sys.stderr)
        measure(turns, url, chosen.surveys)
        turns.print()


if __name__ == "__main__":
    main()
