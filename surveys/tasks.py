"""Celery tasks: fetch, one call. Each is safe to run twice."""

from typing import Any, TypedDict

import redis
from celery import shared_task
from django.db import DatabaseError

from surveys import jobs
from surveys.models import Survey
from surveys.services import results, search_runs, traces, transitions


class Retry(TypedDict):
    """What Celery does with a task that could not reach a database."""

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


# The kinds of jobs that the workers know: importing their modules has registered them.
KINDS = (results.RECOMPUTE, search_runs.SEARCH)


# Acknowledged when it starts: a job that loses its worker is found by its lease, which knows more
# than the broker and sooner, and one whose broker goes away need not end for that.
@shared_task(acks_late=False, **RETRY)
def run_job(kind: str, subject: int) -> None:
    jobs.run(jobs.kind_named(kind), subject)


@shared_task(**RETRY)
def recover_jobs(**_: Any) -> None:
    jobs.recover_all()


@shared_task(**RETRY)
def close_due_surveys(**_: Any) -> None:
    for survey in Survey.objects.due_to_close():
        transitions.close_if_due(survey=survey)


@shared_task(**RETRY)
def truncate_write_ahead_log(**_: Any) -> None:
    traces.truncate_write_ahead_log()
