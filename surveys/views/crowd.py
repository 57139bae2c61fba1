"""Compute on the crowd: a statistic of the pooled distribution of a release, composed by GET."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language

from surveys import numbers
from surveys.exports.crowd import released_crowd
from surveys.exports.registry import export_of
from surveys.exports.snapshot import MovingError
from surveys.exports.tables import synthetic
from surveys.forms.crowd import CrowdForm
from surveys.languages import site_language
from surveys.results.crowd.distribution import LARGEST_CLUSTER, Crowd, synthetic_size
from surveys.results.crowd.presentation import statistic_view
from surveys.results.crowd.statistics import STATISTICS, compute
from surveys.results.release import Release, release_of
from surveys.services.audiences import Audience
from surveys.services.drawn_figures import figures_version
from surveys.views.visibility import released_context, with_audience

# Increased when the page changes while the numbers do not.
FORMAT = 2


@with_audience
def crowd(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """The page; 304 if the ETag is unchanged, so that nothing is computed a second time."""
    release = release_of(audience.launch, audience.step)
    if release.content is None:
        return _page(request, audience, release, {})
    etag = _etag(request, release)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    try:
        asked = released_crowd(audience.launch, audience.step)
    except MovingError:
        response = _page(request, audience, release, {"moving": True}, status=503)
        response["Retry-After"] = "5"
        return response
    context = _asked(request, asked)
    status = 400 if context.pop("refused") else 200
    response = _page(request, audience, asked.release, context, status=status)
    if status == 200:
        response["ETag"] = etag
    return response


def _asked(request: HttpRequest, asked: Crowd) -> dict[str, Any]:
    """The form of the statistic that the address names, and its values if all is chosen."""
    possible = {name: each for name, each in STATISTICS.items() if each.is_possible(asked)}
    context: dict[str, Any] = {
        "crowd": asked,
        "statistics": [{"name": name, "label": each.label} for name, each in possible.items()],
        "people": numbers.count(synthetic_size(asked)),
        "left_out": ", ".join(question.id for question in asked.left_out),
        "synthetic": export_of(synthetic.NAME),
        "blocks": [", ".join(block) for block in asked.blocks],
        "several": len(asked.questions) > 1,
        "put_together": [
            {"name": each.question.id, "answers": "; ".join(each.labels)}
            for each in asked.put_together
        ],
        "most_cells": numbers.count(LARGEST_CLUSTER),
        "refused": False,
    }
    name = request.GET.get("statistic", next(iter(possible), ""))
    if name not in possible:
        return {**context, "refused": bool(name), "unknown": bool(name)}
    fields = set(STATISTICS[name].fields)
    form = CrowdForm(
        request.GET if fields & request.GET.keys() else None, crowd=asked, statistic=name
    )
    context |= {"form": form, "chosen_statistic": name, "label": possible[name].label}
    if not form.is_bound:
        return context
    if not form.is_valid():
        return {**context, "refused": True}
    found = compute(asked, name, form.chosen)
    return {**context, "found": statistic_view(asked, name, form.chosen, found)}


def _page(
    request: HttpRequest,
    audience: Audience,
    release: Release,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    page = released_context(audience, release)
    return render(request, "surveys/results/crowd.html", {**page, **context}, status=status)


def _etag(request: HttpRequest, release: Release) -> str:
    """Return the tag of the numbers, the address, the language and the person named on the page."""
    parts = (
        str(FORMAT),
        figures_version(release),
        str(release.revision),
        site_language(get_language()),
        str(request.user.pk),
        request.GET.urlencode(),
    )
    digest = salted_hmac("surveys.crowd", "\n".join(parts), algorithm="sha256").hexdigest()
    return f'"{digest}"'
