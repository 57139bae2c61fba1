"""Nothing lies over what has the focus: at 200 % zoom, on a phone, on a desk, in every state.

The states of a respondent's pages are in `test_respond_access.py`, which walks through all of them.
"""

import pytest
from playwright.sync_api import Page, expect

from tests.app.author_posts import page as address_of
from tests.browser.author import OPEN_ALL, all_options, field, go_to, open_question, save, sign_in
from tests.browser.focus import (
    SIZES,
    assert_uncovered,
    press_keys,
    to_top,
    walk_both_ways,
    walk_in_sizes,
)
from tests.browser.respondent import CARDS, EACH, address, arrive, survey, to_questions
from tests.browser.respondent_states import LONG
from tests.browser.support import come_to_rest, in_sizes
from tests.builders import make_survey
from tests.released import released

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ANSWERS = [f"Answer number {number}" for number in range(1, 13)]
ONE_OF_MANY = {
    "fifty": LONG,
    "refusal": {**LONG, "options": ANSWERS, "prefer_not": True},
    "optional": {**LONG, "options": ANSWERS, "required": False},
    "scale": {**LONG, "kind": "scale", "options": ANSWERS},
    "cards": {**CARDS, "options": ANSWERS},
}
MANY_OF_MANY = {
    "each": {**EACH, "options": ANSWERS, "epsilon": "5"},
    "optional": {**EACH, "options": ANSWERS, "required": False, "epsilon": "5"},
}


def quiet_page(new_context) -> Page:
    width, height = SIZES[0]
    size = {"width": width, "height": height}
    return new_context(viewport=size).new_page()


def to_first_answer(page: Page) -> None:
    to_top(page)
    while page.evaluate("document.activeElement.localName") != "input":
        page.keyboard.press("Tab")
        assert_uncovered(page)


@pytest.mark.parametrize("question", ONE_OF_MANY.values(), ids=ONE_OF_MANY)
def test_arrows_through_a_long_list(live_server, new_context, question):
    page = arrive(quiet_page(new_context), address(live_server, survey(questions=[question])))
    to_questions(page)
    keys = ["ArrowDown"] * (len(question["options"]) + 2)
    for size in in_sizes(page, SIZES):
        to_first_answer(page)
        both_ways = [*keys, "End", *(["ArrowUp"] * len(keys)), "Home"]
        press_keys(page, ["Space", *both_ways], f"{size}")
        walk_both_ways(page, f"{size}: an answer chosen")


@pytest.mark.parametrize("question", MANY_OF_MANY.values(), ids=MANY_OF_MANY)
def test_ticks_in_a_long_list(live_server, new_context, question):
    page = arrive(
        quiet_page(new_context), address(live_server, survey(budget=100, questions=[question]))
    )
    to_questions(page)
    # In the second window what the first has ticked is unticked, and in the third ticked again.
    for size in in_sizes(page, SIZES):
        to_first_answer(page)
        press_keys(page, ["Space", "Tab"] * len(ANSWERS), f"{size}: boxes")
        walk_both_ways(page, f"{size}: boxes")


QUESTIONS = [
    {},
    {"kind": "single_choice", "options": ["Never", "Once", "Often"], "prefer_not": True},
    {"kind": "multiple_choice", "options": ["A", "B", "C"], "design": "whole_set", "epsilon": 2},
]


def test_on_the_pages_of_a_draft(live_server, new_context):
    draft = make_survey(questions=QUESTIONS)
    page = sign_in(new_context(), live_server)
    go_to(page, live_server.url + address_of(draft))
    walk_in_sizes(page, "draft")
    form = all_options(open_question(page, 3))
    field(form, "epsilon").fill("0")
    save(page)
    come_to_rest(page)
    # The preview is a page of its own.
    page.reload()
    page.locator(".preview").evaluate("(one) => (one.open = false)")
    form.evaluate(OPEN_ALL)
    walk_in_sizes(page, "an open question")
    for name in ("settings", "launch"):
        page.goto(live_server.url + address_of(draft, name))
        walk_in_sizes(page, name)


def test_on_the_results_page(live_server, new_context):
    rows = [{"q1": n % 2, "q2": n * 7 % 3, "q3": n % 2} for n in range(200)]
    questions = [*QUESTIONS[:2], {"randomized": False}]
    launch = released(
        rows,
        questions=questions,
        results_public=True,
        linkage="together",
        cross_tables=[["q1", "q3"]],
    )
    page = new_context().new_page()
    for size in in_sizes(page, SIZES):
        page.goto(f"{live_server.url}/s/{launch.survey.slug}/results/")
        expect(page.locator("#figure-q1 .strip__estimate").first).to_be_visible()
        walk_both_ways(page, f"{size}: results")
        page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
        walk_both_ways(page, f"{size}: results, everything open")
