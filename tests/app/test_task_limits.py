"""Every task has limits of time, and each process of a worker has one of memory."""

import resource

import pytest
from django.conf import settings

from config import memory
from config.celery import app
from surveys import tasks
from surveys.jobs import queue


def test_every_task_has_limits_of_time(monkeypatch):
    ours = {name: task for name, task in app.tasks.items() if name.startswith("surveys.")}
    assert {queue.TASK, *(each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values())} <= set(
        ours
    )
    for task in ours.values():
        soft = task.soft_time_limit or app.conf.task_soft_time_limit
        hard = task.time_limit or app.conf.task_time_limit
        assert 0 < soft < hard
    sent = []
    monkeypatch.setattr(queue.current_app, "send_task", lambda *_, **given: sent.append(given))
    for kind in tasks.KINDS:
        queue._send(kind, 1, 0)
        assert 0 < kind.longest < sent[-1]["soft_time_limit"] < sent[-1]["time_limit"]


@pytest.mark.parametrize(
    ("megabytes", "hard", "wanted"),
    [(0, -1, None), (8, -1, 8 << 20), (8, 4 << 20, 4 << 20), (8, 16 << 20, 8 << 20)],
)
def test_memory_is_limited_as_far_as_it_is_not_already(megabytes, hard, wanted, monkeypatch):
    asked = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (hard, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    memory.limit(megabytes)
    assert asked == ([] if wanted is None else [(wanted, hard)])
