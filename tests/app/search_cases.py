"""Searches of one question as the tests of the workbench need them."""

import functools
import json
from copy import deepcopy
from typing import Any

from surveys.authoring.workbench.searching import run_request
from surveys.models import DesignSearch, Question
from tests.app.leased import LEASED

OPTIONS = ["Never", "Once", "Often", "Daily"]
CHOICE = {"kind": "single_choice", "options": OPTIONS, "text": "How often?"}
PRIOR = ["0.5", "0.25", "0.15", "0.1"]


def search_request(**changes: Any) -> dict[str, Any]:
    return {
        "format": 1,
        "labels": OPTIONS,
        "prior": PRIOR,
        "origin": {"kind": "typed"},
        "n": 1000,
        "delta": "0.75",
        "epsilon": "1",
        "methods": ["certified", "optrr"],
        "generations": 60,
        "levels": 4,
        "seed": 0,
        **changes,
    }


@functools.cache
def _cached_content(request: str) -> dict[str, Any]:
    return run_request(json.loads(request), lambda _share, _content: True)


def searched_content(request: dict[str, Any]) -> dict[str, Any]:
    """The content of a search for a request, computed once."""
    return deepcopy(_cached_content(json.dumps(request)))


def content(epsilon: str | None = "1") -> dict[str, Any]:
    """The content of a search for `search_request(epsilon=...)`."""
    return searched_content(search_request(epsilon=epsilon))


def made(question: Question, epsilon: str | None = "1", **values: Any) -> DesignSearch:
    """A finished search with its computed content, or one in another state."""
    request = values.pop("request", None) or search_request(epsilon=epsilon)
    usual = {"state": "done", "progress": 1, **values}
    if usual["state"] == "running":
        usual = {**LEASED, **usual}
    if "content" not in usual:
        usual["content"] = searched_content(request)
    return DesignSearch.objects.create(question=question, request=request, **usual)
