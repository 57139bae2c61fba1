"""The page's title moves on with the page, and says when something is wrong."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.respondent import (
    DIRECT,
    MIXED,
    SENSITIVE,
    address,
    arrive,
    choose,
    press,
    spin,
    survey,
    to_questions,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(new_context):
    return new_context().new_page()


def test_the_title_names_each_step_and_the_survey(page: Page, live_server):
    arrive(page, address(live_server, survey(questions=[SENSITIVE, DIRECT])))
    expect(page).to_have_title("Health at work")
    press(page, "I agree")
    expect(page).to_have_title("Practice: nothing is sent – Health at work")
    press(page, "Start")
    expect(page).to_have_title("Question 1 of 2 – Health at work")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    expect(page).to_have_title("Question 2 of 2 – Health at work")
    page.go_back()
    expect(page).to_have_title("Question 1 of 2 – Health at work")
    press(page, "Next")
    choose(page, "None")
    press(page, "Send")
    expect(page).to_have_title("Thank you. It is stored. – Health at work")


def test_the_title_says_what_is_not_complete_until_it_is(page: Page, live_server):
    arrive(page, address(live_server, survey(questions=[SENSITIVE])))
    to_questions(page)
    press(page, "Send")
    expect(page).to_have_title("Not complete – Question 1 of 1 – Health at work")
    choose(page, "Yes")
    expect(page).to_have_title("Question 1 of 1 – Health at work")
    spin(page)
    expect(page).to_have_title("Question 1 of 1 – Health at work")


def test_no_title_holds_a_question_or_an_answer(page: Page, live_server):
    """It stands in the history of the browser and in the bar of the system."""
    launch = survey(questions=MIXED, layout="all")
    arrive(page, address(live_server, launch))
    to_questions(page)
    expect(page).to_have_title("The questions – Health at work")


def test_an_opening_time_names_the_readers_zone(new_context, live_server):
    opens = timezone.now() + timedelta(days=3)
    launch = survey(questions=[SENSITIVE], opens_at=opens)
    page = new_context(timezone_id="Asia/Tokyo", locale="en").new_page()
    page.goto(address(live_server, launch))
    expect(page).to_have_title("Not open yet – Health at work")
    expect(page.locator("time[data-local]")).to_contain_text("GMT+9")


def test_the_title_says_that_nothing_is_asked(page: Page, live_server):
    launch = survey(questions=[SENSITIVE])
    url = address(live_server, launch)
    page.add_init_script("delete Crypto.prototype.getRandomValues")
    page.goto(url)
    expect(page).to_have_title("Nothing is asked here – Health at work")
