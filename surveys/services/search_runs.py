"""What a worker does with a design search: claim it, run it, show signs of life, write the end.

Any worker may be killed at any moment, be thought dead and come back, or be given the same search
twice. Every write is therefore an UPDATE on the condition that the search still is this attempt's:
one that finds no row has been replaced, and ends without a trace.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_noop

from surveys import dispatch
from surveys.engine_bridge.searching import EngineError, run_request
from surveys.engine_words import refusal
from surveys.models import DesignSearch

logger = logging.getLogger(__name__)

State = DesignSearch.State
# A running search whose worker was not seen for so long has lost it.
LOST_AFTER = timedelta(seconds=15)
SIGN_OF_LIFE_SECONDS = 3.0
# How often a search is started again before it is given up.
MOST_ATTEMPTS = 3
# How often progress is written, and the content, which may be large.
PROGRESS_SECONDS, CONTENT_SECONDS = 0.5, 2.0
# Pauses between tries to write the end to a database that does not answer.
END_PAUSES = (1, 2, 4, 8)
MOST_FINISHED = 20

# Stored as they are here and translated where they are shown (`DesignSearch.said`).
AGAIN = gettext_noop("Started again: its worker was stopped.")
LOST = gettext_noop("Its worker was stopped three times. Search again, perhaps for less.")
STOPPED = gettext_noop("Stopped on request. What was found until then is kept.")
OUT_OF_TIME = gettext_noop("Stopped when its time was up. What was found until then is kept.")
BROKEN = gettext_noop("Something went wrong; the log of the worker says what.")


def run_search(*, search_id: int) -> None:
    """Run a queued search to its end. Does nothing with one that runs or has ended."""
    claimed = _claim(search_id)
    if claimed is None:
        return
    run = Run(search_id, claimed.attempt)
    try:
        with run.alive():
            content = run_request(claimed.request, run.progress)
    except EngineError as error:
        run.end(State.FAILED, refusal(error))
    except SoftTimeLimitExceeded:
        run.end(State.DONE, OUT_OF_TIME)
    except Exception:
        logger.exception("Search %s failed", search_id)
        run.end(State.FAILED, BROKEN)
    else:
        run.content = content
        run.end(*run.outcome)
    _forget_oldest(claimed.question_id)


def recover_lost_searches() -> None:
    """Queue again, or give up, what has lost its worker; queue again what has lost its task."""
    for search in _silent().only("attempt", "stop_requested"):
        _recover(search)
    finish_stopped()
    queued = DesignSearch.objects.filter(state=State.QUEUED).order_by("pk")
    for search_id in queued.values_list("pk", flat=True):
        dispatch.queue_search(search_id)


def finish_stopped() -> None:
    """End every search that waits and shall not start."""
    waiting = DesignSearch.objects.filter(state=State.QUEUED, stop_requested=True)
    waiting.update(state=State.CANCELLED, message=STOPPED, finished_at=Now())


def _claim(search_id: int) -> DesignSearch | None:
    """Make this worker the one that runs it; None if there is nothing to run."""
    finish_stopped()
    search = DesignSearch.objects.filter(pk=search_id, state=State.QUEUED).first()
    if search is None:
        return None
    queued = DesignSearch.objects.filter(
        pk=search_id, state=State.QUEUED, attempt=search.attempt, stop_requested=False
    )
    search.attempt += 1
    won = queued.update(state=State.RUNNING, attempt=search.attempt, progress=0, seen_at=Now())
    return search if won else None


def _silent() -> QuerySet[DesignSearch]:
    """By the database's clock, which all machines share."""
    return DesignSearch.objects.filter(state=State.RUNNING, seen_at__lt=Now() - LOST_AFTER)


def _recover(search: DesignSearch) -> None:
    """Decide about a search without a sign of life, unless one has come meanwhile."""
    silent = _silent().filter(pk=search.pk, attempt=search.attempt)
    if search.stop_requested:
        silent.update(state=State.CANCELLED, message=STOPPED, finished_at=Now())
    elif search.attempt >= MOST_ATTEMPTS:
        silent.update(state=State.LOST, message=LOST, finished_at=Now())
    elif silent.update(state=State.QUEUED, message=AGAIN, seen_at=None):
        logger.warning("Search %s is started again: its worker was stopped", search.pk)


def _forget_oldest(question_id: int) -> None:
    """Keep the last MOST_FINISHED finished searches of a question."""
    finished = DesignSearch.objects.filter(question=question_id).exclude(
        state__in=DesignSearch.UNFINISHED
    )
    oldest = finished.order_by("-pk").values_list("pk", flat=True)[MOST_FINISHED:]
    DesignSearch.objects.filter(pk__in=list(oldest)).delete()


class Run:
    """One attempt at a search, as its worker sees it."""

    def __init__(self, search_id: int, attempt: int) -> None:
        self.search_id, self.attempt = search_id, attempt
        self.content: dict[str, Any] | None = None
        self.outcome: tuple[str, str | None] = (State.DONE, None)
        self._replaced = threading.Event()
        self._deadline = time.monotonic() + settings.SEARCH_SECONDS
        self._progress_due = self._content_due = time.monotonic()

    def progress(self, fraction: float, content: dict[str, Any]) -> bool:
        """Write how far it is, now and then; False when it should end."""
        now, self.content = time.monotonic(), content
        if now < self._progress_due:
            return True
        self._progress_due = now + PROGRESS_SECONDS
        values = {"progress": fraction, "seen_at": Now()}
        if now >= self._content_due:
            self._content_due = now + CONTENT_SECONDS
            values["content"] = content
        if self._write(lambda: self._mine().update(**values)) == 0:
            self._replaced.set()
        if now > self._deadline:
            self.outcome = (State.DONE, OUT_OF_TIME)
        elif self._write(lambda: self._mine().filter(stop_requested=True).count()):
            self.outcome = (State.CANCELLED, STOPPED)
        return self.outcome[1] is None and not self._replaced.is_set()

    def end(self, state: str, message: str | None = None) -> None:
        """Write the end, which is final; without a message an earlier one stays."""
        values: dict[str, Any] = {"state": state, "finished_at": Now(), "seen_at": Now()}
        if message is not None:
            values["message"] = message
        if self.content is not None:
            values["content"] = self.content
        if state == State.DONE:
            values["progress"] = 1
        for pause in END_PAUSES:
            if self._write(lambda: self._mine().update(**values)) is not None:
                return
            time.sleep(pause)
        self._mine().update(**values)

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Show signs of life however long a single step takes."""
        over = threading.Event()
        thread = threading.Thread(target=self._show_life, args=(over,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(timeout=SIGN_OF_LIFE_SECONDS)

    def _show_life(self, over: threading.Event) -> None:
        while not over.wait(SIGN_OF_LIFE_SECONDS):
            if self._write(lambda: self._mine().update(seen_at=Now())) == 0:
                self._replaced.set()
                break
        connection.close()

    def _mine(self) -> QuerySet[DesignSearch]:
        return DesignSearch.objects.filter(
            pk=self.search_id, state=State.RUNNING, attempt=self.attempt
        )

    def _write(self, query: Callable[[], int]) -> int | None:
        """The number of rows; None when the database does not answer, which may pass."""
        try:
            return query()
        except DatabaseError as error:
            logger.warning("Search %s not written: %s", self.search_id, type(error).__name__)
            connection.close()
            return None
