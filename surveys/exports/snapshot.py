"""A release, and the report sets that its estimates rest on, from one moment.

One query reads them: a snapshot in SQLite's log or in a PostgreSQL cursor that is held open,
neither of which a writer waits for.
"""

import time
from collections.abc import Callable, Generator, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple, cast

from surveys.exceptions import SurveyError
from surveys.models import Launch
from surveys.results.release import Release, release_of

# Rows that are fetched at once.
CHUNK = 2000
ATTEMPTS = 5
PAUSE = 0.2


class MovingError(SurveyError):
    """The worker is between two results: the reports are ahead of the estimates."""

    code = "results_behind"


class Snapshot(NamedTuple):
    """`contents` are read once; `close` ends the query."""

    release: Release
    contents: Iterator[dict[str, Any]]
    close: Callable[[], None]


def take_snapshot(launch: Launch) -> Snapshot:
    """Those report sets and no others; raises MovingError where results lag.

    `aggregated` only grows: if it still is what the result says after the query has begun, then the
    query sees exactly the reports of that result. Rows come in the order of their random keys, so
    the same results give the same rows and nothing tells who came first.
    """
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt else 0)
        release = release_of(launch)
        contents = launch.report_sets.order_by("pk").values_list("content", flat=True)
        # A generator, whatever Django's stubs say: closing it ends the query.
        cursor = cast("Generator[dict[str, Any]]", contents.iterator(chunk_size=CHUNK))
        first = list(islice(cursor, 1))
        launch.refresh_from_db(fields=["aggregated"])
        if release.content is not None and launch.aggregated == release.responses:
            return Snapshot(release, chain(first, cursor), cursor.close)
        cursor.close()
    raise MovingError("The results are being computed anew. Try again in a moment.")
