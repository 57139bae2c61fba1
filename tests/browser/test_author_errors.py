"""What is wrong is said at its field, and a list that links to each where a page is shown anew."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.app.author_posts import page as address
from tests.browser.author import (
    field,
    line,
    open_question,
    opened,
    save,
    settings_of,
    sign_in,
    step,
)
from tests.browser.axe import assert_well_in_sizes
from tests.browser.focus import assert_uncovered
from tests.browser.support import in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1280, 640), (360, 640))
NEEDS_EPSILON = re.compile("needs an epsilon above 0")
UNFIT = "Arbeit & Leben ü"


def open_page(live_server, new_context, path, **options) -> Page:
    size = {"width": 1280, "height": 640}
    page = sign_in(new_context(viewport=size, **options), live_server)
    page.goto(live_server.url + path)
    return page


def test_the_check_before_launch_leads_to_each_unfinished_question(live_server, new_context):
    survey = make_survey(questions=[{}] * 4, budget=8)
    page = open_page(live_server, new_context, address(survey))
    field(open_question(page, 2), "epsilon").fill("0")
    field(open_question(page, 4), "text").fill("")
    step(page, "Check and launch")
    expect(page.get_by_role("button", name="Launch and freeze")).to_have_count(0)
    links = page.locator(".finding--blocks a")
    expect(links.first).to_be_visible()
    keys = list(survey.questions.order_by("position").values_list("pk", flat=True))
    addresses = {link.get_attribute("href") for link in links.all()}
    assert {f"{address(survey, 'questions')}{keys[place]}/" for place in (1, 3)} == addresses
    assert_well_in_sizes(page, "what stops the launch", SIZES, colours_of=".findings")
    links.first.focus()
    page.keyboard.press("Enter")
    form = opened(page, 2)
    expect(field(form, "epsilon")).to_have_accessible_description(NEEDS_EPSILON)
    field(form, "epsilon").fill("1")
    step(page, "Check and launch")
    expect(page.get_by_role("heading", name="Before launch")).to_be_visible()
    assert {link.get_attribute("href") for link in links.all()} < addresses


def test_a_line_says_that_its_question_is_not_finished(live_server, new_context):
    page = open_page(live_server, new_context, address(make_survey(questions=[{}] * 2)))
    field(open_question(page, 2), "epsilon").fill("")
    save(page)
    open_question(page, 1)
    expect(line(page, 2).locator(".line__mark")).to_have_text("Not finished")
    expect(line(page, 1).locator(".line__mark")).to_have_count(0)


def test_settings_that_are_shown_again_list_what_is_wrong_and_lead_to_it(live_server, new_context):
    survey = make_survey()
    page = open_page(live_server, new_context, address(survey, "settings"))
    page.locator("#id_slug").fill(UNFIT)
    page.locator("#id_planned_n").fill("")
    save(page)
    page.goto(settings_of(live_server, survey))
    links = page.locator("[data-errors] a")
    expect(links).to_have_count(2)
    assert_well_in_sizes(page, "errors", SIZES, colours_of="[data-errors]")
    for _size in in_sizes(page, SIZES):
        for number, name in enumerate(("slug", "planned_n")):
            links.nth(number).focus()
            page.keyboard.press("Enter")
            expect(page.locator(f"#id_{name}")).to_be_focused()
            expect(page.locator(f"#id_{name}")).to_be_in_viewport(ratio=1)
            assert_uncovered(page)


def test_the_links_need_no_script(live_server, new_context):
    survey = make_survey()
    path = address(survey, "settings")
    page = open_page(live_server, new_context, path, java_script_enabled=False)
    page.locator("#id_slug").fill(UNFIT)
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    link = page.locator("[data-errors] a")
    expect(link).to_be_in_viewport()
    link.click()
    expect(page.locator("#id_slug")).to_be_focused()
    expect(page.locator("#id_slug")).to_have_value(UNFIT)


def test_a_long_test_fill_goes_to_its_error_too(live_server, new_context):
    choice = {"kind": "single_choice", "options": [f"Answer {n}" for n in range(30)]}
    survey = make_survey(questions=[choice, choice])
    page = sign_in(new_context(viewport={"width": 360, "height": 640}), live_server)
    page.goto(live_server.url + address(survey, "trial"))
    wrong = page.get_by_role("spinbutton", name="Answer 17").nth(1)
    wrong.fill("-1")
    page.get_by_role("button", name="Fill", exact=True).click()
    expect(page.locator("[data-errors] a")).to_have_text("Question 2, Answer 17")
    expect(wrong).to_be_focused()
    assert_uncovered(page)
    expect(page.locator("[data-errors-status]")).to_have_text(re.compile("entr"))
