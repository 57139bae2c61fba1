"""How long somebody stays signed in: until eight idle hours have passed, three days at most.

Django ends a session SESSION_COOKIE_AGE seconds after it was last stored. So it is stored again
while its owner is there, and ended once it is old.
"""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase

View = Callable[[HttpRequest], HttpResponseBase]

# Keys of the session: seconds since the epoch of its first request and of its last stored one.
BEGAN, SEEN = "began", "seen"
# A session is stored at most this often, so that a click costs no write.
STORED_EACH = 300


@receiver(user_logged_in)
def begin(request: HttpRequest, **_: Any) -> None:
    """A session that somebody signs in to anew lasts as long as a new one."""
    request.session[BEGAN] = request.session[SEEN] = int(time.time())


def session_limits(get_response: View) -> View:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        # Respondents have no session, and none is looked for without the cookie.
        if settings.SESSION_COOKIE_NAME in request.COOKIES and auth.SESSION_KEY in request.session:
            _keep_or_end(request, int(time.time()))
        return get_response(request)

    return middleware


def _keep_or_end(request: HttpRequest, now: int) -> None:
    session = request.session
    if now - session.get(BEGAN, now) >= settings.SESSION_LONGEST_AGE:
        auth.logout(request)
        return
    if BEGAN not in session:
        session[BEGAN] = now
    if now - session.get(SEEN, 0) >= STORED_EACH and _is_of_a_person(request):
        session[SEEN] = now


def _is_of_a_person(request: HttpRequest) -> bool:
    """Whether somebody did something: a page that looks for news by itself keeps nobody signed in.

    Browsers say of what a script reads that its destination is empty.
    """
    by_script = request.headers.get("Sec-Fetch-Dest") == "empty"
    return not by_script or request.method not in ("GET", "HEAD")
