"""Questions that are for some people only, and that nothing outside the page tells for whom."""

import json
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Submission
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    to_questions,
)
from tests.browser.test_respond_truth import FIXED_BYTES, STORES, watch
from tests.filtered import AGE, CONTRACT, DRUG, HOURS, OFTEN, question
from tests.translations import launched_in

pytestmark = pytest.mark.browser

NOT_FOR_YOU = "This question is not for you"
CAUGHT = question("caught", only_if="often = Some times | Often")
LAST = question("last")
# A page on which nothing is asked stands before it.
APART = {"section_title": "A part", "section_text": "Take your time.", "section_apart": True}
SCRAMBLED = [{**DRUG, "prefer_not": False}, {**OFTEN, "prefer_not": False}, CAUGHT, LAST]


@pytest.fixture
def walked(live_server, new_context):
    """A page at its first question, with a clock that a test turns."""

    def walk(questions, *, script="", slug="work", **options):
        page = new_context(**options).new_page()
        page.clock.install()
        if script:
            page.add_init_script(script)
        arrive(page, address(live_server, survey(questions=questions, budget=9, slug=slug)))
        to_questions(page)
        return page

    return walk


def at(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text, exact=True)).to_be_visible()


def drawn(page: Page, label: str) -> None:
    choose(page, label)
    spin(page)
    press(page, "Next")


def reports() -> dict:
    return Submission.objects.get().content["reports"]


def wait_to_send(page: Page) -> None:
    expect(page.get_by_text("The wait hides how many questions were for you")).to_be_visible()
    page.clock.run_for(91_000)
    receipt(page)


def test_whom_a_question_is_not_for_passes_it_by_one_press(walked):
    page = walked(SCRAMBLED)
    drawn(page, "No")

    at(page, NOT_FOR_YOU)
    expect(page.get_by_text("Your browser reports “Does not apply”")).to_be_visible()
    expect(page.get_by_text("Question 2 of 4")).to_be_visible()
    assert page.get_by_role("radio").count() == 0
    press(page, "Next")
    # The one behind it is passed with it.
    at(page, "Last?")
    expect(page.get_by_text("Question 4 of 4")).to_be_visible()
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    wait_to_send(page)
    assert reports().keys() == {"drug", "often", "caught", "last"}


def test_whom_it_is_for_is_asked_without_does_not_apply(walked):
    page = walked(SCRAMBLED)
    drawn(page, "Yes")

    at(page, "Often?")
    assert (
        page.get_by_role("radio").evaluate_all(
            "(all) => all.filter((x) => x.checkVisibility()).length"
        )
        == 3
    )
    drawn(page, "Often")
    at(page, "Caught?")
    drawn(page, "No")
    choose(page, "No")
    spin(page)
    press(page, "Send")
    # Nobody waits who was asked everything.
    receipt(page)
    assert reports().keys() == {"drug", "often", "caught", "last"}


def test_after_a_reload_it_is_asked_with_does_not_apply_among_its_answers(walked):
    page = walked(SCRAMBLED)
    drawn(page, "No")
    at(page, NOT_FOR_YOU)
    page.reload()

    at(page, "Often?")
    labels = page.get_by_role("radio").evaluate_all(
        "(all) => all.map((x) => x.closest('label').textContent)"
    )
    assert labels == ["Once", "Some times", "Often", "Does not apply"]
    drawn(page, "Does not apply")
    # What was said of it is known again.
    at(page, NOT_FOR_YOU)


def test_the_page_says_what_it_still_holds_of_an_answer(walked):
    page = walked(SCRAMBLED)
    choose(page, "No")
    spin(page)
    expect(page.get_by_text("remembers only which later questions are for you")).to_be_visible()
    press(page, "Next")
    press(page, "Next")
    choose(page, "No")
    spin(page)
    expect(page.get_by_text("This page no longer holds your real answer.")).to_be_visible()


def test_a_direct_question_behind_a_direct_one_is_left_out(walked):
    page = walked([CONTRACT, HOURS, LAST])
    choose(page, "None")
    press(page, "Next")
    at(page, "Last?")
    press(page, "Back")
    choose(page, "Permanent")
    press(page, "Next")
    at(page, "Hours?")
    choose(page, "Many")
    press(page, "Back")
    # What was answered is not sent where it is not asked.
    choose(page, "None")
    press(page, "Next")
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    receipt(page)
    assert reports().keys() == {"contract", "last"}


def test_what_comes_last_is_sent_after_what_is_asked(walked):
    page = walked([LAST, CONTRACT, HOURS])
    drawn(page, "Yes")
    choose(page, "Permanent")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    choose(page, "None")
    press(page, "Send")
    receipt(page)
    assert reports().keys() == {"contract", "last"}


def test_a_number_is_compared_as_it_is_typed(walked):
    page = walked([AGE, question("driven", only_if="age > 17"), LAST])
    page.locator(".number__field").fill("17")
    spin(page)
    press(page, "Next")
    at(page, NOT_FOR_YOU)


def test_a_page_of_several_questions_is_taken_apart_where_one_is_for_some(walked):
    begun = {"section_title": "At work", "section_text": "About you.", "section_together": True}
    page = walked([{**SCRAMBLED[0], **begun}, *SCRAMBLED[1:]])
    expect(page.get_by_text("About you.")).to_be_visible()
    assert page.locator(".question").count() == 1
    drawn(page, "No")
    at(page, NOT_FOR_YOU)


def test_a_page_on_which_nothing_is_asked_is_shown_to_everybody(walked):
    for answer, asked in (("No", NOT_FOR_YOU), ("Yes", "Often?")):
        page = walked(
            [SCRAMBLED[0], {**SCRAMBLED[1], **APART}, LAST], slug=f"work-{answer.lower()}"
        )
        drawn(page, answer)
        expect(page.get_by_text("Take your time.")).to_be_visible()
        press(page, "Next")
        at(page, asked)


def test_a_page_between_two_questions_that_are_passed_is_shown(walked):
    page = walked([*SCRAMBLED[:2], {**CAUGHT, **APART}, LAST])
    drawn(page, "No")
    at(page, NOT_FOR_YOU)
    press(page, "Next")
    expect(page.get_by_text("Take your time.")).to_be_visible()
    press(page, "Next")
    at(page, NOT_FOR_YOU)
    press(page, "Next")
    at(page, "Last?")


def test_in_another_language_it_is_known_for_whom_questions_are(live_server, new_context):
    launch = launched_in("de", slug="work", questions=SCRAMBLED, budget=9)
    page = new_context().new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    drawn(page, "No")
    at(page, NOT_FOR_YOU)
    page.get_by_role("button", name="Deutsch", exact=True).click()
    at(page, "Diese Frage gilt nicht für Sie")
    press(page, "Weiter")
    # In the tests a translation is the text of the source with the language in front of it.
    expect(page.get_by_text("Frage 4 von 4")).to_be_visible()


# Each person in the order of the questions: what they answer, None where it is not for them.
PEOPLE = {
    "nothing": ["No", None, "No"],
    "once": ["Yes", "Once", None, "No"],
    "often": ["Yes", "Often", "Yes", "No"],
}


def record_of(walk_page: Page, record: dict, answers: list) -> dict:
    """Everything that leaves a page or is kept, from the first question to the receipt."""
    page = walk_page
    kept, second = [], {}
    for index, label in enumerate(answers):
        if index == 1:
            at(page, NOT_FOR_YOU if label is None else "Often?")
            stores = page.evaluate(STORES)
            second = {name: stores[name] for name in ("local", "session", "address", "state")}
        if label is not None:
            choose(page, label)
            spin(page)
        kept.append(page.evaluate(STORES))
        # How long to wait is drawn after this, and is known to the page alone.
        taken = page.evaluate("taken")
        press(page, "Send" if index == len(answers) - 1 else "Next")
    if None in answers:
        wait_to_send(page)
    receipt(page)
    body = json.loads(next(each[2] for each in record["requests"] if each[0] == "POST"))
    length = next(len(each[2]) for each in record["requests"] if each[0] == "POST")
    return {
        "reports": list(body["reports"].items()),
        "keys": list(body),
        "length": length,
        "posts": [each[:2] for each in record["requests"] if each[0] == "POST"],
        "files": sorted({each[1] for each in record["requests"] if each[0] == "GET"}),
        "taken": taken,
        "first": kept[0],
        "second": second,
        "end": page.evaluate(STORES),
    }


def test_all_that_leaves_the_page_or_stays_is_the_same_for_everybody(live_server, new_context):
    url = address(live_server, survey(questions=SCRAMBLED, budget=9))
    records = {}
    for name, answers in PEOPLE.items():
        page, record = watch(new_context, FIXED_BYTES)
        page.clock.install()
        arrive(page, url)
        to_questions(page)
        records[name] = record_of(page, record, answers)
    for one, other in pairwise(records.values()):
        assert one == other


def test_a_question_that_is_passed_is_accessible(walked):
    page = walked(SCRAMBLED)
    drawn(page, "No")
    at(page, NOT_FOR_YOU)
    assert_well_in_sizes(page, "a question that is passed", [(360, 740), (1280, 800)])
