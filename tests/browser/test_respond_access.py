"""Usable by keyboard, by screen reader, on a small phone, in the dark and without motion."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.services.transitions import close_survey
from tests.browser.axe import assert_well
from tests.browser.respondent import (
    DIRECT,
    EACH,
    HELD_MOTIONS,
    MIXED,
    SCALE,
    WHOLE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    tick,
    to_questions,
)
from tests.browser.support import BOTH_SCHEMES

pytestmark = pytest.mark.browser

Look = Callable[[str], None]
LONG = {
    "kind": "single_choice",
    "text": "In which region do you live?",
    "options": [f"Region number {number}" for number in range(1, 51)],
}


def states(page: Page, live_server) -> Iterator[str]:
    """Walks through every state of the pages, and stops at each."""
    arrive(page, address(live_server, survey(questions=[*MIXED, LONG])))
    yield "welcome"
    page.get_by_text("More about this").click()
    yield "more"
    press(page, "I agree")
    yield "explanation"
    choose(page, "Yes")
    yield "practice, chosen"
    spin(page)
    yield "practice, drawn"
    press(page, "Continue")
    choose(page.locator(".quiz").first, "No")
    press(page, "Check")
    yield "quiz, with help"
    press(page, "Continue")
    yield "question"
    choose(page, "Prefer not to say")
    yield "chosen"
    spin(page)
    yield "drawn"
    press(page, "Next")
    press(page, "Next")
    yield "direct question, nothing chosen"
    choose(page, "None")
    press(page, "Next")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    press(page, "Next")
    choose(page, "Region number 30")
    yield "fifty options"
    spin(page)
    page.route("**/responses/", lambda route: route.abort())
    press(page, "Send")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    yield "waiting for a connection"
    page.unroute("**/responses/")
    press(page, "Try now")
    receipt(page)
    yield "sent"
    page.reload()
    receipt(page)
    yield "answered before"
    yield from states_of_other_pages(page, live_server)
    yield from states_of_new_kinds(page, live_server)


def states_of_other_pages(page: Page, live_server) -> Iterator[str]:
    """The check page, an address of nothing, and surveys that are laid out or open otherwise."""
    page.goto(f"{live_server.url}/check/")
    yield "check"
    page.goto(f"{live_server.url}/s/nothing-here/")
    yield "unknown"
    launch = survey(slug="both", layout="all", questions=MIXED)
    arrive(page, address(live_server, launch))
    to_questions(page)
    yield "all questions"
    close_survey(survey=launch.survey, actor=None)
    page.goto(address(live_server, launch))
    yield "closed"
    later = survey(slug="later", opens_at=timezone.now() + timedelta(days=2))
    page.goto(address(live_server, later))
    yield "not open yet"
    arrive(page, address(live_server, survey(slug="direct", questions=[DIRECT])))
    yield "direct questions only"


def states_of_new_kinds(page: Page, live_server) -> Iterator[str]:
    """Boxes with a device each, a scale, a whole set, boxes sent as they are, and a delta."""
    whole = {**WHOLE, "epsilon": "0.9"}
    scale = {**SCALE, "prefer_not": True, "epsilon": "0.9"}
    plain = {**EACH, "randomized": False}
    questions = [{**EACH, "prefer_not": True}, scale, whole, plain]
    arrive(page, address(live_server, survey(slug="kinds", questions=questions)))
    press(page, "I agree")
    yield "explanation of boxes"
    press(page, "Continue")
    press(page, "Continue")
    yield "boxes"
    tick(page, "Paper", "Food")
    yield "boxes, ticked"
    spin(page)
    yield "boxes, drawn"
    press(page, "Next")
    choose(page, "Often")
    yield "scale, chosen"
    spin(page)
    press(page, "Next")
    tick(page, "None of these")
    yield "whole set, chosen"
    spin(page)
    yield "whole set, drawn"
    press(page, "Next")
    tick(page, "Tools")
    yield "boxes sent as they are"
    press(page, "Send")
    receipt(page)
    yield "boxes, sent"
    rare = {
        "design": "optimal_binary",
        "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
    }
    arrive(page, address(live_server, survey(slug="rare", questions=[rare])))
    press(page, "I agree")
    yield "a code that only one answer can send"


@pytest.mark.parametrize(
    ("width", "height", "schemes"), [(320, 640, BOTH_SCHEMES), (1280, 900, ["light"])]
)
def test_axe_finds_nothing_in_any_state(live_server, new_context, width, height, schemes):
    page = new_context(viewport={"width": width, "height": height}).new_page()
    for state in states(page, live_server):
        assert_well(page, state, schemes=schemes)


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the button of this name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"{name} is not reached by Tab")


def test_the_keyboard_is_enough(live_server, new_context):
    page = arrive(new_context(reduced_motion="reduce").new_page(), address(live_server, survey()))
    for name in ("I agree", "Continue", "Continue"):
        tab_to(page, name)
        page.keyboard.press("Enter")
    assert (
        page.evaluate("document.activeElement.textContent") == "Have you ever used a drug at work?"
    )
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
    tab_to(page, "Send")
    page.keyboard.press("Enter")
    receipt(page)
    assert page.evaluate("document.activeElement.tagName") == "H2"


def test_boxes_and_scales_need_no_mouse(live_server, new_context):
    page = arrive(
        new_context(reduced_motion="reduce").new_page(),
        address(live_server, survey(questions=[EACH, SCALE])),
    )
    to_questions(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.type") == "checkbox"
    page.keyboard.press("Space")
    tab_to(page, "Spin")
    page.keyboard.press("Enter")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=SCALE["text"])).to_be_focused()
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(page.get_by_role("radio", name="Always")).to_be_checked()
    tab_to(page, "Spin")
    page.keyboard.press("Enter")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    tab_to(page, "Send")
    page.keyboard.press("Enter")
    receipt(page)


def test_enter_in_the_form_sends_nothing_and_draws_nothing(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    url = page.url
    page.keyboard.press("Enter")
    assert page.url == url
    assert page.locator(".question").get_attribute("data-state") == "open"


def test_the_result_is_announced(live_server, new_context):
    page = arrive(new_context(reduced_motion="reduce").new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    announcer = page.locator("#announcer[role=status]")
    assert announcer.inner_text() == page.locator(".result__code").inner_text()
    letter = announcer.inner_text().rstrip(".")[-1]
    assert letter in "AB"


def test_nothing_moves_under_reduced_motion(live_server, new_context):
    context = new_context(reduced_motion="reduce")
    context.add_init_script(
        "window.moved = 0; const real = Element.prototype.animate;"
        "Element.prototype.animate = function (...a) { moved += 1; return real.apply(this, a); };"
    )
    page = arrive(context.new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    assert page.evaluate("moved") == 0
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_spin_can_be_skipped(live_server, new_context):
    context = new_context()
    context.add_init_script(HELD_MOTIONS)
    page = arrive(context.new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    press(page, "Spin")
    press(page, "Skip")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert page.evaluate("lengths") == [1100]


def test_the_main_path_before_the_first_question_is_short(live_server, new_context):
    """Under 120 words of ours; what the author writes is the author's."""
    page = arrive(new_context().new_page(), address(live_server, survey()))
    page.evaluate("document.querySelectorAll('.author-text').forEach((x) => x.remove())")
    texts = []
    for name in ("I agree", "Continue", "Continue"):
        texts.append(page.locator("#respond").inner_text())
        press(page, name)
    words = [word for word in " ".join(texts).split() if any(map(str.isalnum, word))]
    assert len(words) < 120, words
