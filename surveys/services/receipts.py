"""Deleting the receipts of surveys that have been closed for long.

A receipt recognizes a response that is sent again. Nobody sends to a survey that was closed months
ago, and the ids of its responses are a third of the database: they go in one pass over the table
for all such surveys (docs/decisions/0106). What was deleted is counted, so that receipts can still
be compared with responses.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from surveys import jobs
from surveys.models import DroppedReceipts, Launch, Receipt, Survey, Transition
from surveys.responses.only_writer import let_others_write

# What one transaction looks at: about 50,000 rows of PostgreSQL's pages of 8 kB. On SQLite all who
# write wait for it.
PAGES_AT_ONCE = 500
ROWS_AT_ONCE = 2_000
# One job for the whole site.
SITE = 0


def surveys_beyond_reopening() -> QuerySet[Survey]:
    """Return the surveys that were closed so long ago that their receipts may go."""
    days = settings.RECEIPT_DAYS
    if not days:
        return Survey.objects.none()
    closings = Transition.objects.filter(survey=OuterRef("pk"), target=Survey.State.CLOSED)
    last = Subquery(closings.order_by("-at").values("at")[:1])
    return Survey.objects.filter(state=Survey.State.CLOSED).filter(
        pk__in=Survey.objects.annotate(closed_at=last)
        .filter(closed_at__lt=timezone.now() - timedelta(days=days))
        .values("pk")
    )


def _due() -> QuerySet[Launch]:
    launches = Launch.objects.filter(survey__in=surveys_beyond_reopening())
    return launches.exclude(dropped_receipts__complete=True)


def _lagging() -> Iterator[int]:
    if _due().exists():
        yield SITE


def _drop(run: jobs.Run) -> jobs.Outcome:
    """Delete in many short transactions, each of which looks anew at what may go."""
    throughout = set(_due().values_list("pk", flat=True))
    for fraction, condition, bounds in _slices():
        if not run.report(fraction):
            return jobs.Outcome(more=True)
        with run.holding():
            throughout &= _drop_slice(condition, bounds)
        let_others_write()
    with run.holding():
        _mark(throughout, complete=True)
    return jobs.Outcome()


def _drop_slice(condition: str, bounds: tuple[int, int]) -> set[int]:
    """Delete the receipts of one part of the table; returns the launches whose receipts went.

    The surveys are locked first: none is reopened between the look and the deletion.
    """
    list(surveys_beyond_reopening().select_for_update(no_key=True).values_list("pk"))
    launches = sorted(_due().values_list("pk", flat=True))
    if not launches:
        return set()
    table = connection.ops.quote_name(Receipt._meta.db_table)
    marks = ", ".join(["%s"] * len(launches))
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE {condition} AND launch_id IN ({marks}) RETURNING launch_id",
            [*bounds, *launches],
        )
        gone = Counter(launch for (launch,) in cursor.fetchall())
    _mark(launches)
    for launch, number in gone.items():
        DroppedReceipts.objects.filter(pk=launch).update(number=F("number") + number)
    return set(launches)


def _mark(launches: Iterable[int], **values: bool) -> None:
    """Note that receipts of these launches are gone, which closes their surveys for good."""
    DroppedReceipts.objects.bulk_create(
        [DroppedReceipts(launch_id=launch) for launch in launches], ignore_conflicts=True
    )
    if values:
        DroppedReceipts.objects.filter(pk__in=launches).update(**values)


def _slices() -> Iterator[tuple[float, str, tuple[int, int]]]:
    """Parts of the table in the order in which it lies on the disk, with the share done so far."""
    return _pages() if connection.vendor == "postgresql" else _rows()


def _pages() -> Iterator[tuple[float, str, tuple[int, int]]]:
    """The pages of PostgreSQL's table: one pass for all surveys, each page written once."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_relation_size(%s) / current_setting('block_size')::int",
            [Receipt._meta.db_table],
        )
        (pages,) = cursor.fetchone()
    condition = "ctid >= ('(' || %s || ',0)')::tid AND ctid < ('(' || %s || ',0)')::tid"
    for first in range(0, pages, PAGES_AT_ONCE):
        yield first / pages, condition, (first, first + PAGES_AT_ONCE)


def _rows() -> Iterator[tuple[float, str, tuple[int, int]]]:
    """The keys of SQLite's table, which are random numbers below 2**63 and its order."""
    last = -1
    while True:
        keys = Receipt.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)
        end = keys[ROWS_AT_ONCE - 1 : ROWS_AT_ONCE].first()
        yield (last + 1) / 2**63, "id > %s AND id <= %s", (last, 2**63 - 1 if end is None else end)
        if end is None:
            return
        last = end


RECEIPTS = jobs.register(
    jobs.JobKind(
        name="receipts",
        run=_drop,
        queue=settings.FILE_QUEUE,
        longest=settings.FILE_SECONDS,
        lagging=_lagging,
        is_lagging=lambda _subject: _due().exists(),
        without_broker="receipts of surveys that were closed long ago stay",
    )
)
