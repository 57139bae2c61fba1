"""Access to results, and what all of their pages show, in one place."""

import functools
from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from surveys import numbers
from surveys.exceptions import AudienceError, BelowThresholdError, SurveyError
from surveys.languages import direction_of
from surveys.models import Launch, Survey
from surveys.results.release import Release
from surveys.results.status import Status, status_of
from surveys.services.audiences import Audience, audience_of, launch_shown_to, release_shown
from surveys.views.errors import STATUS, problem, survey_problem

View = Callable[..., HttpResponseBase]


def with_audience(view: Callable[..., HttpResponseBase]) -> View:
    """Call `view(request, audience)` for those who may see the results.

    People who are not signed in are asked to sign in; for all others it is as if the page did
    not exist. Only the author may ask for the results of other readers. What else the address has
    is passed on by name.
    """
    return _guarded(view, require_safe)


def with_posting_audience(*methods: str) -> Callable[[Callable[..., HttpResponseBase]], View]:
    """Guard a view like `with_audience`, for these methods; only people signed in may post."""
    return lambda view: _guarded(view, require_http_methods(methods))


def _guarded(view: Callable[..., HttpResponseBase], restrict: Callable[[View], View]) -> View:
    @restrict
    @cache_control(private=True, no_cache=True)
    @functools.wraps(view)
    def guarded_view(request: HttpRequest, slug: str, **parts: Any) -> HttpResponseBase:
        launch = launch_shown_to(request.user, slug=slug)
        if launch is not None:
            try:
                audience = audience_of(launch, request.user, request.GET)
            except AudienceError as error:
                return _wrong_audience(request, error)
            if request.method == "POST" and not request.user.is_authenticated:
                return redirect_to_login(reverse("results", args=[slug]))
            return view(request, audience, **parts)
        if request.user.is_authenticated or not _launched(slug):
            raise Http404
        return redirect_to_login(request.get_full_path())

    return guarded_view


def with_release(view: Callable[[HttpRequest, Release], HttpResponseBase]) -> View:
    """Call `view(request, release)` if there is a release, else refuse."""

    @with_audience
    @functools.wraps(view)
    def guarded_view(request: HttpRequest, audience: Audience) -> HttpResponseBase:
        try:
            release = release_shown(audience)
        except BelowThresholdError as error:
            return survey_problem(error)
        return view(request, release)

    return guarded_view


def sees_arrivals(request: HttpRequest, launch: Launch) -> bool:
    """Whether this person may know how many responses have come in: authors and superusers."""
    return Survey.objects.editable_by(request.user).filter(pk=launch.survey_id).exists()


def _wrong_audience(request: HttpRequest, error: AudienceError) -> HttpResponseBase:
    status = STATUS[type(error)]
    if request.path_info.endswith("/"):
        return render(request, f"{status}.html", {"reason": error.message}, status=status)
    return problem(status, error.code, error.message, field=error.field)


def results_behind(error: SurveyError) -> HttpResponseBase:
    response = problem(503, error.code, _("The results are being computed anew."))
    response["Retry-After"] = "5"
    return response


def _launched(slug: str) -> bool:
    return Survey.objects.filter(slug=slug).exclude(state=Survey.State.DRAFT).exists()


def release_context(release: Release, status: Status) -> dict[str, Any]:
    """Return what every page about a release says of it."""
    launch = release.launch
    return {
        "survey": launch.survey,
        "launch": launch,
        "parameters": release.parameters,
        "in_own": author_text_attributes(release.parameters.language),
        "digest": launch.digest_at(release.step),
        "status": status,
        "released": release.content is not None,
        "computing": release.computing,
    }


def author_text_attributes(language: str) -> str:
    """The attributes of an element with a text of the author: its language and direction.

    A text of a language that is written from left to right may be of another one: a single name.
    """
    lang = "" if language == get_language() else format_html(' lang="{}"', language)
    direction = "auto" if direction_of(language) == "ltr" else "rtl"
    return format_html('{} dir="{}"', lang, direction)


def released_context(audience: Audience, release: Release) -> dict[str, Any]:
    """The context that all pages of computations on released results share: also who reads them."""
    status = status_of(release, for_author=False)
    counts = {"threshold": numbers.count(status.threshold)}
    return {**release_context(release, status), "counts": counts, "audience": audience}
