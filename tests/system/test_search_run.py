"""Searches on a real broker by the real worker: they run, stop, and survive what kills workers.

On SQLite; tests/app/test_search_states.py has the same transitions on PostgreSQL as well, and
tests/system/test_faults.py one search on either.
"""

from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from surveys.services import search_runs
from tests.system.searcher import Searcher
from tests.system.stack import Stack, running_stack, wait_for

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def stack() -> Iterator[Stack]:
    with running_stack() as running:
        yield running


@pytest.fixture(scope="module")
def searcher(stack: Stack) -> Iterator[Searcher]:
    asking = Searcher(stack)
    yield asking
    asking.close()


def state_of(searcher: Searcher, search: int, *states: str, seconds: float = 30) -> dict[str, Any]:
    """Wait for one of the states."""

    def reached() -> dict[str, Any] | None:
        seen = searcher.ask("show", search)
        return seen if seen["state"] in states else None

    return wait_for(reached, seconds=seconds, every=0.1)


def running_with_curves(searcher: Searcher, search: int) -> dict[str, Any]:
    state_of(searcher, search, "running")
    return wait_for(lambda: (seen := searcher.ask("show", search))["bound"] and seen, every=0.1)


def kill_all_of(worker: psutil.Process) -> None:
    processes = [*worker.children(recursive=True), worker]
    for process in processes:
        process.kill()
    psutil.wait_procs(processes, timeout=10)


def test_killed_worker_costs_its_search_an_attempt_and_nobody_else_anything(stack, searcher):
    first, second, third = searcher.ask("draft", "killed", 3)
    killed = searcher.ask("start", first, True)
    before = running_with_curves(searcher, killed)
    kill_all_of(stack.role("searches"))
    wait_for(lambda: stack.role("searches").children())
    assert (before["attempt"], before["message"]) == (1, "")

    # The next worker takes what comes while the first one's search is not yet known to be lost.
    short = searcher.ask("start", second, False)
    done = state_of(searcher, short, "done")
    assert (done["progress"], done["bound"]) == (1, 3)
    assert done["members"]["certified"] > 0

    stopped = searcher.ask("start", third, True)
    early = running_with_curves(searcher, stopped)["progress"]
    wait_for(lambda: searcher.ask("show", stopped)["progress"] > early, every=0.1)
    searcher.ask("stop", stopped)
    cancelled = state_of(searcher, stopped, "cancelled")
    assert cancelled["bound"] == 25
    assert cancelled["message"] == search_runs.STOPPED
    assert cancelled["progress"] < 1

    again = wait_for(lambda: (seen := searcher.ask("show", killed))["attempt"] == 2 and seen)
    assert again["state"] == "running"
    assert again["message"] == search_runs.AGAIN
    # Its child alone: the worker lives on, and makes another one.
    stack.role("searches").children()[0].kill()
    searcher.ask("stop", killed)
    assert state_of(searcher, killed, "cancelled")["members"].keys() <= {"certified", "local"}


def test_a_search_runs_on_without_a_broker_and_a_lost_task_is_queued_again(stack, searcher):
    first, second = searcher.ask("draft", "broken", 2)
    running = searcher.ask("start", first, True)
    early = running_with_curves(searcher, running)["progress"]
    waiting = searcher.ask("start", second, False)
    old = stack.role("broker")
    old.kill()
    psutil.wait_procs([old], timeout=10)
    wait_for(lambda: searcher.ask("show", running)["progress"] > early, every=0.1)
    assert searcher.ask("show", running)["attempt"] == 1
    searcher.ask("stop", running)
    assert state_of(searcher, running, "cancelled")["attempt"] == 1
    assert state_of(searcher, waiting, "done")["attempt"] == 1


def test_an_ordinary_end_leaves_searches_to_the_next_start(stack, searcher):
    (question,) = searcher.ask("draft", "restarted", 1)
    search = searcher.ask("start", question, True)
    running_with_curves(searcher, search)
    stack.stop()
    stack.start()
    again = wait_for(lambda: (seen := searcher.ask("show", search))["attempt"] == 2 and seen)
    assert again["state"] == "running"
    searcher.ask("stop", search)
    state_of(searcher, search, "cancelled")
