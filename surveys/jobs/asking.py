"""Requesting and cancelling jobs, within the caller's transaction."""

import functools

from django.db import transaction
from django.db.models.functions import Now

from surveys.jobs import queue
from surveys.jobs.kinds import JobKind, kind_named
from surveys.models import Job

State = Job.State


@transaction.atomic
def ask(kind: JobKind, subject: int) -> None:
    """Queue a job, unless one of this kind and subject is unfinished.

    A kind with a model of its own creates its row itself and calls `request`.
    """
    Job.objects.bulk_create([Job(kind=kind.name, subject=subject)], ignore_conflicts=True)
    request(kind, subject)


def request(kind: JobKind, subject: int) -> None:
    """Send a worker to this job once the current transaction is committed."""
    transaction.on_commit(functools.partial(queue.gather, kind, subject), robust=True)


@transaction.atomic
def cancel(job: Job) -> None:
    """End a queued job at once, or a running job at its next report."""
    unfinished = Job.objects.filter(pk=job.pk, state__in=[State.QUEUED, State.RUNNING])
    unfinished.update(stop_requested=True)
    end_cancelled(kind_named(job.kind))


def end_cancelled(kind: JobKind) -> None:
    """End every queued job for which a stop was requested."""
    jobs = Job.objects.filter(kind=kind.name, state=State.QUEUED, stop_requested=True)
    jobs.update(state=State.CANCELLED, message=kind.cancelled, finished_at=Now())
