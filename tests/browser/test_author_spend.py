"""The proposal for the budget: taken, edited, undone; nothing is saved by it."""

import pytest
from playwright.sync_api import expect

from surveys.admin.pages.planning import spend_page
from tests.browser.author import card, field, save
from tests.browser.axe import assert_well_in_sizes
from tests.browser.test_author_unsaved import Questions, leave, stay
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EIGHT = {"kind": "single_choice", "options": list("abcdefgh")}
QUESTIONS = [
    {"text": "Have you taken something that was not yours?"},
    {"text": "Which of these happened to you?", **EIGHT},
    {"text": "How old are you?", "randomized": False, "epsilon": None},
]
DIALOG = "[data-spend]"
NARROW = {"width": 360, "height": 740}


@pytest.fixture
def survey():
    return make_survey(questions=QUESTIONS)


@pytest.fixture
def page(open_draft, survey):
    return open_draft(survey)


def spend(page):
    page.get_by_role("button", name="Spend my budget").click()
    dialog = page.get_by_role("dialog", name="Spend my budget")
    expect(dialog.locator("tbody tr").first).to_be_visible()
    return dialog


def epsilons(page):
    return [field(card(page, number), "epsilon").input_value() for number in (1, 2)]


def proposed(dialog):
    return dialog.locator("tbody td:nth-of-type(2)").all_inner_texts()


def stored(survey):
    return [str(q.epsilon.normalize()) for q in survey.questions.all() if q.epsilon]


def test_a_proposal_is_taken_edited_undone_and_saved_by_save_alone(page, survey):
    questions = Questions(page)
    dialog = spend(page)
    assert_well_in_sizes(page, "dialog", [(1280, 900), (360, 740)], colours_of=DIALOG)
    expect(dialog.locator("[data-spend-summary]")).to_contain_text("Every margin that can shrinks")
    expect(dialog.locator("tbody th")).to_have_text(
        ["1. Have you taken something that was not yours?", "2. Which of these happened to you?"]
    )
    found = proposed(dialog)
    dialog.get_by_role("button", name="Fill these in").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-status]")).to_have_text(
        "The epsilons are filled in. Nothing is saved yet."
    )
    assert epsilons(page) == found != ["1", "1"]
    # The panels follow, and the focus is where it was.
    expect(card(page, 1).locator("[data-chips]")).to_contain_text(found[0])
    expect(page.locator("[data-budget-text]")).to_contain_text("3 of 3 used")
    expect(page.get_by_role("button", name="Spend my budget")).to_be_focused()
    field(card(page, 1), "epsilon").fill("0.7")
    expect(card(page, 1).locator("[data-chips]")).to_contain_text("0.7")
    page.get_by_role("button", name="Undo", exact=True).click()
    assert epsilons(page) == ["1", "1"]
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Spend my budget")).to_be_focused()
    assert stored(survey) == ["1", "1"]

    # The values that were taken are not lost without a question.
    dialog = spend(page)
    found = proposed(dialog)
    dialog.get_by_role("button", name="Fill these in").click()
    stay(page, "document.querySelector('.breadcrumbs a').click()")
    assert questions == ["beforeunload"]
    save(page)
    assert stored(survey) == found


def test_a_long_survey_is_asked_for_until_it_is_answered_and_looking_alone_changes_nothing(
    page, monkeypatch
):
    questions = Questions(page)
    monkeypatch.setattr(spend_page, "SECONDS", 0)
    with page.expect_response("**/spend/") as first:
        page.get_by_role("button", name="Spend my budget").click()
    assert first.value.json() == {"more": True}
    expect(page.locator("[data-spend-summary]")).to_have_text("Computing the margins.")
    monkeypatch.setattr(spend_page, "SECONDS", 60)
    dialog = page.get_by_role("dialog", name="Spend my budget")
    expect(dialog.locator("tbody tr")).to_have_count(2)

    dialog.get_by_label("The average margin").check()
    expect(dialog.locator("[data-spend-summary]")).to_contain_text("The average margin changes")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Spend my budget")).to_be_focused()
    assert epsilons(page) == ["1", "1"]
    with page.expect_navigation():
        leave(page, "document.querySelector('.breadcrumbs a').click()")
    assert questions == []


def test_what_becomes_worse_is_taken_only_after_it_was_accepted(page):
    page.locator("#id_budget").fill("1.5")
    dialog = spend(page)
    take = dialog.get_by_role("button", name="Make 2 questions less precise")
    expect(take).to_be_disabled()
    expect(dialog).to_contain_text("so a budget of 2 keeps all as precise as they are")
    accept = dialog.get_by_label("2 questions become less precise than they are. I want that.")
    accept.check()
    expect(take).to_be_enabled()
    # Another aim asks anew.
    dialog.get_by_label("The average margin").check()
    expect(dialog.locator("[data-spend-summary]")).to_contain_text("The average margin changes")
    expect(accept).not_to_be_checked()
    assert_well_in_sizes(page, "worse questions", [(360, 740)], colours_of=DIALOG)
    accept.check()
    found = proposed(dialog)
    dialog.get_by_role("button", name="less precise").click()
    expect(dialog).to_be_hidden()
    assert epsilons(page) == found

    # An unfinished question is named.
    field(card(page, 2), "options").fill("")
    page.get_by_role("button", name="Spend my budget").click()
    expect(page.get_by_role("alert")).to_contain_text("Question 2 is not finished")


def test_what_a_margin_takes_may_raise_the_budget_and_undo_lowers_it_again(page):
    dialog = spend(page)
    dialog.get_by_label("what would it take").check()
    expect(dialog.locator("[data-spend-total]")).to_contain_text("changes the budget too")
    dialog.get_by_label("Largest margin, in points").fill("1")
    expect(dialog.get_by_role("alert")).to_contain_text("out of reach")
    expect(dialog.get_by_role("button", name="Fill these in")).to_be_disabled()
    dialog.get_by_label("Largest margin, in points").fill("4")
    expect(dialog.locator("[data-spend-total]")).to_contain_text("changes the budget too")
    expect(dialog.get_by_role("button", name="Fill these in")).to_be_enabled()
    dialog.get_by_role("button", name="Fill these in").press("Enter")
    budget = page.locator("#id_budget")
    assert float(budget.input_value()) == pytest.approx(sum(map(float, epsilons(page))))
    expect(page.locator("[data-budget-text]")).to_contain_text("0 left")
    page.get_by_role("button", name="Undo", exact=True).click()
    assert (float(budget.input_value()), epsilons(page)) == (3, ["1", "1"])


def test_a_group_is_one_row_and_its_questions_share_the_epsilon(open_draft):
    group = {**EIGHT, "options": list("abc"), "group": 1}
    survey = make_survey(questions=[{}, {**group, "text": "One?"}, {**group, "text": "Two?"}])
    page = open_draft(survey, viewport=NARROW)
    dialog = spend(page)
    expect(dialog.locator("tbody tr")).to_have_count(2)
    expect(dialog.locator("tbody th").nth(1)).to_contain_text("2. One?3. Two?sent together")
    # Only another aim moves anything that is used to the last step, at the cost of one question.
    dialog.get_by_label("The largest margin is as small").check()
    dialog.get_by_label("1 question becomes less precise than it is. I want that.").check()
    together = float(dialog.locator("tbody tr").nth(1).locator("td").nth(1).inner_text())
    dialog.get_by_role("button", name="Make 1 question less precise").click()
    filled = [float(field(card(page, number), "epsilon").input_value()) for number in (2, 3)]
    assert sum(filled) == pytest.approx(together)
    assert together != 2
    page.get_by_role("button", name="Undo", exact=True).click()
    assert [field(card(page, n), "epsilon").input_value() for n in (1, 2, 3)] == ["1"] * 3
