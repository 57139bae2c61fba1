"""What should I choose? From the ribbon of a draft to other epsilons, with scripts and without."""

import pytest
from playwright.sync_api import expect

from tests.app.author_posts import page as address
from tests.app.test_advice_page import FIVE
from tests.browser.author import sign_in, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(360, 740), (1280, 900)]


def epsilons(survey):
    return [str(question.epsilon.normalize()) for question in survey.questions.all()]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_wish_is_said_a_proposal_read_and_taken(live_server, new_context, scripts):
    survey = make_survey(questions=FIVE)
    page = sign_in(new_context(java_script_enabled=scripts), live_server)
    heard = troubles(page)
    page.goto(live_server.url + address(survey, "change"))
    page.get_by_role("link", name="What should I choose?").click()
    page.get_by_role("button", name="Propose").click()
    expect(page.get_by_role("heading", name="The proposal")).to_have_count(0)
    page.get_by_label("Embarrassment, or a quarrel").check()
    page.get_by_role("button", name="Propose").click()
    rows = page.locator(".advice__table tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.nth(4)).to_contain_text("Left out")
    if scripts:
        assert_well_in_sizes(page, "advice", SIZES)
    worse = page.get_by_role("button", name="5 questions less precise and more protected")
    worse.click()
    expect(page.get_by_text("Tick this, or change what you wish for.").first).to_be_visible()
    assert epsilons(survey) == ["1"] * 5

    # More people, and nothing is left out and nothing gets worse than is needed.
    page.get_by_role("link", name="Look at this: About 5,400 respondents").click()
    expect(page.locator(".advice")).to_contain_text("Every question has ± 10.0 points or better")
    expect(
        page.get_by_label("Change the planned respondents from 500 to 5,400")
    ).not_to_be_checked()
    page.get_by_label("Change the planned respondents from 500 to 5,400").check()
    proposed = page.locator(".advice__table td:nth-of-type(2)").all_inner_texts()
    page.get_by_role("button", name="Change this: ").click()
    expect(page.locator(".messagelist .success")).to_contain_text("The history of the survey")
    survey.refresh_from_db()
    assert survey.planned_n == 5_400
    assert all(
        f"ε {epsilon} " in text for epsilon, text in zip(epsilons(survey), proposed, strict=True)
    )
    assert sum(map(float, epsilons(survey))) <= 3
    assert heard == []
