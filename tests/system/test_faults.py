"""Processes are killed while 200 responses are in flight: each is stored once and counted once.

Where what dies may be writing, on both databases; the others are spread over the two. An orderly
end is in test_search_run.py.
"""

import itertools
import json
import time
import urllib.error
import urllib.request
import uuid
from contextlib import suppress

import psutil
import pytest
import redis

from surveys.jobs.queue import TASK
from surveys.management.respondents import Respondents
from surveys.services.results import RECOMPUTE
from tests.system.crowd import Crowd, assert_counted_once, assert_tallied
from tests.system.stack import Stack, wait_for

pytestmark = pytest.mark.system
_numbers = itertools.count(1)


def new_slug() -> str:
    return f"survey-{next(_numbers)}"


def kill_web_master(stack: Stack) -> None:
    stack.role("web").kill()


def kill_web_worker(stack: Stack) -> None:
    stack.role("web").children()[0].kill()


def kill_task_worker(stack: Stack) -> None:
    stack.role("worker").kill()


def kill_broker(stack: Stack) -> None:
    stack.role("broker").kill()


def kill_supervisor_and_start_again(stack: Stack) -> None:
    stack.kill_everything()
    stack.start()


ON_EITHER = (kill_web_worker, kill_supervisor_and_start_again)
ON_ONE = {
    "sqlite": (kill_broker,),
    "postgresql": (kill_web_master, kill_task_worker),
}


@pytest.mark.parametrize(
    ("stack", "fault"),
    [(database, fault) for database in ON_ONE for fault in ON_EITHER + ON_ONE[database]],
    indirect=["stack"],
)
def test_every_acknowledged_response_is_counted_once(stack, fault):
    slug = new_slug()
    crowd = Crowd(stack.url, stack.ledger("launch", slug)).start()
    crowd.wait_until_answered(20)
    fault(stack)
    crowd.finish()
    assert_counted_once(stack, slug, crowd)


def test_worker_killed_in_the_middle_of_a_recompute(stack):
    worker = stack.role("worker")
    frozen = [worker, *worker.children(recursive=True)]
    for process in frozen:
        # Whoever looks at them comes first, also on a busy machine.
        process.nice(19)
    # Whoever looks may be kept from looking until all is done: once more then, with more to do.
    for preloaded in (8_000, 16_000, 32_000, 64_000):
        slug = new_slug()
        document = stack.ledger("launch", slug)
        stack.ledger("preload", slug, [{"q1": 1, "q2": 2}] * preloaded)
        crowd = Crowd(stack.url, document, size=200).start()
        wait_for(lambda slug=slug: stack.aggregated(slug), every=0.001)
        for process in frozen:
            process.suspend()
        if stack.aggregated(slug) < preloaded:
            break
        for process in frozen:
            process.resume()
        crowd.finish()
    assert 0 < stack.aggregated(slug) < preloaded
    for process in frozen:
        process.kill()
    psutil.wait_procs(frozen, timeout=300)
    crowd.finish()
    total = preloaded + len(crowd.sent)
    wait_for(lambda: stack.in_results(slug) >= total, every=0.2)
    ledger = stack.ledger("audit", slug)
    assert ledger["inbox"] == 0
    assert len(ledger["receipts"]) == ledger["aggregated"] == ledger["report_sets"] == total
    expected = crowd.histogram()
    expected["q1/page"][1] += preloaded
    expected["q2/page"][2] += preloaded
    assert_tallied(ledger, expected)


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_many_submissions_make_one_pending_task(stack):
    slug = new_slug()
    document = stack.ledger("launch", slug)
    stack.role("worker").suspend()
    crowd = Crowd(stack.url, document, size=100).start()
    crowd.finish()
    with redis.Redis.from_url(stack.broker_url()) as broker:
        tasks = [json.loads(task) for task in broker.lrange("celery", 0, -1)]
    stack.role("worker").resume()
    jobs = [task["headers"]["argsrepr"] for task in tasks if task["headers"]["task"] == TASK]
    # Surveys of other tests may have something due as well.
    mine = str((RECOMPUTE.name, stack.launch_id(slug)))
    assert jobs.count(mine) <= 1, (jobs, mine)
    assert_counted_once(stack, slug, crowd)


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_the_sweep_recovers_tasks_lost_with_the_broker(stack):
    slug = new_slug()
    document = stack.ledger("launch", slug)
    worker = stack.role("worker")
    for process in [worker, *worker.children(recursive=True)]:
        process.suspend()
    crowd = Crowd(stack.url, document, size=50).start()
    crowd.finish()
    kill_broker(stack)
    stack.role("broker")
    for process in [worker, *worker.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            process.resume()
    assert_counted_once(stack, slug, crowd)


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_killed_clock_comes_back_and_closes_a_survey_on_time(stack):
    slug, seconds = new_slug(), 4
    began = time.monotonic()
    document = stack.ledger("launch", slug, str(seconds))
    stack.role("beat").kill()
    respondents = Respondents(stack.url, document)
    respondents.send({"q1": 0, "q2": 1})
    respondents.close()
    wait_for(lambda: _is_refused(stack, document), every=0.3)
    assert time.monotonic() - began > seconds - 1
    # The sweep runs every 4 s here; the state itself follows the refusal by that.
    ledger = wait_for(lambda: _closed(stack, slug), every=0.5)
    assert len(ledger["receipts"]) == ledger["aggregated"] + ledger["inbox"]


def _closed(stack: Stack, slug: str) -> dict | None:
    ledger = stack.ledger("audit", slug)
    return ledger if ledger["state"] == "closed" else None


def _is_refused(stack: Stack, document: dict) -> bool:
    """Whether a new response gets 409; acknowledged ones before that are counted like any other."""
    body = {
        "digest": document["digest"],
        "submission": str(uuid.uuid4()),
        "reports": {"q1": 0, "q2": 0},
    }
    request = urllib.request.Request(
        f"{stack.url}/s/{document['survey']}/responses/",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=300):
            return False
    except urllib.error.HTTPError as error:
        with error:
            return error.code == 409


# Here a writer holds up all others.
@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_a_search_runs_beside_estimates(stack):
    """The deaths of searches are in tests/system/test_search_run.py."""
    slug = new_slug()
    searcher = stack.searcher()
    first, second = searcher.ask("draft", f"{slug}-draft", 2)
    long, short = searcher.ask("start", first, True), searcher.ask("start", second, False)
    wait_for(lambda: searcher.ask("show", long)["progress"], every=0.1)
    crowd = Crowd(stack.url, stack.ledger("launch", slug), size=50).start()
    crowd.finish()
    assert_counted_once(stack, slug, crowd)
    # The estimates are there, the search still runs, and the other waits for it.
    assert searcher.ask("show", long)["state"] == "running"
    assert searcher.ask("show", short)["state"] == "queued"
    searcher.ask("stop", long)
    wait_for(lambda: searcher.ask("show", short)["state"] == "done", every=0.1)
    assert searcher.ask("show", long)["state"] == "cancelled"
