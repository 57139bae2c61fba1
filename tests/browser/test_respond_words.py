"""Words without a space break inside their boxes: nobody scrolls sideways on a small phone."""

from decimal import Decimal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.respondent import address, press, receipt, spin, survey
from tests.browser.support import in_sizes

pytestmark = pytest.mark.browser

LONG = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
NARROW = {"viewport": {"width": 320, "height": 700}}
OPTIONS = [LONG, f"{LONG}{LONG}", "Short"]
TEXTS = {"text": f"{LONG}?", "help_text": LONG}
RADIOS = {**TEXTS, "kind": "single_choice", "options": OPTIONS}
KINDS = {
    "radios": RADIOS,
    "two columns": {**RADIOS, "options": [f"{LONG}{n}" for n in range(10)]},
    "a direct question": {**RADIOS, "randomized": False},
    "a scale": {**RADIOS, "kind": "scale", "prefer_not": True},
    "boxes": {**RADIOS, "kind": "multiple_choice", "design": "per_option"},
    "direct boxes": {**RADIOS, "kind": "multiple_choice", "randomized": False},
    "the whole set": {**RADIOS, "kind": "multiple_choice", "design": "whole_set"},
    "a rare trait": {
        **TEXTS,
        "design": "optimal_binary",
        "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
    },
}
# The direct question after the scrambled one, so that every survey has the quick questions.
LAST = {"text": f"{LONG}?", "randomized": False}
HEAD = {"title": f"Survey {LONG}", "introduction": LONG, "consent": LONG, "contact": LONG}


def fits(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    # A word that is cut off by, or pushed out of, the box that it stands in.
    words = "(all) => all.filter((x) => x.scrollWidth > x.clientWidth + 1).map((x) => x.className)"
    for size in in_sizes(page, [(320, 700), (600, 700)]):
        widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1], size
        boxes = page.locator(".option, .device, .result, .card, .question")
        assert boxes.evaluate_all(words) == [], size


def follow(page: Page, control: Locator) -> None:
    """Press a control that leads to another page, and wait until that page is there."""
    with page.expect_navigation():
        control.click()


@pytest.mark.parametrize("kind", KINDS)
def test_every_screen_of_a_respondent_keeps_long_words_in(arrived, kind):
    questions = [KINDS[kind], LAST]
    launch = survey(questions=questions, **HEAD)
    page = arrived(launch, **NARROW)
    fits(page)
    press(page, "I agree")
    while page.get_by_text("Question 1 of 2").count() == 0:
        fits(page)
        title = page.title()
        press(page, "Start")
        expect(page).not_to_have_title(title)
    page.locator(".question input").first.check()
    fits(page)
    if questions[0].get("randomized", True):
        spin(page)
        fits(page)
    press(page, "Next")
    page.locator(".question:visible input").first.check()
    fits(page)
    press(page, "Send")
    assert receipt(page)
    fits(page)
    page.reload()
    expect(page.get_by_role("heading", name="You have answered this survey")).to_be_visible()
    fits(page)


def test_the_form_for_a_physical_randomizer_keeps_long_words_in(live_server, new_context):
    physical = {"physical_device": "two_dice", "epsilon": Decimal("1.5")}
    direct = [KINDS["a direct question"], KINDS["direct boxes"]]
    launch = survey(questions=[{**RADIOS, **physical, "prefer_not": True}, *direct], **HEAD)
    page = new_context(java_script_enabled=False, **NARROW).new_page()
    page.goto(address(live_server, launch))
    follow(page, page.get_by_role("link", name="Answer with a device of your own"))
    fits(page)
    follow(page, page.get_by_role("button", name="Send"))
    fits(page)
    for group in page.locator("fieldset").all():
        group.locator("input").first.check()
    follow(page, page.get_by_role("button", name="Send"))
    assert receipt(page)
    fits(page)
