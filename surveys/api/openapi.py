"""The OpenAPI document of the interface: Ninja's, with the app's documents and all refusals."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import translation
from ninja import NinjaAPI

from surveys.api import ROOT
from surveys.api.documents import MARK, described
from surveys.api.problems import MEDIA_TYPE, Problem
from surveys.api.problems import title_of as words_of
from surveys.api.serving import FILES, SCOPE
from surveys.models.api_token import Scope

DESCRIPTION = (
    "The interface of Candor for programs. A token of an account, made on its page “Tokens for "
    "programs”, is sent as `Authorization: Bearer candor_…`. Refusals are problem documents "
    "(RFC 9457). The guide is docs/api.md."
)
_REF = "#/components/schemas/{name}"
_PROBLEM = {"$ref": _REF.format(name=Problem.__name__)}
_HEADERS = {
    "RateLimit": "What is left of the token's requests, and for how many seconds.",
    "RateLimit-Policy": "How many requests a token has, in how many seconds.",
}


@cache
def openapi(api: NinjaAPI) -> dict[str, Any]:
    """Return the document; the same for everybody, in English."""
    with translation.override("en"):
        return _made(api)


def _made(api: NinjaAPI) -> dict[str, Any]:
    made: dict[str, Any] = dict(api.get_openapi_schema(path_prefix=ROOT))
    made["info"]["description"] = DESCRIPTION
    for methods in made["paths"].values():
        methods.pop("head", None)
    for operation in operations_of(made):
        _complete(operation)
    schemas, parts = described(_REF)
    made = _with_documents(made, schemas)
    made["components"] = {
        "schemas": dict(sorted(parts.items())),
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "Scopes: " + ", ".join(Scope.values),
            }
        },
        "headers": {
            name: {"description": words, "schema": {"type": "string"}}
            for name, words in _HEADERS.items()
        },
    }
    made["paths"] = dict(sorted(made["paths"].items()))
    del made["servers"]
    if settings.SITE_PATH:
        made["servers"] = [{"url": settings.SITE_PATH}]
    return made


def operations_of(made: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the operations of a document, with their addresses and methods."""
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            operation["x-at"] = (method, path)
            yield operation


def _complete(operation: dict[str, Any]) -> None:
    """Say what every operation answers, and what it asks of a token."""
    method, path = operation.pop("x-at")
    scope, media = operation.pop(SCOPE), operation.pop(FILES, "")
    operation["security"] = [{"token": [scope] if scope else []}]
    for answer in operation["responses"].values():
        answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS}
        if media and "content" not in answer:
            answer["content"] = {media: {"schema": {"type": "string", "format": "binary"}}}
    named = {parameter["name"] for parameter in operation["parameters"]}
    for status in _refusals(method, path, named):
        operation["responses"][status] = {
            "description": words_of(status),
            "content": {MEDIA_TYPE: {"schema": _PROBLEM}},
        }
    if method == "get":
        operation["responses"][304] = {"description": "Not modified"}
    operation["responses"] = dict(
        sorted((str(status), answer) for status, answer in operation["responses"].items())
    )


def _refusals(method: str, path: str, named: set[str]) -> list[int]:
    """The statuses of what can be refused of any request to an address."""
    found = [401, 403, 406, 422, 429, 500, 503]
    if "{" in path:
        found += [404, 409]
    if method in ("post", "put"):
        found += [400, 409, 413, 415]
    if "If-Match" in named:
        found += [412, 428]
    return sorted({*found})


def _with_documents(value: Any, schemas: list[dict[str, Any]]) -> Any:
    """Put the schema of each document where its mark stands."""
    if isinstance(value, dict):
        if MARK in value:
            return schemas[value[MARK]]
        return {key: _with_documents(each, schemas) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_documents(each, schemas) for each in value]
    return value
