"""Fixtures for every suite."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.support import launch_chromium


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One real browser for the whole run; tests open contexts of their own in it."""
    # Playwright's loop lives in this thread, and Django would take every query for one from it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def thawed_for_the_flush(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let SQLite's flush after a transactional test delete what the triggers hold frozen."""
    marker = request.node.get_closest_marker("django_db")
    transactional = marker is not None and marker.kwargs.get("transaction", False)
    if not transactional and not {"transactional_db", "live_server"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from surveys.models import Survey

    Survey.objects.update(state=Survey.State.DELETED)
