"""What a recompute after new responses reads, by the counters of PostgreSQL: as good on a busy
machine as on a quiet one.
"""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.inbox import fill_inbox
from surveys.models import Launch
from surveys.services.results import refresh_results

NEW, ROUNDS = 1_000, 5
COUNTERS = """
    SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint,
        sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint,
        (SELECT sum(coalesce(heap_blks_hit, 0) + coalesce(heap_blks_read, 0)
            + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0))
        FROM pg_statio_user_tables)::bigint
    FROM pg_stat_user_tables
"""


def recomputes(launches: Sequence[Launch]) -> Iterator[dict[str, Any]]:
    """The least of a few rounds of each, in turns: the server vacuums when it likes.

    Milliseconds are of a processor, in this process alone.
    """
    rounds = [[_one(launch) for launch in launches] for _round in range(ROUNDS + 1)][1:]
    for launch, rows in zip(launches, zip(*rounds, strict=True), strict=True):
        launch.refresh_from_db()
        yield {
            "responses": launch.aggregated,
            **{key: min(row[key] for row in rows) for key in rows[0]},
        }


def _one(launch: Launch) -> dict[str, float]:
    fill_inbox(launch, NEW)
    before = _counters()
    with CaptureQueriesContext(connection) as queries:
        began = time.process_time()
        refresh_results(launch_id=launch.pk)
        seconds = time.process_time() - began
    read, written, blocks = (
        after - former for after, former in zip(_counters(), before, strict=True)
    )
    return {
        "statements": len(queries),
        "rows_read": read,
        "rows_written": written,
        "blocks": blocks,
        "ms": seconds * 1000,
    }


def _counters() -> tuple[int, ...]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(COUNTERS)
        counters: tuple[int, ...] = cursor.fetchone()
    return counters
