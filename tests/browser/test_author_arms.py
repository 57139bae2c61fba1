"""An author adds arms, one of them after reading what it takes, and takes it away again."""

import pytest
from playwright.sync_api import expect

from tests.app.author_posts import page as address
from tests.browser.author import more, open_question, sign_in, troubles
from tests.browser.axe import assert_well
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_click_adds_an_arm_and_another_takes_it_away(live_server, new_context):
    choice = {"kind": "single_choice", "options": ["North", "South", "East"]}
    survey = make_survey(questions=[{}, choice], planned_n=4000)
    page = sign_in(new_context(), live_server)
    noted = troubles(page)
    page.goto(live_server.url + address(survey))
    more(page)
    page.get_by_role("button", name="Add a split sample").click()
    expect(page.get_by_text("q1 with 0.5 instead of 1, q2 with 0.5 instead of 1.")).to_be_visible()
    # Asking people directly is behind a page that says what they lose.
    expect(page.get_by_role("button", name="Add a direct arm")).to_have_count(0)
    more(page)
    page.get_by_role("link", name="Arms", exact=True).click()
    page.get_by_role("link", name="What they lose, and how to do it").click()
    assert_well(page, "the page of what people lose")
    page.get_by_role("button", name="Ask them directly").click()
    page.get_by_label("I know that the real answers").check()
    page.get_by_role("button", name="Ask them directly").click()
    expect(page.get_by_text("A direct arm is added: chance puts 30 of 100")).to_be_visible()
    page.goto(live_server.url + address(survey))
    form = open_question(page, 1)
    form.get_by_text("All figures").click()
    expect(form.get_by_text("30 of 100 people are asked this directly")).to_be_visible()

    more(page)
    page.get_by_role("link", name="Arms", exact=True).click()
    expect(page.get_by_role("heading", name="People by arm")).to_be_visible()
    second = page.get_by_role("region", name="q2")
    second.get_by_label("Ask the direct arm this as it is").uncheck()
    second.get_by_label("Epsilon in the split sample").fill("0.7")
    page.get_by_role("button", name="Save the arms").click()
    expect(page.get_by_text("The arms are stored.")).to_be_visible()
    expect(second.get_by_label("Epsilon in the split sample")).to_have_value("0.7")
    expect(second.get_by_text("Smallest difference found, direct arm")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    page.goto(live_server.url + address(survey, "preview"))
    page.get_by_role("link", name="Direct arm: asked as it is").click()
    expect(page.locator("#respond")).to_have_attribute("data-arm", "direct")
    expect(page.get_by_role("button", name="I agree")).to_be_visible()

    page.goto(live_server.url + address(survey))
    more(page)
    page.get_by_role("button", name="Remove the direct arm").click()
    expect(page.get_by_text("Nobody is asked directly any more: 1 question")).to_be_visible()
    assert "asked_directly" not in str([each.features for each in survey.questions.all()])
    assert noted == []
    page.goto(live_server.url + address(survey, "arms"))
    assert_well(page, "the page of arms")
