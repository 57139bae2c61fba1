"""Whose request it is. What is not known to be an author's, a reader's or a program's counts as a
respondent's: their pages, the files that these load, and whatever is added later.
"""

import re
import secrets

from django.conf import settings
from django.http import HttpRequest

# Pages that nobody comes to in order to answer.
_DESK = re.compile(r"/(?:admin|account|review|api/v1)/")
# Pages of results, to which a respondent may go right after answering: only with a session.
_RESULTS = re.compile(r"/s/[-a-zA-Z0-9_]+/results/")
_SUBMISSION = re.compile(r"/s/[-a-zA-Z0-9_]+/responses/")
_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

SUBMISSION, PAGE = "submission", "page"
PROBES = ("/healthz", "/livez", "/readyz")


def is_of_the_desk(request: HttpRequest) -> bool:
    """Whether it may be counted one by one, traced, and told its name."""
    path = request.path_info
    if _RESULTS.match(path):
        return settings.SESSION_COOKIE_NAME in request.COOKIES
    return bool(_DESK.match(path))


def group_of_desk(request: HttpRequest) -> str:
    first = request.path_info.split("/")[1]
    return "results" if first == "s" else first


def sort_of_respondents(request: HttpRequest) -> str:
    """What requests of respondents are told apart by: whether they send a response."""
    return SUBMISSION if _SUBMISSION.fullmatch(request.path_info) else PAGE


def request_id(request: HttpRequest) -> str:
    """The name that a trusted proxy has given to the request, else a new one."""
    given = request.headers.get("X-Request-ID", "")
    if settings.TRUSTED_PROXIES and _ID.fullmatch(given):
        return given
    return secrets.token_hex(8)
