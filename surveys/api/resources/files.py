"""Files about results: sent at once, or made by a worker first, as on the page of downloads."""

from collections.abc import Callable, Iterator
from typing import Annotated, TypeAlias

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from surveys.api.documents import answer, document
from surveys.api.finding import Key, results_of
from surveys.api.problems import Refusal, not_found
from surveys.api.serving import ANY_MEDIA, serves
from surveys.exports.registry import Export, all_exports
from surveys.exports.table import Format
from surveys.models import Job
from surveys.models.api_token import Scope
from surveys.results.device_certificates import certificates_file
from surveys.results.release import Release
from surveys.services.audiences import Audience, reads_reports, release_shown
from surveys.services.bundles import NAME as BUNDLE_ZIP
from surveys.services.printed_summaries import NAME as SUMMARY_PDF
from surveys.services.release_files import Offered, ask_file, file_or_job, version_of
from surveys.views.downloads import (
    bundle_of_release,
    certificate_file,
    parameters_file,
    summary_page,
    summary_printed,
    table_of_launch,
    table_of_release,
)
from surveys.views.files import (
    KEPT_SUMMARY,
    Kept,
    at_least_asked,
    file_response,
    kept_bundle,
    kept_table,
)

router = Router(tags=["files"])
Name: TypeAlias = Annotated[str, Path(max_length=100, pattern=r"^[a-z0-9.-]+$")]
# Which of several files of a table: synthetic people have one for each block of questions.
Block: TypeAlias = Annotated[int, Query(1, ge=1, le=9999)]
# How many responses a file has at least: one of an earlier release that has fewer will not do.
AtLeast: TypeAlias = Annotated[int, Query(0, ge=0)]
# Seconds after which it is worth asking again.
AGAIN = 2


class FileFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A file that there is. `of_people`: a row is what somebody has sent; its address says so."""

    name: str
    media_type: str
    of_people: bool
    address: str


class FileList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[FileFacts, ...]


class FileJob(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a worker makes. Ask for it again after `Retry-After`."""

    name: str
    state: str
    progress: float


# Files that are no tables: the media type, and what sends one.
_Send: TypeAlias = Callable[[HttpRequest, Audience], HttpResponseBase]
_OTHERS: dict[str, tuple[str, _Send]] = {
    "parameters.json": ("application/json", parameters_file),
    "certificate.json": ("application/json", certificate_file),
    "summary.html": (
        "text/html",
        lambda request, audience: summary_page(request, release_shown(audience)),
    ),
    SUMMARY_PDF: (
        "application/pdf",
        lambda request, audience: summary_printed(request, release_shown(audience), _kept),
    ),
}


def _files(audience: Audience) -> Iterator[tuple[str, Export, Format]]:
    for export in all_exports():
        if export.exists(audience.launch.parameters):
            for file_format in export.formats:
                yield f"{export.name}.{file_format.ending}", export, file_format


def _file(audience: Audience, name: str, *, of_people: bool) -> tuple[Export, Format]:
    for known, export, file_format in _files(audience):
        if known == name and export.of_people is of_people:
            return export, file_format
    raise not_found()


@serves(
    router,
    "GET",
    "/{survey_id}/files",
    scope=Scope.RESULTS_READ,
    answers={200: document(FileList)},
    title="List the files about the results",
)
def list_files(request: HttpRequest, survey_id: Key) -> HttpResponse:
    audience = results_of(request, survey_id)
    sees_rows = reads_reports(audience.launch, request.user)
    base = request.path.removesuffix("/files")
    tables = (
        FileFacts(
            name=name,
            media_type=file_format.content_type,
            of_people=export.of_people,
            address=f"{base}/{'rows' if export.of_people else 'files'}/{name}",
        )
        for name, export, file_format in _files(audience)
        if sees_rows or not export.of_people
    )
    others = (
        FileFacts(name=name, media_type=media, of_people=False, address=f"{base}/files/{name}")
        for name, (media, _send) in _OTHERS.items()
        if name != "certificate.json" or certificates_file(audience.launch, audience.step)
    )
    return answer(FileList(items=(*tables, *others)))


@serves(
    router,
    "GET",
    "/{survey_id}/files/{name}",
    scope=Scope.RESULTS_READ,
    answers={200: None, 202: document(FileJob)},
    title="Read a file without reports, or how far the worker is that makes it",
    media=ANY_MEDIA,
)
def get_file(
    request: HttpRequest, survey_id: Key, name: Name, block: Block, at_least: AtLeast
) -> HttpResponseBase:
    audience = results_of(request, survey_id)
    if name in _OTHERS:
        return _OTHERS[name][1](request, audience)
    export, file_format = _file(audience, name, of_people=False)
    if not export.released:
        return _whole(table_of_launch(request, audience, export, file_format))
    release = release_shown(audience)
    return _whole(table_of_release(request, release, export, file_format, _kept))


@serves(
    router,
    "GET",
    "/{survey_id}/rows/{name}",
    scope=Scope.ROWS_READ,
    answers={200: None, 202: document(FileJob)},
    title="Read a file of reports, or how far the worker is that makes it",
    media=ANY_MEDIA,
)
def get_rows(
    request: HttpRequest, survey_id: Key, name: Name, at_least: AtLeast
) -> HttpResponseBase:
    audience = results_of(request, survey_id)
    export, file_format = _file(audience, name, of_people=True)
    release = release_shown(audience)
    return _whole(table_of_release(request, release, export, file_format, _kept))


@serves(
    router,
    "GET",
    "/{survey_id}/bundle",
    scope=Scope.RESULTS_READ,
    answers={200: None, 202: document(FileJob)},
    title="Read the replication bundle without reports, or how far the worker is",
    media="application/zip",
)
def get_bundle(request: HttpRequest, survey_id: Key, at_least: AtLeast) -> HttpResponseBase:
    release = release_shown(results_of(request, survey_id))
    return _whole(bundle_of_release(request, release, _kept, with_rows=False))


@serves(
    router,
    "GET",
    "/{survey_id}/bundle/rows",
    scope=Scope.ROWS_READ,
    answers={200: None, 202: document(FileJob)},
    title="Read the replication bundle with the reports, or how far the worker is",
    media="application/zip",
)
def get_bundle_with_rows(
    request: HttpRequest, survey_id: Key, at_least: AtLeast
) -> HttpResponseBase:
    release = _release_with_rows(request, survey_id)
    return _whole(bundle_of_release(request, release, _kept, with_rows=True))


def _release_with_rows(request: HttpRequest, survey_id: int) -> Release:
    """The release, for those who may have its reports; raises Refusal."""
    release = release_shown(results_of(request, survey_id))
    if not reads_reports(release.launch, request.user):
        raise not_found()
    return release


@serves(
    router,
    "POST",
    "/{survey_id}/files/{name}/again",
    scope=Scope.RESULTS_READ,
    answers={202: document(FileJob)},
    title="Have a file without reports made that a worker makes, also where that has failed",
)
def make_file(request: HttpRequest, survey_id: Key, name: Name, block: Block) -> HttpResponse:
    audience = results_of(request, survey_id)
    if name == SUMMARY_PDF:
        return _asked(request, release_shown(audience), KEPT_SUMMARY, name)
    export, file_format = _file(audience, name, of_people=False)
    if not (file_format.has_rows and export.people_in(1)):
        raise not_found()
    return _asked(request, release_shown(audience), kept_table(export, file_format), name)


@serves(
    router,
    "POST",
    "/{survey_id}/rows/{name}/again",
    scope=Scope.ROWS_READ,
    answers={202: document(FileJob)},
    title="Have a file of reports made, also where that has failed",
)
def make_rows(request: HttpRequest, survey_id: Key, name: Name) -> HttpResponse:
    release = _release_with_rows(request, survey_id)
    export, file_format = _file(results_of(request, survey_id), name, of_people=True)
    return _asked(request, release, kept_table(export, file_format), name)


@serves(
    router,
    "POST",
    "/{survey_id}/bundle/again",
    scope=Scope.RESULTS_READ,
    answers={202: document(FileJob)},
    title="Have the replication bundle without reports made, also where that has failed",
)
def make_bundle(request: HttpRequest, survey_id: Key) -> HttpResponse:
    release = release_shown(results_of(request, survey_id))
    return _asked(request, release, kept_bundle(with_rows=False), BUNDLE_ZIP)


@serves(
    router,
    "POST",
    "/{survey_id}/bundle/rows/again",
    scope=Scope.ROWS_READ,
    answers={202: document(FileJob)},
    title="Have the replication bundle with the reports made, also where that has failed",
)
def make_bundle_with_rows(request: HttpRequest, survey_id: Key) -> HttpResponse:
    release = _release_with_rows(request, survey_id)
    return _asked(request, release, kept_bundle(with_rows=True), BUNDLE_ZIP)


def _asked(request: HttpRequest, release: Release, kept: Kept, name: str) -> HttpResponse:
    row = kept.row(request, release)
    return _waiting(name, ask_file(kept.maker, row, version_of(kept.maker, release)))


def _kept(
    request: HttpRequest, release: Release, kept: Kept, name: str, content_type: str
) -> HttpResponseBase:
    """A file that a worker makes, or how far it is."""
    at_least = at_least_asked(request, 0)
    found = file_or_job(kept.maker, kept.row(request, release), release, at_least)
    if isinstance(found, Offered):
        return file_response(found, content_type)
    if found.is_finished and found.state != Job.State.DONE:
        words = _("The file could not be made: %s Ask for it again with POST …/again.")
        raise Refusal(409, "not_made", words % found.message_text)
    return _waiting(name, found)


def _waiting(name: str, job: Job) -> HttpResponse:
    facts = FileJob(name=name, state=job.state, progress=job.progress)
    return answer(facts, 202, {"Retry-After": str(AGAIN)})


def _whole(response: HttpResponseBase) -> HttpResponseBase:
    """The answer of the page, whose one refusal is that numbers are behind."""
    if response.status_code == 503:
        words = _("The results are being computed anew.")
        raise Refusal(503, "results_behind", words, headers={"Retry-After": "5"})
    return response
