"""Latency of submissions while a worker recomputes and another writes a file, against neither.

Submissions are due at a constant rate, as in the drills, and go to the large survey that is
recomputed; the file is of another one as large. "beside" has a backlog, as after an outage, and
recomputes without a pause; "usual" has what comes in alone, recomputed as the product does it.
`python -m benchmarks.beside` is the end that keeps both at work in the stack's own workers.
"""

import functools
import threading
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
# What the runs of a turn have measured, and in which share of the time either job went on.
_Turn = tuple[dict[str, Any], dict[str, dict[str, float]]]
# Seconds between two looks at whether both go on, and until a recompute may begin by itself.
# Looks are few and read few rows, because whoever looks takes the processor from what is measured.
LOOK, LONGEST_REST = 0.1, 600
TURNS = {"alone": None, "beside": "recompute_always", "usual": "recompute_as_usual"}
TARGETS = {
    "ratio": ("<=", 3.0),
    "usual_ratio": ("<=", 3.0),
    "recomputing": (">=", 0.9),
    "writing": (">=", 0.9),
}


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
        f"{name}_{percentile}_ms": median(runs[name][f"{percentile}_ms"] for runs, _ in turns)
        for percentile in ("p50", "p99")
        for name in TURNS
    }
    return {
        **numbers,
        "ratio": _ratio(turns, "beside"),
        "usual_ratio": _ratio(turns, "usual"),
        "recomputing": min(shares["beside"]["recomputing"] for _, shares in turns),
        "writing": min(each["writing"] for _, shares in turns for each in shares.values()),
        "usual_recomputing": median(shares["usual"]["recomputing"] for _, shares in turns),
        "statuses": [run["statuses"] for runs, _ in turns for run in runs.values()],
    }


def _turn(workers: AnsweringProcess, order: dict[str, Any]) -> _Turn:
    runs, shares = {}, {}
    for name, begin in TURNS.items():
        if begin:
            workers.ask(begin)
        runs[name] = load(order)
        if begin:
            shares[name] = workers.ask("end")
    return runs, shares


def _ratio(turns: list[_Turn], name: str) -> float:
    """Of the 99th percentiles to those alone, in the middle of all turns."""
    return median(runs[name]["p99_ms"] / runs["alone"]["p99_ms"] for runs, _ in turns)


class _Work:
    """Both jobs, begun anew as often as they end; a recompute after its pause if so wished."""

    def __init__(self, *, pauses: bool) -> None:
        self._pauses = pauses
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._keep_going)
        self._seen = {"recomputing": 0, "writing": 0}
        self._looks = 0
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
            recomputes = _is_recomputed() or (not self._pauses and _recompute())
            for name, is_at_work in (("recomputing", recomputes), ("writing", _writes())):
                self._seen[name] += is_at_work
        connections.close_all()

    def stop(self) -> dict[str, float]:
        self._stopped.set()
        self._thread.join()
        return {name: seen / self._looks for name, seen in self._seen.items()}


def _is_recomputed() -> bool:
    from surveys.models import Job
    from surveys.services.results import RECOMPUTE

    own = Job.objects.filter(kind=RECOMPUTE.name, subject=_key(RECOMPUTED))
    return own.filter(state=Job.State.RUNNING).exists()


def _recompute() -> bool:
    """Begin a recompute at once, without a pause; False, as it has not begun yet."""
    from surveys.jobs import queue
    from surveys.services.results import RECOMPUTE

    subject = _key(RECOMPUTED)
    queue.broker().delete(queue._pause(RECOMPUTE, subject))
    queue.clear_pending(RECOMPUTE, subject)
    queue.wake(RECOMPUTE, subject)
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


@functools.cache
def _file() -> Any:
    from surveys.results.release import release_of
    from surveys.services.release_files import release_file
    from surveys.services.table_files import TABLE

    return release_file(TABLE, release_of(_launch(WRITTEN), 0), "reports.csv")


@functools.cache
def _key(slug: str) -> int:
    return _launch(slug).pk


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


def recompute_always() -> None:
    """Have the workers recompute one survey and write a file of the other one, until `end`."""
    from benchmarks.inbox import fill_inbox

    fill_inbox(_launch(RECOMPUTED), WAITING)
    _begin(pauses=False)
    wait_for(_work[-1].goes_on, every=LOOK)


def recompute_as_usual() -> None:
    """The same where nothing has waited, so that the first recompute is yet to come."""
    _begin(pauses=True)


def _begin(*, pauses: bool) -> None:
    _recompute()
    _work.append(_Work(pauses=pauses))


def end() -> dict[str, float]:
    """The shares of the looks at which either went on; returns when none does any more."""
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
    verbs = (fill, recompute_always, recompute_as_usual, end)
    answer_by({verb.__name__: verb for verb in verbs})
