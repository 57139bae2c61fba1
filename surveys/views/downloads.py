"""Downloads of one survey: the reports, their codebooks and parameters, and the results.

The name of a file says of which survey, parameters and release it is; an ETag lets a program that
looks again and again have it sent only when it has changed.
"""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import http_date

from surveys.exports import analysis
from surveys.exports.crowd import NoSuchBlockError
from surveys.exports.registry import Export, write_file
from surveys.exports.results_file import results_file
from surveys.exports.snapshot import MovingError
from surveys.exports.table import Format
from surveys.features import FEATURES
from surveys.results.device_certificates import certificates_file
from surveys.results.release import Release, release_of
from surveys.results.standalone import summary_context
from surveys.results.weighted.presentation import stored_weighted
from surveys.results_document.fits import read_fit
from surveys.services import bundles
from surveys.services.analysis_fits import analyses_of_audience
from surveys.services.audiences import Audience, reads_reports
from surveys.services.file_versions import file_version, parameters_version, release_version
from surveys.services.printed_summaries import NAME as SUMMARY_PDF
from surveys.services.release_files import Maker, version_of
from surveys.services.row_downloads import record_download
from surveys.services.table_files import takes_long
from surveys.views.files import (
    KEPT_SUMMARY,
    EarlierFile,
    Kept,
    block_asked,
    kept_bundle,
    kept_response,
    kept_table,
)
from surveys.views.results import chosen, page_context
from surveys.views.visibility import View, results_behind, with_audience, with_release

# Raised when a file of the same release is to be another.
FORMAT = 1

# Both have a launch and a step.
Source = Audience | Release
# Answers with a file that a worker makes, or says that it is being made.
SendKept = Callable[[HttpRequest, Release, Kept, str, str], HttpResponseBase]


def table_view(export: Export, file_format: Format) -> View:
    """The view of one table in one format."""

    def of_release(request: HttpRequest, release: Release) -> HttpResponseBase:
        return table_of_release(request, release, export, file_format, kept_response)

    def of_launch(request: HttpRequest, audience: Audience) -> HttpResponseBase:
        return table_of_launch(request, audience, export, file_format)

    return with_release(of_release) if export.released else with_audience(of_launch)


def table_of_release(
    request: HttpRequest, release: Release, export: Export, file_format: Format, kept: SendKept
) -> HttpResponseBase:
    """A table about responses; `kept` answers where a worker makes the file.

    Raises Http404 where there is no such table, or where it is of people and not for this person.
    """
    name = f"{export.name}.{file_format.ending}"
    if export.of_people and not reads_reports(release.launch, request.user):
        raise Http404
    block = export.block(block_asked(request))
    own_name = f"{block.name}.{file_format.ending}"
    if takes_long(export, file_format, release):
        table = kept_table(export, file_format)
        send = partial(kept, request, release, table, name, file_format.content_type)
        response = _kept(request, release, table.maker, own_name, send)
    else:
        send = partial(_table, release, block, file_format)
        response = _sent(request, release, own_name, send)
    if export.of_people and file_format.has_rows:
        _record(request, release, name, response)
    return response


def table_of_launch(
    request: HttpRequest, audience: Audience, export: Export, file_format: Format
) -> HttpResponseBase:
    """A table of what is frozen; raises Http404 where there is no such table."""
    name = f"{export.name}.{file_format.ending}"
    return _sent(request, audience, name, lambda: _table(audience, export, file_format))


def _record(request: HttpRequest, release: Release, file: str, response: HttpResponseBase) -> None:
    """Write down who is sent the rows of people."""
    if request.method == "GET" and response.status_code == 200 and request.user.is_authenticated:
        release = _release_in(response, release)
        record_download(release=release, user=request.user, file=file)


def _release_in(response: HttpResponseBase, newest: Release) -> Release:
    """The release that a file is of: as much of an earlier one as names and headers say."""
    if not isinstance(response, EarlierFile):
        return newest
    row = response.row
    return replace(
        newest, responses=row.responses, revision=row.revision, computed_at=row.computed_at
    )


def _table(source: Source, export: Export, file_format: Format) -> HttpResponseBase:
    if not export.exists(source.launch.parameters):
        raise Http404
    # Whole before the first byte of it is sent: what fails then has an answer of its own. It has at
    # most some ten thousand rows of people, or of people who were made up.
    file = io.BytesIO()
    try:
        # A file is the same in every language: it has all of them.
        write_file(export, file_format, source.launch.in_language(""), file, source.step)
    except NoSuchBlockError as error:
        raise Http404 from error
    except MovingError as error:
        return results_behind(error)
    response = HttpResponse(file.getvalue(), content_type=file_format.content_type)
    return response


def analysis_view(ending: str) -> View:
    """The view of the file of one analysis with this ending."""

    def of_number(_request: HttpRequest, audience: Audience, number: int) -> HttpResponseBase:
        return analysis_file(audience, number, ending)

    return with_audience(of_number)


def analysis_file(audience: Audience, number: int, ending: str) -> HttpResponseBase:
    """A file of one analysis; raises Http404 where it is not fitted, or shown to nobody yet."""
    content_type, pieces = analysis.FILES[ending]
    fit = analyses_of_audience(audience).filter(number=number).first()
    release = release_of(audience.launch, audience.step)
    content = read_fit(fit.content) if fit else None
    if fit is None or content is None or release.content is None:
        raise Http404
    response = StreamingHttpResponse(pieces(fit, content), content_type=content_type)
    name = f"{analysis.NAME}-{number}.{ending}"
    return _named(response, audience, name, responses=fit.responses)


def parameters_file(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """What was frozen, as the results are about it."""
    return _sent(
        request,
        audience,
        "parameters.json",
        lambda: _json(audience.launch.served_at(audience.step).document()),
    )


def certificate_file(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """What proves the searched devices; raises Http404 where there is none."""
    certificates = certificates_file(audience.launch, audience.step)
    if certificates is None:
        raise Http404
    return _sent(request, audience, "certificate.json", lambda: _json(certificates))


@with_release
def results_json(request: HttpRequest, release: Release) -> HttpResponseBase:
    return _sent(request, release, "results.json", lambda: _json(results_file(release)))


def summary_page(request: HttpRequest, release: Release) -> HttpResponseBase:
    """The results as one page without anything around it."""
    # A file may be passed on, so it has only what everybody may see, also for the author.
    context = page_context(release, chosen(request, release), for_author=False)
    context |= summary_context()
    response = HttpResponse(render_to_string("surveys/results/summary.html", context))
    return _named(response, release, "summary.html", responses=release.responses)


def summary_printed(request: HttpRequest, release: Release, send: SendKept) -> HttpResponseBase:
    """The summary as a PDF, which a worker sets; `send` answers with it or says how far it is."""
    kept, kind = KEPT_SUMMARY, "application/pdf"
    version = kept.row(request, release).variant
    make = partial(send, request, release, kept, SUMMARY_PDF, kind)
    return _kept(request, release, kept.maker, SUMMARY_PDF, make, version)


parameters_json = with_audience(parameters_file)
certificate_json = with_audience(certificate_file)
summary_html = with_release(summary_page)


@with_release
def summary_pdf(request: HttpRequest, release: Release) -> HttpResponseBase:
    return summary_printed(request, release, kept_response)


@with_release
def bundle_zip(request: HttpRequest, release: Release) -> HttpResponseBase:
    """Everything that this reader may have of a release."""
    with_rows = reads_reports(release.launch, request.user)
    return bundle_of_release(request, release, kept_response, with_rows=with_rows)


def bundle_of_release(
    request: HttpRequest, release: Release, send: SendKept, *, with_rows: bool
) -> HttpResponseBase:
    """The bundle with the reports or without them; whose rows are in it is written down."""
    kept, kind = kept_bundle(with_rows=with_rows), "application/zip"
    variant = kept.row(request, release).variant
    make = partial(send, request, release, kept, bundles.NAME, kind)
    response = _kept(request, release, kept.maker, bundles.NAME, make, variant)
    if with_rows:
        _record(request, release, bundles.NAME, response)
    return response


def _json(content: Any) -> HttpResponseBase:
    # Python writes a float with the fewest digits that read back as the same number.
    text = json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    return HttpResponse(text, content_type="application/json; charset=utf-8")


def _sent(
    request: HttpRequest, source: Source, name: str, make: Callable[[], HttpResponseBase]
) -> HttpResponseBase:
    """The file, or that it has not changed, which is known before anything of it is made."""
    facts = (FORMAT, name, source.launch.language)
    version = (
        release_version(source, *facts)
        if isinstance(source, Release)
        else parameters_version(source.launch, source.step, *facts)
    )
    return _unchanged(request, source, version) or _headed(make(), source, name, version)


def _kept(
    request: HttpRequest,
    release: Release,
    maker: Maker,
    name: str,
    make: Callable[[], HttpResponseBase],
    *parts: str,
) -> HttpResponseBase:
    """The same of a file that a worker makes, which may be of an earlier release.

    `parts`: what else two files of one name differ in.
    """
    facts = (FORMAT, name, release.launch.language, *parts)
    version = file_version(version_of(maker, release), *facts)
    unchanged = _unchanged(request, release, version)
    response = unchanged or make()
    if not isinstance(response, EarlierFile):
        return unchanged or _headed(response, release, name, version)
    version, earlier = file_version(response.row.version, *facts), _release_in(response, release)
    if unchanged := _unchanged(request, earlier, version):
        response.file.close()
    answer = unchanged or _headed(response, earlier, name, version)
    answer["Candor-Newest-Responses"] = str(release.responses)
    return answer


def _unchanged(request: HttpRequest, source: Source, version: str) -> HttpResponseBase | None:
    """The answer 304 to whoever has this version."""
    etag, last_modified = f'"{version}"', _last_modified(source)
    unchanged = get_conditional_response(request, etag=etag, last_modified=last_modified)
    if unchanged is not None and unchanged.status_code == 304:
        _tag(unchanged, source, version)
    return unchanged


def _headed(
    response: HttpResponseBase, source: Source, name: str, version: str
) -> HttpResponseBase:
    if response.status_code == 200:
        _named(response, source, name, getattr(source, "responses", None))
        _tag(response, source, version)
    return response


def _tag(response: HttpResponseBase, source: Source, version: str) -> None:
    response["ETag"] = f'"{version}"'
    if last_modified := _last_modified(source):
        response["Last-Modified"] = http_date(last_modified)


def _last_modified(source: Source) -> int | None:
    """In seconds, where one moment says it: weights are computed and texts translated later."""
    if isinstance(source, Audience) or source.computed_at is None or stored_weighted(source):
        return None
    return int(source.computed_at.timestamp())


def _named(
    response: HttpResponseBase, source: Source, name: str, responses: int | None
) -> HttpResponseBase:
    """Return it as a file whose name says of which survey, parameters and release it is.

    A release is told by how many people are in it.
    """
    launch = source.launch
    digest = launch.digest_at(source.step)
    short, release = digest.partition(":")[2][:8], "" if responses is None else f"-n{responses}"
    filename = f"{launch.survey.slug}{_version(source)}-{short}{release}-{name}"
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    response["Candor-Digest"] = digest
    if responses is not None:
        response["Candor-Responses"] = str(responses)
    return response


def _version(source: Source) -> str:
    """Return the part of a name that says whose results a file has; empty where all read alike."""
    for feature in FEATURES.values():
        if feature.document.versions(source.launch.parameters):
            return f"-{feature.readers.key}-{source.step + 1}"
    return ""
