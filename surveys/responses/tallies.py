"""Aggregate responses into counts, and empty the inbox.

Nothing else writes `Tally` and `ReportSet`, but `earlier_waves` beside it. The cost follows the new
responses: nothing here reads what was aggregated before, but the counts.
"""

import logging
import secrets
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from itertools import chain, islice
from typing import Any, cast

from django.db import transaction
from django.db.models import F

from surveys.exceptions import SurveyError
from surveys.features import FEATURES
from surveys.models import Launch, ReportSet, Submission, Survey, Tally
from surveys.parameters import OPEN, Parameters
from surveys.responses.batches import next_batch_size
from surveys.responses.counting import (
    Content,
    Key,
    content_at,
    count,
    device_spaces,
    fits,
    split_reports,
    tally_spaces,
)
from surveys.responses.earlier_waves import Response, replace_earlier, set_right
from surveys.responses.envelope import is_content, response_schema
from surveys.responses.only_writer import let_others_write
from surveys.responses.patterns import USUAL, Patterns, keeps_patterns
from surveys.responses.spaces import Counts

# Responses per transaction: many enough to be cheap, few enough that submissions do not wait.
CHUNK = 1_000

logger = logging.getLogger(__name__)
_random = secrets.SystemRandom()

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
    for number in range(most_batches):
        if number > 1:
            let_others_write()
        with writing():
            aggregated = aggregate_batch(launch_id)
        total += aggregated or 0
        # A smaller batch was the last one due; of a later wave, that of one group.
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
    responses: list[Response] = []
    while not responses and (ids := _choose(launch)):
        responses = _take(launch, ids)
    if not responses:
        return None
    responses = _without_what_is_apart(launch, responses)
    first_changed = replace_earlier(responses) or launch
    for step in launch.steps:
        _fold(launch, step, responses)
    _count_in(launch, first_changed, len(responses))
    return len(responses)


def _without_what_is_apart(launch: Launch, responses: Sequence[Response]) -> list[Response]:
    """Store what features keep apart from reports, and return the responses without it."""
    contents: Sequence[Content] = [response.content for response in responses]
    for feature in FEATURES.values():
        contents = feature.answers.stored_apart(launch, contents)
    return [
        replace(response, content=content)
        for response, content in zip(responses, contents, strict=True)
    ]


def _fold(launch: Launch, step: int, responses: Sequence[Response]) -> None:
    """Store the reports of these people as a step has them, and add them to its tallies."""
    contents = [content_at(step, response.content, launch.parameters) for response in responses]
    respondents = [response.respondent_id for response in responses]
    _store_report_sets(launch, step, list(zip(contents, respondents, strict=True)))
    _add_to_tallies(launch, step, count(contents, launch.parameters_at(step)))


def _count_in(launch: Launch, first_changed: Launch, responses: int) -> None:
    """Note so many responses more, and that all results from the first changed wave on change."""
    counts = {"aggregated": F("aggregated") + responses}
    revision = {"revision": F("revision") + responses}
    if launch.parameters.mode == OPEN:
        Launch.objects.filter(pk=launch.pk).update(**counts, **revision)
        return
    Launch.objects.filter(pk=launch.pk).update(**counts)
    waves = Launch.objects.filter(survey=launch.survey_id, version=launch.version)
    waves.filter(wave__gte=first_changed.wave).update(**revision)


@transaction.atomic
def snapshot(launch_id: int, step: int = 0) -> tuple[Launch, dict[Key, Counts]]:
    """A launch and its tallies as of one moment: the counts belong to `launch.aggregated`."""
    launch = _lock(launch_id)
    return launch, _stored_tallies(launch)[step]


@transaction.atomic
def snapshot_of_waves(launch_id: int) -> list[tuple[Launch, list[dict[Key, Counts]]]]:
    """Return `snapshot` of a launch, which comes first, and of the earlier waves it continues.

    Each has its tallies on every step, the lowest first.
    """
    launch = _lock(launch_id)
    waves = [launch] if launch.wave == 1 else [launch, *launch.waves().exclude(pk=launch_id)]
    return [(wave, _stored_tallies(wave)) for wave in waves]


def _stored_tallies(launch: Launch) -> list[dict[Key, Counts]]:
    by_step: list[dict[Key, Counts]] = [{} for _ in launch.steps]
    for tally in launch.tallies.all():
        by_step[tally.step][tally.table, tally.stratum] = tally.counts
    return by_step


def recount(launch: Launch, step: int = 0) -> dict[Key, Counts]:
    """The tallies recounted from the report sets."""
    with closing(_stored_contents(launch, step)) as contents:
        return _recount(contents, launch.parameters_at(step))


def audit(launch_id: int, step: int = 0) -> tuple[Launch, list[Key]]:
    """A launch, and its tallies that differ from the recount of its report sets.

    `revision` only grows: if it is the same after the query of the report sets began, they are
    those of the tallies. Raises MovingTalliesError if there is no such moment.
    """
    for _ in range(ATTEMPTS):
        launch, stored_counts = snapshot(launch_id, step)
        with closing(_stored_contents(launch, step)) as contents:
            first = list(islice(contents, 1))
            unchanged = Launch.objects.filter(pk=launch_id, revision=launch.revision)
            if unchanged.exists():
                recounted = _recount(chain(first, contents), launch.parameters_at(step))
                return launch, _differing(stored_counts, recounted)
    raise MovingTalliesError("its reports are being aggregated; try again in a moment")


def differing(launch: Launch, step: int = 0) -> list[Key]:
    """Return what `audit` does, for a caller whose transaction sees one state of the database."""
    return _differing(_stored_tallies(launch)[step], recount(launch, step))


def _differing(stored_counts: Mapping[Key, Counts], recounted: Mapping[Key, Counts]) -> list[Key]:
    # A tally of nobody is zeros, or none: all of a wave may have come to a later one.
    stored, counted = (
        {key: counts for key, counts in each.items() if any(counts)}
        for each in (stored_counts, recounted)
    )
    return sorted(key for key in stored | counted if stored.get(key) != counted.get(key))


def _stored_contents(launch: Launch, step: int) -> Generator[Content]:
    """Return the stored contents; the reader closes this before another query of the connection."""
    contents = launch.report_sets.filter(step=step).values_list("content", flat=True)
    # This is a generator, unlike in Django's stubs.
    return cast("Generator[Content]", contents.iterator())


def _recount(contents: Iterator[Content], parameters: Parameters) -> dict[Key, Counts]:
    """Chunk by chunk, so that the memory does not grow with the number of reports.

    What does not fit the parameters was not counted when it came in either.
    """
    spaces = tally_spaces(parameters)
    totals: dict[Key, Counts] = {}
    countable = _countable(contents, parameters)
    while chunk := list(islice(countable, CHUNK)):
        for key, counts in count(chunk, parameters).items():
            totals[key] = spaces[key].add(totals.get(key), counts)
    return totals


def _countable(contents: Iterator[Content], parameters: Parameters) -> Iterator[Content]:
    devices = device_spaces(parameters)
    fitting: Iterable[Content] = (content for content in contents if fits(content, devices))
    for feature in FEATURES.values():
        fitting = feature.answers.countable(fitting, parameters)
    return iter(fitting)


def _lock(launch_id: int) -> Launch:
    """Lock the launch, so that no other aggregation takes the same rows.

    And with it all waves of its survey, in one order: a later wave takes reports out of earlier
    ones. Responses refer to the launch and are stored meanwhile: a lock on its key would hold them
    up until the aggregation is committed.
    """
    rows = Launch.objects.kept().select_for_update(of=("self",), no_key=True)
    waves = rows.filter(survey__launches=launch_id).order_by("pk").select_related("survey")
    return next(launch for launch in list(waves) if launch.pk == launch_id)


def _choose(launch: Launch) -> list[uuid.UUID]:
    """A random batch of the responses that replace reports of one and the same wave, or none.

    So each wave too changes by a batch at least, or not at all.
    """
    waiting = Submission.objects.waiting().filter(launch=launch)
    by_wave: dict[int | None, list[uuid.UUID]] = {}
    for key, replaces in waiting.values_list("pk", "replaces")[: CHUNK * 20]:
        by_wave.setdefault(replaces, []).append(key)
    batches = ((ids, next_batch_size(launch, len(ids), usual=CHUNK)) for ids in by_wave.values())
    return next((_random.sample(ids, size) for ids, size in batches if size), [])


def _take(launch: Launch, ids: list[uuid.UUID]) -> list[Response]:
    """Empty the chosen rows out of the inbox and return their contents.

    Whatever was written there past the application and is no response to these parameters, or not
    the one of its member, is quarantined: it must neither be counted as something else nor stop the
    others. Then the batch is given up, as the rest may be too few for one; so it is where somebody
    has come back and withdrawn what waited, and where rows have turned out to be of another batch.
    What is read is locked.
    """
    rows = Submission.objects.filter(pk__in=ids).select_for_update(of=("self",))
    columns = rows.values_list("pk", "content", "respondent", "replaces")
    responses = {key: Response(*values) for key, *values in columns}
    if len(responses) < len(ids):
        return []
    contents = {key: response.content for key, response in responses.items()}
    if quarantined := _not_to_be_counted(launch, contents):
        logger.error("%d stored responses to launch %d do not fit it", len(quarantined), launch.pk)
        Submission.objects.filter(pk__in=quarantined).update(quarantined=True)
        return []
    if set_right(responses):
        return []
    rows.delete()
    return [responses[key] for key in ids]


def _not_to_be_counted(launch: Launch, contents: Mapping[uuid.UUID, Content]) -> list[uuid.UUID]:
    schema = response_schema(launch.parameters)
    misfits = [key for key, content in contents.items() if not is_content(content, schema)]
    return misfits or [
        key
        for feature in FEATURES.values()
        for key in feature.answers.not_to_be_counted(launch, contents)
    ]


def _store_report_sets(
    launch: Launch, step: int, pieces: Sequence[tuple[Content, int | None]]
) -> None:
    """Store report sets, each with its respondent if it has one.

    In the order of their random keys, which is fast, hides arrival, and is another on each step.
    """
    keeps = keeps_patterns(launch.parameters)
    pattern_of = Patterns(launch.parameters).of if keeps else lambda _content: USUAL
    if launch.parameters.linkage == Survey.Linkage.APART:
        pieces = [(part, None) for content, _ in pieces for part in split_reports(content)]
    keys = sorted(secrets.randbits(63) for _ in pieces)
    shuffled = _random.sample(pieces, len(pieces))
    ReportSet.objects.bulk_create(
        [
            ReportSet(
                pk=key,
                launch=launch,
                step=step,
                content=content,
                respondent_id=respondent_id,
                pattern=pattern_of(content) or None,
            )
            for key, (content, respondent_id) in zip(keys, shuffled, strict=True)
        ],
        batch_size=CHUNK,
    )


def _add_to_tallies(launch: Launch, step: int, increments: Mapping[Key, Counts]) -> None:
    spaces = tally_spaces(launch.parameters_at(step))
    for (table, stratum), counts in increments.items():
        tally, _ = Tally.objects.get_or_create(
            launch=launch, step=step, table=table, stratum=stratum, defaults={"counts": []}
        )
        tally.counts = spaces[table, stratum].add(tally.counts, counts)
        tally.save(update_fields=["counts"])
