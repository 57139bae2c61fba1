"""Celery tasks: fetch, one call. Each is safe to run twice."""

from typing import Any, TypedDict

import redis
from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError

from config.logs import naming
from surveys import jobs
from surveys.models import Survey
from surveys.observation import tracing
from surveys.observation.site import note_sweep
from surveys.services import (
    analysis_fits,
    bundles,
    printed_summaries,
    receipts,
    release_files,
    removal,
    results,
    search_runs,
    stored_answers,
    table_files,
    traces,
    transitions,
    webhooks,
    weighted_results,
)


class Retry(TypedDict):
    """Celery's options for tasks that could not reach a database."""

    autoretry_for: tuple[type[Exception], ...]
    retry_backoff: int
    retry_backoff_max: int
    retry_jitter: bool
    max_retries: int


RETRY: Retry = {
    "autoretry_for": (DatabaseError, redis.RedisError),
    "retry_backoff": 1,
    "retry_backoff_max": 60,
    "retry_jitter": True,
    "max_retries": 8,
}


MAKERS = (printed_summaries.SUMMARY, table_files.TABLE, bundles.BUNDLE)

# The kinds of jobs known to the workers, registered by the imports of their modules.
KINDS = (
    results.RECOMPUTE,
    search_runs.SEARCH,
    analysis_fits.ANALYSIS,
    weighted_results.WEIGHTS,
    webhooks.WEBHOOK,
    receipts.RECEIPTS,
    removal.REMOVAL,
    *(maker.job for maker in MAKERS),
)


# Acknowledged at the start: a job that loses its worker is found by its lease, more reliably
# and sooner than by the broker, and a job need not end when the broker goes away.
@shared_task(acks_late=False, **RETRY)
def run_job(kind: str, subject: int) -> None:
    job_kind = jobs.kind_named(kind)
    is_asked_for = not job_kind.standing
    with naming("job", f"{kind} {subject}"), tracing.span_of_job(kind, is_asked_for=is_asked_for):
        jobs.run(job_kind, subject)


@shared_task(**RETRY)
def recover_jobs(**_: Any) -> None:
    jobs.recover_all()
    note_sweep()


@shared_task(**RETRY)
def close_due_surveys(**_: Any) -> None:
    for survey in Survey.objects.due_to_close():
        transitions.close_if_due(survey=survey)


@shared_task(**RETRY)
def truncate_write_ahead_log(**_: Any) -> None:
    traces.truncate_write_ahead_log()


@shared_task(**RETRY)
def delete_old_files(**_: Any) -> None:
    release_files.delete_old_files({maker.name: maker for maker in MAKERS})


@shared_task(**RETRY)
def clear_old_sessions(**_: Any) -> None:
    SessionStore.clear_expired()
    stored_answers.forget_old_answers()
