"""A survey with help and a quick exit, and a browser in which the exit leads somewhere."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Request

from surveys.models import Launch
from tests.browser.respondent import DIRECT, SENSITIVE, survey

HELP = "Talk to us: 116 006, day and night.\n\nhttps://help.example/en."
HARMLESS = "https://en.wikipedia.org/"
SUPPORTED = {"help_text": HELP, "quick_exit": True}
HURT = {**SENSITIVE, "help_box": True}
QUESTIONS = [HURT, DIRECT]
# What the browser keeps.
KEPT = "() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]"


def supported(**values: Any) -> Launch:
    return survey(**{"questions": QUESTIONS, **SUPPORTED, **values})


def leaving(new_context: Callable[..., Any], **options: Any) -> tuple[Page, list[Request]]:
    """Return a page, from which the exit finds a harmless one, and its requests."""
    page: Page = new_context(**options).new_page()
    page.route(f"{HARMLESS}**", lambda route: route.fulfill(body="<title>Harmless</title>"))
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))
    return page, requests


def leave(page: Page) -> None:
    page.get_by_role("link", name="Leave this page").click()
    page.wait_for_url(HARMLESS)
