"""The one place that turns errors into HTTP: of the wire format, of the host, of the database."""

import sys
from collections.abc import Iterable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import get_script_prefix
from django.utils import translation
from django.utils.cache import add_never_cache_headers

from surveys.exceptions import (
    AlreadyAnsweredError,
    AudienceRefusedError,
    BelowThresholdError,
    FieldError,
    InvalidSubmissionError,
    NotAcceptingError,
    OverBudgetError,
    StaleDigestError,
    SurveyError,
    UnknownAudienceError,
    UnknownSenderError,
    UnusedFeatureError,
)
from surveys.features import FEATURES

STATUS = {
    NotAcceptingError: 409,
    StaleDigestError: 409,
    AlreadyAnsweredError: 409,
    OverBudgetError: 409,
    UnknownSenderError: 404,
    UnusedFeatureError: 404,
    UnknownAudienceError: 404,
    AudienceRefusedError: 403,
    BelowThresholdError: 403,
    InvalidSubmissionError: 422,
}
# Enough to correct a client by; a hostile body must not get a long answer.
MOST_ERRORS = 50
# Django's errors for a database that is unreachable, locked or full.
OUTAGE = (OperationalError, InterfaceError)
# PostgreSQL's codes for a table and a column that are not there: somebody has yet to migrate, or to
# restore. SQLite's are among the above.
_UNMADE = {"42P01", "42703"}
# Also not among the above: a transaction that was idle for too long, and a server that only reads,
# as one does that has yet to take over.
_PASSING = {"25P03", "25006"}
OUTAGE_SECONDS = 5
# Prefixes of addresses whose answers are read by scripts.
_JSON_ENDINGS = (".json", "/responses/", "/panel/")


def problem(status: int, code: str, message: str, *, field: str = "") -> JsonResponse:
    return _response(status, [FieldError(field, code, message)])


def survey_problem(error: SurveyError) -> JsonResponse:
    if isinstance(error, InvalidSubmissionError):
        return _response(STATUS[InvalidSubmissionError], error.fields)
    return problem(STATUS[type(error)], error.code, error.message)


def _response(status: int, errors: Iterable[FieldError]) -> JsonResponse:
    listed_errors = list(errors)[:MOST_ERRORS]
    body = [{"field": e.field, "code": e.code, "message": e.message} for e in listed_errors]
    return JsonResponse({"errors": body}, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an uncaught exception, without database and session."""
    if is_outage(sys.exception()):
        return outage(request)
    if _wants_json(request):
        return problem(500, "server_error", "The server made a mistake. Nothing was stored.")
    return HttpResponse(render_to_string("500.html", {"home": get_script_prefix()}), status=500)


def is_outage(error: BaseException | None) -> bool:
    """Whether it is the database that cannot serve just now, and no mistake in a statement."""
    code = getattr(getattr(error, "__cause__", None), "sqlstate", "")
    return isinstance(error, OUTAGE) or code in _UNMADE | _PASSING


def outage(request: HttpRequest) -> HttpResponse:
    """The answer while the database is unreachable: the client tries again, and nothing is lost."""
    if _wants_json(request):
        response: HttpResponse = problem(
            503, "unavailable", "The server cannot reach its database just now."
        )
    else:
        response = HttpResponse(render_to_string("503.html"), status=503)
    response["Retry-After"] = str(OUTAGE_SECONDS)
    add_never_cache_headers(response)
    return response


def wrong_host(request: HttpRequest, origin: str) -> HttpResponse:
    """Refuse a request to another name of this site that cannot be redirected."""
    if _wants_json(request):
        return problem(421, "wrong_host", f"Send this to {origin}.")
    # Called before any middleware has chosen a language.
    with translation.override(translation.get_language_from_request(request)):
        page = render_to_string("421.html", {"origin": origin})
    return HttpResponse(page, status=421)


def _wants_json(request: HttpRequest) -> bool:
    # What follows the address of a survey.
    routes = (route for feature in FEATURES.values() for route in feature.page.urls)
    of_features = (str(route.pattern).rpartition(">")[2] for route in routes)
    return request.path_info.endswith((*_JSON_ENDINGS, *of_features))
