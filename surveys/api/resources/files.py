"""Files about results: sent at once, or made by a worker first, as on the page of downloads."""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

import msgspec
from django.core.files import File
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from ninja import Path, Router

from surveys.api.documents import answer, document
from surveys.api.finding import Key, results_of
from surveys.api.problems import Refusal, not_found
from surveys.api.serving import ANY_MEDIA, serves
from surveys.exports.registry import Export, all_exports
from surveys.exports.table import Format
from surveys.models import Job
from surveys.models.api_token import Scope
from surveys.results.release import Release
from surveys.services.audiences import Audience, reads_reports, release_shown
from surveys.services.release_files import ask_file, file_or_job, version_of
from surveys.services.table_files import TABLE, table_file
from surveys.views.downloads import bundle_of_release, table_of_launch, table_of_release
from surveys.views.files import Kept

router = Router(tags=["files"])
Name: TypeAlias = Annotated[str, Path(max_length=100, pattern=r"^[a-z0-9.-]+$")]
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
    items = tuple(
        FileFacts(
            name=name,
            media_type=file_format.content_type,
            of_people=export.of_people,
            address=f"{base}/{'rows' if export.of_people else 'files'}/{name}",
        )
        for name, export, file_format in _files(audience)
        if sees_rows or not export.of_people
    )
    return answer(FileList(items=items))


@serves(
    router,
    "GET",
    "/{survey_id}/files/{name}",
    scope=Scope.RESULTS_READ,
    answers={200: None},
    title="Read a file of estimates or of what was asked",
    media=ANY_MEDIA,
)
def get_file(request: HttpRequest, survey_id: Key, name: Name) -> HttpResponseBase:
    audience = results_of(request, survey_id)
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
def get_rows(request: HttpRequest, survey_id: Key, name: Name) -> HttpResponseBase:
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
def get_bundle(request: HttpRequest, survey_id: Key) -> HttpResponseBase:
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
def get_bundle_with_rows(request: HttpRequest, survey_id: Key) -> HttpResponseBase:
    release = release_shown(results_of(request, survey_id))
    if not reads_reports(release.launch, request.user):
        raise not_found()
    return _whole(bundle_of_release(request, release, _kept, with_rows=True))


@serves(
    router,
    "POST",
    "/{survey_id}/rows/{name}/again",
    scope=Scope.ROWS_READ,
    answers={202: document(FileJob)},
    title="Have a file of reports made, also where that has failed",
)
def make_rows(request: HttpRequest, survey_id: Key, name: Name) -> HttpResponse:
    audience = results_of(request, survey_id)
    export, file_format = _file(audience, name, of_people=True)
    release = release_shown(audience)
    if not reads_reports(audience.launch, request.user):
        raise not_found()
    row = table_file(export, file_format, release)
    return _waiting(name, ask_file(TABLE, row, version_of(TABLE, release)))


def _kept(
    request: HttpRequest, release: Release, kept: Kept, name: str, content_type: str
) -> HttpResponseBase:
    """A file that a worker makes, or how far it is."""
    found = file_or_job(kept.maker, kept.row(request, release), release)
    if isinstance(found, File):
        return FileResponse(found, content_type=content_type)
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
