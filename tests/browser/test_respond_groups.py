"""Groups of questions: answered one by one, drawn for at once, sent as one report."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.test import RequestFactory
from msgspec.structs import replace
from playwright.sync_api import Page, expect

import rr_engine
from surveys.models import Launch, ReportSet, Submission
from surveys.parameters import ServedParameters, check, digest_of
from surveys.parameters.exact import table_of
from surveys.services.launches import draft_parameters
from surveys.views.respond import render_form
from tests.browser.axe import WIDER
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
)
from tests.browser.test_respond_access import tab_to
from tests.browser.test_respond_truth import STORES, walk_through, watch
from tests.browser.test_respond_words import HEAD, LONG, fits
from tests.builders import make_survey
from tests.german import english_in

pytestmark = pytest.mark.browser

LEAD = {"text": "Do you lead a team?", "randomized": False}
GROUP = {"group": 1, "epsilon": Decimal("0.6")}
DRUG = {**GROUP, "text": "Have you ever used a drug at work?"}
WHICH = {
    **GROUP,
    "text": "Which one first?",
    "kind": "single_choice",
    "options": ["Tea", "Wine", "Pills"],
}
LOW = {
    **GROUP,
    "text": "How often did you feel low?",
    "kind": "scale",
    "options": ["Never", "Sometimes", "Often"],
    "prefer_not": True,
}
THREE = [DRUG, WHICH, LOW]
QUESTIONS = [LEAD, *THREE]
OPTIONAL = [{**question, "required": False} for question in QUESTIONS]
TOGETHER = "Questions 2 to 4 are sent together"

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


def spin(page: Page) -> None:
    press(page, "Spin")
    expect(page.locator(".question--grouped[data-state=drawn]").last).to_be_visible()


def answer(page: Page, *labels: str) -> None:
    """One answer to a screen, the last one without going on."""
    for place, label in enumerate(labels):
        choose(page, label)
        if place + 1 < len(labels):
            press(page, "Next")


def opened(new_context, live_server, questions=QUESTIONS, **values: Any) -> tuple[Page, list]:
    page = new_context(reduced_motion="reduce").new_page()
    posts: list[dict] = []
    page.on("request", lambda r: r.method == "POST" and posts.append(json.loads(r.post_data)))
    arrive(page, address(live_server, survey(questions=questions, **values)))
    return page, posts


def shown_letters(page: Page) -> list[str]:
    return page.locator(".question--grouped .result .codes b").all_inner_texts()


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
        expect(page.get_by_text(TOGETHER)).to_have_count(3)
        for place, label in enumerate(["Yes", "No", "Wine"]):
            choose(page.locator(".question").nth(place), label)
        expect(page.get_by_role("button", name="Spin")).to_be_hidden()
        choose(page, "Often")
    assert page.evaluate("localStorage.length") == 0
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
    row = page.locator(".fields > div").nth(1)
    expect(row).to_contain_text(f"reports.group_2: {json.dumps(sent['reports']['group_2'])[:2]}")
    expect(row).to_contain_text("Questions 2 to 4, scrambled by one draw:")
    assert row.locator("b").all_inner_texts() == letters
    assert Submission.objects.count() + ReportSet.objects.count() >= 1


def test_the_explanation_and_the_practice_speak_of_the_group(live_server, new_context):
    page, posts = opened(new_context, live_server)
    press(page, "I agree")
    screen = page.locator("#respond")
    expect(screen).to_contain_text(TOGETHER)
    words = screen.locator("figcaption").inner_text()
    _launch_device = json.loads(page.locator("#parameters").text_content())["devices"][1]
    table = _launch_device["table"]
    kept = round(100 * table["weights"][0] / table["denominator"])
    assert f"Of 100 people with the same real answers, {kept} send all of them as they are" in words
    practice = page.locator(".practice")
    for place, label in enumerate(["Yes", "2", "3"]):
        choose(practice.locator(".question").nth(place), label)
    expect(practice.locator(".group__chances li > span").first).to_have_text(
        f"All answers as they are: {kept}"
    )
    spin(practice)
    assert len(shown_letters(page)) == 3
    press(page, "Continue")
    expect(screen).to_contain_text("Can people with different answers send the same codes?")
    assert not posts
    assert page.evaluate("localStorage.length") == 0


def test_many_questions_are_practised_with_the_first_three(live_server, new_context):
    four = [{**DRUG, "epsilon": Decimal("0.4")} for _ in range(4)]
    page, _posts = opened(new_context, live_server, questions=four)
    press(page, "I agree")
    practice = page.locator(".practice")
    expect(practice.locator(".question")).to_have_count(3)
    for place in range(3):
        choose(practice.locator(".question").nth(place), "Yes")
    spin(practice)
    press(page, "Continue")
    press(page, "Continue")
    expect(page.locator(".group__table tbody th").last).to_have_text("3 or more answers changed")
    answer(page, "Yes", "No", "Yes", "No")
    spin(page)
    press(page, "Send")
    assert receipt(page)


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
    arrive(page, address(live_server, survey(questions=QUESTIONS)))
    to_questions(page)
    choose(page, "Yes")
    press(page, "Next")
    page.wait_for_load_state("networkidle")
    record["requests"].clear()
    answer(page, "Yes", "Pills", "Prefer not to say")
    stores = page.evaluate(STORES)
    assert (stores["local"], stores["session"], stores["cookie"]) == ({}, {}, "")
    assert list(stores["state"]) == ["screen"]
    assert stores["address"].endswith("/s/work/")
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


def test_the_wheel_turns_as_long_for_every_answer_and_can_be_skipped(live_server, new_context):
    context = new_context()
    context.add_init_script(HELD_MOTIONS)
    page = arrive(context.new_page(), address(live_server, survey(questions=THREE)))
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    press(page, "Spin")
    expect(page.get_by_role("button", name="Skip")).to_be_visible()
    assert page.evaluate("lengths") == [1100]
    press(page, "Skip")
    expect(page.locator(".question--grouped[data-state=drawn]")).to_be_visible()


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
    # What was drawn is kept; of the group nothing is.
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
    context = new_context(reduced_motion="reduce")
    url = address(live_server, survey(questions=THREE))
    first, second = (arrive(context.new_page(), url) for _ in range(2))
    for page in (first, second):
        to_questions(page)
        answer(page, "Yes", "Tea", "Often")
    spin(first)
    expect(second.locator(".question--grouped[data-state=drawn]")).to_be_visible()
    assert shown_letters(second) == shown_letters(first)
    assert second.locator(":checked").count() == 0
    press(first, "Send")
    assert receipt(first) == receipt(second)
    assert stored() == 1


@pytest.mark.parametrize("report", [[0, 0], [0, 0, 9], 0])
def test_a_stored_report_that_is_none_of_the_group_begins_again(live_server, new_context, report):
    page, _posts = opened(new_context, live_server, questions=THREE)
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    spin(page)
    page.evaluate(
        """(report) => { for (const [key, text] of Object.entries(localStorage)) {
          const stored = JSON.parse(text);
          stored.reports.group_1 = report;
          localStorage.setItem(key, JSON.stringify(stored));
        } }""",
        report,
    )
    page.reload()
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()


# --- all or none --------------------------------------------------------------------------------

HALF = (
    "Questions 2 to 4 are sent together or not at all. "
    "Without an answer to question 3 nothing is sent for them."
)


def test_a_gap_in_an_optional_group_is_named_and_the_person_chooses(live_server, new_context):
    page, posts = opened(new_context, live_server, questions=OPTIONAL)
    to_questions(page)
    answer(page, "No", "Yes")
    press(page, "Next")
    press(page, "Next")
    expect(page.get_by_text(HALF)).to_be_visible()
    expect(page.get_by_role("button", name="Answer question 3")).to_be_focused()
    press(page, "Answer question 3")
    expect(page.get_by_text(HALF)).to_be_hidden()
    expect(page.get_by_role("radio", name="Tea")).to_be_focused()
    press(page, "Next")
    press(page, "Send nothing for these questions")
    # The last question of the survey, where it can be sent; a choice would take part after all.
    expect(page.get_by_role("heading", name=LOW["text"])).to_be_focused()
    left = "Questions 2 to 4 are left out, and nothing is sent for them."
    expect(page.locator(".question--grouped .notice").first).to_contain_text(left)
    assert left in page.locator("#announcer").inner_text()
    press(page, "Send")
    assert receipt(page)
    assert posts[0]["reports"] == {"q1": 0}
    expect(page.locator(".fields")).to_contain_text("Nothing was sent for these questions.")


def test_who_takes_part_after_all_answers_all(live_server, new_context):
    page, posts = opened(new_context, live_server, questions=[*OPTIONAL, LEAD])
    to_questions(page)
    press(page, "Next")
    press(page, "Next")
    press(page, "Send nothing for these questions")
    expect(page.get_by_text("Question 5 of 5")).to_be_visible()
    choose(page, "No")
    page.go_back()
    choose(page, "Yes")
    page.go_forward()
    # The gap is shown where it is.
    press(page, "Send")
    expect(page.get_by_text(HALF)).to_be_visible()
    press(page, "Answer question 3")
    answer(page, "Wine", "Sometimes")
    spin(page)
    press(page, "Next")
    press(page, "Send")
    assert receipt(page)
    assert len(posts[0]["reports"]["group_2"]) == 3


def test_on_one_page_a_group_may_stay_open_or_be_full(live_server, new_context):
    page, posts = opened(new_context, live_server, questions=OPTIONAL, layout="all")
    to_questions(page)
    choose(page.locator(".question").first, "Yes")
    choose(page, "Sometimes")
    press(page, "Send")
    expect(page.get_by_text(HALF.replace("question 3", "question 2"))).to_be_visible()
    press(page, "Send nothing for these questions")
    assert page.locator(".question--grouped :checked").count() == 0
    expect(page.get_by_role("heading", name=DRUG["text"])).to_be_focused()
    press(page, "Send")
    assert receipt(page)
    assert posts[0]["reports"] == {"q1": 1}


# --- other readers, other pages -----------------------------------------------------------------


def test_the_keyboard_is_enough(live_server, new_context):
    page, _posts = opened(new_context, live_server, questions=[DRUG, WHICH])
    to_questions(page)
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    tab_to(page, "Next")
    page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    tab_to(page, "Spin")
    page.keyboard.press("Enter")
    expect(page.locator(".question--grouped[data-state=drawn]")).to_be_visible()
    expect(page.locator(".result")).to_be_focused()
    expect(page.get_by_text("Questions 1 and 2 are")).to_have_count(0)
    tab_to(page, "Send")
    page.keyboard.press("Enter")
    assert receipt(page)


def test_german_from_start_to_receipt(live_server, new_context):
    page = new_context(reduced_motion="reduce", viewport={"width": 360, "height": 700}).new_page()
    options = [[], ["Tee", "Wein", "Tabletten"], ["Nie", "Manchmal", "Oft"]]
    german = [
        {**question, "text": text, **({"options": names} if names else {}), "required": False}
        for question, text, names in zip(THREE, ("Eins?", "Zwei?", "Drei?"), options, strict=True)
    ]
    head = {"title": "Arbeit", "introduction": "", "consent": "", "language": "de"}
    page.goto(address(live_server, survey(questions=german, **head)))

    def read() -> None:
        page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
        assert english_in(page.locator("#respond").inner_text()) == []
        assert page.evaluate(WIDER) <= 0

    press(page, "Ich stimme zu")
    for place in range(3):
        page.locator(".practice .question").nth(place).get_by_role("radio").first.check()
    read()
    press(page, "Drehen")
    expect(page.locator(".practice .question[data-state=drawn]").last).to_be_visible()
    read()
    press(page, "Weiter")
    press(page, "Weiter")
    press(page, "Weiter")
    expect(page.get_by_text("Die Fragen 1 bis 3 werden zusammen gesendet oder")).to_be_visible()
    read()
    for _ in range(2):
        page.get_by_role("radio").first.check()
        press(page, "Weiter")
    page.get_by_role("radio").first.check()
    read()
    press(page, "Drehen")
    expect(page.locator(".question[data-state=drawn]")).to_be_visible()
    read()
    press(page, "Senden")
    assert receipt(page)
    read()


@pytest.mark.parametrize("width", [320, 600])
def test_long_words_stay_in_their_boxes(live_server, new_context, width):
    texts = {**GROUP, "text": f"{LONG}?", "help_text": LONG, "kind": "single_choice"}
    options = [LONG, f"{LONG}{LONG}", "Short"]
    questions = [{**texts, "options": options, "required": False} for _ in range(2)]
    context = new_context(viewport={"width": width, "height": 700}, reduced_motion="reduce")
    launch = survey(questions=questions, **HEAD)
    page = arrive(context.new_page(), address(live_server, launch))
    fits(page)
    to_questions(page)
    fits(page)
    press(page, "Next")
    fits(page)
    answer(page, LONG, LONG)
    fits(page)
    spin(page)
    fits(page)
    press(page, "Send")
    assert receipt(page)
    fits(page)


def test_a_preview_draws_and_sends_nothing(live_server, new_context):
    """What the author's admin serves, put under an address of the live server."""
    draft = make_survey(slug="draft", questions=THREE)
    parameters = draft_parameters(survey=draft)
    served = ServedParameters(parameters, digest_of(parameters))
    request = RequestFactory().get("/")
    form = render_form(request, survey=draft, served_parameters=served, preview=True)
    html = form.content.decode()
    page = new_context(reduced_motion="reduce").new_page()
    page.route("**/preview/", lambda route: route.fulfill(body=html, content_type="text/html"))
    posts: list[str] = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r.url))
    arrive(page, f"{live_server.url}/preview/")
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    spin(page)
    press(page, "Send")
    expect(page.get_by_role("heading", name="End of the preview")).to_be_visible()
    assert len(json.loads(page.locator("pre.body").inner_text())["reports"]["group_1"]) == 3
    assert posts == []
    assert page.evaluate("localStorage.length") == 0


def test_strong_groups_warn_and_claim_no_more_than_is_true(live_server, new_context):
    first = survey(questions=[DRUG, WHICH], budget=Decimal(9))
    table = table_of(rr_engine.joint_design([2, 3], epsilon="6", bits=32, form="changes"))
    parameters = replace(
        first.parameters,
        devices=(replace(first.parameters.devices[0], table=table, epsilon="6"),),
        questions=tuple(
            replace(question, reason="It is asked aloud anyway.")
            for question in first.parameters.questions
        ),
        version=2,
    )
    launch = Launch.objects.create(
        survey=first.survey, parameters=check(parameters), digest=digest_of(parameters), version=2
    )
    page = new_context(reduced_motion="reduce").new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    warning = "What is sent here can give away much about your real answer."
    expect(page.locator(".question .notice--warning")).to_contain_text(warning)
    expect(page.locator(".question .notice--warning")).to_contain_text("It is asked aloud anyway.")
    answer(page, "Yes", "Tea")
    spin(page)
    result = page.locator(".result")
    expect(result).to_contain_text("but not nearly as often.")
    expect(result).to_contain_text(warning)
    expect(result).not_to_contain_text("nobody can tell")


def test_without_javascript_the_page_says_why_there_is_no_form(live_server, new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(address(live_server, survey(questions=THREE)))
    told = "only the page can scramble the answers to several questions by one draw"
    # Playwright looks for text outside <noscript> only.
    assert told in page.locator("noscript .notice").inner_text()
    plain = survey(slug="plain", questions=[{}])
    page.goto(address(live_server, plain))
    assert told not in page.locator("noscript .notice").inner_text()


def test_what_groups_need_comes_with_their_pages_alone(live_server, new_context):
    page = new_context().new_page()
    parts = "link[data-part~=group]"
    page.goto(address(live_server, survey(questions=THREE)))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator(f"{parts}[rel=modulepreload]").count() == 4
    page.goto(address(live_server, survey(slug="plain")))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator(parts).count() == 0
