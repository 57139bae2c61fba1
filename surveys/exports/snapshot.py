"""A release, and the report sets that its estimates rest on, read at one moment.

One query reads them, from a snapshot in SQLite's log or in an open PostgreSQL cursor,
and no writer waits for either.
"""

import time
from collections.abc import Callable, Generator, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple, cast

from surveys.exceptions import SurveyError
from surveys.models import Launch
from surveys.results.release import Release, release_of

# The number of rows fetched at once.
CHUNK = 2000
ATTEMPTS = 5
PAUSE = 0.2


class MovingError(SurveyError):
    """The tallies are ahead of the stored estimates, which are being recomputed."""

    code = "results_behind"


class Snapshot(NamedTuple):
    """`contents` are read once; `close` ends the query."""

    release: Release
    contents: Iterator[dict[str, Any]]
    close: Callable[[], None]


def take_snapshot(launch: Launch) -> Snapshot:
    """Exactly the report sets of the release; raises MovingError if the results lag behind.

    `revision` only grows: if it still equals the result's after the query began, the
    query sees exactly the reports of that result. Rows come in the order of their random keys, so
    the same results give the same rows and nothing tells who came first.
    """
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt else 0)
        release = release_of(launch)
        contents = launch.report_sets.order_by("pk").values_list("content", flat=True)
        # This is a generator, unlike in Django's stubs: closing it ends the query.
        cursor = cast("Generator[dict[str, Any]]", contents.iterator(chunk_size=CHUNK))
        first = list(islice(cursor, 1))
        launch.refresh_from_db(fields=["revision"])
        if release.content is not None and launch.revision == release.revision:
            return Snapshot(release, chain(first, cursor), cursor.close)
        cursor.close()
    raise MovingError("The results are being computed anew. Try again in a moment.")
