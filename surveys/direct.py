"""The short way to the address that takes responses: past all middleware that it has no use for.

What stands before this in MIDDLEWARE holds for it like for every other address; what stands behind
is sessions, languages, accounts, forms and static files. docs/decisions/0010-the-submit-path.md.
"""

import re
from collections.abc import Callable
from typing import Any

from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from surveys.views.wire import responses

View = Callable[[HttpRequest], HttpResponseBase]

# As in surveys/urls.py; asked here first, because the resolver would go through the whole site.
ADDRESS = re.compile(r"/s/([-a-zA-Z0-9_]+)/responses/")
# Of an answer that is only data. The pages' own policy depends on the page and is built for each.
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def direct_responses(get_response: View) -> View:
    # An error is answered like anywhere else, and its answer gets the headers as well.
    answered: Callable[[HttpRequest], Any] = convert_exception_to_response(_answered)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not ADDRESS.fullmatch(request.path_info):
            return get_response(request)
        response: HttpResponse = answered(request)
        response.headers["Cache-Control"] = "no-store"
        response.headers["Content-Length"] = str(len(response.content))
        response.headers["Content-Security-Policy"] = POLICY
        return response

    return middleware


def _answered(request: HttpRequest) -> HttpResponseBase:
    return responses(request, slug=request.path_info.split("/")[2])
