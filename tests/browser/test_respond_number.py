"""A number on a scale: a field and a slider that agree, what is no number, and what is drawn."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from surveys.models import Submission
from tests.browser.axe import assert_well
from tests.browser.respondent import address, press, receipt, spin, survey
from tests.browser.rr_page import rr_page, run
from tests.browser.support import in_sizes
from tests.browser.test_respond_kinds import open_questions
from tests.waves import coded_launch, next_wave

pytestmark = pytest.mark.browser

SCALE = {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []}
HOURS = {
    "kind": "bounded_number",
    "text": "How many hours did you work last week?",
    "scale": SCALE,
    "design": "one_bit",
}
AGES = {"lower": "18", "upper": "99", "step": "1", "unit": "", "bins": [0, 12, 47]}
AGE = {**HOURS, "text": "How old are you?", "scale": AGES, "design": "k_rr", "prefer_not": True}
# The same byte again and again: a draw of about 0.03.
FIRST = "Crypto.prototype.getRandomValues = function (array) { return array.fill(7); };"


@pytest.fixture
def page(live_server: Any, new_context: Any) -> Page:
    return open_questions(live_server, new_context, HOURS)


def field(page: Page) -> Locator:
    return page.locator(".number__field")


def slider(page: Page) -> Locator:
    return page.get_by_role("slider")


def turn(page: Page) -> Locator:
    return page.get_by_role("button", name="Spin", exact=True)


def test_nothing_is_chosen_before_the_slider_is_touched(page: Page) -> None:
    expect(field(page)).to_have_value("")
    assert slider(page).get_attribute("aria-valuetext") == "no number yet"
    assert "number__slider--untouched" in (slider(page).get_attribute("class") or "")
    opacity = "node => getComputedStyle(node).opacity"
    assert slider(page).evaluate(opacity) == "0"
    expect(page.get_by_text("Tap or drag here")).to_be_visible()
    expect(turn(page)).to_be_hidden()
    assert slider(page).get_attribute("name") is None
    assert field(page).get_attribute("name") is None
    assert_well(page)
    slider(page).press("End")
    assert slider(page).evaluate(opacity) == "1"
    expect(page.get_by_text("Tap or drag here")).to_be_hidden()


def test_field_and_slider_agree(page: Page) -> None:
    field(page).fill("7.5")
    expect(slider(page)).to_have_value("15")
    assert slider(page).get_attribute("aria-valuetext") == "7.5 hours"
    expect(turn(page)).to_be_visible()
    slider(page).press("ArrowRight")
    expect(field(page)).to_have_value("8")
    field(page).press("ArrowDown")
    expect(slider(page)).to_have_value("15")
    slider(page).press("End")
    expect(field(page)).to_have_value("60")
    # Digits and signs of any script: Arabic, Persian, full-width, Devanagari, Bengali. A mark of
    # direction is none.
    for typed, taken in (
        ("٣", "6"),
        ("٧٫٥", "15"),
        ("۷٫۵", "15"),
        ("۱۲", "24"),
        ("১,৫", "3"),
        ("１２", "24"),
        ("１．５", "3"),
        ("०४,५\u200f", "9"),
    ):
        field(page).fill(typed)
        expect(slider(page)).to_have_value(taken)
    field(page).fill("")
    expect(turn(page)).to_be_hidden()
    assert slider(page).get_attribute("aria-valuetext") == "no number yet"


@pytest.mark.parametrize(("key", "value"), [("ArrowRight", "0"), ("ArrowLeft", "60")])
def test_the_first_key_leads_to_an_end_and_not_from_the_middle(
    page: Page, key: str, value: str
) -> None:
    slider(page).press(key)
    expect(field(page)).to_have_value(value)


def test_a_touch_of_the_middle_is_a_choice(page: Page) -> None:
    slider(page).click()
    expect(field(page)).to_have_value("30")


NOT_ALLOWED = [
    ("70", "70 is above the highest number, 60 hours.", "Take 60 hours", "60"),
    ("-3", "-3 is below the lowest number, 0 hours.", "Take 0 hours", "0"),
    ("7,2", "7.2 is between two steps of 0.5.", "Take 7 hours", "7"),
]


def test_what_is_not_allowed_is_said_and_the_nearest_offered(page: Page) -> None:
    for typed, words, offered, taken in NOT_ALLOWED:
        field(page).fill(typed)
        field(page).blur()
        expect(page.get_by_text(words, exact=True)).to_be_visible()
        expect(field(page)).to_have_value(typed)
        expect(turn(page)).to_be_hidden()
        press(page, "Send")
        assert Submission.objects.count() == 0
        press(page, offered)
        expect(field(page)).to_have_value(taken)
        expect(turn(page)).to_be_visible()


# What is typed, key by key, and what is said before the field is left: nothing as long as more
# digits can make a number of the scale of it.
TYPED = [
    (HOURS, "7.", ""),
    (HOURS, "7.2", "7.2 is between two steps of 0.5."),
    (HOURS, "70", "70 is above the highest number, 60 hours."),
    (HOURS, "-", ""),
    (HOURS, "-3", "-3 is below the lowest number, 0 hours."),
    (HOURS, "7x", "“7x” is not a number."),
    (AGE, "1", ""),
    (AGE, "15", "15 is below the lowest number, 18."),
    (AGE, "100", "100 is above the highest number, 99."),
    # It may become 1,800, which is no number of this scale; commas are not looked behind.
    (AGE, "1,8", ""),
]


@pytest.mark.parametrize(("question", "typed", "words"), TYPED)
def test_what_no_more_digits_can_mend_is_said_at_once(
    live_server: Any, new_context: Any, question: dict[str, Any], typed: str, words: str
) -> None:
    page = open_questions(live_server, new_context, question)
    field(page).press_sequentially(typed)
    expect(field(page)).to_be_focused()
    expect(turn(page)).to_be_hidden()
    assert page.locator(".number__hint > p").all_inner_texts() == [words] * bool(words)
    field(page).blur()
    expect(page.locator(".number__hint > p")).to_have_count(1)


def test_a_text_is_no_answer_and_an_empty_field_is_none(live_server: Any, new_context: Any) -> None:
    optional = {**HOURS, "required": False}
    page = open_questions(live_server, new_context, optional, {"randomized": False})
    field(page).fill("many")
    press(page, "Next")
    expect(page.locator(".field__error").first).to_have_text("“many” is not a number.")
    field(page).fill("")
    press(page, "Next")
    page.get_by_role("radio", name="Yes", exact=True).check()
    press(page, "Send")
    receipt(page)
    assert Submission.objects.get().content["reports"] == {"q2": 1}


def test_one_bit_is_sent_and_the_words_tell_both_ends_and_the_middle(page: Page) -> None:
    expect(page.get_by_text("the higher the number, the more often B.")).to_be_visible()
    page.get_by_text("The exact numbers").click()
    for label in ("0 hours", "30 hours", "60 hours"):
        expect(page.get_by_text(f"people who mean “{label}”")).to_be_visible()
    field(page).fill("40")
    spin(page)
    expect(page.locator(".number")).to_have_count(0)
    press(page, "Send")
    receipt(page)
    reports = Submission.objects.get().content["reports"]
    assert set(reports) == {"q1"}
    assert reports["q1"] in (0, 1)


def test_a_number_in_bins_counts_as_its_bin_and_may_be_refused(
    live_server: Any, new_context: Any
) -> None:
    page = open_questions(live_server, new_context, AGE)
    field(page).fill("29")
    expect(page.get_by_text("Counts as “18 to 29”.", exact=True)).to_be_visible()
    field(page).fill("30")
    expect(page.get_by_text("Counts as “30 to 64”.", exact=True)).to_be_visible()
    page.get_by_role("checkbox", name="Prefer not to say").check()
    expect(field(page)).to_have_value("")
    expect(turn(page)).to_be_visible()
    field(page).fill("70")
    expect(page.get_by_role("checkbox", name="Prefer not to say")).not_to_be_checked()
    spin(page)
    press(page, "Send")
    receipt(page)
    assert Submission.objects.get().content["reports"]["q1"] in range(4)


def test_a_narrow_page_is_not_scrolled_sideways(live_server: Any, new_context: Any) -> None:
    size = {"width": 320, "height": 800}
    page = open_questions(live_server, new_context, HOURS, viewport=size)
    field(page).fill("70")
    field(page).blur()
    for width, _height in in_sizes(page, [(320, 800), (360, 800)]):
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_german_decimals_and_thousands(live_server: Any, new_context: Any) -> None:
    page = open_questions_in_german(live_server, new_context)
    field(page).fill("7,5")
    expect(slider(page)).to_have_value("15")
    assert slider(page).get_attribute("aria-valuetext") == "7,5 hours"
    field(page).fill("1.000")
    field(page).blur()
    expect(page.get_by_text("1.000 liegt über der höchsten Zahl, 60 hours.")).to_be_visible()


def open_questions_in_german(live_server: Any, new_context: Any) -> Page:
    page = new_context(locale="de-DE").new_page()
    page.goto(address(live_server, survey(questions=[HOURS], language="de")))
    for name in ("Ich stimme zu", "Beginnen"):
        press(page, name)
    return page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("epsilon", ["1", "1.7"])
def test_the_browser_takes_one_bit_of_a_later_wave(chromium: Browser, epsilon: str) -> None:
    launch = coded_launch(questions=[HOURS, {"name": "drug"}], budget=6)
    served = next_wave(launch, q1=epsilon, drug="1.5").document
    with rr_page(chromium) as page:
        passed = run(
            page,
            "return (await wire.checkParameters(given, load, sections)).devices[0].truths",
            served,
        )
    assert passed == 121
