"""A battery: a table on a wide window, one item after the other on a phone, and one press."""

import json
from decimal import Decimal

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Receipt
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    SENSITIVE,
    address,
    arrive,
    press,
    receipt,
    survey,
    to_questions,
)

pytestmark = pytest.mark.browser

STEM = "In the last twelve months, how often have you at work"
OFTEN = {
    "kind": "scale",
    "options": ["Never", "Once", "Several times", "Often"],
    "epsilon": Decimal("0.8"),
    "battery": 1,
    "required": True,
}
WORDS = ("taken pens or paper home?", "taken food?", "come late on purpose?", "called in sick?")
ITEMS = [{**OFTEN, "text": text, "battery_text": "" if i else STEM} for i, text in enumerate(WORDS)]
QUESTIONS = [*ITEMS, {**SENSITIVE, "text": "Have you been asked about it?"}]
SIZES = [(360, 740), (1280, 800)]


def test_a_battery_is_answered_by_keys_alone_and_drawn_for_at_once(live_server, new_context):
    page = new_context(viewport={"width": 1280, "height": 800}).new_page()
    bodies: list[str] = []
    page.on(
        "request",
        lambda each: bodies.append(each.post_data or "") if each.method == "POST" else None,
    )
    arrive(page, address(live_server, survey(questions=QUESTIONS)))
    to_questions(page)
    expect(page.locator("h2", has_text=STEM)).to_be_focused()
    expect(page.locator(".progress p")).to_have_text("Questions 1 to 4 of 5")
    assert_well_in_sizes(page, "a battery", SIZES)
    page.screenshot(path="/tmp/h/battery-notes/wide.png")
