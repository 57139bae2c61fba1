"""One Chromium for all browser tests, and fresh contexts that report what went wrong."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, sync_playwright

from tests.browser.support import launch_chromium

# Playwright's synchronous interface runs an event loop in this thread, for which Django refuses
# database calls. The loop is idle whenever a test touches the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(driver: Playwright) -> Iterator[Browser]:
    browser = launch_chromium(driver)
    yield browser
    browser.close()


@pytest.fixture
def new_context(chromium: Browser) -> Iterator[NewContext]:
    """Contexts with their own storage; each is closed, and script errors fail the test."""
    opened: list[BrowserContext] = []
    errors: list[str] = []

    def make(**options: Any) -> BrowserContext:
        context = chromium.new_context(**options)
        context.set_default_timeout(10_000)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        opened.append(context)
        return context

    yield make
    for context in opened:
        context.close()
    assert not errors
