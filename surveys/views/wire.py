"""The respondents' API: the parameters out, the reports in."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.http.request import UnreadablePostError
from django.utils.cache import add_never_cache_headers
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from surveys.exceptions import SurveyError
from surveys.models import Launch, Survey
from surveys.models.launch import InForce
from surveys.services.responses import record_at
from surveys.throttle import throttle_posts
from surveys.views.errors import problem, survey_problem
from surveys.views.origin import same_origin_only

T = TypeVar("T")
# The fields of an answer, and how many bytes the longest one of its kind has more.
Answer = tuple[dict[str, Any], int]


def slow_down(request: HttpRequest, seconds: int) -> HttpResponse:
    return problem(429, "too_many", f"Too many responses from here. Try again in {seconds} s.")


@require_GET
@gzip_page
def parameters(request: HttpRequest, slug: str, wave: int | None = None) -> HttpResponseBase:
    """The parameters in force, or those of an earlier wave."""
    launches = Launch.objects.filter(survey__slug=slug).exclude(survey__state=Survey.State.DRAFT)
    if wave is not None:
        launches = launches.filter(wave=wave)
    launch = launches.order_by("-version", "-wave").first()
    if launch is None:
        return _no_such_survey()
    response = JsonResponse(launch.document)
    response["Cache-Control"] = "no-cache"
    return response


@same_origin_only
@require_POST
@throttle_posts("submit", "SUBMIT_RATE", refuse=slow_down)
def responses(request: HttpRequest, slug: str) -> HttpResponse:
    return _unfit(request) or _record(request, slug)


def look_up(
    request: HttpRequest,
    slug: str,
    parse: Callable[[bytes], T],
    answer: Callable[[InForce, T], Answer],
) -> HttpResponse:
    """Answer with what `answer` finds for the launch in force and what is named; never cached.

    Its length tells nothing either: compact JSON with as many spaces behind it as `answer` says.
    """
    if refusal := _unfit(request):
        return refusal
    try:
        named = parse(request.body)
        launch = Launch.objects.in_force(slug)
        if launch is None:
            return _no_such_survey()
        fields, padding = answer(launch, named)
        response = JsonResponse(fields, json_dumps_params={"separators": (",", ":")})
        response.content += b" " * padding
    except SurveyError as error:
        return survey_problem(error)
    except (RequestDataTooBig, UnreadablePostError):
        return problem(413, "too_large", "The body did not arrive whole.")
    add_never_cache_headers(response)
    return response


def _record(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        acknowledgement = record_at(slug=slug, body=request.body)
    except SurveyError as error:
        return survey_problem(error)
    except (RequestDataTooBig, UnreadablePostError):
        return problem(413, "too_large", "The body did not arrive whole.")
    if acknowledgement is None:
        return _no_such_survey()
    body: dict[str, Any] = {"receipt": acknowledgement.receipt, "stored": True}
    return JsonResponse(body, status=201 if acknowledgement.created else 200)


def _no_such_survey() -> HttpResponse:
    return problem(404, "no_such_survey", "There is no launched survey at this address.")


def _unfit(request: HttpRequest) -> HttpResponse | None:
    if request.content_type != "application/json":
        return problem(415, "not_json", "Send Content-Type: application/json.")
    if is_too_large(request):
        limit = settings.SUBMISSION_MAX_BYTES
        return problem(413, "too_large", f"A response has at most {limit} bytes.")
    return None


def is_too_large(request: HttpRequest) -> bool:
    """Whether the body is longer than a response may be, or does not say how long it is."""
    try:
        return int(request.headers.get("Content-Length") or 0) > settings.SUBMISSION_MAX_BYTES
    except ValueError:
        return True
