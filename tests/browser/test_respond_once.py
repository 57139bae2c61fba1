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


def shown_code(page) -> str:
    return page.locator(".question[data-state=drawn] .result__code").inner_text()


def test_a_drawn_report_survives_reloads(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, survey(questions=MIXED)))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    before = shown_code(page)
    for _ in range(3):
        page.reload()
        # Straight to the first question that is still open.
        expect(page.get_by_role("heading", name="How many days did you work?")).to_be_visible()
    press(page, "Back")
    assert shown_code(page) == before
    assert page.get_by_role("radio").count() == 0


def test_a_double_click_draws_once(live_server, new_context):
    context = new_context()
    context.add_init_script(COUNT_DRAWS)
    page = arrive(context.new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    page.get_by_role("button", name="Spin", exact=True).dblclick()
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    press(page, "Send")
    receipt(page)
    assert page.evaluate("drawn") == 1
    assert stored() == 1


def test_a_second_tab_takes_over_what_the_first_drew(live_server, new_context):
    context = new_context(reduced_motion="reduce")
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


def test_two_tabs_that_spin_at_once_draw_once(live_server, new_context):
    context = new_context(reduced_motion="reduce")
    context.add_init_script(COUNT_DRAWS)
    url = address(live_server, survey())
    tabs = [arrive(context.new_page(), url) for _ in range(2)]
    for page in tabs:
        to_questions(page)
        choose(page, "Yes")
    for page in tabs:
        page.evaluate(
            "setTimeout(() => document.querySelector('.question .button--chance')?.click(), 300)"
        )
    for page in tabs:
        expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert shown_code(tabs[0]) == shown_code(tabs[1])
    assert sum(page.evaluate("drawn") for page in tabs) == 1


def test_the_back_button_reopens_nothing_that_was_drawn(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, survey(questions=MIXED)))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    page.go_back()
    assert page.locator(".question[data-state=drawn]").count() == 1
    page.go_back()
    page.go_forward()
    assert page.locator(".question[data-state=drawn]").count() == 1
    assert page.get_by_role("radio").count() == 0


def test_back_works_before_anything_was_drawn(live_server, new_context):
    page = arrive(new_context().new_page(), address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    page.go_back()
    expect(page.get_by_role("heading", name="Two questions")).to_be_visible()
    press(page, "Back")
    expect(page.get_by_role("heading", name="What chance does")).to_be_visible()


def test_a_dozen_attempts_leave_one_report(live_server, new_context):
    """A dozen loads of the page by one person; each sends whatever the page lets it send.

    From the second on, each load finds what the one before it found, and leaves it so.
    """
    context = new_context(reduced_motion="reduce")
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


def test_garbage_in_storage_is_not_taken_for_reports(live_server, new_context):
    launch = survey()
    for kept in ('"x"', '{"reports":{"q1":7}}', '{"submission":"me","reports":{}}', "{"):
        context = new_context()
        page = arrive(context.new_page(), address(live_server, launch))
        page.evaluate(
            "([key, kept]) => localStorage.setItem(key, kept)", [f"candor:{launch.digest}", kept]
        )
        page.reload()
        expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()


def test_without_storage_it_works_and_says_that_a_reload_asks_again(live_server, new_context):
    context = new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied'); }})"
    )
    page = arrive(context.new_page(), address(live_server, survey()))
    expect(page.get_by_text("a reload would ask you again")).to_be_visible()
    to_questions(page)
    choose(page, "No")
    spin(page)
    press(page, "Send")
    receipt(page)
    assert stored() == 1


# --- several devices in one question ------------------------------------------------------------


def ready_to_spin(page: Page, url: str) -> Page:
    arrive(page, url)
    to_questions(page)
    tick(page, "Paper", "Food")
    return page


def test_all_devices_of_a_question_are_kept_in_one_step(live_server, new_context):
    """Whatever the storage holds at any moment, it is none of the reports or all of them."""
    context = new_context(reduced_motion="reduce")
    context.add_init_script(
        "window.writes = []; const real = Storage.prototype.setItem;"
        "Storage.prototype.setItem = function (key, text) {"
        "  if (!key.endsWith(':probe')) writes.push(Object.keys(JSON.parse(text).reports));"
        "  return real.call(this, key, text); };"
    )
    launch = survey(questions=[EACH])
    page = ready_to_spin(context.new_page(), address(live_server, launch))
    spin(page)
    assert page.evaluate("writes") == [["q1_1", "q1_2", "q1_3"]]


def test_reports_of_several_devices_survive_reloads(live_server, new_context):
    launch = survey(questions=[EACH, DIRECT])
    page = ready_to_spin(new_context().new_page(), address(live_server, launch))
    spin(page)
    before = shown_code(page)
    for _ in range(2):
        page.reload()
        expect(page.get_by_role("heading", name="How many days did you work?")).to_be_visible()
    press(page, "Back")
    assert shown_code(page) == before
    assert page.get_by_role("checkbox").count() == 0


def test_a_double_click_draws_each_device_once(live_server, new_context):
    context = new_context()
    context.add_init_script(COUNT_DRAWS)
    page = ready_to_spin(context.new_page(), address(live_server, survey(questions=[EACH])))
    page.get_by_role("button", name="Spin", exact=True).dblclick()
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert page.evaluate("drawn") == 3


def test_two_tabs_that_spin_at_once_draw_each_device_once(live_server, new_context):
    context = new_context(reduced_motion="reduce")
    context.add_init_script(COUNT_DRAWS)
    url = address(live_server, survey(questions=[EACH]))
    tabs = [ready_to_spin(context.new_page(), url) for _ in range(2)]
    for page in tabs:
        page.evaluate(
            "setTimeout(() => document.querySelector('.question .button--chance')?.click(), 300)"
        )
    for page in tabs:
        expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    assert shown_code(tabs[0]) == shown_code(tabs[1])
    assert sum(page.evaluate("drawn") for page in tabs) == 3


@pytest.mark.parametrize("reports", ['{"q1_1":0}', '{"q1_1":0,"q1_2":1,"q1_3":2}', '{"q1":0}'])
def test_a_part_of_a_questions_reports_is_garbage(live_server, new_context, reports):
    launch = survey(questions=[EACH])
    page = arrive(new_context().new_page(), address(live_server, launch))
    kept = f'{{"submission":"6f1c2f0e-3b51-4d8b-9c55-0c9f2b8e7a11","reports":{reports}}}'
    page.evaluate(
        "([key, kept]) => localStorage.setItem(key, kept)", [f"candor:{launch.digest}", kept]
    )
    page.reload()
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()


def test_nothing_is_kept_when_the_generator_fails_half_way(live_server, new_context):
    context = new_context(reduced_motion="reduce")
    context.add_init_script(
        "window.left = 2; const real = Crypto.prototype.getRandomValues;"
        "Crypto.prototype.getRandomValues = function (array) {"
        "  if (array.byteLength === 4 && (left -= 1) < 0) throw new Error('no entropy');"
        "  return real.call(this, array); };"
    )
    launch = survey(questions=[EACH])
    page = ready_to_spin(context.new_page(), address(live_server, launch))
    press(page, "Spin")
    expect(page.get_by_role("heading", name="Nothing is asked here")).to_be_visible()
    assert page.evaluate(f"localStorage.getItem('candor:{launch.digest}')") is None
    assert page.get_by_role("checkbox").count() == 0
