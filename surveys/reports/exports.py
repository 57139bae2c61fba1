"""The randomized reports as CSV, in constant memory, from one moment.

Rows come in the order of their random keys, so the same results give the same bytes and nothing
tells who came first. One query reads them: a snapshot in SQLite's log or in a PostgreSQL cursor
that is held open, neither of which a writer waits for.
"""

import csv
import io
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain, islice
from typing import Any

from surveys.exceptions import SurveyError
from surveys.models import Launch, Survey
from surveys.parameters import CARDS
from surveys.reports.codebook import labels_of, spreadsheet_safe
from surveys.reports.release import Release, release_of

CHUNK = 2000
ATTEMPTS = 5
PAUSE = 0.2
LONG_HEADER = ["question", "stratum", "code", "report"]
# One more where there are cards: the answers on the card that was sent.
SHOWS = "shows"

Row = list[str | int]
# (device, stratum) -> of each of its reports the letter, and what the card shows
Shown = dict[tuple[str, str], list[tuple[str, str]]]
Cursor = Generator[dict[str, Any], None, None]


class MovingError(SurveyError):
    """The worker is between two results: the reports are ahead of the estimates."""

    code = "results_behind"


class CsvPieces(Iterator[str]):
    """Text in pieces. `close`, which Django calls at a response's end, ends the query with it.

    Left to the garbage collector, a cursor of PostgreSQL may be closed from within another query
    of its own connection, and then both wait for ever.
    """

    def __init__(self, pieces: Iterator[str], cursor: Cursor) -> None:
        self._pieces = pieces
        self._cursor = cursor

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        self._cursor.close()


def csv_chunks(launch: Launch) -> CsvPieces:
    """The file's text in pieces; raises MovingError before the first where results lag."""
    release, first, cursor = _snapshot(launch)
    header, rows_of = _format(release)
    rows = (row for content in chain(first, cursor) for row in rows_of(content))
    return CsvPieces(_written(chain([header], rows)), cursor)


def _snapshot(launch: Launch) -> tuple[Release, list[dict[str, Any]], Cursor]:
    """A release, and the report sets that its estimates rest on: those and no others.

    `folded` only grows: if it still is what the result says after the query has begun, then the
    query sees exactly the reports of that result.
    """
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt else 0)
        release = release_of(launch)
        contents = launch.report_sets.order_by("pk").values_list("content", flat=True)
        cursor = contents.iterator(chunk_size=CHUNK)
        first = list(islice(cursor, 1))
        launch.refresh_from_db(fields=["folded"])
        if release.content is not None and launch.folded == release.responses:
            return release, first, cursor
        cursor.close()
    raise MovingError("The results are being computed anew. Try again in a moment.")


def _format(release: Release) -> tuple[Row, Callable[[dict[str, Any]], Iterable[Row]]]:
    parameters = release.launch.parameters
    questions = {question.id: question for question in parameters.questions}
    devices = parameters.devices
    shown = {
        (device.id, device.stratum): list(
            zip(
                device.table.reports, labels_of(questions[device.questions[0]], device), strict=True
            )
        )
        for device in devices
        if (device.id, device.stratum) not in release.withheld
    }
    if parameters.linkage == Survey.Linkage.TOGETHER:
        return _wide([device.id for device in devices], shown)
    return _long(shown, cards=any(device.look == CARDS for device in devices))


def _wide(names: list[str], shown: Shown) -> tuple[Row, Callable[[dict[str, Any]], Iterable[Row]]]:
    """One row a person, one column a device; empty where it was not answered or is withheld.

    A device that comes in several strata has a second column that says which one was used.
    """
    columns = [name for name in dict.fromkeys(names) if any(name == key for key, _ in shown)]
    several = {name for name in columns if names.count(name) > 1}

    def row_of(content: dict[str, Any]) -> Iterable[Row]:
        row: Row = []
        for name in columns:
            stratum = content["strata"].get(name)
            kept = (name, stratum) in shown
            row.append(content["reports"][name] if kept else "")
            if name in several:
                row.append(spreadsheet_safe(stratum) if kept else "")
        return [row]

    header = [[name, f"{name}.stratum"] if name in several else [name] for name in columns]
    return [spreadsheet_safe(name) for pair in header for name in pair], row_of


def _long(shown: Shown, *, cards: bool) -> tuple[Row, Callable[[dict[str, Any]], Iterable[Row]]]:
    """One row an answer; nothing says which rows are one person's."""
    size = len(LONG_HEADER) + int(cards)

    def rows_of(content: dict[str, Any]) -> Iterable[Row]:
        for name, code in content["reports"].items():
            stratum = content["strata"][name]
            if (name, stratum) in shown:
                letter, shows = shown[name, stratum][code]
                row = (name, stratum, code, letter, shows)[:size]
                yield [*map(spreadsheet_safe, row)]

    return [*LONG_HEADER, SHOWS][:size], rows_of


def _written(rows: Iterable[Row]) -> Iterator[str]:
    rows = iter(rows)
    while batch := list(islice(rows, CHUNK)):
        text = io.StringIO(newline="")
        csv.writer(text).writerows(batch)
        yield text.getvalue()
