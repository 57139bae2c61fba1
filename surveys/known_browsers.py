"""Browsers in which an account has signed in: strangers' guesses do not lock its owner out.

Sign-ins to one account from all other browsers share a counter; a browser that has signed in to it
carries a signed cookie and has a counter of its own. docs/decisions/0017 says why.
"""

import unicodedata
import uuid

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import salted_hmac

from surveys.throttle import Throttle, is_exempt, throttle

COOKIE = "candor_known"
COOKIE_SECONDS = 180 * 24 * 3600
LINK_SECONDS = 3600
_SALT = "surveys.known_browsers"
_LINK_SALT = f"{_SALT}.link"


def wait_seconds(request: HttpRequest, account: str) -> int:
    """Count one attempt to sign in to `account`; 0 if it may proceed, else the seconds to wait.

    The answer does not depend on whether the account exists, so that nobody learns it.
    """
    return 0 if is_exempt(request) else _limit().wait_for(_subject(request, account))


def remember(request: HttpRequest, response: HttpResponse, account: str) -> None:
    """Make this browser known to `account`, and forget its failed attempts."""
    if known_as(request, account):
        _limit().forget(_subject(request, account))
    content = {"account": _account_hash(account), "browser": uuid.uuid4().hex}
    response.set_cookie(
        COOKIE,
        signing.dumps(content, salt=_SALT),
        max_age=COOKIE_SECONDS,
        path=reverse("login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_as(request: HttpRequest, account: str) -> str:
    """The name of this browser, or "" if it never signed in to `account`."""
    content = _read(request.COOKIES.get(COOKIE, ""), _SALT, COOKIE_SECONDS)
    return content["browser"] if content.get("account") == _account_hash(account) else ""


def link_token(user: User) -> str:
    """A token for an owner without a known browser, which the operator sends to them."""
    return signing.dumps({"account": user.get_username()}, salt=_LINK_SALT)


def account_of_link(token: str) -> str:
    return _read(token, _LINK_SALT, LINK_SECONDS).get("account", "")


def _limit() -> Throttle:
    return throttle("account", settings.LOGIN_ACCOUNT_RATE)


def _subject(request: HttpRequest, account: str) -> str:
    return f"{_account_hash(account)}:{known_as(request, account)}"


def _account_hash(account: str) -> str:
    """A keyed hash of the name as the sign-in form reads it."""
    name = unicodedata.normalize("NFKC", account.strip())
    value = name.encode(errors="surrogatepass").hex()
    return salted_hmac(_SALT, value, algorithm="sha256").hexdigest()[:32]


def _read(token: str, salt: str, seconds: int) -> dict[str, str]:
    try:
        content = signing.loads(token, salt=salt, max_age=seconds)
    except (signing.BadSignature, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
