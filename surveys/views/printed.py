"""The printed summary: its file, and the page that says how far it is."""

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language

from surveys.languages import site_language
from surveys.models import PrintedSummary
from surveys.results.release import Release, release_of
from surveys.services.audiences import Audience
from surveys.services.printed_summaries import (
    ask_printed,
    pdf_or_job,
    printed_summary,
    version_of,
)
from surveys.views.analyses import SeeOther
from surveys.views.downloads import pdf_file
from surveys.views.results import chosen
from surveys.views.visibility import (
    released_context,
    with_audience,
    with_posting_audience,
    with_release,
)


@with_release
def summary_pdf(request: HttpRequest, release: Release) -> HttpResponseBase:
    """The file; where there is none of this release yet, the page that has it made."""
    found = pdf_or_job(_row(request, release), release)
    if isinstance(found, bytes):
        return pdf_file(found, release)
    return HttpResponseRedirect(_address("printed", request, release))


@with_audience
def printed(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """How far the file is, which the first who comes has made; it needs no JavaScript."""
    release = release_of(audience.launch, audience.step)
    if release.content is None:
        return HttpResponseRedirect(_address("results", request, release))
    found = pdf_or_job(_row(request, release), release)
    is_ready = isinstance(found, bytes)
    context = released_context(audience, release) | {
        "is_ready": is_ready,
        "size": max(1, len(found) // 1000) if isinstance(found, bytes) else 0,
        "job": None if is_ready else found,
        "file": _address("summary-pdf", request, release),
        "again": _address("printed-again", request, release),
        "back": _address("results", request, release),
    }
    return render(request, "surveys/results/printed.html", context)


@with_posting_audience("POST")
def printed_again(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """Have it made again, where that has failed."""
    release = release_of(audience.launch, audience.step)
    if release.content is not None:
        ask_printed(_row(request, release), version_of(release))
    return SeeOther(_address("printed", request, release))


def _row(request: HttpRequest, release: Release) -> PrintedSummary:
    language = site_language(get_language())
    return printed_summary(release, language, chosen(request, release))


def _address(name: str, request: HttpRequest, release: Release) -> str:
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    return reverse(name, args=[release.launch.survey.slug]) + query
