"""Usable by keyboard, by screen reader, on a small phone, in the dark and without motion."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_well_in_sizes
from tests.browser.focus import walk_in_sizes
from tests.browser.respondent import (
    EACH,
    HELD_MOTIONS,
    SCALE,
    choose,
    press,
    press_by_key,
    receipt,
    spin,
    survey,
)
from tests.browser.respondent_states import WALKS

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("states", WALKS.values(), ids=WALKS)
def test_in_any_state_axe_finds_nothing_and_nothing_lies_over_the_focus(
    live_server, new_context, states
):
    size = {"width": 320, "height": 640}
    page = new_context(viewport=size).new_page()
    for state in states(page, live_server):
        assert_well_in_sizes(page, state, [(320, 640), (1280, 900)])
        walk_in_sizes(page, state)


def test_the_keyboard_is_enough(arrived):
    page = arrived()
    for name in ("I agree", "Start"):
        press_by_key(page, name)
    assert (
        page.evaluate("document.activeElement.textContent") == "Have you ever used a drug at work?"
    )
    # Whoever wants them opens the numbers on the way to the answers.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "The exact numbers"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name="No")).to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    expect(page.get_by_role("radio", name="No")).not_to_be_checked()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="No")).to_be_checked()
    page.keyboard.press("End")
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    # One tab stop for the group.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Spin"
    page.keyboard.press("Enter")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press_by_key(page, "Send")
    receipt(page)
    assert page.evaluate("document.activeElement.tagName") == "H2"


def test_boxes_and_scales_need_no_mouse(at_questions):
    page = at_questions(survey(questions=[EACH, SCALE]))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "checkbox"
    page.keyboard.press("Space")
    press_by_key(page, "Spin")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press_by_key(page, "Next")
    expect(page.get_by_role("heading", name=SCALE["text"])).to_be_focused()
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(page.get_by_role("radio", name="Always")).to_be_checked()
    press_by_key(page, "Spin")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press_by_key(page, "Send")
    receipt(page)


def test_enter_in_the_form_sends_nothing_and_draws_nothing(at_questions):
    page = at_questions()
    choose(page, "Yes")
    url = page.url
    page.keyboard.press("Enter")
    assert page.url == url
    assert page.locator(".question").get_attribute("data-state") == "open"


def test_the_result_is_announced(at_questions):
    page = at_questions()
    choose(page, "Yes")
    spin(page)
    announcer = page.locator("#announcer[role=status]")
    assert announcer.inner_text() == page.locator(".result__code").inner_text()
    letter = announcer.inner_text().rstrip(".")[-1]
    assert letter in "AB"


def test_nothing_moves_under_reduced_motion(at_questions):
    page = at_questions(
        script="window.moved = 0; const real = Element.prototype.animate;"
        "Element.prototype.animate = function (...a) { moved += 1; return real.apply(this, a); };",
        reduced_motion="reduce",
    )
    choose(page, "Yes")
    spin(page)
    assert page.evaluate("moved") == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_spin_can_be_skipped(at_questions):
    page = at_questions(script=HELD_MOTIONS, reduced_motion="no-preference")
    choose(page, "Yes")
    press(page, "Spin")
    press(page, "Skip")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert page.evaluate("lengths") == [1100]


def test_the_main_path_before_the_first_question_is_short(arrived):
    """Under 120 words of ours; what the author writes is the author's."""
    page = arrived()
    page.evaluate("document.querySelectorAll('.author-text').forEach((x) => x.remove())")
    texts = []
    for name in ("I agree", "Start"):
        texts.append(page.locator("#respond").inner_text())
        press(page, name)
    words = [word for word in " ".join(texts).split() if any(map(str.isalnum, word))]
    assert len(words) < 120, words
