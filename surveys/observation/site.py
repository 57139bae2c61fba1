"""What is read of the site: at the end of a window, and at each look."""

import contextlib
import json
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import redis
from django.db import DatabaseError, connection
from django.db.models import Count
from django.db.models.fields.json import KT

from surveys.jobs.kinds import all_kinds, kind_named
from surveys.jobs.queue import broker
from surveys.models import Job, Launch, Submission, Survey
from surveys.observation import probes
from surveys.observation.counting import BOUNDS, RESPONDENTS, Field, handed_over
from surveys.observation.windows import Sample
from surveys.services import soundness

SWEPT = "candor:metrics:swept"
# Tasks in a queue are told by hundreds: in order, each survey has one at most.
TASKS_TOLD_BY = 100
# A standing job at this attempt has failed three times in a row.
RETRYING = 4
QUANTILES = (0.5, 0.95, 0.99)


def note_sweep() -> None:
    """Note that the clock has sent a sweep, and that a worker is running it."""
    with contextlib.suppress(redis.RedisError):
        broker().set(SWEPT, int(time.time()))


def sweep_age() -> float | None:
    """Seconds since the last sweep; None if none is known."""
    swept = broker().get(SWEPT)
    return None if swept is None else max(0.0, time.time() - int(swept))


# --- at the end of a window ------------------------------------------------------------


def read_sample(
    counts_before: Mapping[Field, int], seconds: float
) -> tuple[Sample, dict[str, int]]:
    """The site now, and what web processes have counted of respondents in all.

    `counts_before` are those of the last snapshot, which was so many seconds ago.
    """
    aggregated, waiting = _stored_responses()
    counts = handed_over(RESPONDENTS)
    told = {
        "candor_responses": aggregated + waiting,
        "candor_responses_in_results": aggregated,
        "candor_inbox_responses": waiting,
        **_of_requests(counts - Counter(counts_before), seconds),
    }
    due = {str(subject) for subject in (kind_named("recompute").lagging or list)()}
    revisions = Launch.objects.filter(pk__in=due).values_list("pk", "revision")
    sample = Sample(
        responses=aggregated + waiting,
        batch=largest_batch(),
        told=told,
        due={str(launch): revision for launch, revision in revisions},
        lasting=_lasting(),
    )
    return sample, {json.dumps(field): number for field, number in counts.items()}


def _stored_responses() -> tuple[int, int]:
    """Responses in the tallies and in the inbox, of one moment: by one statement.

    Without those of a survey that is being deleted: they are no responses any more.
    """
    quote = connection.ops.quote_name
    launch, inbox, survey = (quote(model._meta.db_table) for model in (Launch, Submission, Survey))
    gone = f"SELECT id FROM {survey} WHERE state = '{Survey.State.DELETED}'"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT (SELECT COALESCE(SUM(aggregated), 0) FROM {launch}"
            f" WHERE survey_id NOT IN ({gone})), (SELECT COUNT(*) FROM {inbox}"
            f" WHERE launch_id NOT IN (SELECT id FROM {launch} WHERE survey_id IN ({gone})))"
        )
        aggregated, waiting = cursor.fetchone()
    return int(aggregated), int(waiting)


def largest_batch() -> int:
    """The largest release batch of the surveys that are open; 0 if none is."""
    batches = Launch.objects.filter(survey__state=Survey.State.OPEN).annotate(
        frozen=KT("parameters__release_batch")
    )
    rows = batches.values_list("frozen", "survey__release_batch")
    return max((max(int(frozen), own) for frozen, own in rows), default=0)


def _of_requests(counts: Counter[Field], seconds: float) -> dict[str, float]:
    """Shares and quantiles of respondents' requests, and no count of them.

    Beside the number of responses at almost the same moment, a number of requests that sent one
    would tell who came in between.
    """
    statuses: Counter[str] = Counter()
    for field, number in counts.items():
        if field[0] == "requests":
            statuses[field[-1]] += number
    total = sum(statuses.values())
    if not total or not seconds:
        return {}
    told: dict[str, float] = {
        "candor_respondents_requests_per_second": float(f"{total / seconds:.1g}"),
        "candor_respondents_failed_ratio": round(statuses["5xx"] / total, 2),
        "candor_respondents_throttled_ratio": round(statuses["429"] / total, 2),
    }
    return told | _quantiles(counts)


def _quantiles(counts: Counter[Field]) -> dict[str, float]:
    told = {}
    for sort in sorted({field[1] for field in counts if field[0] == "seconds"}):
        numbers = [counts["seconds", sort, str(index)] for index in range(len(BOUNDS) + 1)]
        for quantile in QUANTILES:
            name = json.dumps(["candor_respondents_seconds", sort, str(quantile)])
            told[name] = _bound(numbers, quantile)
    return told


def _bound(numbers: list[int], quantile: float) -> float:
    """The upper bound of the class of durations in which a quantile lies."""
    reached, wanted = 0, quantile * sum(numbers)
    for bound, number in zip(BOUNDS, numbers, strict=False):
        reached += number
        if reached >= wanted:
            return bound
    return float("inf")


def _lasting() -> dict[str, float]:
    standing = [kind.name for kind in all_kinds() if kind.standing]
    retrying = Job.objects.filter(kind__in=standing, attempt__gte=RETRYING)
    by_kind = dict(retrying.values_list("kind").annotate(Count("pk")))
    told: dict[str, float] = {
        "candor_responses_set_aside": Submission.objects.filter(quarantined=True).exists(),
        "candor_responses_missing": soundness.responses_are_missing(),
    }
    told |= {json.dumps(["candor_jobs_retrying", name]): by_kind.get(name, 0) for name in standing}
    for queue in sorted({kind.queue for kind in all_kinds()}):
        length = int(broker().llen(queue))
        told[json.dumps(["candor_broker_tasks", queue])] = length - length % TASKS_TOLD_BY
    for folder, (free, total) in probes.disks().items():
        told[json.dumps(["candor_disk_free_ratio", folder])] = round(free / total, 2)
    return told


# --- at each look ----------------------------------------------------------------------


def read_live() -> dict[str, Any]:
    """What is not about respondents, or does not move with them."""
    live: dict[str, Any] = {
        "candor_broker_up": float(probes.broker_answers()),
        "candor_disk_low": float(not probes.has_room()),
    }
    try:
        live |= {
            "candor_database_up": 1.0,
            "candor_migrations_missing": float(probes.missing_migrations()),
            "candor_surveys": _numbers(Survey.everything.values_list("state")),
            "candor_jobs": _asked_for(),
        }
    except DatabaseError:
        connection.close_if_unusable_or_obsolete()
        live["candor_database_up"] = 0.0
    return live


def _asked_for() -> dict[tuple[str, str], int]:
    """Jobs that somebody asked for, by kind and state; standing jobs follow from responses."""
    kinds = [kind.name for kind in all_kinds() if not kind.standing]
    jobs = Job.objects.filter(kind__in=kinds).values_list("kind", "state")
    found = {(kind, state): number for kind, state, number in jobs.annotate(Count("pk"))}
    return {
        (kind, state): found.get((kind, state), 0) for kind in kinds for state in Job.State.values
    }


def _numbers(states: Any) -> dict[str, int]:
    found = dict(states.annotate(Count("pk")))
    return {state: found.get(state, 0) for state in Survey.State.values}
