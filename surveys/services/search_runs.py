"""Running a design search in a worker: run it, store its fronts, and write its end.

The lease and its recovery are in `surveys.jobs`.
"""

import time
from typing import Any

from billiard.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.utils.translation import gettext_noop

from surveys import jobs
from surveys.authoring.workbench.searching import EngineError, run_request
from surveys.engine_words import refusal
from surveys.models import DesignSearch

State = DesignSearch.State
# Seconds between two writes of the content, which may be large.
CONTENT_SECONDS = 2.0

# Stored in English and translated where they are shown (`DesignSearch.message_text`).
LOST = gettext_noop("Its worker was stopped three times. Search again, perhaps for less.")
STOPPED = gettext_noop("Stopped on request. What was found until then is kept.")
OUT_OF_TIME = gettext_noop("Stopped when its time was up. What was found until then is kept.")


def _search(run: jobs.Run) -> jobs.Outcome | None:
    search = DesignSearch.objects.get(question=run.subject, holder=run.holder)
    finds = Finds(run, search.pk)
    try:
        finds.content = run_request(search.request, finds.progress)
    except EngineError as error:
        return jobs.Outcome(State.FAILED, refusal(error))
    except SoftTimeLimitExceeded:
        return jobs.Outcome(message=OUT_OF_TIME)
    finally:
        run.insist(finds.store)
    return None


class Finds:
    """The results of one run so far."""

    def __init__(self, run: jobs.Run, search_id: int) -> None:
        self.run, self.search_id = run, search_id
        self.content: dict[str, Any] | None = None
        self._store_due = time.monotonic()

    def progress(self, fraction: float, content: dict[str, Any]) -> bool:
        """Store the content from time to time; returns False when the search should end."""
        now, self.content = time.monotonic(), content
        if now >= self._store_due:
            self._store_due = now + CONTENT_SECONDS
            self.run.attempt_write(self.store)
        return self.run.report(fraction)

    def store(self) -> None:
        if self.content is not None:
            with self.run.holding():
                DesignSearch.objects.filter(pk=self.search_id).update(content=self.content)


SEARCH = jobs.register(
    jobs.JobKind(
        name=DesignSearch.KIND,
        run=_search,
        queue=settings.SEARCH_QUEUE,
        longest=settings.SEARCH_SECONDS,
        # The write may wait for others.
        pending_seconds=30,
        cancelled=STOPPED,
        out_of_time=OUT_OF_TIME,
        gave_up=LOST,
        without_broker="searches will wait",
    )
)
