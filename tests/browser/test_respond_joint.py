"""Groups of questions: answered one by one, drawn for at once, sent as one report."""

import json
import re

import pytest
from playwright.sync_api import expect

from surveys.models import ReportSet, Submission
from tests.browser.joint import (
    DRUG,
    LOW,
    QUESTIONS,
    THREE,
    TOGETHER,
    answer,
    opened,
    shown_letters,
    spin,
)
from tests.browser.respondent import (
    HELD_MOTIONS,
    address,
    arrive,
    choose,
    press,
    receipt,
    stored,
    survey,
    to_questions,
    unfold_sent,
)
from tests.browser.test_respond_truth import LATE, STORES, walk_through, watch

pytestmark = pytest.mark.browser

# Every draw of four bytes is `number`; whatever else is drawn is fixed too.
DRAWING = """
window.taken = [];
Crypto.prototype.getRandomValues = function (array) {
  window.taken.push(array.byteLength);
  array.fill(0x10);
  if (array.byteLength === 4) new DataView(array.buffer).setUint32(0, %d);
  return array;
};
"""


# --- the whole way ------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["one", "all"])
def test_three_questions_make_one_report(live_server, new_context, layout):
    page, posts = opened(new_context, live_server, layout=layout)
    told = "The answers to questions 2 to 4 are sent together: one draw scrambles all of them."
    expect(page.locator("#welcome")).to_contain_text(told)
    to_questions(page)
    if layout == "one":
        answer(page, "Yes", "No")
        expect(page.locator("#respond")).to_contain_text(TOGETHER)
        expect(page.get_by_role("button", name="Spin")).to_be_hidden()
        press(page, "Next")
        answer(page, "Wine", "Often")
    else:
        expect(page.get_by_text(TOGETHER)).to_have_count(1)
        for place, label in enumerate(["Yes", "No", "Wine"]):
            choose(page.locator(".question").nth(place), label)
        expect(page.get_by_role("button", name="Spin")).to_be_hidden()
        choose(page, "Often")
    assert page.evaluate("localStorage.length") == 0
    if layout == "all":
        press(page, "Send")
        expect(page.get_by_text("Spin before you go on.")).to_be_visible()
    spin(page)
    letters = shown_letters(page)
    sentence = page.locator(".result__code").last.inner_text()
    first, second, third = letters
    assert f"{first} for question 2, {second} for question 3, and {third} for quest" in sentence
    assert page.locator("#announcer").inner_text() == sentence
    expect(page.locator(".result").last).to_contain_text("nobody can tell which of them are real")
    press(page, "Send")
    assert receipt(page)
    (sent,) = posts
    assert list(sent["reports"]) == ["q1", "group_2"]
    assert ["ABCD"[code] for code in sent["reports"]["group_2"]] == letters
    unfold_sent(page)
    row = page.locator(".fields > div").nth(1)
    expect(row).to_contain_text(f"reports.group_2: {json.dumps(sent['reports']['group_2'])[:2]}")
    expect(row).to_contain_text("Questions 2 to 4, scrambled by one draw:")
    assert row.locator("b").all_inner_texts() == letters
    assert Submission.objects.count() + ReportSet.objects.count() >= 1


def test_practice_is_on_one_answer_and_the_group_is_explained_where_it_is_met(
    live_server, new_context
):
    page, posts = opened(new_context, live_server)
    device = json.loads(page.locator("#parameters").text_content())["devices"][1]
    expect(page.get_by_text(TOGETHER)).to_be_hidden()
    press(page, "I agree")
    practice = page.locator(".practice")
    choose(practice, "Yes")
    press(practice, "Spin")
    expect(practice.locator(".result__code")).to_have_text(re.compile("would be sent: [AB][.]"))
    expect(practice).to_contain_text("If 50 people answered like you, for example:")
    press(page, "Start")
    assert not posts
    assert page.evaluate("localStorage.length") == 0
    assert device["table"]["form"] == "joint"


# --- nothing of the truth -----------------------------------------------------------------------


def first_codes(truth: list[int], table: dict) -> int:
    """The draw that turns these answers into the first code of each question.

    The sets of changed answers follow one another as binary numbers; in a set the codes with the
    smallest numbers come first.
    """
    sizes = [len(names) for names in table["parts"]]
    changed = int("".join(str(int(code > 0)) for code in truth), 2)
    number = 0
    for earlier in range(changed):
        digits = [int(digit) for digit in f"{earlier:0{len(sizes)}b}"]
        count = table["weights"][sum(digits)]
        for digit, size in zip(digits, sizes, strict=True):
            count *= size - 1 if digit else 1
        number += count
    return number


TRUTHS = {(0, 0, 0): ("No", "Tea", "Never"), (1, 2, 3): ("Yes", "Pills", "Prefer not to say")}


def test_the_record_of_everything_is_the_same_for_all_answers(live_server, new_context):
    """With draws that make the same report of them, whatever is sent, kept, shown and spoken."""
    launch = survey(questions=THREE)
    table = launch.document["devices"][0]["table"]
    records = [
        walk_through(
            new_context,
            address(live_server, launch),
            lambda page, labels=labels: answer(page, *labels),
            spin,
            DRAWING % first_codes(list(truth), table),
        )
        for truth, labels in TRUTHS.items()
    ]
    assert records[0] == records[1]
    assert records[0]["drawn"]["taken"] == [1, 4, 16]
    (sent,) = [request for request in records[0]["requests"] if request[0] == "POST"]
    assert json.loads(sent[2])["reports"] == {"group_1": [0, 0, 0]}


def test_before_the_draw_nothing_is_kept_and_nothing_is_asked_for(live_server, new_context):
    page, record = watch(new_context, DRAWING % 0)
    url = address(live_server, survey(questions=QUESTIONS))
    arrive(page, url)
    to_questions(page)
    choose(page, "Yes")
    press(page, "Next")
    page.wait_for_function(LATE)
    record["requests"].clear()
    answer(page, "Yes", "Pills", "Prefer not to say")
    stores = page.evaluate(STORES)
    assert (stores["local"], stores["session"], stores["cookie"]) == ({}, {}, "")
    assert list(stores["state"]) == ["screen"]
    assert stores["address"] == url
    assert [name for name, _value in stores["fields"] if name] == []
    assert [value for _name, value in stores["fields"] if value] == []
    assert record["requests"] == []
    assert page.evaluate("taken") == [1]


def test_an_answer_that_was_changed_before_the_draw_is_the_one_that_is_drawn_for(
    live_server, new_context
):
    """The smallest draw changes no answer, so that the codes show what was drawn for."""
    page, _record = watch(new_context, DRAWING % 0)
    arrive(page, address(live_server, survey(questions=THREE)))
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    press(page, "Back")
    expect(page.get_by_role("radio", name="Tea")).to_be_checked()
    choose(page, "Pills")
    press(page, "Next")
    expect(page.get_by_role("radio", name="Often")).to_be_checked()
    spin(page)
    assert shown_letters(page) == ["B", "C", "C"]
    assert page.locator(":checked").count() == 0
    press(page, "Back")
    expect(page.locator(".result__code")).to_have_text("This is what will be sent: C.")
    assert page.get_by_role("radio").count() == 0
    press(page, "Back")
    expect(page.locator(".result__code")).to_have_text("This is what will be sent: B.")


def test_on_a_phone_the_wheel_is_seen_to_turn_and_can_be_skipped(live_server, new_context):
    context = new_context(viewport={"width": 360, "height": 560}, reduced_motion="no-preference")
    context.add_init_script(HELD_MOTIONS)
    page = arrive(context.new_page(), address(live_server, survey(questions=THREE)))
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    press(page, "Spin")
    expect(page.get_by_role("button", name="Skip")).to_be_in_viewport()
    expect(page.locator(".device .wheel")).to_be_in_viewport(ratio=1)
    assert page.evaluate("lengths") == [1100]
    press(page, "Skip")
    expect(page.locator(".question--joint[data-state=drawn]")).to_be_visible()
    expect(page.locator(".result__code")).to_be_in_viewport(ratio=1)


# --- left, reloaded, opened twice ---------------------------------------------------------------


def test_a_reload_in_the_middle_begins_the_group_again(live_server, new_context):
    page, posts = opened(new_context, live_server, questions=[{"epsilon": "0.5"}, *THREE])
    to_questions(page)
    choose(page, "Yes")
    press(page, "Spin")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press(page, "Next")
    answer(page, "Yes", "Pills")
    page.reload()
    # The drawn reports are kept; nothing is kept of the group.
    expect(page.get_by_role("heading", name=DRUG["text"])).to_be_visible()
    assert page.locator(":checked").count() == 0
    answer(page, "No", "Tea", "Never")
    spin(page)
    letters = shown_letters(page)
    page.reload()
    expect(page.get_by_role("heading", name=LOW["text"])).to_be_visible()
    assert shown_letters(page) == letters
    press(page, "Send")
    assert receipt(page)
    assert ["ABCD"[code] for code in posts[0]["reports"]["group_2"]] == letters


def test_leaving_the_page_forgets_all_choices_of_the_group(live_server, new_context):
    """The browser keeps the page for its back button; the last question then says what is open."""
    page, _posts = opened(new_context, live_server)
    to_questions(page)
    answer(page, "Yes", "Yes", "Tea", "Often")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert page.locator("#respond :checked").count() == 0
    expect(page.get_by_role("button", name="Spin")).to_be_hidden()
    choose(page, "Never")
    expect(page.get_by_role("button", name="Spin")).to_be_hidden()
    press(page, "Send")
    expect(page.get_by_text("Question 2 has no answer yet.")).to_be_visible()
    press(page, "Answer question 2")
    expect(page.get_by_role("heading", name=DRUG["text"])).to_be_focused()


def test_two_tabs_draw_once(live_server, new_context):
    context = new_context()
    url = address(live_server, survey(questions=THREE))
    first, second = (arrive(context.new_page(), url) for _ in range(2))
    for page in (first, second):
        to_questions(page)
        answer(page, "Yes", "Tea", "Often")
    spin(first)
    expect(second.locator(".question--joint[data-state=drawn]")).to_be_visible()
    assert shown_letters(second) == shown_letters(first)
    assert second.locator(":checked").count() == 0
    press(first, "Send")
    assert receipt(first) == receipt(second)
    assert stored() == 1


def test_a_stored_report_that_is_none_of_the_group_begins_again(live_server, new_context):
    page, _posts = opened(new_context, live_server, questions=THREE)
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    spin(page)
    page.evaluate(
        """() => { for (const [key, text] of Object.entries(localStorage)) {
          const stored = JSON.parse(text);
          stored.reports.group_1[2] = 9;
          localStorage.setItem(key, JSON.stringify(stored));
        } }"""
    )
    page.reload()
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
