"""What tests share beside a browser: a page that stays warm, and an author's way to a draft."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from surveys.models import Survey
from tests.browser.author import NOT_YET, sign_in
from tests.browser.rr_page import rr_page


@pytest.fixture(scope="session")
def page(chromium: Browser) -> Iterator[Page]:
    """A blank page beside the served modules; tests of other pages have a `page` of their own."""
    with rr_page(chromium) as opened:
        yield opened


@pytest.fixture
def open_draft(live_server: Any, new_context: Callable[..., Any]) -> Callable[..., Page]:
    """Open a draft as its owner, and wait for its budget where there are scripts."""

    def opened(survey: Survey, **options: Any) -> Page:
        page = sign_in(new_context(**options), live_server)
        page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
        if options.get("java_script_enabled", True):
            expect(page.locator("[data-budget-text]")).not_to_have_text(NOT_YET)
        return page

    return opened
