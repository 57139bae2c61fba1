"""Values from the link: said on the first page, sent like a direct answer, and asked of nobody."""

import json
from copy import deepcopy

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Submission
from tests.app.contract.combined import BATCH
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import address, arrive, choose, press, receipt, spin, to_questions
from tests.browser.test_respond_filters import at
from tests.browser.test_respond_languages import change
from tests.browser.test_respond_truth import STORES
from tests.filtered import question
from tests.translations import HEBREW, launched_in

pytestmark = pytest.mark.browser

# The section begins with what nobody is asked.
SECTION = {"section_title": "At work", "section_together": True}
FROM_LINK = {**deepcopy(BATCH), **SECTION, "features": deepcopy(BATCH["features"])}
DRUG = question("drug", text="A drug, in {batch|your batch}?", required=False)
TEAM = question(
    "team", only_if='batch = "Second"', text="Is it a team?", randomized=False, epsilon=None
)
QUESTIONS = [FROM_LINK, DRUG, TEAM]
SAID = '[data-given="batch"]:not([hidden])'


def opened(live_server, new_context, fragment: str) -> tuple[Page, list[str]]:
    launch = launched_in(HEBREW, slug="work", questions=QUESTIONS, budget=9)
    page, sent = new_context().new_page(), []
    page.on("request", lambda request: sent.append(request.url))
    arrive(page, address(live_server, launch) + fragment)
    return page, sent


def reports() -> dict:
    return Submission.objects.get().content["reports"]


def test_what_the_link_says_is_told_sent_compared_and_named(live_server, new_context):
    page, sent = opened(live_server, new_context, "#batch=b-2&batch=a&other=x")
    expect(page.locator(SAID)).to_have_text("Second")
    assert_well_in_sizes(page, "first screen of a link", [(360, 800), (1280, 800)])
    to_questions(page)
    at(page, "At work")
    expect(page.get_by_text("Question 1 of 2")).to_be_visible()
    expect(page.get_by_text("A drug, in Second?")).to_be_visible()
    # A place of the page is no other link, and no reload forgets what the link said.
    page.evaluate("location.hash = 'main'")
    page.wait_for_function("location.hash.startsWith('#batch')")
    choose(page, "Yes")
    change(page, "עברית")
    expect(page.get_by_text("⟦A drug, in ⟦Second⟧?⟧")).to_be_visible()
    change(page, "English")
    page.reload()
    expect(page.locator(SAID)).to_have_text("Second")
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    at(page, "Is it a team?")
    choose(page, "No")
    press(page, "Send")
    receipt(page)
    assert (reports()["batch"], reports()["team"]) == (1, 0)
    assert not [url for url in sent if "batch" in url]
    page.get_by_text("Show exactly what was sent").click()
    told = page.locator("details", has_text="Show exactly what was sent")
    expect(told.get_by_text("Panel batch", exact=True)).to_be_visible()


def test_a_language_that_is_chosen_before_the_scripts_run_keeps_the_link(live_server, new_context):
    launch = launched_in(HEBREW, slug="work", questions=QUESTIONS, budget=9)
    page = new_context().new_page()
    page.route("**/*.js", lambda route: route.abort())
    page.goto(address(live_server, launch) + "#batch=b-2")
    page.unroute("**/*.js")
    change(page, "עברית")
    expect(page.locator(SAID)).to_have_text("⟦Second⟧")


@pytest.mark.parametrize("fragment", ["", "#batch=Zq7", "#batch=B-2", "#%5B"])
def test_a_link_that_says_nothing_in_the_list_is_the_last_answer(
    live_server, new_context, fragment
):
    page, _sent = opened(live_server, new_context, fragment)
    expect(page.locator(SAID)).to_have_text("Not given")
    to_questions(page)
    expect(page.get_by_text("A drug, in your batch?")).to_be_visible()
    # What a link says is nothing that somebody has answered.
    press(page, "Send")
    expect(page.get_by_text("You left out every question")).to_be_visible()
    choose(page, "Yes")
    spin(page)
    kept = page.evaluate(STORES)
    press(page, "Send")
    receipt(page)
    assert reports().keys() == {"batch", "drug"}
    assert reports()["batch"] == 2
    # It is in the address alone.
    assert fragment in kept.pop("address")
    if value := fragment.strip("#").removeprefix("batch="):
        assert value not in f"{json.dumps(kept)}{Submission.objects.values()}"


def test_another_link_in_the_same_tab_is_another_arrival(live_server, new_context):
    page, _sent = opened(live_server, new_context, "#batch=a")
    expect(page.locator(SAID)).to_have_text("First")
    page.evaluate("location.hash = 'batch=b-2'")
    expect(page.locator(SAID)).to_have_text("Second")
