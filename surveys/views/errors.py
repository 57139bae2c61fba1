"""The one place that turns errors of the wire format into HTTP."""

from collections.abc import Iterable

from django.http import JsonResponse

from surveys.exceptions import (
    FieldError,
    InvalidSubmissionError,
    NotAcceptingError,
    StaleDigestError,
    SurveyError,
)

STATUS = {NotAcceptingError: 409, StaleDigestError: 409, InvalidSubmissionError: 422}
# Enough to mend a client by; a hostile body must not be answered at length.
MOST_ERRORS = 50


def problem(status: int, code: str, message: str, *, field: str = "") -> JsonResponse:
    return _response(status, [FieldError(field, code, message)])


def survey_problem(error: SurveyError) -> JsonResponse:
    if isinstance(error, InvalidSubmissionError):
        return _response(STATUS[InvalidSubmissionError], error.fields)
    return problem(STATUS[type(error)], error.code, error.message)


def _response(status: int, errors: Iterable[FieldError]) -> JsonResponse:
    shown = list(errors)[:MOST_ERRORS]
    body = [{"field": e.field, "code": e.code, "message": e.message} for e in shown]
    return JsonResponse({"errors": body}, status=status)
