"""Whom a question is for is picked from menus, which write what can be typed as well."""

import pytest
from playwright.sync_api import expect

from surveys.features.filters.settings import filter_of_question
from tests.browser.author import field, open_question, option, press, save, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey
from tests.filtered import AGE, CONTRACT, DRUG, OFTEN, question

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(360, 740), (1280, 900)]
PURPOSE = "Ask it only of those for whom an earlier answer says so."


def test_comparisons_are_picked_from_menus_and_read_in_words(open_draft):
    survey = make_survey(questions=[CONTRACT, AGE, DRUG, question("often")], budget=9)
    page = open_draft(survey)
    heard = troubles(page)
    part = option(open_question(page, 4), PURPOSE)
    menus = part.get_by_role("group", name="Compare an earlier question")
    typed = field(part, "only_if")

    press(menus.get_by_role("button", name="Use this comparison"))
    expect(menus.get_by_role("status")).to_have_text("Tick an answer, or write a number, first.")
    menus.get_by_label("Permanent").check()
    menus.get_by_label("For a time").check()
    press(menus.get_by_role("button", name="Use this comparison"))
    expect(typed).to_have_value("contract = Permanent | For a time")

    menus.get_by_label("Question").select_option("age")
    menus.get_by_label("this number").fill("17")
    # As Enter, which sends nothing.
    menus.get_by_label("this number").press("Enter")
    expect(typed).to_have_value("contract = Permanent | For a time and age > 17")

    menus.get_by_label("Question").select_option("drug")
    menus.get_by_label("Its answer").locator("visible=true").select_option("is not")
    menus.get_by_label("No", exact=True).locator("visible=true").check()
    press(menus.get_by_role("button", name="Add it: one of them is enough"))
    only_if = "contract = Permanent | For a time and age > 17 or drug ≠ No"
    expect(typed).to_have_value(only_if)
    save(page)
    expect(part.get_by_text("Asked of people for whom:")).to_contain_text(
        "the answer to “Contract?” is “Permanent” or “For a time”, and the answer to “Age?” is "
        "above 17 – or: the answer to “Drug?” is another one than “No”"
    )
    assert filter_of_question(survey.questions.get(name="often")).only_if == only_if
    assert_well_in_sizes(page, "a question with a filter", SIZES)

    press(menus.get_by_role("button", name="Ask everybody"))
    save(page)
    expect(typed).to_have_value("")
    expect(part.get_by_text("Asked of people for whom:")).to_have_count(0)
    assert filter_of_question(survey.questions.get(name="often")).only_if == ""
    assert heard == []


def test_the_preview_shows_whom_a_question_is_for_and_whom_it_is_not(open_draft):
    page = open_draft(make_survey(questions=[DRUG, OFTEN], budget=9))
    heard = troubles(page)
    open_question(page, 2)
    preview = page.frame_locator("[data-preview-frame]")
    expect(preview.get_by_role("heading", name="Often?")).to_be_visible()
    expect(preview.get_by_role("radio")).to_have_count(4)
    preview.get_by_role("link", name="It is not for them").click()
    expect(preview.get_by_role("heading", name="This question is not for you")).to_be_visible()
    preview.get_by_role("button", name="Send").click()
    expect(preview.get_by_role("heading", name="End of the preview")).to_be_visible()
    preview.get_by_role("link", name="After a reload").click()
    preview.get_by_role("radio", name="Does not apply").check()
    # And back to what was compared, as in the survey.
    preview.get_by_role("button", name="Back").click()
    expect(preview.get_by_role("heading", name="Drug?")).to_be_visible()
    assert heard == []
