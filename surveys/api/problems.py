"""Refusals as problem documents (RFC 9457): where, with which value, and by which rule."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from surveys.definitions import BadDefinitionError
from surveys.exceptions import (
    AudienceRefusedError,
    BelowThresholdError,
    ChangedMeanwhileError,
    NotConfirmedError,
    NotReadyError,
    SurveyError,
    ThrottledError,
    UnfitDeclarationError,
    UnknownAudienceError,
)
from surveys.exports.snapshot import MovingError
from surveys.services.webhooks import BadWebhookError
from surveys.views.errors import is_outage

MEDIA_TYPE = "application/problem+json"
# Enough to mend a document by; a hostile one must not get a long answer.
MOST_ERRORS, LONGEST_VALUE = 50, 200
OUTAGE_SECONDS = 5


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong: where (“” for all of it), what stood there, and the rule."""

    field: str
    value: str | None = None
    rule: str


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal. `code` is stable; `title` and `detail` are for people, in their language."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    errors: tuple[Broken, ...] = ()


class Refusal(Exception):
    """A request that is refused, with its status and headers."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        errors: Iterable[Broken] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail = status, code, detail
        self.errors, self.headers = tuple(errors), dict(headers or {})


def not_found() -> Refusal:
    """What is not there, and what somebody may not know of, reads the same."""
    return Refusal(404, "not_found", _("There is nothing here, or it is not shared with you."))


def shown_value(value: Any) -> str | None:
    """A value as the errors quote it: short, and never a whole document."""
    if value is None or isinstance(value, dict | list):
        return None
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "…"


def refusal_of(error: Exception) -> Refusal | None:
    """The refusal that an expected error is; None for a mistake of the program."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, Http404):
        return not_found()
    if isinstance(error, RequestDataTooBig):
        return Refusal(413, "too_large", _("The body is larger than any that is taken."))
    if is_outage(error):
        words = _("The server cannot reach its database just now.")
        return Refusal(503, "unavailable", words, headers={"Retry-After": str(OUTAGE_SECONDS)})
    return _of_survey(error) if isinstance(error, SurveyError) else None


def _of_survey(error: SurveyError) -> Refusal:
    if isinstance(error, BadDefinitionError):
        broken = [Broken(field=each.place, rule=each.message) for each in error.problems]
        return Refusal(422, error.code, _("This is no definition of a survey."), errors=broken)
    if isinstance(error, NotReadyError | UnfitDeclarationError):
        broken = [Broken(field="", rule=each) for each in error.problems]
        return Refusal(409, error.code, error.message, errors=broken)
    if isinstance(error, NotConfirmedError):
        broken = [Broken(field="confirmed", rule=each) for each in error.lines]
        words = _("Read what follows, then launch with “confirmed”.")
        return Refusal(409, error.code, words, errors=broken)
    if isinstance(error, ChangedMeanwhileError):
        return Refusal(412, error.code, error.message)
    if isinstance(error, ThrottledError):
        return Refusal(429, error.code, error.message, headers={"Retry-After": str(error.seconds)})
    if isinstance(error, MovingError):
        words = _("The results are being computed anew.")
        return Refusal(503, error.code, words, headers={"Retry-After": str(OUTAGE_SECONDS)})
    if isinstance(error, UnknownAudienceError):
        broken = [Broken(field=error.field, rule=error.message)]
        return Refusal(404, error.code, error.message, errors=broken)
    if isinstance(error, BadWebhookError):
        broken = [Broken(field=error.field, value=shown_value(error.value), rule=error.message)]
        return Refusal(422, error.code, error.message, errors=broken)
    status = 403 if isinstance(error, AudienceRefusedError | BelowThresholdError) else 409
    return Refusal(status, error.code, error.message)


def problem_response(refusal: Refusal) -> HttpResponse:
    """The answer that tells a refusal."""
    problem = Problem(
        title=title_of(refusal.status),
        status=refusal.status,
        detail=refusal.detail,
        code=refusal.code,
        errors=refusal.errors[:MOST_ERRORS],
    )
    body = msgspec.json.encode(problem)
    return HttpResponse(
        body, status=refusal.status, content_type=MEDIA_TYPE, headers=refusal.headers
    )


def title_of(status: int) -> str:
    """What a status says, in a few words."""
    titles = {
        400: _("The request cannot be read"),
        401: _("A token is needed"),
        403: _("This token or its account may not do this"),
        404: _("Nothing is here"),
        405: _("This address does not take this method"),
        406: _("No answer is in a form that you take"),
        409: _("The state of the survey does not allow this"),
        412: _("It has changed meanwhile"),
        413: _("The body is too large"),
        415: _("The body is in a form that is not taken"),
        422: _("What was sent breaks a rule"),
        428: _("Say which version you change"),
        429: _("Too many requests"),
        500: _("The server made a mistake"),
        503: _("The server cannot answer just now"),
    }
    return titles[status]
