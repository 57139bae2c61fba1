"""Groups of questions that are left out, and their pages for every reader."""

import json
from decimal import Decimal

import pytest
from django.test import RequestFactory
from msgspec.structs import replace
from playwright.sync_api import expect

import rr_engine
from surveys.models import Launch
from surveys.parameters import ServedParameters, check, digest_of
from surveys.parameters.exact import table_of
from surveys.services.launches import draft_parameters
from surveys.views.respond import render_form
from tests.browser.axe import WIDER
from tests.browser.joint import (
    DRUG,
    GROUP,
    LEAD,
    LOW,
    OPTIONAL,
    THREE,
    WHICH,
    answer,
    opened,
    spin,
)
from tests.browser.respondent import (
    address,
    arrive,
    choose,
    press,
    press_by_key,
    receipt,
    survey,
    to_questions,
)
from tests.browser.test_respond_words import HEAD, LONG, fits
from tests.builders import make_survey
from tests.german import english_in

pytestmark = pytest.mark.browser

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
    expect(page.locator(".question--joint .notice").first).to_contain_text(left)
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
    assert page.locator(".question--joint :checked").count() == 0
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
    press_by_key(page, "Next")
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("End")
    press_by_key(page, "Spin")
    expect(page.locator(".question--joint[data-state=drawn]")).to_be_visible()
    expect(page.locator(".result")).to_be_focused()
    expect(page.get_by_text("Questions 1 and 2 are")).to_have_count(0)
    press_by_key(page, "Send")
    assert receipt(page)


def test_german_from_start_to_receipt(live_server, new_context):
    page = new_context(viewport={"width": 360, "height": 700}).new_page()
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

    read()
    press(page, "Ich stimme zu")
    page.get_by_role("radio").first.check()
    read()
    press(page, "Drehen")
    expect(page.locator(".practice .question[data-state=drawn]").last).to_be_visible()
    read()
    press(page, "Beginnen")
    expect(page.get_by_text("Die Fragen 1 bis 3 werden zusammen gesendet:")).to_be_visible()
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


def test_long_words_stay_in_their_boxes(live_server, new_context):
    texts = {**GROUP, "text": f"{LONG}?", "help_text": LONG, "kind": "single_choice"}
    options = [LONG, f"{LONG}{LONG}", "Short"]
    questions = [{**texts, "options": options, "required": False} for _ in range(2)]
    context = new_context(viewport={"width": 320, "height": 700})
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
    """The page is what the author's admin serves, put under an address of the live server."""
    draft = make_survey(slug="draft", questions=THREE)
    parameters = draft_parameters(survey=draft)
    served = ServedParameters(parameters, digest_of(parameters))
    request = RequestFactory().get("/")
    form = render_form(request, survey=draft, served_parameters=served, preview=True)
    html = form.content.decode()
    page = new_context().new_page()
    page.route("**/preview/", lambda route: route.fulfill(body=html, content_type="text/html"))
    posts: list[str] = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r.url))
    arrive(page, f"{live_server.url}/preview/")
    to_questions(page)
    answer(page, "Yes", "Tea", "Often")
    spin(page)
    press(page, "Send")
    expect(page.get_by_role("heading", name="End of the preview")).to_be_visible()
    assert len(json.loads(page.locator("pre.body").text_content())["reports"]["group_1"]) == 3
    assert posts == []
    assert page.evaluate("localStorage.length") == 0


def test_strong_groups_warn_and_claim_no_more_than_is_true(live_server, new_context):
    first = survey(questions=[DRUG, WHICH], budget=Decimal(9))
    table = table_of(rr_engine.channels.joint_design([2, 3], epsilon="6", bits=32, form="changes"))
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
    page = new_context().new_page()
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
    told = "Only the page can scramble the answers to several questions by one draw"
    # Playwright looks for text outside <noscript> only.
    assert told in page.locator("noscript .notice").inner_text()
    plain = survey(slug="plain", questions=[{}])
    page.goto(address(live_server, plain))
    assert told not in page.locator("noscript .notice").inner_text()


@pytest.mark.parametrize("required", [True, False])
def test_a_physical_randomizer_beside_a_group_leaves_the_group_out(
    live_server, new_context, required
):
    physical = {"physical_device": "two_dice", "epsilon": Decimal("1.5")}
    group = [{**question, "required": required} for question in THREE]
    page = new_context(java_script_enabled=False).new_page()
    page.goto(address(live_server, survey(questions=[physical, *group])))
    link = page.locator("noscript").get_by_role("link", name="Answer with a device of your own")
    if required:
        assert "to several questions by one draw" in page.locator("noscript").inner_text()
        assert link.count() == 0
        return
    page.goto(f"{page.url}physical/")
    expect(page.get_by_text("It is left out here, and nothing is sent for it.")).to_have_count(3)
    page.locator("fieldset").get_by_role("radio").first.check()
    page.get_by_role("button", name="Send").click()
    assert receipt(page)


def test_what_joint_questions_need_comes_with_their_pages_alone(live_server, new_context):
    page = new_context().new_page()
    groups = "link[data-group^=joint]"
    page.goto(address(live_server, survey(questions=THREE)))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator(groups).count() == 2
    for link in page.locator(groups).all():
        expect(link).to_have_attribute("rel", "modulepreload")
    page.goto(address(live_server, survey(slug="plain")))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator(groups).count() == 0
