"""Who asks, before the first question; and after the last one three sentences, with all below."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.features.privacy_notice.models import SiteNotice
from tests.browser.author import sign_in
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    DIRECT,
    MIXED,
    SENSITIVE,
    address,
    choose,
    press,
    receipt,
    spin,
    survey,
    unfold_sent,
)
from tests.builders import make_user
from tests.german import english_in

pytestmark = pytest.mark.browser

SIZES = [(360, 740), (1280, 800)]
PHONE = {"viewport": {"width": 360, "height": 740}}
AGE = {**DIRECT, "text": "How old are you?", "options": [str(each) for each in range(18, 60)]}
GERMAN = {"text": "Nehmen Sie bei der Arbeit Drogen?"}
TEXTS = ("host", "law", "retention", "withdrawal")


def everything(language: str, questions):
    """A survey of which every line is said: the site has changed one of its texts since."""
    says = {key: f"({key})" for key in TEXTS}
    notice = SiteNotice.objects.create(language=language, **says)
    launch = survey(
        language=language, questions=questions, planned_n=100, linkage="together", consent=""
    )
    notice.host = "(host 2)"
    notice.save()
    return launch


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_asks_is_unfolded_by_keyboard_and_is_well(live_server, new_context, language):
    launch = everything(language, [GERMAN if language == "de" else SENSITIVE, AGE])
    page = new_context(**PHONE).new_page()
    page.goto(address(live_server, launch))
    expect(page.locator("#start")).to_be_visible()
    name = "Wer fragt" if language == "de" else "Who asks"
    folded = page.locator("details", has_text=name)
    expect(folded.locator("p").first).to_be_hidden()
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    for text in ("(host)", "(host 2)", "(law)", "(retention)", "(withdrawal)", "How old are you?"):
        expect(folded.get_by_text(text, exact=True)).to_be_visible()
    assert_well_in_sizes(page, name, SIZES)
    if language == "de":
        told = folded.inner_text().replace("How old are you?", "")
        assert english_in(told) == []


def test_the_last_screen_of_a_phone_says_all_three(at_questions):
    page = at_questions(survey(questions=MIXED, contact="Ask us: survey@example.org"), **PHONE)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    choose(page, "None")
    press(page, "Next")
    choose(page, "No")
    spin(page)
    press(page, "Next")
    press(page, "Send")
    assert receipt(page)
    for text in (
        "You sent 2 scrambled answers and one plain answer.",
        "Nobody can tell your real answers from the scrambled ones.",
        "Keep it if you may have to show that you answered.",
    ):
        expect(page.get_by_text(text)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") < 1000
    expect(page.locator(".fields").first).to_be_hidden()
    unfold_sent(page)
    expect(page.get_by_text("reports.q1")).to_be_visible()


def test_whoever_left_all_that_is_scrambled_out_reads_that_the_rest_is_stored(at_questions):
    page = at_questions(survey(questions=[{**SENSITIVE, "required": False}, DIRECT]))
    press(page, "Next")
    choose(page, "None")
    press(page, "Send")
    assert receipt(page)
    expect(page.get_by_text("You sent one plain answer.")).to_be_visible()
    expect(page.get_by_text("What you gave is stored as it is, without your name.")).to_be_visible()
    expect(page.get_by_text("Nobody can tell")).to_have_count(0)


def test_weak_protection_is_said_in_place_of_the_comfort(at_questions):
    page = at_questions(survey(questions=[{**SENSITIVE, "epsilon": "2"}]))
    choose(page, "Yes")
    spin(page)
    press(page, "Send")
    assert receipt(page)
    expect(page.locator("#respond > .screen > p").nth(1)).to_have_text(
        "What is sent here can be a strong hint at your real answer."
    )
    expect(page.get_by_text("Nobody can tell")).to_have_count(0)


def test_the_page_on_which_the_site_is_written_about_is_well(live_server, new_context):
    page = sign_in(new_context(), live_server, make_user("host", superuser=True))
    page.goto(live_server.url + reverse("admin:surveys_sitenotice_add"))
    assert_well_in_sizes(page, "texts of the site", SIZES)
    page.get_by_label("Who runs this site").fill("A university.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#result_list").get_by_role("link", name="English")).to_be_visible()
    assert_well_in_sizes(page, "list of texts of the site", SIZES)
    assert SiteNotice.objects.get().host == "A university."
