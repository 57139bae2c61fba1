"""A device that several people use: what it keeps, and what the next person finds."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    DIRECT,
    SENSITIVE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    stored,
    survey,
    to_questions,
)
from tests.browser.support import until
from tests.german import english_in

pytestmark = pytest.mark.browser

QUESTIONS = [SENSITIVE, DIRECT]
SIZES = [(360, 740), (1280, 800)]
NEXT = "Clear the screen for the next person"
# Everything of a page's origin that can outlive the page, and what its history says of it.
TRACES = """async () => ({
  local: {...localStorage},
  session: {...sessionStorage},
  databases: (await indexedDB.databases()).map(({ name }) => name),
  caches: await caches.keys(),
  cookies: document.cookie,
  history: history.state,
  name: window.name,
  address: location.href,
})"""


def shared(use: str, **values: Any):
    return survey(questions=QUESTIONS, shared=use, **values)


def answer(page: Page, label: str = "Yes") -> str:
    """From the first screen to the receipt."""
    to_questions(page)
    choose(page, label)
    spin(page)
    press(page, "Next")
    choose(page, "None")
    press(page, "Send")
    return receipt(page)


@pytest.mark.parametrize("use", ["offered", "always"])
def test_two_people_answer_one_after_the_other_and_leave_what_was_there_before(
    live_server, new_context, use
):
    url = address(live_server, shared(use))
    page = new_context().new_page()
    page.goto(f"{live_server.url}/check/")
    arrive(page, url)
    # The first screen has its entry of the history once all of the page is there.
    until(page, "history.state !== null")
    before, entries = page.evaluate(TRACES), page.evaluate("history.length")
    receipts = []
    for number in (1, 2):
        if use == "offered":
            page.get_by_role("checkbox", name="Others use this phone or computer, too").check()
        receipts.append(answer(page))
        assert stored() == number
        assert page.evaluate(TRACES) == before
        press(page, NEXT)
        expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
        assert page.evaluate(TRACES) == before
        assert receipts[-1] not in page.content()
        assert page.locator(":checked").count() == 0
    assert receipts[0] != receipts[1]
    # Nor is there a screen to go back to.
    assert page.evaluate("history.length") == entries
    page.go_back()
    assert page.url == f"{live_server.url}/check/"


def test_on_the_way_nothing_is_stored_and_a_reload_begins_anew(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, shared("always")))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    page.reload()
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    to_questions(page)
    assert page.locator(":checked").count() == 0
    expect(page.locator(".question[data-state=drawn]")).to_have_count(0)


def test_who_does_not_share_is_asked_once_and_somebody_else_can_say_so(live_server, new_context):
    url = address(live_server, shared("offered"))
    page = arrive(new_context().new_page(), url)
    first = answer(page)
    expect(page.get_by_role("button", name=NEXT)).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="You have answered this survey")).to_be_visible()
    assert receipt(page) == first
    press(page, "I am somebody else")
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    assert page.evaluate("localStorage.length") == 0
    assert answer(page, "No") != first
    assert stored() == 2


def test_what_was_drawn_decides_where_it_is_kept(live_server, new_context):
    """Nobody can draw again by changing their mind on the first screen."""
    page = arrive(new_context().new_page(), address(live_server, shared("offered")))
    tick = page.get_by_role("checkbox", name="Others use this phone or computer, too")
    tick.check()
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    page.evaluate("history.replaceState({screen: 0}, '')")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate', {state: {screen: 0}}))")
    expect(tick).to_be_disabled()
    expect(tick).to_be_checked()
    assert page.evaluate("localStorage.length") == 0


def test_each_browser_leaves_nothing(live_server, new_context_in_each):
    page = arrive(new_context_in_each().new_page(), address(live_server, shared("always")))
    answer(page)
    press(page, NEXT)
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    answer(page)
    assert stored() == 2


@pytest.mark.parametrize("use", ["offered", "always"])
def test_its_screens_are_well(live_server, new_context, use):
    page = arrive(new_context().new_page(), address(live_server, shared(use)))
    assert_well_in_sizes(page, "welcome", SIZES)
    if use == "offered":
        page.get_by_role("checkbox", name="Others use this phone or computer, too").press("Space")
    answer(page)
    assert_well_in_sizes(page, "sent", SIZES)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=NEXT)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()


def test_somebody_else_finds_a_well_screen(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, shared("offered")))
    answer(page)
    page.reload()
    expect(page.get_by_role("button", name="I am somebody else")).to_be_visible()
    assert_well_in_sizes(page, "answered", SIZES)


def test_it_is_german(live_server, new_context):
    texts = {"text": "Haben Sie je gestohlen?"}
    launch = survey(language="de", shared="offered", questions=[texts], contact="", consent="")
    page = new_context(locale="de-DE").new_page()
    page.goto(address(live_server, launch))
    page.get_by_role("checkbox", name="Auch andere benutzen dieses Gerät").check()
    assert english_in(page.locator("#respond").inner_text()) == []
    while "Frage 1 von 1" not in page.title():
        page.locator("#respond .steps .button--primary").click()
    choose(page, "Ja")
    page.locator(".button--chance").click()
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()
    press(page, "Senden")
    assert receipt(page)
    assert english_in(page.locator("#respond").inner_text()) == []
    press(page, "Bildschirm für die Nächsten leeren")
    expect(page.locator("#start")).to_be_visible()
