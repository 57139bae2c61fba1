"""Many requests of one process become a few questions to the broker."""

import threading
import time

import pytest

from surveys.jobs import queue
from surveys.services.results import RECOMPUTE


@pytest.fixture
def broker_calls(monkeypatch):
    """The wake-ups sent to the broker: time and launch."""
    calls = []
    monkeypatch.setattr(
        queue, "wake", lambda _kind, launch: calls.append((time.monotonic(), launch))
    )
    monkeypatch.setattr(queue, "GATHER_SECONDS", 0.5)
    queue._asked.clear()
    return calls


def after_gathering(broker_calls, launch):
    deadline = time.monotonic() + 20
    while ("recompute", launch) in queue._gathering and time.monotonic() < deadline:
        time.sleep(0.01)
    return [moment for moment, each in broker_calls if each == launch]


@pytest.mark.slow
def test_many_submissions_ask_the_broker_a_few_times(broker_calls):
    threads = [threading.Thread(target=queue.gather, args=(RECOMPUTE, 7)) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(after_gathering(broker_calls, 7)) < 25


@pytest.mark.slow
def test_every_submission_is_followed_by_a_question(broker_calls):
    for _ in range(5):
        committed = time.monotonic()
        queue.gather(RECOMPUTE, 8)
        time.sleep(0.15)
    deadline = time.monotonic() + 20
    while not any(moment >= committed for moment in after_gathering(broker_calls, 8)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_surveys_do_not_wait_for_each_other(broker_calls):
    queue.gather(RECOMPUTE, 9)
    queue.gather(RECOMPUTE, 10)
    assert [launch for _, launch in broker_calls] == [9, 10]
