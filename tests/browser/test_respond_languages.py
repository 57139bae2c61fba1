"""A survey in several languages: changed at any time in place, and no choice is lost."""

import re
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from surveys.features.return_codes.assignment import chain_of
from surveys.models import Submission
from surveys.services.launches import launch_survey
from tests.browser import comer
from tests.browser.axe import assert_well_in_sizes
from tests.browser.focus import walk_in_sizes
from tests.browser.respondent import (
    DIRECT,
    EACH,
    SCALE,
    SENSITIVE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    to_questions,
)
from tests.browser.test_respond_once import NO_STORAGE
from tests.browser.test_respond_roster import ROWS, TIES, box, personal
from tests.rosters import network_survey
from tests.translations import launched_in, translate
from tests.waves import CODED, next_wave

pytestmark = pytest.mark.browser
QUESTIONS = [SENSITIVE, DIRECT, SCALE]
NUMBER = {
    "kind": "bounded_number",
    "text": "How many hours did you sleep?",
    "scale": {"lower": "0", "upper": "24", "step": "1", "unit": "hours", "bins": []},
    "design": "one_bit",
}
TEXT = {"kind": "short_text", "text": "What do you call it?", "design": "rappor"}
KEPT = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"
SIZES = [(360, 800), (1280, 800)]


def several(*languages, **values):
    values = {"slug": "shifts", "budget": Decimal("9"), "questions": QUESTIONS, **values}
    return launched_in(*languages, **values)


def change(page, name):
    """Change the language, and wait for the page in it."""
    button = page.get_by_role("button", name=name, exact=True)
    button.click()
    expect(button).to_have_attribute("aria-current", "true")


def test_a_choice_stays_and_is_in_no_request_and_no_storage(live_server, new_context):
    launch, page, sent = several("de"), new_context().new_page(), []
    arrive(page, address(live_server, launch))
    page.on("request", lambda request: sent.append((request.url, request.post_data)))
    to_questions(page)
    choose(page, "Yes")
    kept = page.evaluate(KEPT)
    change(page, "Deutsch")
    assert page.evaluate("document.documentElement.lang") == "de"
    expect(page.get_by_role("radio", name="Ja")).to_be_checked()
    assert page.evaluate(KEPT) == kept
    assert page.url.endswith("/s/shifts/")
    assert [url for url, _body in sent if "?" in url] == [f"{page.url}?language=de"]
    assert {body for _url, body in sent} == {None}
    change(page, "English")
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    expect(page.get_by_role("button", name="Spin", exact=True)).to_be_visible()


def test_every_kind_of_choice_stays_with_its_screen(live_server, new_context):
    launch = several("de", questions=[EACH, NUMBER, TEXT, DIRECT], layout="all")
    page = new_context().new_page()
    arrive(page, address(live_server, launch))
    press(page, "I agree")
    start = page.get_by_role("button", name="Start", exact=True)
    boxes, number, text, direct = (page.locator(".question").nth(i) for i in range(4))
    expect(start.or_(direct)).to_be_visible()
    if start.is_visible():
        start.click()
    boxes.get_by_role("checkbox").nth(1).check()
    number.get_by_role("textbox").fill("7")
    text.get_by_role("textbox").fill("a thing")
    direct.get_by_role("radio").nth(2).check()
    change(page, "Deutsch")
    expect(boxes.get_by_role("checkbox").nth(1)).to_be_checked()
    expect(boxes.get_by_role("checkbox").nth(0)).not_to_be_checked()
    expect(number.get_by_role("textbox")).to_have_value("7")
    expect(text.get_by_role("textbox")).to_have_value("a thing")
    expect(direct.get_by_role("radio").nth(2)).to_be_checked()


@pytest.mark.parametrize("shared", ["", "always"])
def test_what_is_drawn_is_never_drawn_again(live_server, new_context, shared):
    """Also where nothing is stored; what is sent is the same as without a change."""
    launch = several("de", **({"shared": shared} if shared else {}))
    page = new_context().new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    drawn = page.locator(".result__code").inner_text().split()[-1]
    change(page, "Deutsch")
    assert page.locator(".result__code").inner_text().split()[-1] == drawn
    press(page, "Weiter")
    choose(page, "⟦Four or more⟧")
    press(page, "Weiter")
    change(page, "English")
    choose(page, "Never")
    spin(page)
    press(page, "Back")
    expect(page.get_by_role("radio", name="Four or more")).to_be_checked()
    press(page, "Next")
    press(page, "Send")
    assert receipt(page)
    stored = Submission.objects.get().content["reports"]
    assert stored["q2"] == 2
    assert "ABCDE"[stored["q1"]] == drawn.strip(".")
    change(page, "Deutsch")
    expect(page.get_by_role("heading", name="Sie haben diese Umfrage beantwortet")).to_be_visible()


def test_a_language_that_does_not_come_loses_nothing(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, several("de")))
    to_questions(page)
    choose(page, "Yes")
    page.route("**/?language=de", lambda route: route.abort())
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("alert").first).to_contain_text("Nothing that you chose is lost")
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    page.unroute("**/?language=de")
    change(page, "Deutsch")
    expect(page.get_by_role("radio", name="Ja")).to_be_checked()


def test_a_translation_that_is_not_that_of_its_digest_is_refused(live_server, new_context):
    page = new_context().new_page()

    def tampered(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub("u27[eE]6Vol", "u27e6Invol", answer.text()))

    launch = several("de", consent="Voluntary.")
    page.route("**/s/shifts/?language=de", tampered)
    page.goto(f"{address(live_server, launch)}?language=de")
    expect(page.get_by_role("heading", name="Hier wird nichts gefragt")).to_be_visible()
    expect(page.locator("#respond")).to_contain_text("wrong_digest")


def test_the_quick_exit_works_in_every_language(live_server, new_context):
    launch, context = several("de", quick_exit=True), new_context()
    context.route("https://en.wikipedia.org/**", lambda route: route.fulfill(body="Harmless"))
    page = context.new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    change(page, "Deutsch")
    page.get_by_role("link", name="Diese Seite verlassen").click()
    page.wait_for_url("https://en.wikipedia.org/")
    assert page.evaluate(KEPT) == "[{},{}]"


def test_a_return_code_and_what_it_leads_to_are_there_in_every_language(live_server, new_context):
    launch = launched_in("de", slug="work", budget=3, questions=[{"name": "drug"}], **CODED)
    page = new_context().new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    code = comer.shown_code(page)
    page.get_by_role("checkbox", name=comer.KEPT).check()
    change(page, "Deutsch")
    assert comer.shown_code(page) == code
    expect(page.get_by_role("checkbox")).to_be_checked()
    press(page, "Senden")
    assert receipt(page)

    later = next_wave(launch, drug="2")
    assert list(later.translations) == ["de"]
    page = new_context().new_page()
    comer.to_asking(page, live_server, later)
    page.get_by_label("Your return code").fill(code)
    change(page, "Deutsch")
    expect(page.get_by_label("Ihr Rückkehrcode")).to_have_value(code)
    press(page, "Weiter mit meinem Rückkehrcode")
    choose(page, "Ja")
    change(page, "English")
    expect(page.get_by_role("radio", name="Yes")).to_be_checked()
    spin(page)
    press(page, "Next")
    assert comer.shown_code(page) == code
    press(page, "Send")
    assert receipt(page)
    assert [entry.wave for entry in chain_of(launch_id=later.pk, code=code).ledger] == [1, 2]

    # Whoever has answered this wave sees what they sent: no browser keeps that.
    page = new_context().new_page()
    comer.enter(comer.to_asking(page, live_server, later), code)
    expect(page.get_by_text("You have answered this wave with this return code.")).to_be_visible()
    change(page, "Deutsch")
    expect(page.get_by_role("heading", name="Was Sie damals gesendet haben")).to_be_visible()
    expect(page.locator(".fields dd").first).to_be_visible()


@pytest.mark.parametrize("script", ["", NO_STORAGE + "; " + NO_STORAGE.replace("local", "session")])
def test_a_personal_link_is_its_owners_in_every_language(live_server, new_context, script):
    survey = translate(network_survey(ROWS, slug="staff", questions=(TIES,)), "de")
    launch = launch_survey(survey=survey, actor=None)
    context = new_context()
    context.add_init_script(script)
    page = context.new_page()
    page.goto(personal(live_server, launch, "ana-1"))
    to_questions(page)
    box(page, "Dee Dunn").check()
    change(page, "Deutsch")
    expect(box(page, "Dee Dunn")).to_be_checked()
    expect(page.locator(".question__text")).to_have_text(f"⟦{TIES['text']}⟧")
    press(page, "Verwürfeln")
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()
    change(page, "English")
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()
    press(page, "Send")
    shown = receipt(page)
    assert Submission.objects.get().content["member"] == "ana-1"
    change(page, "Deutsch")
    expect(page.locator(".receipt__code")).to_have_text(shown)


def test_from_right_to_left_all_of_a_survey_is_mirrored(live_server, new_context):
    page = new_context().new_page()
    page.goto(f"{address(live_server, several())}?language=he")
    assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"
    press(page, "מוסכם עליי")
    press(page, "התחלה")
    choose(page, "כן")
    box, option = (page.locator(x).first for x in (".option input", ".option span"))
    assert box.bounding_box()["x"] > option.bounding_box()["x"]
    spin_button = page.get_by_role("button", name="סיבוב", exact=True)
    spin_button.click()
    expect(page.locator(".result__code")).to_be_visible()
    press(page, "הבא")
    choose(page, "אף יום")
    press(page, "הבא")
    first, second = (page.get_by_role("radio").nth(i) for i in range(2))
    first.check()
    if first.bounding_box()["x"] != second.bounding_box()["x"]:
        assert first.bounding_box()["x"] > second.bounding_box()["x"]
    page.keyboard.press("ArrowLeft")
    expect(second).to_be_checked()
    page.keyboard.press("ArrowRight")
    expect(first).to_be_checked()


def test_pages_from_right_to_left_are_accessible_in_sizes(live_server, new_context):
    page = new_context().new_page()
    page.goto(f"{address(live_server, several())}?language=he")
    expect(page.get_by_role("button", name="מוסכם עליי", exact=True)).to_be_visible()
    assert_well_in_sizes(page, "right to left", SIZES)
    walk_in_sizes(page, "right to left")
    press(page, "מוסכם עליי")
    press(page, "התחלה")
    choose(page, "כן")
    assert_well_in_sizes(page, "right to left", SIZES)


def test_texts_without_words_of_candor_say_their_language(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, several("pl")))
    to_questions(page)
    change(page, "polski")
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.locator(".question__text")).to_have_attribute("lang", "pl")
    expect(page.get_by_role("button", name="Next")).to_be_visible()
