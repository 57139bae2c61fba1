"""A plugin for pytest under which two runs over one tree take the same pictures.

It comes before anything of the product is imported (`-p tests.gallery.plugin`): chance on the
server and the clock are ours from the start. `begin` starts both anew, for each walk. The addresses
that pages name are those of `make run`, whatever port the server of this run has found free.
"""

from datetime import UTC, datetime, timedelta
from itertools import count
from urllib.parse import urljoin

import pytest
from django.http import HttpRequest
from django.utils import timezone

from tests.unchanged import chance

MOMENT = datetime(2026, 11, 26, 12, tzinfo=UTC)
STEP = timedelta(microseconds=1)
SITE = "http://localhost:8000"

chance.take_over()
_ticks = count()


def _now() -> datetime:
    # No two moments are the same, so that what came first stays first in a list.
    return MOMENT + next(_ticks) * STEP


timezone.now = _now


def _named(request: HttpRequest, location: str | None = None) -> str:
    return urljoin(SITE, location or request.get_full_path())


HttpRequest.build_absolute_uri = _named  # type: ignore[method-assign]


def begin(name: str) -> None:
    """Begin anew with the chance of this name, and with the clock."""
    global _ticks
    _ticks = count()
    chance.begin(name)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gallery")
    group.addoption("--gallery", help="the folder to write to")
    group.addoption("--gallery-documented", action="store_true", help="the guides' pictures alone")
    group.addoption("--gallery-only", default="", help="the walks or the states to take")
    group.addoption("--gallery-language", default="en", help="en or de")
