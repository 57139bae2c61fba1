"""Replication bundles: one for readers who may have the reports, and one for all others."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import IO

from django.conf import settings

from surveys.exports.bundle.contents import Contents, write_bundle
from surveys.exports.table import Row
from surveys.models import AnalysisFit, ReleaseFile
from surveys.results.release import Release
from surveys.services import release_files
from surveys.services.analysis_fits import analyses_of_audience
from surveys.services.audiences import Audience
from surveys.services.release_files import Maker, Progress, StoppedError
from surveys.services.table_files import LATE, LOOK_EVERY

NAME = "bundle.zip"
# Raised when the bundle of the same release is to be another.
FORMAT = 1
# The variant of those who may have the reports.
WITH_ROWS = "rows"
# Reports, and as many synthetic people.
LONG_TABLES = 2


def bundle_file(release: Release, *, with_rows: bool) -> ReleaseFile:
    """Return the row of the bundle for readers with or without the reports."""
    return release_files.release_file(BUNDLE, release, NAME, WITH_ROWS if with_rows else "")


def version(release: Release) -> object:
    """What a bundle has besides what every release has: analyses, which come later."""
    return [FORMAT, [(fit.number, fit.revision) for fit in _fits(release)]]


def _lasting(release: Release) -> object:
    """Which analyses there are: each is fitted again to a newer release."""
    return [FORMAT, [fit.number for fit in _fits(release)]]


def write_bundle_of(
    release: Release,
    file: IO[bytes],
    *,
    with_rows: bool,
    counted: Callable[[Iterator[Row]], Iterator[Row]] = iter,
) -> None:
    """Write the bundle of a release into an empty file; `counted` looks at the rows of all tables.

    Raises MovingError where the results lag behind the reports, or move meanwhile.
    """
    fits = _fits(release)
    write_bundle(Contents(release=release, with_rows=with_rows, fits=fits, counted=counted), file)


def _fits(release: Release) -> list[AnalysisFit]:
    return [*analyses_of_audience(Audience(release.launch, release.step))]


def _write(row: ReleaseFile, release: Release, file: IO[bytes], progress: Progress) -> None:
    numbers, total = count(1), LONG_TABLES * max(release.responses, 1)

    def counted(rows: Iterator[Row]) -> Iterator[Row]:
        for each in rows:
            number = next(numbers)
            if number % LOOK_EVERY == 0 and not progress(min(number / total, 1)):
                raise StoppedError
            yield each

    write_bundle_of(release, file, with_rows=row.variant == WITH_ROWS, counted=counted)


BUNDLE = release_files.register(
    Maker(
        name="bundle",
        write=_write,
        queue=settings.FILE_QUEUE,
        longest=settings.FILE_SECONDS,
        version=version,
        lasting=_lasting,
        out_of_time=LATE,
        without_broker="bundles will wait to be made",
    )
)
