"""The lease of a job: a row in the database that all machines share, by the database's clock.

A worker may be killed at any moment, be thought dead and come back, or be woken twice for the same
job. So each change here is one UPDATE, conditional on the state of the job that was read.
"""

import logging
import secrets
from datetime import timedelta
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Now

from surveys.jobs.kinds import STARTED_AGAIN, JobKind
from surveys.models import Job

logger = logging.getLogger(__name__)
State = Job.State

# The values of these fields in every job that is not running.
NO_LEASE: dict[str, Any] = {"holder": None, "leased_until": None}
# No lease is so long: one that ends later was given before the database's clock was set back.
MOST_AHEAD = timedelta(minutes=10)


def claim(kind: JobKind, subject: int) -> int | None:
    """Make the caller the one worker that runs this job, and count the attempt.

    Returns the lease's random number; None if there is nothing to run or another worker
    runs it. The job of a worker that lost its lease is taken over.
    """
    holder = secrets.randbits(63)
    if _take(kind, subject, holder):
        return holder
    put_back_lost(kind, subject=subject)
    if kind.standing:
        first = Job(kind=kind.name, subject=subject, state=State.IDLE)
        Job.objects.bulk_create([first], ignore_conflicts=True)
    return holder if _take(kind, subject, holder) else None


def _take(kind: JobKind, subject: int, holder: int) -> int:
    jobs = Job.objects.filter(
        kind=kind.name, subject=subject, state=kind.waiting_state, stop_requested=False
    )
    return jobs.update(
        state=State.RUNNING,
        holder=holder,
        leased_until=Now() + kind.lease_length,
        attempt=F("attempt") + 1,
        progress=0,
    )


def held_by(kind: JobKind, subject: int, holder: int) -> QuerySet[Job]:
    """A queryset of the job while this worker holds its lease, else an empty one."""
    return Job.objects.filter(kind=kind.name, subject=subject, state=State.RUNNING, holder=holder)


def put_back_lost(kind: JobKind, **of: int) -> None:
    """Queue every job that has lost its worker again, or give it up."""
    ended = Q(leased_until__lt=Now()) | Q(leased_until__gt=Now() + MOST_AHEAD)
    lost_jobs = Job.objects.filter(ended, kind=kind.name, state=State.RUNNING, **of)
    for job in lost_jobs:
        # On condition that there was no heartbeat meanwhile.
        if put_back(kind, job, lost_jobs.filter(holder=job.holder)) == kind.waiting_state:
            logger.warning("%s is started again: its worker was stopped", job)


def put_back(
    kind: JobKind, job: Job, row: QuerySet[Job], message: str = STARTED_AGAIN
) -> str | None:
    """End a failed attempt; returns the job's new state, or None if the lease was lost."""
    values = _after_failure(kind, job, message)
    return values["state"] if row.update(**values, **NO_LEASE) else None


def give_back(kind: JobKind, row: QuerySet[Job]) -> None:
    """End an attempt that its worker had no time for; it is not counted."""
    row.update(state=kind.waiting_state, attempt=F("attempt") - 1, progress=0, **NO_LEASE)


def _after_failure(kind: JobKind, job: Job, message: str) -> dict[str, Any]:
    if kind.standing:
        return {"state": State.IDLE, "stop_requested": False}
    if job.stop_requested:
        return {"state": State.CANCELLED, "message": kind.cancelled, "finished_at": Now()}
    if job.attempt >= kind.most_attempts:
        return {"state": State.LOST, "message": kind.gave_up, "finished_at": Now()}
    return {"state": State.QUEUED, "message": message}
