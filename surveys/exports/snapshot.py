"""A release, and the report sets that its estimates rest on, read at one moment.

One query reads them, from a snapshot in SQLite's log or in an open PostgreSQL cursor,
and no writer waits for either. `one_moment` is for whoever needs several queries.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, cast

from django.db import connection, transaction
from django.db.models import F, QuerySet

from surveys.exceptions import SurveyError
from surveys.features import Trait, has_trait
from surveys.models import Launch, ReportSet, Tally
from surveys.parameters.budget import text_of
from surveys.responses.counting import Key
from surveys.responses.spaces import Counts
from surveys.results.release import DeviceKey, Release, release_of
from surveys.results_document.document import Results

# The number of rows fetched at once.
CHUNK = 2000
ATTEMPTS = 5
PAUSE = 0.2
MOVING = "The results are being computed anew. Try again in a moment."


class MovingError(SurveyError):
    """The tallies are ahead of the stored estimates, which are being recomputed."""

    code = "results_behind"


class ReleasedCounts(NamedTuple):
    """A release, and tallies that it rests on, those of earlier waves among them."""

    release: Release
    counts: dict[DeviceKey, Counts]


class Snapshot(NamedTuple):
    """`contents` are read once; `close` ends the query."""

    release: Release
    contents: Iterator[dict[str, Any]]
    close: Callable[[], None]


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction that sees one state of the database and lets others write meanwhile.

    Django's own would lock SQLite's database, and see later commits on PostgreSQL. Within another
    transaction this is a part of that.
    """
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
        return
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def released_content(launch: Launch, step: int) -> Results:
    """Return the results of the latest release; raises MovingError if there is none."""
    content = release_of(launch, step).content
    if content is None:
        raise MovingError("There are no results to export.")
    return content


def _rows(launch: Launch, step: int) -> QuerySet[ReportSet, Any]:
    if not has_trait(launch.parameters, Trait.RETURNING):
        return launch.report_sets.filter(step=step).order_by("pk").values_list("content")
    rows = ReportSet.objects.filter(launch__in=launch.waves(), step=step).order_by("pk")
    # The entry of the ledger for the wave whose reports these are.
    rows = rows.filter(respondent__participations__launch=F("launch"))
    epsilon = "respondent__participations__epsilon"
    return rows.values_list("content", "launch__wave", epsilon)


def _content(launch: Launch, row: Sequence[Any]) -> dict[str, Any]:
    """The reports of a person; where people come back, with the wave and the ledger's total."""
    if len(row) == 1:
        return row[0]
    content, wave, epsilon = row
    return {**content, "wave": wave, "epsilon": text_of(epsilon), "source": launch.source_of(wave)}


def _pooled(launch: Launch) -> QuerySet[Launch] | list[Launch]:
    """The waves whose reports are in the results of this one."""
    return [launch] if launch.wave == 1 else launch.waves()


def take_snapshot(launch: Launch, step: int = 0) -> Snapshot:
    """Exactly the report sets of the release; raises MovingError if the results lag behind.

    `revision` only grows: if it still equals the result's after the query began, the
    query sees exactly the reports of that result. Rows come in the order of their random keys, so
    the same results give the same rows and nothing tells who came first.
    """
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt else 0)
        release = release_of(launch, step)
        # This is a generator, unlike in Django's stubs: closing it ends the query.
        cursor = cast("Generator[Any]", _rows(launch, step).iterator(chunk_size=CHUNK))
        first = list(islice(cursor, 1))
        launch.refresh_from_db(fields=["revision"])
        if release.content is not None and launch.revision == release.revision:
            contents = map(partial(_content, launch), chain(first, cursor))
            return Snapshot(release, contents, cursor.close)
        cursor.close()
    raise MovingError(MOVING)


def take_counts(launch: Launch, step: int, keys: Iterable[Key]) -> ReleasedCounts:
    """The tallies of these devices as the release rests on them; MovingError if it lags behind.

    If `revision` still equals the result's after they were read, they are those of that result.
    """
    names = {table for table, _ in keys}
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt else 0)
        release = release_of(launch, step)
        stored = Tally.objects.filter(launch__in=_pooled(launch), step=step, table__in=names)
        counts = {
            (launch.source_of(wave), table, stratum): tally
            for wave, table, stratum, tally in stored.values_list(
                "launch__wave", "table", "stratum", "counts"
            )
        }
        launch.refresh_from_db(fields=["revision"])
        if release.content is not None and launch.revision == release.revision:
            return ReleasedCounts(release, counts)
    raise MovingError(MOVING)
