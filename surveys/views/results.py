"""The results of a survey, for people who may see them."""

from dataclasses import asdict as fields_of
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page

from surveys import numbers
from surveys.exports.registry import all_exports
from surveys.features import FEATURES
from surveys.languages import direction_of, name_of, site_language
from surveys.moments import moment_text
from surveys.results.crowd.distribution import has_crowd
from surveys.results.device_certificates import certificates_file
from surveys.results.facts import epsilon_of, left_out_of, waves_of
from surveys.results.figures.palette import PROPERTIES
from surveys.results.figures.plotly_files import CONFIG, STYLE_IDS
from surveys.results.findings.choice import Choice, choice_of
from surveys.results.findings.summary import summary_of
from surveys.results.joint_questions.presentation import joint_views
from surveys.results.presentation import question_views
from surveys.results.regression.frame import takes_analyses
from surveys.results.release import Release, release_of
from surveys.results.status import Status, status_of
from surveys.results.tables.presentation import table_views
from surveys.results.weighted.presentation import (
    computed_weighted,
    stored_weighted,
    weighting_view,
)
from surveys.services.audiences import Audience, reads_reports
from surveys.services.drawn_figures import figures_text, figures_version
from surveys.strength import strength_of
from surveys.strength_words import strength_words
from surveys.views.visibility import (
    release_context,
    sees_arrivals,
    with_audience,
    with_release,
)


@dataclass(frozen=True, slots=True)
class TextLanguage:
    """A language of the author's texts: how it calls itself, and where the results have it."""

    code: str
    name: str
    direction: str
    address: str
    is_current: bool


@with_audience
def results(request: HttpRequest, audience: Audience) -> HttpResponse:
    is_author = sees_arrivals(request, audience.launch)
    release = release_of(audience.launch, audience.step)
    choice = chosen(request, release)
    context = page_context(release, choice, for_author=is_author)
    query = audience.values
    context |= {
        "audience": audience,
        "languages": languages_of(audience, choice),
        "other_weights": choice.other_weights().query(query),
        "other_order": choice.other_order().query(query),
        "own_choice": choice.query(query).rstrip("?"),
        "reads_reports": reads_reports(audience.launch, request.user),
    }
    return render(request, "surveys/results/results.html", context)


def languages_of(audience: Audience, choice: Choice) -> list[TextLanguage]:
    """The languages in which there are the author's texts, that of the survey first.

    None where it is the only one.
    """
    launch = audience.launch
    own = launch.parameters.language
    current = launch.told.language
    codes = [own, *launch.translations] if launch.translations else []
    return [
        TextLanguage(code, name_of(code), direction_of(code), address, code == current)
        for code in codes
        for there in [replace(audience, launch=launch.in_language(code))]
        for address in [choice.query(there.values)]
    ]


def chosen(request: HttpRequest, release: Release) -> Choice:
    """Return which numbers the reader wants, in which order."""
    has_weights = bool(computed_weighted(stored_weighted(release)))
    return choice_of(request.GET, has_weights=has_weights)


@with_audience
def status(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    release = release_of(audience.launch, audience.step)
    current = status_of(release, for_author=sees_arrivals(request, audience.launch))
    response = JsonResponse(current.as_json())
    etag = f'"{current.stamp}"'
    response["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response


@gzip_page
@with_release
def figures(request: HttpRequest, release: Release) -> HttpResponseBase:
    """The figures in the reader's language; 304 if the ETag is unchanged."""
    language = site_language(get_language())
    current = status_of(release, for_author=sees_arrivals(request, release.launch))
    version = f"{figures_version(release)}-{release.launch.language}"
    etag = f'"{version}-{language}-{current.revision}"'
    response = get_conditional_response(request, etag=etag) or HttpResponse(
        f'{{"revision":"{current.revision}","figures":{figures_text(release, language)}}}',
        content_type="application/json",
    )
    response["ETag"] = etag
    return response


def page_context(release: Release, choice: Choice, *, for_author: bool) -> dict[str, Any]:
    """The context of page and summary; arrivals since the release are for the author only."""
    current = status_of(release, for_author=for_author)
    questions, waves = question_views(release, choice), waves_of(release)
    computed_at = release.computed_at if current.released else None
    return {
        **release_context(release, current),
        **_of_features(release, for_author=for_author),
        "counts": _counts(current),
        "left_out": left_out_of(release),
        "computed_at": computed_at,
        "computed_shown": moment_text(computed_at) if computed_at else "",
        "choice": choice,
        "questions": questions,
        "summary": summary_of(questions),
        "joint_views": joint_views(release, choice),
        "tables": table_views(release, choice),
        "has_crowd": has_crowd(release.parameters),
        "exports": [export for export in all_exports() if export.exists(release.parameters)],
        "takes_analyses": takes_analyses(release.parameters),
        "weighting": weighting_view(release),
        "has_weighted": choice.has_weights,
        "has_certificates": certificates_file(release.launch, release.step) is not None,
        "epsilon": epsilon_of(release),
        "waves": waves,
        # Whoever answered a wave before and not this one counts too: what is received in this wave
        # is fewer than the people in the results.
        "returned": waves[-1] if waves else None,
        "budget": numbers.epsilon(release.parameters.epsilon),
        "strength": strength_words(strength_of(release.parameters.devices)),
        # A running worker has had three sweeps by then.
        "late_after": 3 * settings.SWEEP_SECONDS,
        "figure_settings": {"config": CONFIG, "properties": PROPERTIES},
        "style_ids": STYLE_IDS,
    }


def _of_features(release: Release, *, for_author: bool) -> dict[str, Any]:
    """What features show above and below the questions, each with its template."""
    values: dict[str, Any] = {}
    above: list[str] = []
    below: list[str] = []
    for name, feature in FEATURES.items():
        shown = feature.results.page_context(release, may_choose=for_author)
        if shown is not None:
            values[name] = shown
            place = below if feature.results.below_questions else above
            place.append(f"features/{name}/results.html")
    return {**values, "templates_above": above, "templates_below": below}


def _counts(current: Status) -> dict[str, str]:
    values = {name: getattr(current, name) for name in ("in_results", "threshold", "batch")}
    if current.arrivals:
        values |= fields_of(current.arrivals)
    return {name: numbers.count(value) for name, value in values.items()}
