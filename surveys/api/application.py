"""The interface as one application: its resources, and what holds for every request."""

import hashlib
import logging
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import URLResolver
from django.urls.exceptions import Resolver404
from django.urls.resolvers import RegexPattern
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.parser import Parser

from surveys.api.documents import answer as json_answer
from surveys.api.keys import limits_of
from surveys.api.openapi import openapi
from surveys.api.page import sections_of
from surveys.api.problems import (
    MEDIA_TYPE,
    Broken,
    Refusal,
    not_found,
    problem_response,
    refusal_of,
    shown_value,
)
from surveys.api.resources import (
    analyses,
    co_authors,
    comments,
    crowd,
    files,
    launches,
    readers,
    results,
    searches,
    surveys,
    tokens,
    webhooks,
)
from surveys.features import FEATURES

logger = logging.getLogger(__name__)
VERSION = "1.0"
DOCUMENT, PAGE = "openapi.json", ""
_BODIES = ("POST", "PUT", "PATCH")
_NO_STORE = "no-store"
# Addresses whose answers are files.
_FILES = re.compile(r"/(files|rows)/[^/]+$|/bundle(/rows)?$")


class Whole(Parser):
    """Hands bodies to their documents as they came: each has one reader (`documents.Bridge`)."""

    def parse_body(self, request: HttpRequest) -> Any:
        return request.body


@cache
def application() -> NinjaAPI:
    """The operations, of features too, as they are registered when it is first used."""
    api = NinjaAPI(
        title="Candor",
        version=VERSION,
        openapi_url=None,
        docs_url=None,
        urls_namespace="candor-api",
        parser=Whole(),
    )
    api.add_router("/token", tokens.router)
    api.add_router("/tokens", tokens.all_of_them)
    api.add_router("/webhooks", webhooks.router)
    # Before what has the number of a survey in its address.
    api.add_router("/surveys", launches.router)
    api.add_router("/surveys", surveys.router)
    for each in (analyses, co_authors, comments, crowd, files, readers, searches):
        api.add_router("/surveys", each.router)
    api.add_router("", results.router)
    for feature in FEATURES.values():
        for router in feature.programs.routers():
            api.add_router("/surveys", router)
    refused: Any = _refused
    for known in (Exception, Http404, HttpError, ValidationError):
        api.add_exception_handler(known, refused)
    return api


@cache
def _resolver() -> URLResolver:
    return URLResolver(RegexPattern(r"^"), list(application().urls[0]))


def answer(request: HttpRequest, path: str) -> HttpResponseBase:
    """Answer a request for an address below /api/v1/."""
    try:
        response = _answered(request, path)
    except Exception as error:
        response = _refused(request, error)
    return _finished(request, response)


def _answered(request: HttpRequest, path: str) -> HttpResponseBase:
    own = _OWN.get(path)
    if own is not None:
        return _read_only(request, own)
    _check_forms(request)
    return _dispatched(request, path)


def _dispatched(request: HttpRequest, path: str) -> HttpResponseBase:
    try:
        match = _resolver().resolve(path)
    except Resolver404:
        raise not_found() from None
    response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    if response.status_code == 405:
        allowed = ", ".join(sorted(response["Allow"].split(", ")))
        words = _("This address takes %s.") % allowed
        return problem_response(Refusal(405, "method", words, headers={"Allow": allowed}))
    return response


def _read_only(request: HttpRequest, show: Callable[[HttpRequest], HttpResponse]) -> HttpResponse:
    """What the interface says of itself, to everybody: no survey is in it."""
    if request.method not in ("GET", "HEAD"):
        words = _("This address takes %s.") % "GET, HEAD"
        raise Refusal(405, "method", words, headers={"Allow": "GET, HEAD"})
    return show(request)


def _page(request: HttpRequest) -> HttpResponse:
    context = {"made": openapi(application()), "sections": sections_of(openapi(application()))}
    return render(request, "surveys/api/page.html", context)


def _document(_request: HttpRequest) -> HttpResponse:
    return json_answer(msgspec.json.encode(openapi(application())))


_OWN = {PAGE: _page, DOCUMENT: _document}


def _check_forms(request: HttpRequest) -> None:
    """Refuse a request that takes no JSON, or sends something else."""
    # A refusal is JSON for whoever asks for a file, too.
    takes = request.accepts("application/json") or request.accepts(MEDIA_TYPE)
    if not takes and not _FILES.search(request.path):
        words = _("Answers are application/json. Send “Accept: application/json”.")
        raise Refusal(406, "not_acceptable", words)
    sends = request.method in _BODIES and request.headers.get("Content-Length") not in (
        None,
        "",
        "0",
    )
    if sends and request.content_type != "application/json":
        broken = Broken(
            field="Content-Type", value=shown_value(request.content_type), rule="application/json"
        )
        words = _("Send JSON, with “Content-Type: application/json”.")
        raise Refusal(415, "media_type", words, errors=[broken])


def _refused(request: HttpRequest, error: Exception) -> HttpResponse:
    refusal = _of_ninja(request, error) or refusal_of(error)
    if refusal is None:
        logger.exception("A request of a program failed.", exc_info=error)
        words = _("Something went wrong here. Nothing was stored.")
        refusal = Refusal(500, "server_error", words)
    return problem_response(refusal)


def _of_ninja(request: HttpRequest, error: Exception) -> Refusal | None:
    if isinstance(error, ValidationError):
        broken = [
            Broken(
                field=".".join(map(str, each["loc"][1:])),
                value=shown_value(_sent(request, *each["loc"][:2])),
                rule=each["msg"],
            )
            for each in error.errors
        ]
        return Refusal(422, "invalid", _("The request breaks a rule."), errors=broken)
    if isinstance(error, HttpError):
        return Refusal(400, "unreadable", _("The body cannot be read."))
    return None


def _sent(request: HttpRequest, part: str, name: object) -> str | None:
    """What a request has there, which Ninja leaves out of its errors."""
    parts = {"query": request.GET, "header": request.headers}
    return parts[part].get(str(name)) if part in parts else None


def _finished(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    limits = limits_of(request)
    for name, value in (limits.headers if limits else {}).items():
        response[name] = value
    patch_vary_headers(response, ["Accept-Language", "Authorization"])
    if not response.has_header("Cache-Control"):
        response["Cache-Control"] = (
            "private, no-cache" if response.status_code == 200 else _NO_STORE
        )
    reads = request.method in ("GET", "HEAD") and response.status_code == 200
    told_once = response["Cache-Control"] == _NO_STORE
    if not reads or told_once or not isinstance(response, HttpResponse):
        return response
    if not response.has_header("ETag"):
        response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    return get_conditional_response(request, etag=response["ETag"], response=response) or response
