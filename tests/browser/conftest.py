"""What tests share beside a browser: a page that stays warm, an author's way, a respondent's."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page

from surveys.models import Launch, Survey
from tests.browser.author import go_to, sign_in
from tests.browser.respondent import address, arrive, survey, to_questions
from tests.browser.rr_page import rr_page


@pytest.fixture(scope="session")
def warm_page(chromium: Browser) -> Iterator[Page]:
    with rr_page(chromium) as opened:
        yield opened


@pytest.fixture
def page(warm_page: Page) -> Iterator[Page]:
    """A blank page beside the served modules; tests of other pages have a `page` of their own.

    Many tests share it. One that leaves it would fail those after it, in the order of the day.
    """
    address = warm_page.url
    yield warm_page
    left = warm_page.url
    if left != address:
        warm_page.goto(address)
        pytest.fail(f"went to {left} in the page that tests share: open one of your own")


@pytest.fixture
def open_draft(live_server: Any, new_context: Callable[..., Any]) -> Callable[..., Page]:
    """Open the questions of a draft as its owner, and wait for their margins."""

    def opened(survey: Survey, **options: Any) -> Page:
        page = sign_in(new_context(**options), live_server)
        go_to(page, live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
        return page

    return opened


@pytest.fixture
def arrived(live_server: Any, new_context: Callable[..., Any]) -> Callable[..., Page]:
    """Arrive at a survey, or at a new one of one question, in a browser of one's own."""

    def at(launch: Launch | None = None, *, script: str = "", **options: Any) -> Page:
        context = new_context(**options)
        if script:
            context.add_init_script(script)
        return arrive(context.new_page(), address(live_server, launch or survey()))

    return at


@pytest.fixture
def at_questions(arrived: Callable[..., Page]) -> Callable[..., Page]:
    """The same, and go on to the first question."""

    def at(launch: Launch | None = None, **options: Any) -> Page:
        page = arrived(launch, **options)
        to_questions(page)
        return page

    return at
