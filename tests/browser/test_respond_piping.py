"""Answers in later texts: put there as text, taken back with the answer, in the page's language."""

import pytest
from playwright.sync_api import expect

from tests.browser.respondent import address, arrive, choose, press, receipt, spin, to_questions
from tests.browser.test_respond_filters import at
from tests.browser.test_respond_languages import change
from tests.filtered import question
from tests.translations import launched_in

pytestmark = pytest.mark.browser

REGION = question(
    "region",
    kind="single_choice",
    options=["<b>North</b>", "South & East"],
    randomized=False,
    required=False,
    epsilon=None,
)
TEAMS = question(
    "teams",
    required=False,
    kind="multiple_choice",
    options=["Day", "Night"],
    randomized=False,
    epsilon=None,
)
DRUG = question("drug", text="A drug in {region|your region}?", help_text="With {teams}, {{or}}?")
LAST = question(
    "last",
    only_if='region = "<b>North</b>" | "South & East"',
    text="Often in {region}?",
    section_title="{region|Any region}",
    section_text="Think of it.",
    section_apart=True,
)


@pytest.fixture
def page(live_server, new_context):
    """At the first question."""
    questions = [REGION, TEAMS, DRUG, LAST]
    launch = launched_in("de", slug="shifts", questions=questions, budget=9, title="Work")
    page = new_context().new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    return page


def test_a_later_text_has_what_was_answered(page):
    choose(page, "<b>North</b>")
    press(page, "Next")
    page.get_by_role("checkbox", name="Day", exact=True).check()
    page.get_by_role("checkbox", name="Night", exact=True).check()
    press(page, "Next")
    # As it was written, and no markup.
    at(page, "A drug in <b>North</b>?")
    expect(page.get_by_text("With Day and Night, {or}?")).to_be_visible()
    assert page.locator("#respond b").count() == 0
    # The page knows it, and nothing that stays does.
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, history.state])")
    assert "North" not in kept

    # The answer is another one.
    press(page, "Back")
    press(page, "Back")
    choose(page, "South & East")
    press(page, "Next")
    press(page, "Next")
    at(page, "A drug in South & East?")
    change(page, "Deutsch")
    at(page, "⟦A drug in ⟦South & East⟧?⟧")
    expect(page.get_by_text("⟦With ⟦Day⟧ und ⟦Night⟧, {or}?⟧")).to_be_visible()
    change(page, "English")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    at(page, "South & East")
    press(page, "Next")
    at(page, "Often in South & East?")


def test_a_reload_forgets_direct_answers_and_other_words_stand_for_them(page):
    choose(page, "South & East")
    for _ in range(2):
        press(page, "Next")
    at(page, "A drug in South & East?")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    at(page, "South & East")
    page.reload()
    at(page, "Region?")
    press(page, "Next")
    press(page, "Next")
    at(page, "A drug in your region?")
    press(page, "Next")
    at(page, "Any region")
    press(page, "Next")
    at(page, "This question is not for you")
    for _ in range(4):
        press(page, "Back")
    choose(page, "<b>North</b>")
    for _ in range(4):
        press(page, "Next")
    at(page, "Often in <b>North</b>?")
    choose(page, "No")
    spin(page)
    press(page, "Send")
    receipt(page)
    rows = page.locator("details", has_text="Show exactly what was sent")
    expect(rows.get_by_text("A drug in <b>North</b>?")).to_have_count(1)
