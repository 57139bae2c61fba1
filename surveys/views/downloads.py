"""Downloads of one survey: the reports, their codebooks and parameters, and the results."""

import json
import re
import tempfile
from contextlib import ExitStack
from typing import Any

from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.template.loader import render_to_string
from django.utils import timezone

from surveys.exports import analysis
from surveys.exports.crowd import NoSuchBlockError
from surveys.exports.formats import codebook
from surveys.exports.registry import Export, write_file
from surveys.exports.results import results_document
from surveys.exports.snapshot import MovingError
from surveys.exports.table import Format
from surveys.features import FEATURES
from surveys.results.device_certificates import certificates_file
from surveys.results.release import Release, release_of
from surveys.results.standalone import summary_context
from surveys.results_document.fits import read_fit
from surveys.services.analysis_fits import analyses_of_audience
from surveys.services.audiences import Audience, reads_reports
from surveys.services.row_downloads import record_download
from surveys.views.results import chosen, page_context
from surveys.views.visibility import View, results_behind, with_audience, with_release

# Both have a launch and a step.
Source = Audience | Release


def table_view(export: Export, file_format: Format) -> View:
    """The view of one table in one format."""

    def of_release(request: HttpRequest, release: Release) -> HttpResponseBase:
        if export.of_people and not reads_reports(release.launch, request.user):
            raise Http404
        response = _table(release, export.block(_block(request)), file_format)
        rows = export.of_people and file_format is not codebook.FORMAT
        if rows and request.method == "GET" and response.status_code == 200:
            _record(request, release, f"{export.name}.{file_format.ending}")
        return response

    def of_launch(_request: HttpRequest, audience: Audience) -> HttpResponseBase:
        return _table(audience, export, file_format)

    return with_release(of_release) if export.released else with_audience(of_launch)


def _block(request: HttpRequest) -> int:
    """The number of the block that the address names, the first where it names none."""
    number = request.GET.get("block", "1")
    if re.fullmatch(r"[1-9][0-9]{0,3}", number) is None:
        raise Http404
    return int(number)


def _record(request: HttpRequest, release: Release, file: str) -> None:
    if request.user.is_authenticated:
        record_download(release=release, user=request.user, file=file)


def _table(source: Source, export: Export, file_format: Format) -> HttpResponseBase:
    if not export.exists(source.launch.parameters):
        raise Http404
    with ExitStack() as closing:
        # Whole before the first byte of it is sent: what fails then has an answer of its own.
        file = closing.enter_context(tempfile.TemporaryFile())
        try:
            # A file is the same in every language: it has all of them.
            write_file(export, file_format, source.launch.in_language(""), file, source.step)
        except NoSuchBlockError as error:
            raise Http404 from error
        except MovingError as error:
            return results_behind(error)
        file.seek(0)
        response = FileResponse(file, content_type=file_format.content_type)
        closing.pop_all()
    return _attachment(response, source, export.name, file_format.ending)


def analysis_view(ending: str) -> View:
    """The view of the file of one analysis with this ending."""
    content_type, pieces = analysis.FILES[ending]

    def of_number(_request: HttpRequest, audience: Audience, number: int) -> HttpResponseBase:
        fit = analyses_of_audience(audience).filter(number=number).first()
        released = release_of(audience.launch, audience.step).content is not None
        content = read_fit(fit.content) if fit else None
        if fit is None or content is None or not released:
            raise Http404
        response = StreamingHttpResponse(pieces(fit, content), content_type=content_type)
        return _attachment(response, audience, f"{analysis.NAME}-{number}", ending)

    return with_audience(of_number)


@with_audience
def parameters_json(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    document = audience.launch.served_at(audience.step).document()
    return _json(audience, "parameters", document)


@with_audience
def certificate_json(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    certificates = certificates_file(audience.launch, audience.step)
    if certificates is None:
        raise Http404
    return _json(audience, "certificate", certificates)


@with_release
def results_json(request: HttpRequest, release: Release) -> HttpResponseBase:
    return _json(release, "results", results_document(release.launch, release.step))


@with_release
def summary_html(request: HttpRequest, release: Release) -> HttpResponseBase:
    # A file may be passed on, so it has only what everybody may see, also for the author.
    context = page_context(release, chosen(request, release), for_author=False)
    context |= summary_context()
    response = HttpResponse(render_to_string("surveys/results/summary.html", context))
    return _attachment(response, release, "summary", "html")


def pdf_file(content: bytes, release: Release) -> HttpResponseBase:
    """The printed summary as a file."""
    response = HttpResponse(content, content_type="application/pdf")
    return _attachment(response, release, "summary", "pdf")


def _json(source: Source, name: str, content: Any) -> HttpResponseBase:
    # Python writes a float with the fewest digits that read back as the same number.
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    return _attachment(response, source, name, "json")


def _attachment(
    response: HttpResponseBase, source: Source, name: str, ending: str
) -> HttpResponseBase:
    """Return it as a file whose name says of which survey, version and day it is."""
    slug, day = source.launch.survey.slug, timezone.localdate().isoformat()
    filename = f"{slug}{_version(source)}-{name}-{day}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def _version(source: Source) -> str:
    """Return the part of a name that says whose results a file has; empty where all read alike."""
    for feature in FEATURES.values():
        if feature.document.versions(source.launch.parameters):
            return f"-{feature.readers.key}-{source.step + 1}"
    return ""
