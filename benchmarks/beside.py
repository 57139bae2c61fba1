"""Latency of submissions while a worker recomputes and another writes a file, against neither.

Submissions are due at a constant rate, as in the drills, and go to the large survey that is
recomputed; the file is of another one as large.
`python -m benchmarks.beside` is the end that keeps both at work in the stack's own workers.
"""

import threading
import time
from contextlib import closing
from statistics import median
from typing import Any

from benchmarks.effort import Effort
from benchmarks.submit import load, our_order
from tests.system.answering_process import AnsweringProcess, answer_by
from tests.system.stack import Stack, wait_for

RATE = 100
SECONDS, FULL_SECONDS = 6.0, 20.0
# Responses that each survey has, and those that wait for a recompute in each turn.
AGGREGATED, FULL_AGGREGATED, WAITING = 100_000, 1_000_000, 100_000
SURVEYS = RECOMPUTED, WRITTEN = "recomputed", "written"
# Seconds between two looks at whether both go on, and until a recompute may begin by itself.
LOOK, LONGEST_REST = 0.05, 600
TARGETS = {"ratio": ("<=", 3.0), "recomputing": (">=", 0.9), "writing": (">=", 0.9)}


def measure(stack: Stack, effort: Effort) -> dict[str, Any]:
    """The 99th percentiles in turns, and the shares of the time in which either went on."""
    environment = {**stack.environment, "REDIS_URL": stack.broker_url()}
    with closing(AnsweringProcess("benchmarks.beside", environment)) as workers:
        document = workers.ask("fill", FULL_AGGREGATED if effort.full else AGGREGATED)
        seconds = FULL_SECONDS if effort.full else SECONDS
        order = {**our_order(stack.port, document, seconds), "rate": RATE}
        load(order)  # warms up
        turns = [_turn(workers, order) for _ in range(effort.rounds)]
    numbers = {
        f"{name}_{percentile}_ms": median(turn[which][f"{percentile}_ms"] for turn in turns)
        for percentile in ("p50", "p99")
        for which, name in enumerate(("alone", "beside"))
    }
    return {
        **numbers,
        "ratio": median(beside["p99_ms"] / alone["p99_ms"] for alone, beside, _ in turns),
        **{name: min(shares[name] for _, _, shares in turns) for name in turns[0][2]},
        "statuses": [run["statuses"] for alone, beside, _ in turns for run in (alone, beside)],
    }


def _turn(workers: AnsweringProcess, order: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    alone = load(order)
    workers.ask("begin")
    beside = load(order)
    return alone, beside, workers.ask("end")


class _Work:
    """Both jobs, begun anew as often as they end."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep_going)
        self._seen = {"recomputing": 0, "writing": 0}
        self._looks = 0
        self._responses, self._began = _launch(RECOMPUTED).aggregated, time.monotonic()
        self._thread.start()

    def goes_on(self) -> bool:
        """Whether both have begun; from now on they are looked at."""
        if all(self._seen.values()):
            self._seen, self._looks = dict.fromkeys(self._seen, 0), 0
            return True
        return False

    def _keep_going(self) -> None:
        from django.db import connections

        while not self._stopped.wait(LOOK):
            self._looks += 1
            for name, is_at_work in (("recomputing", _recomputes()), ("writing", _writes())):
                self._seen[name] += is_at_work
        connections.close_all()

    def stop(self) -> dict[str, float]:
        self._stopped.set()
        self._thread.join()
        responses = _launch(RECOMPUTED).aggregated - self._responses
        shares = {name: seen / self._looks for name, seen in self._seen.items()}
        return {**shares, "aggregated_per_second": responses / (time.monotonic() - self._began)}


def _recomputes() -> bool:
    """Whether the recompute goes on; it is begun again at once if not."""
    from surveys.jobs import queue
    from surveys.models import Job
    from surveys.services.results import RECOMPUTE

    launch = _launch(RECOMPUTED)
    if Job.objects.filter(kind=RECOMPUTE.name, subject=launch.pk, state=Job.State.RUNNING).exists():
        return True
    # Without the pause between recomputes.
    queue.broker().delete(queue._pause(RECOMPUTE, launch.pk))
    queue.clear_pending(RECOMPUTE, launch.pk)
    queue.wake(RECOMPUTE, launch.pk)
    return False


def _writes() -> bool:
    """Whether the file is being written; it is asked for again at once if not."""
    from surveys.models import Job
    from surveys.services.release_files import ask_file, newest_job
    from surveys.services.table_files import TABLE

    job = newest_job(TABLE, _file())
    if job is None or job.is_finished:
        ask_file(TABLE, _file(), "")
        return False
    return job.state == Job.State.RUNNING


def _file() -> Any:
    from surveys.results.release import release_of
    from surveys.services.release_files import release_file
    from surveys.services.table_files import TABLE

    return release_file(TABLE, release_of(_launch(WRITTEN), 0), "reports.csv")


def _launch(slug: str) -> Any:
    from surveys.models import Launch

    return Launch.objects.select_related("survey").get(survey__slug=slug)


_work: list[_Work] = []


def fill(responses: int) -> dict[str, Any]:
    """Make both surveys; the document of the one that is recomputed."""
    from django.contrib.auth.models import User

    from benchmarks.inbox import fill_aggregated, fill_inbox
    from surveys.services.results import refresh_results
    from tests.builders import launched

    owner, _ = User.objects.get_or_create(username="owner")
    choice = {"kind": "single_choice", "options": ["a", "b", "c"]}
    for slug in SURVEYS:
        questions = [{}, choice]
        launch = launched(owned_by=owner, slug=slug, linkage="together", questions=questions)
        fill_aggregated(launch, responses)
        fill_inbox(launch, 1_000)
        refresh_results(launch_id=launch.pk)
    _rest()
    return _launch(RECOMPUTED).document


def begin() -> None:
    """Have the workers recompute one survey and write a file of the other one, until `end`."""
    from benchmarks.inbox import fill_inbox

    fill_inbox(_launch(RECOMPUTED), WAITING)
    _work.append(_Work())
    wait_for(_work[-1].goes_on, every=LOOK)


def end() -> dict[str, float]:
    """The shares of the looks since `begin` at which either went on; returns when none does."""
    from surveys import jobs
    from surveys.models import Job

    shares = _work.pop().stop()
    _launch(RECOMPUTED).inbox.all().delete()
    for job in Job.objects.filter(state__in=Job.UNFINISHED, kind="table"):
        jobs.cancel(job)
    wait_for(lambda: not Job.objects.filter(state=Job.State.RUNNING).exists())
    _rest()
    return shares


def _rest() -> None:
    """Nothing is recomputed in the part of a turn that has submissions only."""
    from surveys.jobs import queue
    from surveys.services.results import RECOMPUTE

    queue.pause(RECOMPUTE, _launch(RECOMPUTED).pk, LONGEST_REST)


if __name__ == "__main__":
    answer_by({"fill": fill, "begin": begin, "end": end})
