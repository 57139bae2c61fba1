"""The Celery application: settings live in Django's, under the prefix CELERY_."""

import functools
import logging.config
import os
from contextlib import suppress
from typing import Any

import redis
from celery import Celery
from celery.signals import celeryd_init, setup_logging, task_prerun, worker_process_init
from django.conf import settings

from config import broker, database, lost_broker, memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("candor")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def configure_logging(**_: Any) -> None:
    """Use Django's logging in workers and clock, instead of Celery's own set-up."""
    logging.config.dictConfig(settings.LOGGING)


@celeryd_init.connect
def begin(**_: Any) -> None:
    """In the process from which those that run tasks are forked."""
    broker.look(settings.BROKER)
    lost_broker.outlive()
    database.limit(database.limits_of_tasks())


@worker_process_init.connect
def limit_memory(**_: Any) -> None:
    memory.limit(settings.TASK_MEMORY_MB)


@task_prerun.connect
def no_longer_waiting(task: Any, **_: Any) -> None:
    """Let the clock queue this task again."""
    if task.name in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}:
        with suppress(redis.RedisError):
            _broker().delete(broker.waiting_key(task.name))


@functools.cache
def _broker() -> redis.Redis:
    return settings.BROKER.client(connect=0.5, answer=1)
