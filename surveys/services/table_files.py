"""Tables with a row for each person or answer, or for each of many people who were made up: files
that take longer than a request may.
"""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import IO

from django.conf import settings
from django.utils.translation import gettext_noop

from surveys.exports.registry import Export, all_exports, write_file
from surveys.exports.table import Format, Row
from surveys.models import ReleaseFile
from surveys.results.release import Release
from surveys.services import release_files
from surveys.services.release_files import Maker, Progress, StoppedError

# Raised when the same release is to be written otherwise.
FORMAT = 1
# Rows between two looks at whether somebody still waits.
LOOK_EVERY = 1_000
# Reports of one row; one with more counts as several.
REPORTS_OF_A_ROW = 10
# The shares of a pair of questions take as long to estimate as so many rows to write.
ROWS_OF_A_PAIR = 40

LATE = gettext_noop("It took too long; the operator of this site can allow more time.")


def takes_long(export: Export, file_format: Format, release: Release) -> bool:
    """Whether a file is made by a worker: it has many people, be they made up, or is wide."""
    people = export.people_in(release.responses)
    if not (file_format.has_rows and people):
        return False
    parameters = release.parameters
    rows = people * max(1, len(parameters.devices) / REPORTS_OF_A_ROW)
    return rows + ROWS_OF_A_PAIR * export.pairs(parameters) > settings.ROWS_AT_ONCE


def table_file(
    export: Export, file_format: Format, release: Release, block: int = 1
) -> ReleaseFile:
    """Return the row of a table, or of one of its blocks; raises NoSuchBlockError."""
    name = f"{export.name}.{file_format.ending}"
    own = export.block(block)
    if own is export:
        return release_files.release_file(TABLE, release, name)
    # It is there, or has no row: there are no more rows than blocks.
    own.table(release.launch, release.step).close()
    return release_files.release_file(TABLE, release, name, str(block))


def _write(row: ReleaseFile, release: Release, file: IO[bytes], progress: Progress) -> None:
    export, file_format = _parts_of(row.name)
    total = max(export.people_in(release.responses), 1)
    counted = partial(_counted, total=total, progress=progress)
    own = export.block(int(row.variant or 1))
    write_file(own, file_format, release.launch, file, row.step, counted)


def _parts_of(name: str) -> tuple[Export, Format]:
    return next(
        (export, file_format)
        for export in all_exports()
        for file_format in export.formats
        if f"{export.name}.{file_format.ending}" == name
    )


def _counted(rows: Iterator[Row], *, total: int, progress: Progress) -> Iterator[Row]:
    for number, row in zip(count(), rows):
        if number % LOOK_EVERY == 0 and not progress(min(number / total, 1)):
            raise StoppedError
        yield row


TABLE = release_files.register(
    Maker(
        name="table",
        write=_write,
        queue=settings.FILE_QUEUE,
        longest=settings.FILE_SECONDS,
        version=lambda _: FORMAT,
        lasting=lambda _: FORMAT,
        out_of_time=LATE,
        without_broker="files will wait to be made",
    )
)
