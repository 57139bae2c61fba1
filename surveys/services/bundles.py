"""Replication bundles: which files somebody gets in theirs."""

from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING

from surveys.exports.bundle.contents import Contents, write_bundle
from surveys.exports.table import Row
from surveys.results.release import Release
from surveys.services.analysis_fits import analyses_of_audience
from surveys.services.audiences import Audience, reads_reports

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

NAME = "bundle"
ENDING = "zip"
CONTENT_TYPE = "application/zip"


def write_bundle_of(
    release: Release,
    file: IO[bytes],
    *,
    with_rows: bool,
    counted: Callable[[Iterator[Row]], Iterator[Row]] = iter,
) -> None:
    """Write the bundle of a release for readers with or without the reports.

    Raises MovingError where the results lag behind the reports, or move meanwhile.
    """
    audience = Audience(release.launch, release.step)
    fits = [*analyses_of_audience(audience)]
    contents = Contents(release=release, with_rows=with_rows, fits=fits, counted=counted)
    write_bundle(contents, file)


def has_rows(release: Release, user: "User | AnonymousUser") -> bool:
    """Whether the bundle of this reader has the reports, which is written down as a download."""
    return reads_reports(release.launch, user)
