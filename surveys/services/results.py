"""Updating the results with the responses that have arrived."""

import functools
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from surveys import jobs
from surveys.features import analyses_of, weighting_of
from surveys.models import Launch, Result, Submission, Survey
from surveys.parameters import Parameters, keys_asked_directly
from surveys.responses import tallies
from surveys.responses.batches import direct_batch_of, due
from surveys.results.described import Base
from surveys.results.document import Together, results_document
from surveys.results.held_back import Waiting, hold_back
from surveys.results.launch_strata import Source, Tallies
from surveys.results.release_bases import TalliesOfWaves, base_of_release, tallies_of_base
from surveys.results_document.document import FORMAT as RESULT_FORMAT
from surveys.results_document.document import Results, plain, widest_margin
from surveys.services.analysis_fits import request_declared
from surveys.services.webhooks import note_released, somebody_listens
from surveys.services.weighted_results import request_weighted

# Pauses between two recomputes of one survey leave the processor to submissions under load:
# four times the last duration, so that recomputes take at most a fifth of one worker's time.
PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, PAUSE_SHARE = 1.0, 10.0, 4.0


def refresh_results(
    *,
    launch_id: int,
    aggregating: tallies.Transaction = transaction.atomic,
    saving: tallies.Transaction = transaction.atomic,
) -> bool:
    """Aggregate due responses, then estimate again if anything has changed.

    Batches move in transactions that `aggregating` begins, the result is stored in one of `saving`.
    Returns whether more responses are due: one call aggregates a bounded number.
    """
    launches = Launch.objects.filter(pk=launch_id)
    count = tallies.aggregate_waiting(launch_id, writing=aggregating)
    if not count and not any(_launches_behind(launches)):
        return False
    launch, contents = _compute(launch_id)
    with saving():
        # Most sites have no program that listens.
        before = _digests(launch) if somebody_listens() else None
        for step, (content, base) in enumerate(contents):
            _save(launch, step, content, base)
        if before is not None and _digests(launch) != before:
            note_released(launch)
    _request_fits(launch)
    if not launch.is_newest():
        # The wave in force shows these reports too.
        jobs.request(RECOMPUTE, launch.survey.current_launch().pk)
    # Fewer than a chunk means that all due responses were aggregated, but for a later wave: there
    # they come in several groups.
    whole = count < tallies.CHUNK and launch.wave == 1
    return not whole and any(_with_due_responses(launches))


def recomputed(launch_id: int) -> tuple[Launch, list[dict[str, Any]]]:
    """A launch and the contents of its results on every step, computed anew and not stored."""
    launch, contents = _compute(launch_id)
    return launch, [plain(results) for results, _base in contents]


def _request_fits(launch: Launch) -> None:
    """Wake the workers of what the launch declares; most launches declare nothing."""
    if analyses_of(launch.parameters):
        request_declared(launch.pk)
    if weighting_of(launch.parameters) is not None:
        request_weighted(launch.pk)


def lagging_launches() -> Iterator[int]:
    """Launches with due responses, or with results older than their tallies or format."""
    every = Launch.objects.kept()
    return chain(_with_due_responses(every), _launches_behind(every))


def is_lagging(launch_id: int) -> bool:
    launches = Launch.objects.kept().filter(pk=launch_id)
    return any(chain(_with_due_responses(launches), _launches_behind(launches)))


def pause_after(seconds: float) -> float:
    """The pause of a survey after a recompute of this duration, in seconds."""
    return min(max(PAUSE_SECONDS, PAUSE_SHARE * seconds), LONGEST_PAUSE_SECONDS)


def _recompute(run: jobs.Run) -> jobs.Outcome:
    ending = functools.partial(run.holding, ending=jobs.Outcome())
    has_more = refresh_results(launch_id=run.subject, aggregating=run.holding, saving=ending)
    return jobs.Outcome(more=has_more)


RECOMPUTE = jobs.register(
    jobs.JobKind(
        name="recompute",
        run=_recompute,
        queue=settings.QUEUE,
        lease=10,
        lagging=lagging_launches,
        is_lagging=is_lagging,
        about=Launch,
        pause=pause_after,
        without_broker="results will lag",
    )
)


def _with_due_responses(launches: QuerySet[Launch]) -> Iterator[int]:
    # Counted by subqueries: a join would sort each row of the inbox with its launch's parameters.
    waiting = Submission.objects.waiting().filter(launch=OuterRef("pk"))
    launches_with_inbox = launches.filter(
        Exists(waiting), survey__state__in=[Survey.State.OPEN, Survey.State.CLOSED]
    ).annotate(in_inbox=_number_of(waiting))
    # Only the fields that the rule of releases reads.
    for launch in launches_with_inbox.select_related("survey").only(
        "parameters", "wave", "survey__state", "survey__release_batch"
    ):
        # Responses that replace reports of different waves enter the results apart.
        counts = [launch.in_inbox] if launch.wave == 1 else launch.waiting_by_wave()
        if any(due(launch, count) for count in counts):
            yield launch.pk


def _launches_behind(launches: QuerySet[Launch]) -> Iterator[int]:
    """Yield the launches in force with fewer up-to-date results than versions.

    Earlier waves are left out: their results are in those of the wave in force.
    """
    current = Result.objects.filter(
        launch=OuterRef("pk"),
        revision__gte=OuterRef("revision"),
        content__format=RESULT_FORMAT,
    )
    later = Launch.objects.filter(
        survey=OuterRef("survey"), version=OuterRef("version"), wave__gt=OuterRef("wave")
    )
    newest = launches.filter(~Exists(later), revision__gt=0)
    behind = newest.annotate(current=_number_of(current)).filter(current__lt=F("versions"))
    yield from behind.values_list("pk", flat=True)


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """How many rows a subquery has."""
    numbers = rows.order_by().annotate(one=Value(1)).values("one").annotate(number=Count("*"))
    return Coalesce(Subquery(numbers.values("number")), 0)


def _compute(launch_id: int) -> tuple[Launch, list[tuple[Results, Base]]]:
    """A launch and its results of one moment on every step, the lowest first, with their bases."""
    # The reports of people whom the base leaves out are read under the same lock as the tallies.
    with transaction.atomic():
        waves = tallies.snapshot_of_waves(launch_id)
        launch, _ = waves[0]
        moments = [
            _moment([(wave, counts[step]) for wave, counts in waves], step) for step in launch.steps
        ]
    return launch, [(_document(moment, step), moment.base) for step, moment in enumerate(moments)]


@dataclass(frozen=True, slots=True)
class _Moment:
    """The tallies of a launch and of the earlier waves that it continues, and of its base alone."""

    waves: TalliesOfWaves
    base: Base
    together: Sequence[Tallies]


def _moment(waves: TalliesOfWaves, step: int) -> _Moment:
    base = base_of_release(waves, step)
    return _Moment(waves, base, tallies_of_base(base, waves, step))


def _sources(waves: TalliesOfWaves, counts: Sequence[Tallies], step: int) -> list[Source]:
    (launch, _), *_earlier = waves
    return [
        Source(
            wave.parameters_at(step).devices,
            tally,
            launch.source_of(wave.wave),
            wave.digest_at(step),
            wave.aggregated,
        )
        for (wave, _), tally in zip(waves, counts, strict=True)
    ]


def _document(moment: _Moment, step: int) -> Results:
    """The results of an ordinary survey that was asked with this step's devices only."""
    (launch, counts), *earlier = moment.waves
    _own, *others = _sources(moment.waves, [tally for _, tally in moment.waves], step)
    parameters, digest = launch.parameters_at(step), launch.digest_at(step)
    counts, waiting = _shown(launch, parameters, counts)
    responses = launch.aggregated + sum(wave.aggregated for wave, _ in earlier)
    return results_document(
        parameters,
        digest,
        counts,
        responses,
        others=others,
        candidates=_newest_lists(launch),
        waiting=waiting,
        together=Together(_sources(moment.waves, moment.together, step), moment.base.published),
    )


def _shown(launch: Launch, parameters: Parameters, counts: Tallies) -> tuple[Tallies, Waiting]:
    """The tallies, of people who are asked directly those of whole batches, and who waits."""
    if not keys_asked_directly(parameters):
        return counts, {}
    result = Result.objects.filter(launch=launch, step=0).first()
    return hold_back(parameters, counts, result.content if result else {}, direct_batch_of(launch))


def _newest_lists(launch: Launch) -> dict[str, list[str]]:
    """The candidates of each question of a survey that has a list.

    Read after the launch: a list that came since has raised the revision, so that the results are
    computed once more.
    """
    if all(question.characters is None for question in launch.parameters.questions):
        return {}
    # The last list of a question, in the order of their numbers, takes the place of the others.
    return dict(launch.survey.candidates.values_list("question", "texts"))


def _save(launch: Launch, step: int, results: Results, base: Base) -> None:
    """Store the result unless a newer one exists: a slow worker must not overwrite a fast one."""
    content = plain(results)
    values = {
        "responses": results.responses,
        "revision": launch.revision,
        "content": content,
        "base": base.as_json(),
        "widest_margin": widest_margin(results),
        "digest": _digest(content),
    }
    older = Result.objects.filter(launch=launch, step=step, revision__lte=launch.revision)
    if not older.update(**values, computed_at=timezone.now()):
        Result.objects.get_or_create(launch=launch, step=step, defaults=values)


def _digests(launch: Launch) -> dict[int, str]:
    """What is stored of each step, which tells other numbers from the same."""
    return dict(Result.objects.filter(launch=launch).values_list("step", "digest"))


def _digest(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
