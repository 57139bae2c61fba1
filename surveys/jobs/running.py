"""What a worker does with a wake-up: claim the job, show signs of life, run it, write the end."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from surveys.jobs import queue
from surveys.jobs.kinds import BROKEN, Kind, Outcome, back_off
from surveys.jobs.lease import NO_LEASE, claim, held_by, put_back
from surveys.models import Job

logger = logging.getLogger(__name__)
State = Job.State

# How often progress is written, and whether to stop is read.
REPORT_SECONDS = 0.5
# A wake-up that finds its standing job running comes back after so long.
POLL_SECONDS = 1.0
# Pauses between tries to write the end to a database that does not answer.
END_PAUSES = (1, 2, 4, 8)


class LeaseLostError(Exception):
    """Somebody else has the job now, or it was deleted: nothing more may be written of this run."""


class Run:
    """One attempt at a job, as its worker sees it."""

    def __init__(self, kind: Kind, subject: int, holder: int) -> None:
        self.kind, self.subject, self.holder = kind, subject, holder
        self.cancelled = self.out_of_time = False
        self._ended = False
        self._lost = threading.Event()
        self._began = self._report_due = time.monotonic()

    @contextmanager
    def holding(self, *, ending: Outcome | None = None) -> Iterator[None]:
        """A transaction in which this run has the lease, which nobody can take before its end.

        With `ending` the job ends with it, as what it leaves is written. Raises LeaseLostError, and
        nothing is written, where somebody has taken the lease already.
        """
        with transaction.atomic():
            if not (self._renew() if ending is None else self._write_end(ending)):
                raise LeaseLostError
            yield
        self._ended = ending is not None

    def report(self, fraction: float) -> bool:
        """Say how far it is, as often as one likes; False when the run should end now."""
        now = time.monotonic()
        if now >= self._report_due:
            self._report_due = now + REPORT_SECONDS
            self.attempt_write(lambda: self._look(fraction))
            self.out_of_time = now - self._began > self.kind.longest
        return not (self.cancelled or self.out_of_time or self._lost.is_set())

    def attempt_write(self, write: Callable[[], Any]) -> bool:
        """Whether the database took it; one that does not answer may come back."""
        try:
            write()
        except DatabaseError as error:
            logger.warning("%s not written: %s", self, type(error).__name__)
            _leave_a_broken_connection()
            return False
        return True

    def insist(self, write: Callable[[], Any]) -> None:
        """Write what would be lost otherwise, when the database is back."""
        for pause in END_PAUSES:
            if self.attempt_write(write):
                return
            time.sleep(pause)
        write()

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Renew the lease however long a single step takes."""
        over = threading.Event()
        thread = threading.Thread(target=self._show_life, args=(over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(timeout=self.kind.lease / 5)

    def end(self, outcome: Outcome) -> None:
        """Write the end, which is final, if it is not written yet."""
        if not self._ended:
            self.insist(lambda: self._write_end(outcome))

    def _write_end(self, outcome: Outcome) -> bool:
        """Whether it was this run's to write; without a message an earlier one stays."""
        values: dict[str, Any] = {"state": outcome.state, "finished_at": Now(), **NO_LEASE}
        if self.kind.standing:
            values = {"state": State.IDLE, "attempt": 0, "stop_requested": False, **NO_LEASE}
        elif outcome.state == State.DONE:
            values["progress"] = 1
        if outcome.message is not None:
            values["message"] = outcome.message
        return bool(self._mine().update(**values))

    def put_back(self) -> None:
        """End an attempt that failed for what may pass: the next one comes later and later."""
        _leave_a_broken_connection()
        job = self._mine().first()
        if job and put_back(self.kind, job, self._mine()) == self.kind.waiting_state:
            queue.pause(self.kind, self.subject, back_off(job.attempt))
            queue.wake(self.kind, self.subject)

    def outcome(self) -> Outcome:
        """Of a run that came back without saying how."""
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

    def _look(self, fraction: float) -> None:
        self._renew(progress=fraction)
        self.cancelled = self._mine().filter(stop_requested=True).exists()

    def _show_life(self, over: threading.Event) -> None:
        try:
            while not (over.wait(self.kind.lease / 5) or self._lost.is_set()):
                self.attempt_write(self._renew)
        finally:
            connection.close()


def _leave_a_broken_connection() -> None:
    """So that the next statement opens a new one; a transaction is left to whoever began it."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def run(kind: Kind, subject: int) -> None:
    """Run a job if it waits to be run, nobody runs it, and its pause is over."""
    queue.clear_pending(kind, subject)
    if queue.pause_left(kind, subject):
        queue.wake(kind, subject)
        return
    if not kind.is_lagging(subject):
        queue.pause(kind, subject, kind.pause(0))
        return
    holder = claim(kind, subject)
    if holder is not None and kind.standing and queue.pause_left(kind, subject):
        # Another run has ended since the pause was looked at, and left one.
        Run(kind, subject, holder).end(Outcome())
        queue.wake(kind, subject)
    elif holder is not None:
        _attempt(Run(kind, subject, holder))
    elif kind.standing:
        # It may have looked for work before this request came.
        queue.wake(kind, subject, delay=POLL_SECONDS)


def _attempt(run: Run) -> None:
    try:
        with run.alive():
            outcome = run.kind.run(run) or run.outcome()
    except LeaseLostError:
        logger.warning("%s has lost its lease", run)
    except Exception as error:
        logger.exception("%s failed", run)
        if run.kind.standing or isinstance(error, DatabaseError):
            run.put_back()
        else:
            run.end(Outcome(State.FAILED, BROKEN))
    else:
        # First, so that nobody finds the job idle without its pause.
        queue.pause(run.kind, run.subject, run.kind.pause(run.seconds()))
        run.end(outcome)
        if outcome.more:
            queue.wake(run.kind, run.subject)
