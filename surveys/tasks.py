"""Celery tasks: fetch, one call. Each is safe to run twice."""

from typing import Any

import redis
from celery import Task, shared_task
from django.conf import settings
from django.db import DatabaseError

from surveys import dispatch
from surveys.models import Survey
from surveys.services import results, searches, traces, transitions

RETRY = {
    "autoretry_for": (DatabaseError, redis.RedisError),
    "retry_backoff": 1,
    "retry_backoff_max": 60,
    "retry_jitter": True,
    "max_retries": 8,
}


@shared_task(bind=True, **RETRY)
def recompute_results(self: Task, launch_id: int) -> None:
    dispatch.clear_mark(launch_id)
    with dispatch.running_alone(launch_id) as alone:
        more = results.refresh_results(launch_id=launch_id) if alone else True
    if more:
        dispatch.queue_recompute(launch_id, countdown=0 if alone else 1)


@shared_task(**RETRY)
def close_due_surveys(**_: Any) -> None:
    for survey in Survey.objects.due_to_close():
        transitions.close_if_due(survey=survey)


@shared_task(**RETRY)
def sweep_results(**_: Any) -> None:
    for launch_id in results.lagging_launches():
        dispatch.queue_recompute(launch_id)
    traces.truncate_write_ahead_log()


# Acknowledged when it starts: a search that loses its worker is found by the sweep, and one whose
# broker goes away need not end for that.
@shared_task(
    acks_late=False,
    soft_time_limit=settings.SEARCH_SECONDS + 30,
    time_limit=settings.SEARCH_SECONDS + 60,
)
def run_search(search_id: int) -> None:
    dispatch.clear_search_mark(search_id)
    searches.run_search(search_id=search_id)


@shared_task(**RETRY)
def sweep_searches(**_: Any) -> None:
    searches.recover_lost_searches()
