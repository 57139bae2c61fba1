"""One draw per question and person, whatever is reloaded, clicked twice or opened twice."""

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Submission
from tests.browser.respondent import (
    DIRECT,
    EACH,
    MIXED,
    address,
    answer_one,
    arrive,
    choose,
    press,
    receipt,
    spin,
    stored,
    survey,
    tick,
    to_questions,
)

pytestmark = pytest.mark.browser

COUNT_DRAWS = """
window.drawn = 0;
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  window.drawn += array.byteLength === 4;
  return real.call(this, array);
};
"""
NO_STORAGE = "Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})"


def shown_code(page) -> str:
    return page.locator(".question[data-state=drawn] .result__code").inner_text()


def yes(page: Page) -> None:
    choose(page, "Yes")


def two_boxes(page: Page) -> None:
    tick(page, "Paper", "Food")


# A question, an answer to it, and its devices.
ONE_AND_SEVERAL = pytest.mark.parametrize(
    ("question", "answer", "devices"), [({}, yes, 1), (EACH, two_boxes, 3)], ids=["one", "three"]
)


@pytest.mark.parametrize(
    ("questions", "answer"), [(MIXED, yes), ([EACH, DIRECT], two_boxes)], ids=["one", "three"]
)
def test_what_was_drawn_survives_reloads(at_questions, questions, answer):
    page = at_questions(survey(questions=questions))
    answer(page)
    spin(page)
    before = shown_code(page)
    for _ in range(3):
        page.reload()
        # Straight to the first question that is still open.
        expect(page.get_by_role("heading", name="How many days did you work?")).to_be_visible()
    press(page, "Back")
    assert shown_code(page) == before
    assert page.get_by_role("radio").or_(page.get_by_role("checkbox")).count() == 0


@ONE_AND_SEVERAL
def test_a_double_click_draws_each_device_once(at_questions, question, answer, devices):
    page = at_questions(survey(questions=[question]), script=COUNT_DRAWS)
    answer(page)
    page.get_by_role("button", name="Spin", exact=True).dblclick()
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press(page, "Send")
    receipt(page)
    assert page.evaluate("drawn") == devices
    assert stored() == 1


def test_a_second_tab_takes_over_what_the_first_drew(live_server, new_context):
    context = new_context()
    context.add_init_script(COUNT_DRAWS)
    url = address(live_server, survey())
    first, second = (arrive(context.new_page(), url) for _ in range(2))
    for page in (first, second):
        to_questions(page)
        choose(page, "Yes")
    spin(first)
    # The storage event has reached the second tab, which shows the report and has drawn nothing.
    expect(second.locator(".question[data-state=drawn]")).to_be_visible()
    assert shown_code(second) == shown_code(first)
    assert second.evaluate("drawn") == 0
    press(first, "Send")
    code = receipt(first)
    # Both may send the sealed request: its bytes and its id are the same, so it is stored once.
    assert receipt(second) == code
    assert stored() == 1


@ONE_AND_SEVERAL
def test_two_tabs_that_spin_at_once_draw_each_device_once(
    live_server, new_context, question, answer, devices
):
    context = new_context()
    context.add_init_script(COUNT_DRAWS)
    url = address(live_server, survey(questions=[question]))
    tabs = [arrive(context.new_page(), url) for _ in range(2)]
    for page in tabs:
        to_questions(page)
        answer(page)
    for page in tabs:
        page.evaluate(
            "setTimeout(() => document.querySelector('.question .button--chance')?.click(), 300)"
        )
    for page in tabs:
        expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert shown_code(tabs[0]) == shown_code(tabs[1])
    assert sum(page.evaluate("drawn") for page in tabs) == devices


def test_the_back_button_reopens_nothing_that_was_drawn(at_questions):
    page = at_questions(survey(questions=MIXED))
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    drawn = page.locator(".question[data-state=drawn]")
    page.go_back()
    expect(drawn).to_have_count(1)
    page.go_back()
    expect(drawn).to_have_count(0)
    page.go_forward()
    expect(drawn).to_have_count(1)
    assert page.get_by_role("radio").count() == 0


def test_back_works_before_anything_was_drawn(at_questions):
    page = at_questions()
    choose(page, "Yes")
    page.go_back()
    expect(page.get_by_role("heading", name="Practice: nothing is sent")).to_be_visible()
    press(page, "Back")
    expect(page.get_by_role("button", name="I agree")).to_be_visible()


def test_a_dozen_attempts_leave_one_report(live_server, new_context):
    """A dozen loads of the page by one person; each sends whatever the page lets it send.

    From the second on, each load finds what the one before it found, and leaves it so.
    """
    context = new_context()
    url = address(live_server, survey())
    page = context.new_page()
    answer_one(page, url, "Yes")
    codes = {receipt(page)}
    for attempt in range(11):
        if attempt % 4 == 3:
            page.close()
            page = context.new_page()
        page.goto(url)
        codes.add(receipt(page))
        assert page.get_by_role("radio").count() == 0
    assert len(codes) == 1
    assert stored() == Submission.objects.count() == 1


def test_without_storage_it_works_and_says_that_a_reload_asks_again(arrived):
    page = arrived(script=NO_STORAGE)
    expect(page.get_by_text("a reload would ask you again")).to_be_visible()
    to_questions(page)
    choose(page, "No")
    spin(page)
    press(page, "Send")
    receipt(page)
    assert stored() == 1


# Every list of reports that is stored, and a generator that fails in the middle of three draws.
NOTED_WRITES = """
window.writes = [];
const real = Storage.prototype.setItem;
Storage.prototype.setItem = function (key, text) {
  if (!key.endsWith(":probe")) writes.push(Object.keys(JSON.parse(text).reports));
  return real.call(this, key, text);
};"""
TWO_DRAWS_ONLY = """
window.left = 2;
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  if (array.byteLength === 4 && (left -= 1) < 0) throw new Error("no entropy");
  return real.call(this, array);
};"""


def test_all_devices_of_a_question_are_kept_in_one_step(at_questions):
    """Whatever the storage holds at any moment, it is none of the reports or all of them."""
    launch = survey(questions=[EACH])
    page = at_questions(launch, script=NOTED_WRITES)
    two_boxes(page)
    spin(page)
    assert page.evaluate("writes") == [["q1_1", "q1_2", "q1_3"]]


def test_nothing_is_kept_when_the_generator_fails_half_way(at_questions):
    launch = survey(questions=[EACH])
    page = at_questions(launch, script=TWO_DRAWS_ONLY)
    two_boxes(page)
    press(page, "Spin")
    expect(page.get_by_role("heading", name="Nothing is asked here")).to_be_visible()
    assert page.evaluate(f"localStorage.getItem('candor:{launch.digest}')") is None
    assert page.get_by_role("checkbox").count() == 0


SEALED = '{"submission":"6f1c2f0e-3b51-4d8b-9c55-0c9f2b8e7a11","reports":%s}'


GARBAGE = ['"x"', '{"reports":{"q1":7}}', "{", '{"submission":"me","reports":{}}']
GARBAGE_OF_THREE = [
    SEALED % reports for reports in ('{"q1_1":0}', '{"q1_1":0,"q1_2":1,"q1_3":2}', '{"q1":0}')
]


@pytest.mark.parametrize(
    ("question", "right", "garbage"),
    [
        ({}, SEALED % '{"q1":1}', GARBAGE),
        (EACH, SEALED % '{"q1_1":0,"q1_2":1,"q1_3":1}', GARBAGE_OF_THREE),
    ],
    ids=["one", "three"],
)
def test_garbage_in_storage_is_not_taken_for_reports(arrived, question, right, garbage):
    launch = survey(questions=[question])
    page = arrived(launch)
    for kept in [right, *garbage]:
        page.evaluate(
            "([key, kept]) => localStorage.setItem(key, kept)", [f"candor:{launch.digest}", kept]
        )
        page.reload()
        name = "Send" if kept == right else "I agree"
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
