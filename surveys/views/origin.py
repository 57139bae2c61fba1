"""Cross-site protection without a cookie.

A respondent's page sets none, so a CSRF token would have nothing to compare with. Browsers state
where a request comes from; one that comes from another site is refused, and a client that is no
browser carries nobody's authority. docs/decisions/0003-no-cookie-for-respondents.md says more.
"""

import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from surveys.views.errors import problem

_PORTS = {"http": "80", "https": "443"}


def same_origin_only(
    view: Callable[..., HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    @functools.wraps(view)
    def guarded_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not _comes_from_here(request):
            return problem(403, "cross_site", "This request comes from another site.")
        return view(request, *args, **kwargs)

    return csrf_exempt(guarded_view)


def _comes_from_here(request: HttpRequest) -> bool:
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    if origin is None:
        return True
    return origin == _own_origin(request) or origin in settings.CSRF_TRUSTED_ORIGINS


def _own_origin(request: HttpRequest) -> str:
    """The origin as a browser writes it: in lower case, without the default port of the scheme."""
    scheme = "https" if request.is_secure() else "http"
    host = request.get_host().lower().removesuffix(f":{_PORTS[scheme]}")
    return f"{scheme}://{host}"
