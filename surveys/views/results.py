"""The results of a survey, for those who may see them."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language

from surveys.models import Launch
from surveys.reports import numbers
from surveys.reports.certificates import certificates_file
from surveys.reports.palette import PROPERTIES
from surveys.reports.plotly_files import CONFIG, STYLE_IDS
from surveys.reports.presentation import question_views
from surveys.reports.release import Release, release_of
from surveys.reports.status import Status, status_of
from surveys.reports.table_views import table_views
from surveys.views.visibility import with_release, with_visible_launch


@with_visible_launch
def results(request: HttpRequest, launch: Launch) -> HttpResponse:
    release = release_of(launch)
    return render(request, "surveys/results/results.html", page_context(release))


@with_visible_launch
def status(request: HttpRequest, launch: Launch) -> HttpResponseBase:
    current = status_of(release_of(launch))
    response = JsonResponse(current.as_json())
    etag = f'"{current.stamp}"'
    response["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response)


@with_release
def figures(request: HttpRequest, release: Release) -> HttpResponse:
    drawn = release.figures(get_language())
    return JsonResponse({"revision": status_of(release).revision, "figures": drawn})


def page_context(release: Release) -> dict[str, Any]:
    current = status_of(release)
    questions = question_views(release)
    return {
        "survey": release.launch.survey,
        "launch": release.launch,
        "parameters": release.launch.parameters,
        "status": current,
        "counts": _counts(current),
        "computed_at": release.computed_at,
        "released": release.content is not None,
        "questions": questions,
        "has_reported": any(one.randomized and one.has_reported for one in questions),
        "tables": table_views(release),
        "has_proofs": certificates_file(release.launch) is not None,
        "epsilon": _epsilon(release),
        # A worker that is up has had three sweeps by then.
        "late_after": 3 * settings.SWEEP_SECONDS,
        "figure_settings": {"config": CONFIG, "properties": PROPERTIES},
        "style_ids": STYLE_IDS,
    }


def _counts(current: Status) -> dict[str, str]:
    names = ("received", "in_results", "pooled", "due", "threshold")
    return {name: numbers.count(getattr(current, name)) for name in names}


def _epsilon(release: Release) -> dict[str, str] | None:
    if release.content is None:
        return None
    shown = {name: numbers.epsilon(text) for name, text in release.content["epsilon"].items()}
    delta = release.content["delta"]
    return shown | ({"delta": numbers.decimal(delta)} if delta != "0" else {})
