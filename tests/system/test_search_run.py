"""Searches on a real broker by the real worker: they run, stop, and survive what kills workers.

On SQLite; tests/app/test_jobs.py has the same transitions on PostgreSQL as well, and
tests/system/test_jobs.py jobs of other kinds on either.
"""

from contextlib import closing
from typing import Any

import psutil
import pytest

from surveys import jobs
from surveys.services import search_runs
from tests.system.answering_process import AnsweringProcess
from tests.system.crowd import Crowd, assert_counted_once
from tests.system.stack import Stack, wait_for

pytestmark = [pytest.mark.system, pytest.mark.parametrize("stack", ["sqlite"], indirect=True)]


@pytest.fixture
def searcher(stack: Stack) -> AnsweringProcess:
    return stack.searcher()


def state_of(searcher: AnsweringProcess, search: int, *states: str) -> dict[str, Any]:
    """Wait for one of the states; returns the search's status."""

    def reached() -> dict[str, Any] | None:
        status = searcher.ask("show", search)
        return status if status["state"] in states else None

    return wait_for(reached, every=0.1)


def running_with_curves(searcher: AnsweringProcess, search: int) -> dict[str, Any]:
    state_of(searcher, search, "running")
    return wait_for(lambda: (status := searcher.ask("show", search))["bound"] and status, every=0.1)


def kill_all_of(worker: psutil.Process) -> None:
    processes = [*worker.children(recursive=True), worker]
    for process in processes:
        process.kill()
    psutil.wait_procs(processes, timeout=300)


def assert_started_again(searcher: AnsweringProcess, search: int) -> None:
    """Wait for the second attempt, and end it to make way; it is the last."""
    status = wait_for(
        lambda: (search_status := searcher.ask("show", search))["attempt"] == 2 and search_status
    )
    assert status["message"] in (jobs.STARTED_AGAIN, search_runs.STOPPED)
    searcher.ask("stop", search)
    assert state_of(searcher, search, "cancelled")["attempt"] == 2


def restarted_search(searcher: AnsweringProcess, searches: set[int]) -> int:
    """The search that the worker restarts first; it would otherwise run to its end."""
    restarted = wait_for(
        lambda: [search for search in searches if searcher.ask("show", search)["attempt"] == 2]
    )
    return restarted[0]


def test_lost_workers_cost_their_searches_an_attempt_and_nobody_else_anything(stack, searcher):
    first, second, third = searcher.ask("draft", "lost", 3)
    ended = searcher.ask("start", first, True)
    assert running_with_curves(searcher, ended)["message"] == ""
    crowd = Crowd(stack.url, stack.ledger("launch", "meanwhile")).start()
    crowd.wait_until_answered(20)
    # Without what has started it, as `make` does, the stack ends in order, and nothing is left.
    stack.end_by(stack.parent.kill)
    stack.start()
    searcher = stack.searcher()
    crowd.finish()

    killed = searcher.ask("start", second, True)
    attempts = [(killed, 1), (ended, 2)]
    wait_for(
        lambda: [
            search for search, tries in attempts if searcher.ask("show", search)["attempt"] == tries
        ]
    )
    # Where the start took long the first one has the worker again already.
    if searcher.ask("show", ended)["attempt"] == 2:
        assert_started_again(searcher, ended)
    running_with_curves(searcher, killed)
    # Its child alone, then all of it: the child is replaced by the worker, that by the supervisor.
    worker = stack.role("searches")
    (child,) = worker.children()
    child.kill()
    wait_for(lambda: [new for new in worker.children() if new.pid != child.pid])
    kill_all_of(worker)
    wait_for(lambda: stack.role("searches").children())
    # The next worker takes what comes while it is not yet known that they are lost.
    short = searcher.ask("start", third, False)

    lost = {ended, killed}
    while lost:
        search = restarted_search(searcher, lost)
        assert_started_again(searcher, search)
        lost.remove(search)
    done = state_of(searcher, short, "done")
    assert (done["progress"], done["attempt"], done["bound"]) == (1, 1, 4)
    assert done["members"]["certified"] > 0
    assert_counted_once(stack, "meanwhile", crowd)


def test_tasks_that_no_worker_takes_do_not_fill_the_broker(stack):
    # Another database of the same broker, where nobody listens.
    elsewhere = stack.broker_url().removesuffix("/0") + "/1"
    environment = {**stack.environment, "REDIS_URL": elsewhere}
    with closing(AnsweringProcess("tests.system.searcher", environment)) as nobodys:
        assert nobodys.ask("wake", 3, 5) == [3, 3]
        assert nobodys.ask("wake", 20, 5) == [5, 5]


def test_a_search_runs_on_without_a_broker_and_a_lost_task_is_queued_again(stack, searcher):
    first, second = searcher.ask("draft", "broken", 2)
    running = searcher.ask("start", first, True)
    early = running_with_curves(searcher, running)
    third = searcher.ask("start", second, False)
    old = stack.role("broker")
    old.kill()
    psutil.wait_procs([old], timeout=300)
    wait_for(lambda: searcher.ask("show", running)["progress"] > early["progress"], every=0.1)
    searcher.ask("stop", running)
    cancelled = state_of(searcher, running, "cancelled")
    # The designs that were found before the broker went, and since, are kept.
    assert cancelled["attempt"] == 1
    assert cancelled["bound"] >= early["bound"] > 0
    assert cancelled["message"] == search_runs.STOPPED
    assert cancelled["progress"] < 1
    assert state_of(searcher, third, "done")["attempt"] == 1
