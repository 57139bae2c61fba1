"""Question cards: order, removal, and what the keyboard and a screen reader get."""

import pytest
from playwright.sync_api import expect

from tests.browser.author import card, field, save
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


COVERED = """() => {
  const focused = document.activeElement.getBoundingClientRect();
  const budget = document.querySelector("[data-budget]").getBoundingClientRect();
  return focused.top < budget.bottom && focused.bottom > budget.top;
}"""


@pytest.fixture
def survey():
    return make_survey(questions=[{"text": "A?"}, {"text": "B?"}, {"text": "C?"}])


@pytest.fixture
def page(open_draft, survey):
    return open_draft(survey)


def texts(survey):
    return [question.text for question in survey.questions.all()]


def test_no_question_can_be_added_before_the_page_can_add_one(open_draft, survey):
    page = open_draft(survey, java_script_enabled=False)
    expect(page.get_by_role("button", name="Add a question")).to_be_disabled()


def test_the_keyboard_moves_a_question_and_keeps_its_place(page, survey):
    field(card(page, 3), "text").focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    # The budget covers no part of what has the focus.
    assert not page.evaluate(COVERED)
    down = card(page, 1).get_by_role("button", name="Move down")
    down.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Question 1 is now number 2 of 3.")
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Question 2 is now number 3 of 3.")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('[data-down]')")
    expect(card(page, 3).get_by_role("button", name="Move down")).to_have_attribute(
        "aria-disabled", "true"
    )
    save(page)
    assert texts(survey) == ["B?", "C?", "A?"]


def test_a_removed_question_can_be_kept_until_it_is_saved_and_a_new_one_leaves_no_trace(
    page, survey
):
    card(page, 2).get_by_role("button", name="Remove").click()
    expect(page.locator("[data-budget-text]")).to_have_text("2 of 3 used, 1 left.")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("[data-budget-text]")).to_have_text("3 of 3 used, 0 left.")
    add = page.get_by_role("button", name="Add a question")
    add.click()
    card(page, 4).get_by_role("button", name="Remove").click()
    add.click()
    last = card(page, 5)
    expect(field(last, "name")).to_have_value("q5")
    field(last, "text").fill("D?")
    last.get_by_role("button", name="Move up").click()
    card(page, 1).get_by_role("button", name="Remove").click()
    save(page)
    assert texts(survey) == ["B?", "D?", "C?"]
