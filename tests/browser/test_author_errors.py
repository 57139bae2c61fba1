"""After a refused save: the page goes to the first error, and a list links to each."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.app.author_posts import page as address
from tests.browser.author import card, field, sign_in
from tests.browser.axe import assert_well_in_sizes
from tests.browser.focus import assert_uncovered
from tests.browser.support import come_to_rest, in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1280, 640), (360, 640))
NEEDS_EPSILON = re.compile("needs an epsilon above 0")


def open_page(live_server, new_context, survey, **options) -> Page:
    size = {"width": 1280, "height": 640}
    page = sign_in(new_context(viewport=size, **options), live_server)
    page.goto(live_server.url + address(survey))
    return page


def save(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-errors]")).to_have_count(1)


def test_the_page_goes_to_the_first_error_and_says_it(live_server, new_context):
    page = open_page(live_server, new_context, make_survey(questions=[{}] * 6))
    epsilon = field(card(page, 5), "epsilon")
    epsilon.fill("")
    field(card(page, 6), "text").fill("")
    for _size in in_sizes(page, SIZES):
        save(page)
        expect(epsilon).to_be_focused()
        expect(epsilon).to_be_in_viewport(ratio=1)
        expect(card(page, 5).locator(".errorlist")).to_be_in_viewport(ratio=1)
        assert_uncovered(page)
        expect(epsilon).to_have_accessible_description(NEEDS_EPSILON)
        expect(page.locator("[data-errors-status]")).to_have_text(
            re.compile(r"^2 entries need correcting\. Question 5, Epsilon .* above 0")
        )
        assert page.title().startswith("Error:")


def test_the_list_leads_to_each_error_by_keyboard(live_server, new_context):
    page = open_page(live_server, new_context, make_survey(questions=[{}] * 4))
    page.locator("#id_title").fill("")
    field(card(page, 2), "name").fill("2fast")
    field(card(page, 4), "epsilon").fill("0")
    save(page)
    expect(page.locator("#id_title")).to_be_focused()
    links = page.locator("[data-errors] a")
    assert links.all_inner_texts() == ["Title", "Question 2, Variable name", "Question 4, Epsilon"]
    assert_well_in_sizes(page, "errors", SIZES)
    for _size in in_sizes(page, SIZES):
        for number, name in [(2, "name"), (4, "epsilon")]:
            # Folded by hand, it opens again.
            body = card(page, number).locator("details[data-body]")
            body.evaluate("(details) => (details.open = false)")
            links.nth(number // 2).focus()
            page.keyboard.press("Enter")
            expect(field(card(page, number), name)).to_be_focused()
            expect(field(card(page, number), name)).to_be_in_viewport(ratio=1)
            assert_uncovered(page)


def test_a_link_reaches_choices_and_questions_too(live_server, new_context):
    """A device is a group of choices, of which some are hidden."""
    page = open_page(live_server, new_context, make_survey(questions=[{}, {}]))
    field(card(page, 2), "kind").select_option("multiple_choice")
    page.evaluate(
        """() => {
          const device = document.querySelector("[name=questions-1-design][value=laplace]");
          device.checked = true;
          document.querySelector("[name=questions-1-design_follows]").value = "";
          document.querySelector("[name=questions-1-options]").value = "A\\nB";
          HTMLFormElement.prototype.submit.call(document.getElementById("survey_form"));
        }"""
    )
    expect(page.locator("[data-errors] a")).to_have_text("Question 2, Device")
    focused = card(page, 2).locator("[name$=-design]:focus")
    expect(focused).to_have_count(1)
    expect(focused).to_be_in_viewport()
    assert_uncovered(page)


def test_a_choice_that_the_late_panel_hides_hands_the_focus_on(live_server, new_context):
    """On a slow line the page has moved to the first device before it knows which of them fit."""
    page = open_page(live_server, new_context, make_survey(questions=[{}, {}]))
    held, slow = [], True

    def hold(route):
        if slow:
            held.append(route)
        else:
            route.continue_()

    field(card(page, 2), "kind").select_option("multiple_choice")
    device = card(page, 2).locator("[data-design=laplace] input, input[value=laplace]").first
    page.route("**/panel/", hold)
    page.evaluate(
        """() => {
          document.querySelector("[name=questions-1-design][value=laplace]").checked = true;
          document.querySelector("[name=questions-1-design_follows]").value = "";
          document.querySelector("[name=questions-1-options]").value = "A\\nB";
          HTMLFormElement.prototype.submit.call(document.getElementById("survey_form"));
        }"""
    )
    focused = card(page, 2).locator("[name$=-design]:focus")
    expect(page.locator("[data-errors] a")).to_have_text("Question 2, Device")
    expect(focused).to_have_count(1)
    slow = False
    for route in held:
        route.continue_()
    expect(card(page, 2).locator("[data-design=k_rr]")).to_be_hidden()
    expect(focused).to_have_count(1)
    expect(focused).to_be_visible()
    expect(device).to_be_hidden()


def test_a_new_survey_goes_to_its_error_and_not_to_its_first_field(live_server, new_context):
    page = sign_in(new_context(viewport={"width": 1280, "height": 640}), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_add"))
    page.locator("#id_title").press_sequentially("Work")
    page.keyboard.press("Tab")
    expect(page.locator("#id_slug")).to_have_value("work")
    page.locator("#id_slug").fill("Arbeit & Leben ü")
    save(page)
    expect(page.locator("#id_slug")).to_be_focused()
    expect(page.locator("#id_slug")).to_have_value("Arbeit & Leben ü")
    come_to_rest(page)
    expect(page.locator("#id_slug")).to_be_focused()


def test_the_links_need_no_script(live_server, new_context):
    survey = make_survey(questions=[{}] * 3)
    page = open_page(live_server, new_context, survey, java_script_enabled=False)
    form = page.url
    for _size in in_sizes(page, SIZES):
        page.goto(form)
        page.locator("#id_questions-2-epsilon").fill("0")
        save(page)
        link = page.locator("[data-errors] a")
        expect(link).to_have_text("Question 3, Epsilon")
        expect(link).to_be_in_viewport()
        link.click()
        expect(page.locator("#id_questions-2-epsilon")).to_be_focused()
        expect(page.locator("#id_questions-2-epsilon")).to_be_in_viewport(ratio=1)


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
