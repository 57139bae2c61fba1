"""Files that workers make: the page that says how far one is, and the file itself."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from django.core.files import File
from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from surveys import numbers
from surveys.exports.crowd import NoSuchBlockError
from surveys.exports.registry import Export, all_exports
from surveys.exports.table import Format
from surveys.languages import site_language
from surveys.models import Job, ReleaseFile
from surveys.moments import moment_text
from surveys.results.release import Release, release_of
from surveys.services.audiences import Audience, reads_reports
from surveys.services.bundles import BUNDLE, bundle_file
from surveys.services.bundles import NAME as BUNDLE_ZIP
from surveys.services.printed_summaries import NAME as SUMMARY_PDF
from surveys.services.printed_summaries import SUMMARY, printed_summary
from surveys.services.release_files import (
    Maker,
    Offered,
    ask_file,
    job_of,
    newest_job,
    offered_file,
    offered_until,
    version_of,
)
from surveys.services.table_files import TABLE, table_file
from surveys.views.analyses import SeeOther
from surveys.views.results import chosen
from surveys.views.visibility import released_context, with_audience, with_posting_audience

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# What an address says that is content with the file of an earlier release, of so many responses.
AT_LEAST = "at_least"


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that a worker makes: its maker, its row for a reader, and the name of its address.

    `title`, `instead`: what its page calls it, and what it names where it could not be made.
    `people`: how many people it has with so many responses; `of_people`: what they have sent.
    """

    maker: Maker
    row: Callable[[HttpRequest, Release], ReleaseFile]
    address: str
    title: "StrOrPromise"
    instead: "StrOrPromise" = ""
    of_people: bool = False
    people: Callable[[int], int] = lambda _responses: 0


def _summary_row(request: HttpRequest, release: Release) -> ReleaseFile:
    language = site_language(get_language())
    return printed_summary(release, language, chosen(request, release))


def kept_table(export: Export, file_format: Format) -> Kept:
    name = f"{export.name}.{file_format.ending}"
    return Kept(
        TABLE,
        lambda request, release: _table_row(request, release, export, file_format),
        address=f"{export.name}-{file_format.ending.replace('.', '-')}",
        title=name,
        of_people=export.of_people,
        people=export.people_in,
    )


def _table_row(
    request: HttpRequest, release: Release, export: Export, file_format: Format
) -> ReleaseFile:
    try:
        return table_file(export, file_format, release, block_asked(request))
    except NoSuchBlockError as error:
        raise Http404 from error


def block_asked(request: HttpRequest) -> int:
    """The number of the block that the address names, the first where it names none."""
    number = request.GET.get("block", "1")
    if re.fullmatch(r"[1-9][0-9]{0,3}", number) is None:
        raise Http404
    return int(number)


@cache
def _kept_files() -> dict[str, Kept]:
    """All of them, by the name of the file."""
    tables = [
        kept_table(export, file_format)
        for export in all_exports()
        if export.people_in(1)
        for file_format in export.formats
        if file_format.has_rows
    ]
    whole = {SUMMARY_PDF: KEPT_SUMMARY, BUNDLE_ZIP: KEPT_BUNDLE}
    return {**whole, **{str(each.title): each for each in tables}}


KEPT_SUMMARY = Kept(
    SUMMARY,
    _summary_row,
    address="summary-pdf",
    title=_("Summary to hand on (PDF)"),
    instead=_("The summary as one HTML file, among the downloads, has the same numbers."),
)


def bundle_row(with_rows: bool, _request: HttpRequest, release: Release) -> ReleaseFile:
    return bundle_file(release, with_rows=with_rows)


def _bundle_row(request: HttpRequest, release: Release) -> ReleaseFile:
    return bundle_row(reads_reports(release.launch, request.user), request, release)


def kept_bundle(*, with_rows: bool) -> Kept:
    """The bundle with the reports or without them, whoever asks."""
    return replace(KEPT_BUNDLE, row=partial(bundle_row, with_rows))


KEPT_BUNDLE = Kept(
    BUNDLE,
    _bundle_row,
    address="bundle-zip",
    title=_("Replication bundle (ZIP)"),
    instead=_("Every file of it is among the downloads by itself."),
)


class EarlierFile(FileResponse):
    """The file of an earlier release, open, with its row."""

    def __init__(self, file: File, row: ReleaseFile, content_type: str) -> None:
        super().__init__(file, content_type=content_type)
        self.file, self.row = file, row


def file_response(found: Offered, content_type: str) -> FileResponse:
    if found.earlier is not None:
        return EarlierFile(found.file, found.earlier, content_type)
    return FileResponse(found.file, content_type=content_type)


def kept_response(
    request: HttpRequest, release: Release, kept: Kept, name: str, content_type: str
) -> HttpResponseBase:
    """The file; where there is none of this release yet, the page that has it made.

    Meanwhile that page has the file of an earlier release, and asks for it by what it has at least.
    """
    row = kept.row(request, release)
    found = offered_file(kept.maker, row, release)
    if found is not None and found.has(at_least_asked(request, release.responses)):
        return file_response(found, content_type)
    job_of(kept.maker, row, release)
    wanted = {}
    if found is not None:
        found.file.close()
        wanted = {AT_LEAST: str(release.responses)}
    return HttpResponseRedirect(_address(request, release, "results-file", name, **wanted))


def at_least_asked(request: HttpRequest, otherwise: int) -> int:
    """How many responses the address says that a file has to have."""
    number = request.GET.get(AT_LEAST, "")
    return int(number) if re.fullmatch(r"[0-9]{1,18}", number) else otherwise


@with_audience
def file(request: HttpRequest, audience: Audience, name: str) -> HttpResponseBase:
    """How far the file is, which the first who comes has made; it needs no JavaScript."""
    kept = _kept(request, audience, name)
    release = release_of(audience.launch, audience.step)
    if release.content is None:
        return HttpResponseRedirect(_address(request, release, "results"))
    row = kept.row(request, release)
    found = offered_file(kept.maker, row, release)
    newest = {AT_LEAST: str(release.responses)}
    context = released_context(audience, release) | {
        "kept": kept,
        "people": numbers.count(kept.people(release.responses)),
        "has_people": kept.people(1),
        "again": _address(request, release, "results-file-again", name),
        "newest": _address(request, release, "results-file", name, **newest),
        "newest_people": numbers.count(release.responses),
        "back": _address(request, release, "results"),
    }
    if found is None:
        context |= _progress(job_of(kept.maker, row, release))
    else:
        context |= _ready(request, release, kept, found)
        found.file.close()
    return render(request, "surveys/results/file.html", context)


def _ready(request: HttpRequest, release: Release, kept: Kept, found: Offered) -> dict[str, Any]:
    """What the page says of a file; of an earlier one also how far the newest is, if asked for."""
    context = {"is_ready": True, "size": numbers.count(max(1, found.file.size // 1000))}
    row = found.earlier
    if row is None:
        return context | {"file": _address(request, release, kept.address)}
    until = offered_until(row)
    job = newest_job(kept.maker, row)
    if not found.has(at_least_asked(request, 0)):
        job = job_of(kept.maker, row, release)
    elif job is not None and job.is_finished:
        job = None
    return context | {
        "earlier": row,
        "earlier_people": numbers.count(row.responses),
        "earlier_shown": moment_text(row.computed_at) if row.computed_at else "",
        "until_shown": moment_text(until, "TIME_FORMAT") if until else "",
        "file": _address(request, release, kept.address, **{AT_LEAST: str(row.responses)}),
        **_progress(job),
    }


def _progress(job: Job | None) -> dict[str, Any]:
    """How far a job is, where there is one."""
    percent = int(100 * job.progress) if job else 0
    return {"job": job, "percent": percent, "percent_shown": numbers.percent(percent / 100)}


@with_posting_audience("POST")
def file_again(request: HttpRequest, audience: Audience, name: str) -> HttpResponseBase:
    """Have it made again, where that has failed."""
    kept = _kept(request, audience, name)
    release = release_of(audience.launch, audience.step)
    if release.content is not None:
        ask_file(kept.maker, kept.row(request, release), version_of(kept.maker, release))
    return SeeOther(_address(request, release, "results-file", name))


def _kept(request: HttpRequest, audience: Audience, name: str) -> Kept:
    kept = _kept_files().get(name)
    if kept is None or (kept.of_people and not reads_reports(audience.launch, request.user)):
        raise Http404
    return kept


def _address(request: HttpRequest, release: Release, view: str, *parts: str, **values: str) -> str:
    """The address of a view of the same results; only a file is asked for `AT_LEAST` so many."""
    query = request.GET.copy()
    query.pop(AT_LEAST, None)
    query.update(values)
    end = f"?{query.urlencode()}" if query else ""
    return reverse(view, args=[release.launch.survey.slug, *parts]) + end
