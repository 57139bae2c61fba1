"""Aggregate responses into counts, and empty the inbox.

Nothing else writes `Tally` and `ReportSet`. The cost follows the new responses: nothing here reads
what was aggregated before, but the counts.
"""

import logging
import secrets
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from itertools import chain, islice
from typing import Any, cast

from django.db import transaction
from django.db.models import F

from surveys.exceptions import SurveyError
from surveys.models import Launch, ReportSet, Submission, Survey, Tally
from surveys.parameters import Parameters
from surveys.responses.batches import next_batch_size
from surveys.responses.crossings import Crossing, crossed_spaces, crossings
from surveys.responses.envelope import is_content, response_schema
from surveys.responses.spaces import Counts, Space, space_of

# Responses per transaction: many enough to be cheap, few enough that submissions do not wait.
CHUNK = 1_000

logger = logging.getLogger(__name__)
_random = secrets.SystemRandom()

# (device or table, stratum)
Key = tuple[str, str]
Content = dict[str, Any]
# How often an audit looks for a moment between two batches.
ATTEMPTS = 5
# A function that begins the transaction in which a batch is moved.
Transaction = Callable[[], AbstractContextManager[Any]]


class MovingTalliesError(SurveyError):
    """Reports were aggregated whenever the stored ones were to be counted."""

    code = "tallies_moving"


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
    contents: list[Content] = []
    while not contents and (ids := _choose(launch)):
        contents = _take(launch, ids)
    if not contents:
        return None
    _store_report_sets(launch, contents)
    _add_to_tallies(launch, _count(contents, launch.parameters))
    Launch.objects.filter(pk=launch_id).update(aggregated=F("aggregated") + len(contents))
    return len(contents)


@transaction.atomic
def snapshot(launch_id: int) -> tuple[Launch, dict[Key, Counts]]:
    """A launch and its tallies as of one moment: the counts belong to `launch.aggregated`."""
    launch = _lock(launch_id)
    return launch, {(tally.table, tally.stratum): tally.counts for tally in launch.tallies.all()}


def recount(launch: Launch) -> dict[Key, Counts]:
    """The tallies recounted from the report sets."""
    with closing(_stored_contents(launch)) as contents:
        return _recount(contents, launch.parameters)


def audit(launch_id: int) -> tuple[Launch, list[Key]]:
    """A launch, and its tallies that differ from the recount of its report sets.

    `aggregated` only grows: if it is the same after the query of the report sets began, they are
    those of the tallies. Raises MovingTalliesError if there is no such moment.
    """
    for _ in range(ATTEMPTS):
        launch, stored_counts = snapshot(launch_id)
        with closing(_stored_contents(launch)) as contents:
            first = list(islice(contents, 1))
            unchanged = Launch.objects.filter(pk=launch_id, aggregated=launch.aggregated)
            if unchanged.exists():
                recounted = _recount(chain(first, contents), launch.parameters)
                return launch, _differing(stored_counts, recounted)
    raise MovingTalliesError("its reports are being aggregated; try again in a moment")


def _differing(stored_counts: Mapping[Key, Counts], recounted: Mapping[Key, Counts]) -> list[Key]:
    keys = sorted(stored_counts.keys() | recounted.keys())
    return [key for key in keys if stored_counts.get(key) != recounted.get(key)]


def _stored_contents(launch: Launch) -> Generator[Content]:
    """To be closed by its reader, before another query of the same connection."""
    contents = launch.report_sets.values_list("content", flat=True)
    # This is a generator, unlike in Django's stubs.
    return cast("Generator[Content]", contents.iterator())


def _recount(contents: Iterator[Content], parameters: Parameters) -> dict[Key, Counts]:
    """Chunk by chunk, so that the memory does not grow with the number of reports.

    What does not fit the parameters was not counted when it came in either.
    """
    spaces, devices = _spaces(parameters), _device_spaces(parameters)
    totals: dict[Key, Counts] = {}
    while chunk := list(islice(contents, CHUNK)):
        fitting = [content for content in chunk if _fits(content, devices)]
        for key, counts in _count(fitting, parameters).items():
            totals[key] = spaces[key].add(totals.get(key), counts)
    return totals


def _fits(content: Content, spaces: Mapping[Key, Space]) -> bool:
    """Whether every report is one of its device; a report set may hold a part of a response."""
    pairs = [
        (spaces.get((device, content["strata"].get(device))), report)
        for device, report in content["reports"].items()
    ]
    return all(space is not None and space.check(report) is None for space, report in pairs)


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


def _take(launch: Launch, ids: list[uuid.UUID]) -> list[Content]:
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


def _store_report_sets(launch: Launch, contents: list[Content]) -> None:
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


def _split_reports(content: Content) -> list[Content]:
    return [
        {"reports": {device: code}, "strata": {device: content["strata"][device]}}
        for device, code in content["reports"].items()
    ]


def _count(contents: Sequence[Content], parameters: Parameters) -> dict[Key, Counts]:
    """Reports of each device, and of each declared pair of devices that one person reported to."""
    spaces, pairs = _spaces(parameters), dict.fromkeys(map(_pair_of, crossings(parameters)))
    reports: dict[Key, list[Any]] = {}
    for content in contents:
        for device, report in content["reports"].items():
            reports.setdefault((device, content["strata"][device]), []).append(report)
        for pair in pairs:
            if all(name in content["reports"] for name in pair):
                key = (",".join(pair), ",".join(content["strata"][name] for name in pair))
                reports.setdefault(key, []).append([content["reports"][name] for name in pair])
    return {key: spaces[key].count(sent) for key, sent in reports.items()}


def _pair_of(crossing: Crossing) -> tuple[str, str]:
    return crossing.outcome, crossing.group


def _add_to_tallies(launch: Launch, increments: Mapping[Key, Counts]) -> None:
    spaces = _spaces(launch.parameters)
    for (table, stratum), counts in increments.items():
        tally, _ = Tally.objects.get_or_create(
            launch=launch, table=table, stratum=stratum, defaults={"counts": []}
        )
        tally.counts = spaces[table, stratum].add(tally.counts, counts)
        tally.save(update_fields=["counts"])


def _device_spaces(parameters: Parameters) -> dict[Key, Space]:
    return {device.key: space_of(device) for device in parameters.devices}


def _spaces(parameters: Parameters) -> dict[Key, Space]:
    """The space of every device and of every declared table."""
    return {**_device_spaces(parameters), **crossed_spaces(parameters)}
