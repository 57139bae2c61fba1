"""A kind of job that no product code knows, on a real broker, by real workers that are killed."""

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import psutil
import pytest

from tests import postgresql
from tests.system.conftest import FAILED
from tests.system.job_site import Site, broker, kill_all_of
from tests.system.stack import plain_environment, wait_for

pytestmark = pytest.mark.system
_subjects = itertools.count(1)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running_site(request: pytest.FixtureRequest) -> Iterator[Site]:
    with ExitStack() as resources:
        folder = resources.enter_context(tempfile.TemporaryDirectory(prefix="candor-jobs-"))
        on = {}
        if request.param == "postgresql":
            on = {"DATABASE_URL": resources.enter_context(postgresql.running(quick=True))}
        environment = plain_environment(
            CANDOR_DATA_DIR=folder,
            CANDOR_SECRET_KEY="x" * 50,
            CANDOR_PLAIN_HTTP="1",
            CANDOR_TASK_MEMORY_MB="1024",
            DJANGO_SETTINGS_MODULE="config.settings",
            **on,
        )
        site = Site(resources.enter_context(broker(environment)))
        resources.enter_context(closing(site.process))
        resources.callback(site.have_workers, 0)
        site.process.ask("migrate")
        yield site


@pytest.fixture
def site(request: pytest.FixtureRequest, running_site: Site) -> Iterator[Site]:
    running_site.process.ask("flush")
    yield running_site
    if request.node.stash.get(FAILED, False):
        request.node.add_report_section("teardown", "site", running_site.told())
        running_site.have_workers(0)


def steps(job: dict[str, Any]) -> list[str]:
    return [line.partition(" ")[2] for line in job["lines"]]


def who_runs(job: dict[str, Any]) -> psutil.Process:
    return psutil.Process(int(job["lines"][-1].partition(" ")[0]))


WHOLE = ["step 0", "step 1", "step 2"]


@pytest.mark.parametrize("kind", ["steps", "counting"])
def test_who_wakes_at_once_sends_one_worker(site, kind):
    site.have_workers(0)
    assert site.process.ask("wake", kind, next(_subjects), 200) == 1


def test_what_comes_while_a_job_runs_is_asked_for(site):
    site.have_workers(0)
    assert site.process.ask("wake_while_it_runs", next(_subjects)) == [1, 2]


def test_marks_from_before_the_broker_s_clock_was_set_back_hold_up_nobody(site):
    site.have_workers(0)
    before, pause, after, rest = site.process.ask(
        "wake_after_a_clock_was_set_back", next(_subjects)
    )
    assert (before, after, rest) == (1, 2, 0)
    assert 0 < pause <= 60


def test_no_job_is_lost_with_what_the_broker_knew(site):
    site.have_workers(0)
    subject = next(_subjects)
    site.open_gates(subject, 0, 1, 2)
    site.process.ask("ask", subject)
    site.process.ask("flush")
    site.have_workers(1)
    assert steps(site.in_state(subject, "done")) == WHOLE
    # And not of one that runs, nor with a worker that is connected.
    second, third = next(_subjects), next(_subjects)
    site.process.ask("ask", second)
    site.in_state(second, "running")
    site.open_gates(third, 0, 1, 2)
    site.process.ask("ask", third)
    site.process.ask("flush")
    site.open_gates(second, 0, 1, 2)
    assert site.in_state(second, "done")["attempt"] == 1
    assert site.in_state(third, "done")["attempt"] == 1


def at_its_second_gate(site: Site, *, workers: int) -> int:
    """A new job that has done its first step and waits."""
    subject = next(_subjects)
    site.open_gates(subject, 0)
    site.have_workers(workers)
    site.process.ask("ask", subject)
    wait_for(lambda: steps(site.show(subject)) == WHOLE[:1])
    return subject


def test_a_running_job_is_cancelled(site):
    subject = at_its_second_gate(site, workers=1)
    site.process.ask("cancel", subject)
    cancelled = site.in_state(subject, "cancelled")
    assert steps(cancelled) == WHOLE[:1]
    assert 0 < cancelled["progress"] < 1


def test_what_is_left_of_a_killed_workers_job_is_done_by_the_next(site):
    subject = at_its_second_gate(site, workers=1)
    # Its child alone: the worker itself goes on, with a new one.
    who_runs(site.show(subject)).kill()
    site.open_gates(subject, 1, 2)
    done = site.in_state(subject, "done")
    assert (steps(done), done["attempt"]) == (["step 0", *WHOLE], 2)
    assert done["message"].startswith("Started again")


def test_a_worker_that_is_told_to_end_gives_its_job_to_the_next_one(site):
    subject = at_its_second_gate(site, workers=1)
    (worker,) = site.have_workers(1)
    worker.terminate()
    worker.wait(timeout=300)
    given_back = site.show(subject)
    assert (given_back["state"], given_back["attempt"]) == ("queued", 0)
    site.open_gates(subject, 1, 2)
    site.have_workers(1)
    done = site.in_state(subject, "done")
    # The worker did not lose it, so there is nothing to say.
    assert (steps(done), done["attempt"], done["message"]) == (["step 0", *WHOLE], 1, "")


def test_a_killed_workers_job_is_taken_up_again_and_given_up_after_three(site):
    subject, other = next(_subjects), next(_subjects)
    site.open_gates(subject, 0)
    site.process.ask("ask", subject)
    for attempt in (1, 2, 3):
        (worker,) = site.have_workers(1)
        wait_for(lambda so_far=attempt: len(site.show(subject)["lines"]) == so_far)
        running = site.in_state(subject, "running", attempt)
        # All of it, and then its child alone.
        if attempt == 1:
            kill_all_of(worker)
        else:
            who_runs(running).kill()
    lost = site.in_state(subject, "lost")
    assert (lost["attempt"], lost["message"], steps(lost)) == (3, "Given up.", ["step 0"] * 3)
    # A job that was never started has lost nothing.
    site.open_gates(other, 0, 1, 2)
    site.process.ask("ask", other)
    assert site.in_state(other, "done")["attempt"] == 1


def test_it_runs_to_its_end_and_twice_delivered_it_runs_once(site):
    subject = at_its_second_gate(site, workers=2)
    site.process.ask("deliver", subject, 4)
    # Taken while the first still runs: a worker fetches one more than it runs, the other the rest.
    wait_for(lambda: site.process.ask("waiting") == 0)
    site.open_gates(subject, 1, 2)
    site.process.ask("deliver", subject, 4)
    done = site.in_state(subject, "done")
    assert (steps(done), done["attempt"], done["progress"]) == (WHOLE, 1, 1)
    site.process.ask("deliver", subject, 1)
    later = next(_subjects)
    site.open_gates(later, 0, 1, 2)
    site.process.ask("ask", later)
    site.in_state(later, "done")
    assert site.show(subject) == done


def test_a_worker_that_comes_back_stops_before_it_writes(site):
    subject = at_its_second_gate(site, workers=2)
    child = who_runs(site.show(subject))
    suspend_between_writes(site, subject, child)
    wait_for(lambda: len(site.show(subject)["lines"]) == 2)
    site.in_state(subject, "running", 2)
    # The next gate opens for both.
    site.open_gates(subject, 1)
    wait_for(lambda: len(site.show(subject)["lines"]) == 3)
    child.resume()
    wait_for(lambda: f"{child.pid} lost" in site.show(subject)["lines"])
    site.open_gates(subject, 2)
    done = site.in_state(subject, "done")
    assert [line for line in done["lines"] if line.startswith(f"{child.pid} ")] == [
        f"{child.pid} step 0",
        f"{child.pid} lost",
    ]
    others = [line for line in done["lines"] if not line.startswith(f"{child.pid} ")]
    assert [line.partition(" ")[2] for line in others] == WHOLE


def suspend_between_writes(site: Site, subject: int, child: psutil.Process) -> None:
    """Asleep with a transaction open it would hold up everybody, and lose nothing."""

    def suspended() -> bool:
        child.suspend()
        if site.process.ask("is_free", subject):
            return True
        child.resume()
        return False

    wait_for(suspended)


def test_a_pause_is_kept_and_the_last_request_never_lost(site):
    subject = 100
    (site.folder / f"{subject}.log").unlink(missing_ok=True)
    site.have_workers(2)
    log, done = (site.folder / f"{subject}.{name}" for name in ("log", "done"))

    def runs() -> list[str]:
        site.process.ask("want", subject)
        return log.read_text().splitlines() if log.exists() else []

    wait_for(lambda: len(runs()) > 2, every=0.01)
    target = (site.folder / f"{subject}.wanted").read_text()
    wait_for(lambda: done.read_text() == target)
    site.in_state(subject, "idle")
    times = [float(line.partition(" ")[2]) for line in site.show(subject)["lines"]]
    assert all(later - earlier > 0.99 for earlier, later in itertools.pairwise(times))


def test_a_job_that_asks_for_too_much_memory_fails_and_the_next_one_runs(site):
    subject, other = next(_subjects), next(_subjects)
    (worker,) = site.have_workers(1)
    site.process.ask("ask_large", subject)
    failed = site.in_state(subject, "failed")
    assert (failed["attempt"], failed["lines"]) == (3, [])
    assert failed["message"].startswith("It needed more memory")
    site.open_gates(other, 0, 1, 2)
    site.process.ask("ask", other)
    assert steps(site.in_state(other, "done")) == WHOLE
    assert worker.is_running()
