"""Two kinds of jobs outside the product, each added by one registration.

`celery -A tests.system.job_kinds worker` runs them; `python -m tests.system.job_kinds` is asked
about them. What they do is written to files, a line for each step, by the process that takes it.
"""

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import django

from config.celery import app

django.setup()

from surveys import jobs  # noqa: E402
from surveys.jobs import ending, queue  # noqa: E402
from surveys.models import Job  # noqa: E402

QUEUE = "testing"
# Nobody waits here for what is nearly done.
ending.GRACE = 0.5
FOLDER = Path(os.environ.get("CANDOR_DATA_DIR", "."))
# The clock of these workers is one of them: it recovers jobs every second. Where that takes longer,
# what has waited is dropped, so that no queue of it grows.
app.conf.beat_schedule = {
    "recover-jobs": {
        "task": "surveys.tasks.recover_jobs",
        "schedule": 1,
        "options": {"queue": QUEUE, "expires": 2},
    }
}


def _note(subject: int, text: str) -> None:
    with (FOLDER / f"{subject}.log").open("a") as file:
        file.write(f"{os.getpid()} {text}\n")


def _take_steps(run: jobs.Run) -> None:
    """Three steps, each once somebody has opened its gate."""
    try:
        for step in range(3):
            while not (FOLDER / f"{run.subject}.gate{step}").exists():
                if not run.report(step / 3):
                    return
                time.sleep(0.02)
            with run.holding():
                _note(run.subject, f"step {step}")
    except jobs.LeaseLostError:
        _note(run.subject, "lost")
        raise


STEPS = jobs.register(
    jobs.JobKind(name="steps", run=_take_steps, queue=QUEUE, lease=3, gave_up="Given up.")
)


def _read(subject: int, name: str) -> int:
    path = FOLDER / f"{subject}.{name}"
    return int(path.read_text() or 0) if path.exists() else 0


def _is_behind(subject: int) -> bool:
    return _read(subject, "done") < _read(subject, "wanted")


def _catch_up(run: jobs.Run) -> None:
    target = _read(run.subject, "wanted")
    _note(run.subject, f"{time.monotonic()}")
    (FOLDER / f"{run.subject}.done").write_text(str(target))


COUNTING = jobs.register(
    jobs.JobKind(
        name="counting",
        run=_catch_up,
        queue=QUEUE,
        lease=3,
        lagging=lambda: [subject for subject in range(100, 110) if _is_behind(subject)],
        is_lagging=_is_behind,
        pause=lambda _seconds: 1.0,
    )
)


def _fill_memory(run: jobs.Run) -> None:
    """More than any limit of a test allows."""
    _note(run.subject, "filled" if len(bytearray(2**31)) else "")


LARGE = jobs.register(jobs.JobKind(name="large", run=_fill_memory, queue=QUEUE, lease=3))


# --- what a test asks for -------------------------------------------------------------------------


def migrate() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


def ask(subject: int) -> None:
    jobs.ask(STEPS, subject)


def ask_large(subject: int) -> None:
    jobs.ask(LARGE, subject)


def want(subject: int) -> None:
    """Store one more unit of work before the job is requested, as with a response."""
    path = FOLDER / f"{subject}.new"
    path.write_text(str(_read(subject, "wanted") + 1))
    path.rename(FOLDER / f"{subject}.wanted")
    jobs.request(COUNTING, subject)


def wake(kind: str, subject: int, times: int) -> int:
    """Send wake-ups; returns the length of the queue."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(16) as threads:
        for _ in range(times):
            threads.submit(queue.wake, jobs.kind_named(kind), subject)
    return queue.broker().llen(QUEUE)


def wake_while_it_runs(subject: int) -> list[int]:
    """The lengths of the queue before and after a request during the run."""
    runs = [wake(COUNTING.name, subject, 1)]
    (FOLDER / f"{subject}.wanted").write_text("1")
    late = replace(COUNTING, run=lambda run: runs.append(wake(COUNTING.name, run.subject, 1)))
    jobs.run(late, subject)
    return runs


def wake_after_a_clock_was_set_back(subject: int) -> list[float]:
    """The length of the queue, and what is left of a pause of a minute, before and after."""
    queue.pause(COUNTING, subject, 60)
    found = [_wake_twice(subject), queue.pause_left(COUNTING, subject)]
    # Ends of keys are times of day, and an hour further off now.
    for key in queue.broker().keys("candor:*"):
        queue.broker().pexpire(key, queue.broker().pttl(key) + 3_600_000)
    return [*found, _wake_twice(subject), queue.pause_left(COUNTING, subject)]


def _wake_twice(subject: int) -> int:
    """One after the other: of two that find a void mark at the same moment both may send."""
    wake(COUNTING.name, subject, 1)
    return wake(COUNTING.name, subject, 1)


def deliver(subject: int, times: int) -> None:
    """Send tasks past the pending flag, as a broker that delivers twice."""
    for _ in range(times):
        app.send_task(queue.TASK, (STEPS.name, subject), queue=QUEUE)


def tasks() -> list[str]:
    """What each message at the broker asks for."""
    headers = [json.loads(each)["headers"] for each in queue.broker().lrange(QUEUE, 0, -1)]
    return [f"{each['task']} {each['argsrepr']}" for each in headers]


def waiting() -> int:
    """How many messages ask for a job."""
    return sum(each.startswith(queue.TASK) for each in tasks())


def flush() -> None:
    queue.broker().flushall()


def cancel(subject: int) -> None:
    jobs.cancel(Job.objects.get(kind=STEPS.name, subject=subject))


def show(subject: int) -> dict[str, Any]:
    job = (
        Job.objects.filter(subject=subject).values("state", "attempt", "progress", "message").get()
    )
    path = FOLDER / f"{subject}.log"
    return {**job, "lines": path.read_text().splitlines() if path.exists() else []}


def is_free(subject: int) -> bool:
    """Whether nobody holds a lock on the job, nor on the whole database where that is SQLite's."""
    from django.db import DatabaseError, connection, transaction

    nowait = connection.features.has_select_for_update_nowait
    try:
        with transaction.atomic():
            return Job.objects.select_for_update(nowait=nowait).filter(subject=subject).exists()
    except DatabaseError:
        return False


VERBS = {
    verb.__name__: verb
    for verb in (
        ask,
        ask_large,
        cancel,
        deliver,
        flush,
        is_free,
        migrate,
        show,
        tasks,
        waiting,
        wake,
        wake_after_a_clock_was_set_back,
        wake_while_it_runs,
        want,
    )
}


if __name__ == "__main__":
    from tests.system.answering_process import answer_by

    answer_by(VERBS)
