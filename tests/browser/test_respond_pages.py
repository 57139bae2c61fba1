"""The states of the page, its layouts, and its kinds of question."""

import json
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import RequestFactory
from django.utils import timezone
from playwright.sync_api import expect

from surveys.models import Submission
from surveys.parameters import ServedParameters, digest_of
from surveys.services.launches import draft_parameters
from surveys.services.transitions import close_survey
from surveys.views.respond import render_form
from tests.browser.respondent import (
    DIRECT,
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
    to_questions,
    unfold_sent,
)
from tests.builders import make_survey
from tests.devices import devices_of

pytestmark = pytest.mark.browser

FIFTY = [f"Region number {number}" for number in range(1, 51)]


def kept_reports() -> dict[str, int]:
    return Submission.objects.get().content["reports"]


def test_a_closed_survey_says_so_and_asks_nothing(live_server, new_context):
    launch = survey()
    close_survey(survey=launch.survey, actor=None)
    page = new_context().new_page()
    page.goto(address(live_server, launch))
    expect(page.get_by_role("heading", name="This survey is closed")).to_be_visible()
    expect(page.get_by_text("survey@example.org")).to_be_visible()
    assert page.get_by_role("button").count() == 0


def test_before_it_opens_it_says_when_in_the_readers_time(live_server, new_context):
    opens = timezone.now().replace(hour=23, minute=30) + timedelta(days=2)
    page = new_context(timezone_id="Asia/Tokyo").new_page()
    page.goto(address(live_server, survey(opens_at=opens)))
    day = (opens + timedelta(days=1)).strftime("%B %-d, %Y")
    expect(page.get_by_text(f"{day} at 8:30")).to_be_visible()


def test_a_draft_looks_like_no_survey_at_all(live_server, new_context):
    make_survey(slug="draft")
    page = new_context().new_page()
    for slug in ("draft", "nothing"):
        answer = page.goto(f"{live_server.url}/s/{slug}/")
        assert answer.status == 404
        expect(page.get_by_role("heading", name="There is no survey here")).to_be_visible()


def test_the_page_speaks_the_surveys_language(live_server, new_context):
    page = new_context(locale="en-US").new_page()
    answer = page.goto(address(live_server, survey(language="de")))
    assert page.evaluate("document.documentElement.lang") == "de"
    assert answer.headers["content-language"] == "de"
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate("typeof globalThis.gettext") == "function"


def test_frequencies_and_the_wheel_are_those_of_the_frozen_device(arrived):
    """Epsilon 1, two answers: e / (1 + e) = 0.731 keep theirs."""
    launch = survey()
    page = arrived(launch)
    press(page, "I agree")
    press(page, "Start")
    # Both outcomes of each answer are shown before answering, in a sentence and in pictures.
    lead = page.locator(".meeting__lead")
    expect(lead).to_contain_text("About 7 in 10 people send the letter of their real answer.")
    expect(lead.locator(".wheel")).to_have_count(2)
    page.get_by_text("The exact numbers").click()
    captions = page.locator(".array-figure figcaption").all_inner_texts()
    assert captions == [
        "Of 100 people who mean “No”, 73 send A and 27 send B.",
        "Of 100 people who mean “Yes”, 27 send A and 73 send B.",
    ]
    filled = page.locator(".array").first.locator(".shape:not(.shape--open)")
    assert filled.count() == 73
    assert page.locator(".array").first.locator(".shape").count() == 100
    choose(page, "Yes")
    # The arc of the first sector ends at the share of report A among those who answer Yes.
    path = page.locator(".device .disc .sector").first.get_attribute("d")
    x, y = (float(number) for number in path.split("1 ")[-1].rstrip("Z").split())
    device = devices_of(launch)[0]
    share = device["columns"][1][0] / device["denominator"]
    turn = page.evaluate("([x, y]) => Math.atan2(x, -y) / (2 * Math.PI)", [x, y])
    assert turn % 1 == pytest.approx(share, abs=1e-4)


def test_the_total_is_said_in_plain_words(arrived):
    """Two devices of 1.1: after a factor of exp(2.2) an even guess is right 90.02 times of 100."""
    page = arrived(survey(questions=MIXED))
    page.get_by_text("More about this").click()
    expect(page.locator("#budget")).to_have_text(
        "Suppose a guess at a real answer is right 50 times in 100. With what is sent, it is right "
        "at most 76 times in 100. Suppose a guess about a person is right 50 times in 100. With "
        "all their scrambled answers, it is right at most 91 times in 100. The scrambled questions "
        "use 2.2 of a privacy budget (epsilon) of 6."
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_direct_questions_wear_the_mark_that_the_label_names(live_server, new_context, language):
    questions = [{"randomized": False}, MIXED[0], DIRECT]
    # 2 * 3 combinations: fewer than ten respondents each.
    launch = survey(
        questions=questions, linkage="together", planned_n=59, layout="all", language=language
    )
    page = new_context().new_page()
    page.goto(address(live_server, launch))
    label = page.locator(".privacy-label")
    told = label.inner_text()
    (mark,) = set(re.findall("[“„](.+?)[”“]", told))
    assert told.count(mark) == 2
    assert re.search(r"\b6\b.+\b59\b", told)
    page.locator("#start").click()
    page.get_by_role("button", name=re.compile("Start|Beginnen")).click()
    marks = page.locator(".question").evaluate_all(
        "all => all.map((x) => [...x.querySelectorAll('.tag')].map((tag) => tag.textContent))"
    )
    assert marks == [[mark], [], [mark]]


@pytest.mark.slow
def test_one_question_at_a_time_with_every_kind(at_questions):
    """Its wheels turn until they stop."""
    page = at_questions(survey(questions=MIXED), reduced_motion="no-preference")
    expect(page.get_by_text("Question 1 of 4")).to_be_visible()
    choose(page, "Prefer not to say")
    spin(page)
    press(page, "Next")
    expect(page.get_by_text("This one is sent as it is.")).to_be_visible()
    press(page, "Next")
    expect(page.get_by_text("Choose an answer before you go on.")).to_be_visible()
    choose(page, "Four or more")
    press(page, "Next")
    choose(page, "No")
    spin(page)
    press(page, "Next")
    expect(
        page.get_by_text("You can leave this question out; we see that you did.")
    ).to_be_visible()
    press(page, "Send")
    receipt(page)
    unfold_sent(page)
    expect(page.get_by_text("Sent as it is: Four or more")).to_be_visible()
    expect(page.get_by_text("Nothing was sent for this question.")).to_be_visible()
    reports = kept_reports()
    assert set(reports) == {"q1", "q2", "q3"}
    assert reports["q2"] == 2


def test_all_questions_on_one_page(at_questions):
    launch = survey(questions=MIXED, layout="all")
    page = at_questions(launch)
    assert page.locator(".question").count() == 4
    press(page, "Send")
    # The first required one; the optional one before it may be left out.
    second = page.locator(".question").nth(1)
    expect(second.get_by_text("Choose an answer before you go on.")).to_be_visible()
    choose(second, "None")
    third = page.locator(".question").nth(2)
    choose(third, "Yes")
    spin(third.locator("xpath=.."))
    press(page, "Send")
    receipt(page)
    assert set(kept_reports()) == {"q2", "q3"}


@pytest.mark.slow
def test_a_choice_on_an_optional_question_can_be_taken_back(at_questions):
    questions = [{"required": False}, DIRECT]
    page = at_questions(survey(questions=questions))
    choose(page, "Yes")
    press(page, "Clear my choice")
    assert page.locator(".device .wheel").count() == 0
    press(page, "Next")
    choose(page, "None")
    press(page, "Send")
    receipt(page)
    assert kept_reports() == {"q2": 0}


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["one", "all"])
def test_whoever_leaves_out_everything_is_told_that_nothing_is_sent(
    live_server, new_context, layout
):
    optional = [{"required": False}, {**DIRECT, "required": False}]
    page = new_context().new_page()
    page = arrive(page, address(live_server, survey(questions=optional, layout=layout)))
    to_questions(page)
    if layout == "one":
        press(page, "Next")
    press(page, "Send")
    expect(page.get_by_text("there is nothing to send")).to_be_visible()
    assert not Submission.objects.exists()
    # One answer is enough.
    page.get_by_role("radio").last.check()
    expect(page.get_by_text("there is nothing to send")).to_be_hidden()
    press(page, "Send")
    receipt(page)
    assert list(kept_reports()) == ["q2"]


@pytest.mark.slow
def test_fifty_options(live_server, new_context):
    question = {"kind": "single_choice", "options": FIFTY, "epsilon": Decimal("3")}
    page = new_context().new_page()
    answer_one(page, address(live_server, survey(questions=[question])), "Region number 37")
    receipt(page)
    assert 0 <= kept_reports()["q1"] < 50


@pytest.mark.slow
def test_the_practice_leaves_no_trace(arrived):
    page = arrived()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    press(page, "I agree")
    choose(page, "Yes")
    spin(page)
    expect(page.locator("#respond").get_by_text("This would be sent: ")).to_be_visible()
    page.get_by_text("Two quick questions").click()
    press(page, "Check")
    press(page, "Try again")
    choose(page, "No")
    spin(page)
    assert [url for url in requests if "/static/js/" not in url] == []
    assert page.evaluate("localStorage.length") == 0
    assert stored() == 0


@pytest.mark.slow
def test_nobody_is_excluded_by_the_quick_questions(arrived):
    page = arrived()
    press(page, "I agree")
    choose(page, "Yes")
    spin(page)
    page.get_by_text("Two quick questions").click()
    first = page.locator(".quiz").first
    choose(first, "No")
    press(page, "Check")
    expect(first.get_by_text("Choose once more")).to_be_visible()
    choose(first, "Yes")
    press(page, "Check")
    expect(first.get_by_text("Right, so no letter proves an answer.")).to_be_visible()
    press(page, "Start")
    expect(page.get_by_text("Question 1 of 1")).to_be_visible()


def test_a_preview_draws_but_sends_and_keeps_nothing(live_server, new_context):
    """The page is what the author's admin serves, put under an address of the live server."""
    draft = make_survey(slug="draft")
    parameters = draft_parameters(survey=draft)
    served = ServedParameters(parameters, digest_of(parameters))
    request = RequestFactory().get("/")
    html = render_form(
        request, survey=draft, served_parameters=served, preview=True
    ).content.decode()
    page = new_context().new_page()
    page.route("**/preview/", lambda route: route.fulfill(body=html, content_type="text/html"))
    posts = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r.url))
    arrive(page, f"{live_server.url}/preview/")
    expect(page.get_by_text("Preview: nothing is stored")).to_be_visible()
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    expect(page.get_by_role("heading", name="End of the preview")).to_be_visible()
    assert json.loads(page.locator("pre.body").text_content())["digest"] == served.digest
    assert posts == []
    assert page.evaluate("localStorage.length") == 0
