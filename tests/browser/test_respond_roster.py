"""A roster: names that are ticked, one report for all of them, and links that say whose it is."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from surveys.models import Launch, Member, Submission
from surveys.parameters import Ties
from surveys.services.personal_links import revoke
from tests.browser.axe import assert_well
from tests.browser.respondent import SCALE, address, press, receipt, stored, to_questions
from tests.browser.support import BOTH_SCHEMES, in_schemes
from tests.browser.test_respond_truth import COUNTED_BYTES, STORES, observe, watch
from tests.rosters import RosterRow, launched_network, links_of

pytestmark = pytest.mark.browser

ROWS = (
    RosterRow("a1", "Ana Alves", "Early shift"),
    RosterRow("b2", "Bo Berg", "Late shift"),
    RosterRow("c3", "Cem Çelik", "Late shift"),
    RosterRow("d4", "Dee Dunn", "Early shift"),
    RosterRow("e5", "أحمد بن محمد", "Early shift"),
    RosterRow("f6", "Bo Berg", "Early shift"),
    RosterRow("g7", "Cem Celik", "Late shift"),
    RosterRow("h8", "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh", "Late shift"),
    *(RosterRow(f"x{i}", f"Member {i}", "Early shift") for i in range(1, 13)),
)
TIES = {
    "name": "friends",
    "kind": "roster",
    "text": "Which of these do you ask for advice?",
    "design": "tie_bits",
    "epsilon": "2",
}
BITS = len(ROWS) - 1
EARLY = "Early shift"


def network(**values: Any) -> Launch:
    return launched_network(ROWS, **{"slug": "staff", "questions": (TIES,), **values})


def come(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    return page


def box(page: Page, name: str | re.Pattern[str]) -> Locator:
    exact = isinstance(name, str)
    return page.locator(".screen > .question").get_by_role("checkbox", name=name, exact=exact)


def act(page: Page) -> Locator:
    return page.get_by_role("button", name="Scramble", exact=True)


def scramble(page: Page) -> None:
    act(page).click()
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()


def personal(live_server: Any, launch: Launch, code: str) -> str:
    return f"{address(live_server, launch)}#{links_of(launch.survey)[code]}"


def at_question(live_server: Any, new_context: Any, **values: Any) -> Page:
    launch = network(**values)
    context = new_context(reduced_motion="reduce", viewport={"width": 360, "height": 740})
    page = come(context.new_page(), personal(live_server, launch, "a1"))
    to_questions(page)
    return page


def test_all_the_way_on_a_phone(live_server: Any, new_context: Any) -> None:
    context = new_context(reduced_motion="reduce", viewport={"width": 360, "height": 740})
    page = come(context.new_page(), personal(live_server, network(), "a1"))
    expect(page.locator("#person")).to_contain_text("Ana Alves")
    import os; shots = os.environ.get("SHOTS")
    def shot(name):
        if shots: page.screenshot(path=f"{shots}/{name}.png", full_page=True)
    shot("1welcome")
    assert_well(page, "welcome", schemes=BOTH_SCHEMES)
    press(page, "I agree")
    shot("2chance")
    page.get_by_role("checkbox").nth(3).check()
    shot("3practice")
    scramble(page)
    shot("4practised")
    assert_well(page, "practised")
    press(page, "Continue")
    shot("5quiz")
    press(page, "Continue")
    shot("6question")
    assert_well(page, "question", schemes=BOTH_SCHEMES)
    box(page, "Dee Dunn").check()
    box(page, "Member 3").check()
    page.get_by_label("Find a name").fill("celik")
    shot("7search")
    page.get_by_label("Find a name").fill("")
    shot("8ticked")
    assert_well(page, "ticked")
    scramble(page)
    shot("9drawn")
    assert_well(page, "drawn")
    press(page, "Send")
    receipt(page)
    shot("10sent")
    assert_well(page, "sent")
