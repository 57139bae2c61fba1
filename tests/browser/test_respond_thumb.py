"""With one thumb: once there is an answer, one button in sight leads on, at the lower edge."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import assert_well
from tests.browser.every_kind import LAST
from tests.browser.focus import assert_uncovered, to_top, walk_in_sizes
from tests.browser.joint import THREE
from tests.browser.joint import answer as answer_each
from tests.browser.respondent import (
    CARDS,
    EACH,
    HELD_MOTIONS,
    MIXED,
    SCALE,
    SENSITIVE,
    WHOLE,
    address,
    arrive,
    choose,
    press,
    survey,
    tick,
    to_questions,
)
from tests.browser.support import BOTH_SCHEMES, in_sizes
from tests.browser.test_respond_number import HOURS, field, slider
from tests.browser.test_respond_roster import box, come, network, personal

pytestmark = pytest.mark.browser

PHONE = (360, 640)
SIZES = [PHONE, (360, 740), (640, 360), (1280, 800)]
TEN = [f"Answer number {number}" for number in range(1, 11)]
CHOICE = {"kind": "single_choice", "text": "Which one first?", "options": TEN[:4]}


Question = dict[str, Any]
KINDS: dict[str, tuple[list[Question], Callable[[Page], None], str]] = {
    "yes or no": ([SENSITIVE], lambda page: choose(page, "Yes"), "Spin"),
    "refusal": (
        [{**SENSITIVE, "prefer_not": True, "required": False}],
        lambda page: choose(page, "Prefer not to say"),
        "Spin",
    ),
    "choice": ([CHOICE], lambda page: choose(page, TEN[3]), "Spin"),
    "cards": ([{**CARDS, "options": TEN}], lambda page: choose(page, TEN[9]), "Draw a card"),
    "boxes": ([{**EACH, "prefer_not": True}], lambda page: tick(page, "Food"), "Spin"),
    "whole set": ([{**WHOLE, "epsilon": "0.9"}], lambda page: tick(page, "Tools"), "Spin"),
    "scale": ([SCALE], lambda page: choose(page, "Always"), "Spin"),
    "number": ([HOURS], lambda page: field(page).fill("7"), "Spin"),
    "slider": ([HOURS], lambda page: slider(page).press("End"), "Spin"),
    "text": ([LAST], lambda page: page.locator(".text__field").fill("Tea"), "Scramble"),
    "group": (THREE, lambda page: answer_each(page, "Yes", "Tea", "Often"), "Spin"),
    "ties": ([], lambda page: box(page, "Member 12").check(), "Scramble"),
}

# Buttons in the colour of what leads on: the accent, or that of chance.
FILLED = """() => {
  document.getAnimations().forEach((one) => one.finish());
  const colours = ["button--primary", "button--chance"].map((look) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.className = `button ${look}`;
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });
  return [...document.querySelectorAll("#respond button")]
    .filter((x) => x.checkVisibility() && colours.includes(getComputedStyle(x).backgroundColor))
    .map((x) => x.textContent);
}"""
SHARE = "(x) => x.getBoundingClientRect().height / innerHeight"


def primary_buttons(page: Page) -> list[str]:
    # A button under the mouse has another colour.
    page.mouse.move(0, 0)
    return page.evaluate(FILLED)


def at_question(live_server: Any, new_context: Any, kind: str, **options: Any) -> Page:
    """At the first question of a survey with this kind, on a phone."""
    width, height = PHONE
    page = new_context(viewport={"width": width, "height": height}, **options).new_page()
    questions, _answer, _act = KINDS[kind]
    if questions:
        arrive(page, address(live_server, survey(questions=questions)))
    else:
        come(page, personal(live_server, network(), "ana-1"))
    to_questions(page)
    return page


@pytest.mark.parametrize("kind", KINDS)
def test_the_device_is_in_sight_covers_nothing_and_has_the_only_primary_button(
    live_server, new_context, kind
):
    page = at_question(live_server, new_context, kind)
    _questions, answer, act = KINDS[kind]
    assert len(primary_buttons(page)) == 1
    answer(page)
    assert_uncovered(page, kind)
    assert_well(page, kind, schemes=BOTH_SCHEMES)
    # Wherever the focus is, also far from the answer.
    walk_in_sizes(page, kind)
    for size in in_sizes(page, SIZES):
        button = page.get_by_role("button", name=act, exact=True)
        expect(button).to_be_in_viewport(ratio=1)
        assert primary_buttons(page) == [act], size
        assert page.locator(".device:visible").evaluate(SHARE) < 0.4, size
    page.get_by_role("button", name=act, exact=True).click()
    expect(page.locator(".result__code").last).to_be_visible()
    assert primary_buttons(page) == ["Send"]
    assert page.evaluate("document.getAnimations().length") == 0


def test_in_each_browser(live_server, new_context_in_each):
    page = at_question(live_server, new_context_in_each, "refusal")
    choose(page, "Prefer not to say")
    for size in in_sizes(page, SIZES):
        expect(page.get_by_role("button", name="Spin")).to_be_in_viewport(ratio=1)
        assert primary_buttons(page) == ["Spin"], size
        # To the end of what is asked, and back; Firefox leaves a page otherwise than Chromium.
        to_top(page)
        while "Back" not in assert_uncovered(page, f"{size}"):
            page.keyboard.press("Tab")
        while "<input" not in assert_uncovered(page, f"{size}"):
            page.keyboard.press("Shift+Tab")
    press(page, "Spin")
    expect(page.locator(".envelope")).to_be_in_viewport(ratio=1)
    assert primary_buttons(page) == ["Send"]


def test_practice_has_one_button_too(arrived):
    width, height = PHONE
    page = arrived(viewport={"width": width, "height": height})
    press(page, "I agree")
    choose(page, "Yes")
    expect(page.get_by_role("button", name="Spin")).to_be_in_viewport(ratio=1)
    assert primary_buttons(page) == ["Spin"]


def test_on_one_screen_the_last_device_that_waits_leads_on(at_questions):
    page = at_questions(survey(questions=MIXED, layout="all"))
    first, third = (page.locator(".question").nth(place) for place in (0, 2))
    choose(first, "Yes")
    assert primary_buttons(page) == ["Spin"]
    choose(third, "Yes")
    assert primary_buttons(page) == ["Spin"]
    # It is there, for whoever has come to the end, and says what is missing.
    choose(page, "None")
    press(page, "Send")
    expect(first.locator(".field__error")).to_have_text("Spin before you go on.")
    expect(first.get_by_role("button", name="Spin")).to_be_focused()
    for question in (third, first):
        assert primary_buttons(page) == ["Spin"]
        expect(page.get_by_role("button", name="Send")).to_be_visible()
        press(question, "Spin")
        expect(question.locator(".result__code")).to_be_visible()
    assert primary_buttons(page) == ["Send"]


def test_a_gap_in_a_group_has_one_way_to_fill_it(at_questions):
    optional = [{**question, "required": False} for question in THREE]
    page = at_questions(survey(questions=optional))
    press(page, "Next")
    assert primary_buttons(page) == ["Answer question 1"]


UPRIGHT = """() => {
  const all = [...document.querySelectorAll(".device .wheel .letter")];
  return all.map((x) => x.getScreenCTM()).map(({ a, b, c, d }) => [a > 0, b, c, d > 0]);
}"""


def test_letters_stay_upright_and_the_thumb_stays_where_it_is(live_server, new_context):
    """Also while the pointer turns, which can be skipped where it was set in motion."""
    page = at_question(live_server, new_context, "choice", reduced_motion="no-preference")
    page.evaluate(HELD_MOTIONS)
    choose(page, TEN[2])
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    button = page.get_by_role("button", name="Spin")
    place = button.bounding_box()
    assert place is not None
    letters = page.evaluate(UPRIGHT)
    assert len(letters) == 4
    assert set(map(tuple, letters)) == {(True, 0, 0, True)}
    button.click()
    skip = page.get_by_role("button", name="Skip")
    expect(skip).to_be_visible()
    assert set(map(tuple, page.evaluate(UPRIGHT))) == {(True, 0, 0, True)}
    assert skip.bounding_box() == place
    assert page.evaluate("lengths") == [1100]
    skip.click()
    leaving = page.locator(".envelope__letter")
    expect(leaving).to_be_visible()
    assert leaving.evaluate("x => getComputedStyle(x).animationDuration") == "0.2s"
