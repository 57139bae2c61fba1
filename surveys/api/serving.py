"""How an operation is declared: its scope, its answers, and that a post is done once."""

import functools
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from ninja import Router

from surveys.api.keys import Token
from surveys.api.replays import HEADER, once
from surveys.models.api_token import MOST_IN_A_KEY

Act = Callable[..., HttpResponseBase]
# What the description of an operation says that only our own code reads.
SCOPE, FILES = "x-candor-scope", "x-candor-files"
# Files have a media type each, which the list of files says.
ANY_MEDIA = "*/*"
_KEY_PARAMETER = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "description": "A text of your choice: the same request with it is done once.",
    "schema": {"type": "string", "pattern": rf"^[!-~]{{1,{MOST_IN_A_KEY}}}$"},
}
_IF_MATCH = {
    "in": "header",
    "name": "If-Match",
    "required": False,
    "description": "The ETag of the version that you change, or * for any.",
    "schema": {"type": "string"},
}


def serves(
    router: Router,
    method: str,
    path: str,
    *,
    scope: str,
    answers: Mapping[int, Any],
    title: str,
    secret: bool = False,
    media: str = "",
    if_match: bool = False,
) -> Callable[[Act], Act]:
    """Serve an address with a function.

    `scope`: what its token must be for. `answers`: the documents of its successes by status; None
    for an answer without a body. `secret`: an answer has a secret. `media`: the media type of files
    that it sends in place of documents.
    """

    def decorate(act: Act) -> Act:
        @functools.wraps(act)
        def guarded(request: HttpRequest, **values: Any) -> HttpResponseBase:
            response = (
                once(request, lambda: act(request, **values), secret=secret)
                if method == "POST"
                else act(request, **values)
            )
            if secret:
                response["Cache-Control"] = "no-store"
            return response

        extra: dict[str, Any] = {SCOPE: scope}
        if media:
            extra[FILES] = media
        if method == "POST":
            extra["parameters"] = [_KEY_PARAMETER]
        if if_match:
            extra["parameters"] = [_IF_MATCH]
        router.api_operation(
            # What a GET answers, without the body, which the server leaves out.
            [method, "HEAD"] if method == "GET" else [method],
            path,
            auth=Token(scope),
            response=dict(answers),
            operation_id=act.__name__,
            summary=title,
            openapi_extra=extra,
        )(guarded)
        return act

    return decorate
