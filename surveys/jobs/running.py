"""Running a job in a worker: claim it, renew the lease, run it, write its end."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from surveys.jobs import ending, queue
from surveys.jobs.kinds import BROKEN, STARTED_AGAIN, TOO_LARGE, JobKind, Outcome, back_off
from surveys.jobs.lease import NO_LEASE, claim, give_back, held_by, put_back
from surveys.models import Job

logger = logging.getLogger(__name__)
State = Job.State

# Seconds between two writes of progress, which also read the request to stop.
REPORT_SECONDS = 0.5
# The delay after which a wake-up of a running standing job is repeated.
POLL_SECONDS = 1.0
# Pauses between attempts to write the end to a database that does not answer.
END_PAUSES = (1, 2, 4, 8)


class LeaseLostError(Exception):
    """Another worker has the job, or it was deleted: this run may write nothing more."""


class Run:
    """One attempt at a job, as its worker sees it."""

    def __init__(self, kind: JobKind, subject: int, holder: int) -> None:
        self.kind, self.subject, self.holder = kind, subject, holder
        # Why `report` asked for an end; `given_back`: because this worker is ending.
        self.cancelled = self.out_of_time = self.given_back = False
        self._ended = False
        self._lost = threading.Event()
        self._noted: float | None = None
        self._began = self._report_due = time.monotonic()

    @contextmanager
    def holding(self, *, ending: Outcome | None = None) -> Iterator[None]:
        """A transaction in which this run holds the lease, which nobody can take before its end.

        With `ending` the job's end is written in the same transaction. Raises LeaseLostError, and
        nothing is written, if another worker has taken the lease.
        """
        with transaction.atomic():
            if not (self._renew() if ending is None else self._write_end(ending)):
                raise LeaseLostError
            yield
        self._ended = ending is not None

    def attempt(self) -> int:
        """Return which attempt this is since the last one that came to an end."""
        return self._mine().values_list("attempt", flat=True).first() or 0

    def report(self, fraction: float) -> bool:
        """Report the progress, as often as needed; returns False when the run should end now."""
        now = time.monotonic()
        if now >= self._report_due:
            self._report_due = now + REPORT_SECONDS
            self.attempt_write(lambda: self._look(fraction))
            self.out_of_time = now - self._began > self.kind.longest
        return self._may_go_on()

    def note(self, fraction: float) -> bool:
        """Note the progress like `report`, and leave it to the thread that renews the lease to
        write it: for a run within a query, whose connection cannot write before the query's end.
        """
        self._noted = fraction
        self.out_of_time = time.monotonic() - self._began > self.kind.longest
        return self._may_go_on()

    def _may_go_on(self) -> bool:
        if not (self.cancelled or self.out_of_time):
            self.given_back = ending.is_near()
        return not (self.cancelled or self.out_of_time or self.given_back or self._lost.is_set())

    def attempt_write(self, write: Callable[[], Any]) -> bool:
        """Whether the write succeeded; False if the database does not answer."""
        try:
            write()
        except DatabaseError as error:
            logger.warning("%s not written: %s", self, type(error).__name__)
            _leave_a_broken_connection()
            return False
        return True

    def insist(self, write: Callable[[], Any]) -> None:
        """Repeat a write until the database is back."""
        for pause in END_PAUSES:
            if self.attempt_write(write):
                return
            time.sleep(pause)
        write()

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Renew the lease from a thread while the block runs, however long a step takes."""
        ended = threading.Event()
        thread = threading.Thread(target=self._show_life, args=(ended,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join(timeout=self.kind.lease / 5)

    def end(self, outcome: Outcome) -> None:
        """Write the final state, unless it is written already."""
        if not self._ended:
            self.insist(lambda: self._write_end(outcome))

    def _write_end(self, outcome: Outcome) -> bool:
        """Whether this run still held the lease; without a message an earlier one is kept."""
        values: dict[str, Any] = {"state": outcome.state, "finished_at": Now(), **NO_LEASE}
        if self.kind.standing:
            values = {"state": State.IDLE, "attempt": 0, "stop_requested": False, **NO_LEASE}
        elif outcome.state == State.DONE:
            values["progress"] = 1
        if outcome.message is not None:
            values["message"] = outcome.message
        return bool(self._mine().update(**values))

    def put_back(self, message: str = STARTED_AGAIN) -> None:
        """End an attempt that failed for a temporary reason; each next one comes later."""
        _leave_a_broken_connection()
        job = self._mine().first()
        if job and put_back(self.kind, job, self._mine(), message) == self.kind.waiting_state:
            queue.pause(self.kind, self.subject, back_off(job.attempt))
            queue.wake(self.kind, self.subject)

    def ran_out_of_memory(self) -> None:
        """Try again, in a process that has not grown yet; give up what was asked for at last."""
        if self.kind.standing or self.attempt() < self.kind.most_attempts:
            self.put_back(TOO_LARGE)
        else:
            self.end(Outcome(State.FAILED, TOO_LARGE))

    def give_back(self) -> None:
        """Leave the job to another worker, as if this one had not begun it."""
        self.insist(lambda: give_back(self.kind, self._mine()))
        queue.wake(self.kind, self.subject)

    def outcome(self) -> Outcome:
        """The outcome of a run that returned none."""
        if self.cancelled:
            return Outcome(State.CANCELLED, self.kind.cancelled)
        return Outcome(message=self.kind.out_of_time if self.out_of_time else None)

    def seconds(self) -> float:
        return time.monotonic() - self._began

    def __str__(self) -> str:
        return f"{self.kind.name} {self.subject}"

    def _mine(self) -> QuerySet[Job]:
        return held_by(self.kind, self.subject, self.holder)

    def _renew(self, **values: Any) -> bool:
        renewed = self._mine().update(leased_until=Now() + self.kind.lease_length, **values)
        if not renewed:
            self._lost.set()
        return bool(renewed)

    def _write_noted(self) -> None:
        if self._noted is None:
            self._renew()
        else:
            self._look(self._noted)

    def _look(self, fraction: float) -> None:
        self._renew(progress=fraction)
        self.cancelled = self._mine().filter(stop_requested=True).exists()

    def _show_life(self, ended: threading.Event) -> None:
        try:
            while not (ended.wait(self.kind.lease / 5) or self._lost.is_set()):
                self.attempt_write(self._write_noted)
        finally:
            connection.close()


def _leave_a_broken_connection() -> None:
    """Close a broken connection, unless it is in a transaction, which its owner has to end."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def run(kind: JobKind, subject: int) -> None:
    """Run a job if it is queued, no worker runs it, and its pause is over."""
    queue.clear_pending(kind, subject)
    if queue.pause_left(kind, subject):
        queue.wake(kind, subject)
        return
    if not kind.is_lagging(subject):
        queue.pause(kind, subject, kind.pause(0))
        return
    holder = claim(kind, subject)
    if holder is not None and kind.standing and queue.pause_left(kind, subject):
        # Another run ended after the pause was read, and set a new one.
        Run(kind, subject, holder).end(Outcome())
        queue.wake(kind, subject)
    elif holder is not None:
        _attempt(Run(kind, subject, holder))
    elif kind.standing:
        # The running worker may have looked for work before this request.
        queue.wake(kind, subject, delay=POLL_SECONDS)


def _attempt(run: Run) -> None:
    try:
        with run.alive():
            outcome = run.kind.run(run)
    except LeaseLostError:
        logger.warning("%s has lost its lease", run)
    except MemoryError:
        logger.exception("%s needed more memory than CANDOR_TASK_MEMORY_MB allows", run)
        run.ran_out_of_memory()
    except Exception as error:
        logger.exception("%s failed", run)
        if run.kind.standing or isinstance(error, DatabaseError):
            run.put_back()
        else:
            run.end(Outcome(State.FAILED, BROKEN))
    else:
        if outcome is None and run.given_back:
            run.give_back()
        else:
            _end(run, outcome or run.outcome())


def _end(run: Run, outcome: Outcome) -> None:
    # The pause is set first, so that the job is never idle without it.
    queue.pause(run.kind, run.subject, run.kind.pause(run.seconds()))
    run.end(outcome)
    if outcome.more:
        queue.wake(run.kind, run.subject)
