"""Aggregate responses into counts, and empty the inbox.

Nothing else writes `Tally` and `ReportSet`. The cost follows the new responses: nothing here reads
what was aggregated before, but the counts.
"""

import logging
import secrets
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from django.db import transaction
from django.db.models import F

from surveys.models import Launch, ReportSet, Submission, Survey, Tally
from surveys.parameters import Parameters
from surveys.responses.batches import next_batch_size
from surveys.responses.crossings import table_sizes
from surveys.responses.envelope import is_content, response_schema
from surveys.responses.spaces import Counts as Stored
from surveys.responses.spaces import Space, add_counts, space_of

# Responses per transaction: many enough to be cheap, few enough that submissions do not wait.
CHUNK = 1_000

logger = logging.getLogger(__name__)
_random = secrets.SystemRandom()

# (device or table, stratum)
Key = tuple[str, str]
Counts = dict[Key, Counter[int]]
# A function that begins the transaction in which a batch is moved.
Transaction = Callable[[], AbstractContextManager[Any]]


def aggregate_waiting(
    launch_id: int, *, most_batches: int = 100, writing: Transaction = transaction.atomic
) -> int:
    """Aggregate due responses, up to a number of batches; returns how many were aggregated.

    The bound keeps one task short: after an outage the results move on step by step.
    """
    total = 0
    for _ in range(most_batches):
        with writing():
            aggregated = aggregate_batch(launch_id)
        total += aggregated or 0
        # A smaller batch was the last one due.
        if aggregated is None or aggregated < CHUNK:
            break
    return total


@transaction.atomic(savepoint=False)
def aggregate_batch(launch_id: int) -> int | None:
    """Move one random batch from the inbox to the report sets and the tallies; None if none is due.

    The launch's row is locked, so that two workers cannot take the same responses; everything
    happens in one transaction or not at all, so that a killed worker changes nothing.
    """
    launch = _lock(launch_id)
    contents: list[dict[str, Any]] = []
    while not contents and (ids := _choose(launch)):
        contents = _take(launch, ids)
    if not contents:
        return None
    _store_report_sets(launch, contents)
    _add_to_tallies(launch, _count(contents, launch.parameters))
    Launch.objects.filter(pk=launch_id).update(aggregated=F("aggregated") + len(contents))
    return len(contents)


@transaction.atomic
def snapshot(launch_id: int) -> tuple[Launch, dict[Key, Stored]]:
    """A launch and its tallies as of one moment: the counts belong to `launch.aggregated`."""
    launch = _lock(launch_id)
    return launch, {(tally.table, tally.stratum): tally.counts for tally in launch.tallies.all()}


def recount(launch: Launch) -> dict[Key, Stored]:
    """The tallies recounted from the report sets, which an audit compares with `snapshot`."""
    contents = launch.report_sets.values_list("content", flat=True).iterator()
    sizes = _sizes(launch.parameters)
    counts = _count(contents, launch.parameters)
    return {key: add_counts(None, counter, sizes[key]) for key, counter in counts.items()}


def _lock(launch_id: int) -> Launch:
    """Lock the launch, so that no other aggregation takes the same rows.

    Responses refer to the launch and are stored meanwhile: a lock on its key would hold them up
    until the aggregation is committed.
    """
    rows = Launch.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("survey").get(pk=launch_id)


def _choose(launch: Launch) -> list[uuid.UUID]:
    ids = list(
        Submission.objects.waiting()
        .filter(launch=launch)
        .values_list("pk", flat=True)[: CHUNK * 20]
    )
    return _random.sample(ids, next_batch_size(launch, len(ids), usual=CHUNK))


def _take(launch: Launch, ids: list[uuid.UUID]) -> list[dict[str, Any]]:
    """Empty the chosen rows out of the inbox and return their contents.

    Whatever was written there past the application and is no response to these parameters is
    quarantined: it must neither be counted as something else nor stop the others. Then the batch
    is given up, as the others may be too few for a batch.
    """
    schema = response_schema(launch.parameters)
    rows = dict(Submission.objects.filter(pk__in=ids).values_list("pk", "content"))
    quarantined = [key for key, content in rows.items() if not is_content(content, schema)]
    if quarantined:
        logger.error("%d stored responses to launch %d do not fit it", len(quarantined), launch.pk)
        Submission.objects.filter(pk__in=quarantined).update(quarantined=True)
        return []
    Submission.objects.filter(pk__in=ids).delete()
    return [rows[key] for key in ids]


def _store_report_sets(launch: Launch, contents: list[dict[str, Any]]) -> None:
    """Store the report sets in the order of their random keys, which is fast and hides arrival."""
    if launch.parameters.linkage == Survey.Linkage.APART:
        contents = [single for content in contents for single in _split_reports(content)]
    keys = sorted(secrets.randbits(63) for _ in contents)
    shuffled = _random.sample(contents, len(contents))
    ReportSet.objects.bulk_create(
        [
            ReportSet(pk=key, launch=launch, content=content)
            for key, content in zip(keys, shuffled, strict=True)
        ],
        batch_size=CHUNK,
    )


def _split_reports(content: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"reports": {device: code}, "strata": {device: content["strata"][device]}}
        for device, code in content["reports"].items()
    ]


def _count(contents: Iterable[dict[str, Any]], parameters: Parameters) -> Counts:
    """Reports of each device, and of each declared pair of devices that one person reported to."""
    spaces, tables = _spaces(parameters), table_sizes(parameters)
    pairs = list(dict.fromkeys(name for name, _stratum in tables))
    counts: Counts = {}
    for content in contents:
        for device, report in content["reports"].items():
            key = (device, content["strata"][device])
            counts.setdefault(key, Counter())[spaces[key].number(report)] += 1
        for pair in pairs:
            if (cell_of_person := _cell_of_person(content, pair, tables)) is not None:
                key, cell = cell_of_person
                counts.setdefault(key, Counter())[cell] += 1
    return counts


def _cell_of_person(
    content: dict[str, Any], pair: str, tables: Mapping[Key, tuple[int, int]]
) -> tuple[Key, int] | None:
    """The cell of a table that this person falls into: the last device runs fastest."""
    reports, names = content["reports"], pair.split(",")
    if any(name not in reports for name in names):
        return None
    key = (pair, ",".join(content["strata"][name] for name in names))
    _outcomes, groups = tables[key]
    return key, reports[names[0]] * groups + reports[names[1]]


def _add_to_tallies(launch: Launch, increments: Counts) -> None:
    sizes = _sizes(launch.parameters)
    for (table, stratum), counter in increments.items():
        tally, _ = Tally.objects.get_or_create(
            launch=launch, table=table, stratum=stratum, defaults={"counts": []}
        )
        tally.counts = add_counts(tally.counts, counter, sizes[table, stratum])
        tally.save(update_fields=["counts"])


def _spaces(parameters: Parameters) -> dict[Key, Space]:
    return {device.key: space_of(device) for device in parameters.devices}


def _sizes(parameters: Parameters) -> dict[Key, int]:
    """The number of possible reports of every device and every declared table."""
    of_devices = {key: space.size for key, space in _spaces(parameters).items()}
    cells = {key: outcomes * groups for key, (outcomes, groups) in table_sizes(parameters).items()}
    return of_devices | cells
