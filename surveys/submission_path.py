"""A short path to the address that receives responses, without the middleware it does not need.

Middleware listed before this one applies to that address as to every other; skipped are
sessions, languages, accounts, forms and static files. docs/decisions/0010-the-submit-path.md.
"""

import re
from collections.abc import Callable
from typing import Any

from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from surveys.views.wire import responses

View = Callable[[HttpRequest], HttpResponseBase]

# As in surveys/urls.py; matched here first, because the resolver would try the whole site.
ADDRESS = re.compile(r"/s/([-a-zA-Z0-9_]+)/responses/")
# The policy of an answer that is only data; the policy of a page is built for each page.
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def direct_responses(get_response: View) -> View:
    # Errors are answered as elsewhere, and their answers get the headers too.
    answered: Callable[[HttpRequest], Any] = convert_exception_to_response(_response)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not ADDRESS.fullmatch(request.path_info):
            return get_response(request)
        response: HttpResponse = answered(request)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Security-Policy"] = POLICY
        return response

    return middleware


def _response(request: HttpRequest) -> HttpResponseBase:
    return responses(request, slug=request.path_info.split("/")[2])
