"""Who asks: the token of a request, its scopes and its limits. No cookie is looked at."""

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from surveys.api.problems import Refusal
from surveys.models import ApiToken
from surveys.services.api_tokens import token_with
from surveys.throttle import throttle

REALM = 'Bearer realm="Candor"'
_LIMITS = "candor_limits"


class Token(HttpBearer):
    """What an operation asks of a token; “” where any will do."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> ApiToken:
        """The token; raises Refusal. The account is looked at anew at each request."""
        token = self._found(request)
        _count(request, token)
        if self.scope and self.scope not in token.scopes:
            words = _("This token lacks the scope “%s”.") % self.scope
            raise Refusal(403, "scope", words)
        request.user = token.user
        return token

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """Return the token with this secret."""
        return token_with(token)

    def _found(self, request: HttpRequest) -> ApiToken:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        given = secret.strip() if scheme.lower() == "bearer" else ""
        token = self.authenticate(request, given) if given else None
        if token is not None:
            return token
        # Trying out secrets is hopeless, and still work for the database.
        wait = throttle("api-refused", settings.API_REFUSED_RATE).wait_seconds(request)
        if wait:
            raise _too_many(wait)
        words = (
            _("This token is not known, is void, or its account may not sign in.")
            if given
            else _("Send a token: “Authorization: Bearer candor_…”.")
        )
        raise Refusal(401, "unauthorized", words, headers={"WWW-Authenticate": REALM})


@dataclass(frozen=True, slots=True)
class Limits:
    """What is left of the requests that a token has in a window."""

    most: int
    window: int
    left: int
    seconds: int

    @property
    def headers(self) -> dict[str, str]:
        """As draft-ietf-httpapi-ratelimit-headers has them."""
        return {
            "RateLimit-Policy": f'"token";q={self.most};w={self.window}',
            "RateLimit": f'"token";r={self.left};t={self.seconds}',
        }


def _count(request: HttpRequest, token: ApiToken) -> None:
    limit = throttle("api", settings.API_RATE)
    wait, subject = limit.wait_for(str(token.pk)), str(token.pk)
    left, seconds = limit.left_for(subject)
    limits = Limits(limit.item.amount, limit.item.get_expiry(), left, seconds)
    setattr(request, _LIMITS, limits)
    if wait:
        raise _too_many(wait)


def limits_of(request: HttpRequest) -> Limits | None:
    """The limits that this request was counted against."""
    return getattr(request, _LIMITS, None)


def _too_many(seconds: int) -> Refusal:
    words = _("Wait %s seconds, then go on.") % seconds
    return Refusal(429, "too_many_requests", words, headers={"Retry-After": str(seconds)})


def token_of(request: HttpRequest) -> ApiToken:
    token: ApiToken = request.auth  # type: ignore[attr-defined]  # set by Ninja
    return token


def user_of(request: HttpRequest) -> User:
    """The account of the token."""
    user: User = token_of(request).user
    return user
