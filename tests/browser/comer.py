"""Somebody who answers a survey with a return code, and comes back to its next wave."""

import re

from playwright.sync_api import Page, expect

from surveys.models import Launch
from tests.browser.respondent import address, arrive, choose, press, spin, to_questions

CODE = re.compile(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){4}")
KEPT = "I have kept my return code"
ASKS = "Have you answered this survey before?"


def answer_first(page: Page, live_server, launch: Launch, truth: str = "Yes") -> str:
    """Through a first wave of one yes/no question; returns the code."""
    arrive(page, address(live_server, launch))
    to_questions(page)
    choose(page, truth)
    spin(page)
    press(page, "Next")
    code = shown_code(page)
    keep_and_send(page)
    expect(page.locator(".receipt__code")).to_be_visible()
    return code


def shown_code(page: Page) -> str:
    expect(page.locator(".return-code")).to_be_visible()
    code = page.locator(".return-code").inner_text()
    assert CODE.fullmatch(code)
    return code


def keep_and_send(page: Page) -> None:
    page.get_by_role("checkbox", name=KEPT).check()
    press(page, "Send")


def to_asking(page: Page, live_server, launch: Launch) -> Page:
    """At the question whether somebody has answered before."""
    arrive(page, address(live_server, launch))
    press(page, "I agree")
    expect(page.get_by_role("heading", name=ASKS)).to_be_visible()
    return page


def enter(page: Page, code: str) -> None:
    page.get_by_label("Your return code").fill(code)
    press(page, "Continue with my return code")


def come_back(page: Page, live_server, launch: Launch, code: str) -> Page:
    """At the first question, with what was sent before unfolded; at that alone for whoever has
    answered this wave.
    """
    enter(to_asking(page, live_server, launch), code)
    unfold_before(page)
    return page


def unfold_before(page: Page) -> None:
    before = page.get_by_text("What you sent before", exact=True)
    expect(before).to_be_visible()
    if page.locator(".screen > .question").count():
        before.click()
