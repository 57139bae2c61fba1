"""Every screen of people who keep a code and come back, one after the other."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from playwright.sync_api import Page, expect

from surveys.models import Launch
from tests.browser.respondent import CARDS, DIRECT, EACH, SENSITIVE, address
from tests.waves import coded_launch, next_wave

QUESTIONS = [
    {**SENSITIVE, "name": "drug", "epsilon": "0.5"},
    {**EACH, "name": "took", "epsilon": "0.9"},
    {**CARDS, "name": "first", "epsilon": "0.5"},
    {"name": "absence", "text": "Did you ever stay away from work without being ill?"},
    {**DIRECT, "name": "days"},
]


def states(page: Page, other: Page, live_server, **values: Any) -> Iterator[str]:
    """Walks through both waves on `page`, and stops at each new screen; `other` comes in later.

    In any language: only the places of the buttons are used.
    """
    survey = {"slug": "work", "questions": QUESTIONS, "budget": Decimal(6)}
    first = coded_launch(**{**survey, **values})
    open_at(page, live_server, first)
    yield "welcome"
    page.locator("details.more summary").click()
    yield "more"
    for _ in range(2):
        go_on(page)
    for _ in QUESTIONS:
        answer(page)
    code = page.locator(".return-code").inner_text()
    yield "code"
    go_on(page)
    yield "code, not kept"
    page.locator(".kept input").check()
    go_on(page)
    page.locator(".receipt__code").wait_for()
    yield "sent"
    later = next_wave(first, drug="1", took="1.5", first="1")
    open_at(other, live_server, later)
    yield from states_of_later_wave(other, live_server, later, code)


def states_of_later_wave(page: Page, live_server, later: Launch, code: str) -> Iterator[str]:
    yield "welcome of a later wave"
    go_on(page)
    yield "asked for the code"
    enter(page, code[:-1] + ("0" if code[-1] != "0" else "1"))
    yield "mistyped"
    enter(page, code)
    page.locator(".screen > .question").wait_for()
    for summary in page.locator("main summary:visible").all():
        summary.click()
    yield "what was sent before"
    for _ in QUESTIONS[:3]:
        choose(page)
        yield "chosen"
        page.locator(".question .button--chance").click()
        page.locator("[data-state=drawn]").wait_for()
        yield "drawn"
        go_on(page)
    yield "sent again"
    go_on(page)
    answer(page)
    yield "same code"
    page.route("**/responses/", lambda route: route.abort())
    go_on(page)
    page.get_by_role("button").first.wait_for()
    page.unroute("**/responses/")
    page.get_by_role("button").first.click()
    page.locator(".receipt__code").wait_for()
    yield "sent, with the ledger"
    page.evaluate("localStorage.clear()")
    open_at(page, live_server, later)
    go_on(page)
    enter(page, code)
    expect(page.locator(".notice")).to_be_visible()
    yield "answered before"


def open_at(page: Page, live_server, launch: Launch) -> None:
    page.goto(address(live_server, launch))
    page.locator("#start").wait_for()


def go_on(page: Page) -> None:
    page.locator(".steps .button--primary").click()


def enter(page: Page, code: str) -> None:
    page.locator(".code-input").fill(code)
    page.locator("form:has(.code-input) [type=submit]").click()


def choose(page: Page) -> None:
    page.locator(".question input").first.check()


def answer(page: Page) -> None:
    choose(page)
    spin = page.locator(".question .button--chance")
    if spin.is_visible():
        spin.click()
        page.locator("[data-state=drawn]").wait_for()
    go_on(page)
