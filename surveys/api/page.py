"""What the page of the interface shows: its operations as people read them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from surveys.api.problems import title_of
from surveys.features import FEATURES
from surveys.features.parts import ProgramsPart


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    where: str
    required: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """`takes`, `gives`: names of documents, whose schemas are in the document of the interface."""

    anchor: str
    method: str
    path: str
    title: str
    scope: str
    parameters: list[Parameter]
    takes: str
    gives: list[tuple[str, str]]
    refusals: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Section:
    name: str
    operations: list[Operation] = field(default_factory=list)


def sections_of(made: dict[str, Any]) -> list[Section]:
    """Return the operations of an OpenAPI document by what they are about."""
    sections = {tag: Section(name) for tag, name in _names().items()}
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            sections[operation["tags"][0]].operations.append(_operation(method, path, operation))
    return list(sections.values())


def _parts() -> Iterator[ProgramsPart]:
    return (feature.programs for feature in FEATURES.values())


def _names() -> dict[str, str]:
    """What operations are about, in the order in which a study needs them."""
    return {
        "token": _("The token"),
        "surveys": _("Surveys"),
        "co-authors": _("Co-authors and readers"),
        "comments": _("Comments"),
        "launch": _("Checks and launch"),
        **{part.tag: str(part.title) for part in _parts() if part.tag},
        "searches": _("Searches for devices"),
        "results": _("Results"),
        "analyses": _("Analyses"),
        "files": _("Files"),
        "webhooks": _("Webhooks"),
    }


def _operation(method: str, path: str, operation: dict[str, Any]) -> Operation:
    statuses = operation["responses"].items()
    body = operation.get("requestBody", {}).get("content", {})
    scopes = operation["security"][0]["token"]
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=f"{settings.SITE_PATH}{path}",
        title=operation["summary"],
        scope=scopes[0] if scopes else "",
        parameters=[
            Parameter(each["name"], each["in"], each.get("required", False))
            for each in operation["parameters"]
        ],
        takes=_document_of({"content": body}),
        gives=[(status, _document_of(each)) for status, each in statuses if int(status) < 300],
        refusals=[(status, title_of(int(status))) for status, _ in statuses if int(status) >= 400],
    )


def _document_of(part: dict[str, Any]) -> str:
    """The name of the document in a body, or the media type of a file."""
    for media, content in part.get("content", {}).items():
        name: str = content["schema"].get("$ref", "").rpartition("/")[2]
        return name or media
    return ""
