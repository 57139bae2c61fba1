"""The page of a survey with tiers: which versions are sent, to whom, and the codes of each."""

import json

import pytest
from playwright.sync_api import expect

from surveys.models import Submission
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    CARDS,
    EACH,
    SENSITIVE,
    WHOLE,
    address,
    arrive,
    choose,
    draw_card,
    press,
    receipt,
    spin,
    survey,
    tick,
    to_questions,
    unfold_sent,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TIERS = (("The public", "0.25"), ("Partners", "0.5"), ("Our own team", "1"))
HOURS = {
    "kind": "bounded_number",
    "text": "How many hours did you work last week?",
    "scale": {"lower": "0", "upper": "60", "step": "0.5", "unit": "hours", "bins": []},
    "design": "one_bit",
}


def bodies(page):
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request))
    return sent


def test_a_code_for_each_tier_is_sent_and_shown(live_server, new_context_in_each):
    page = new_context_in_each().new_page()
    sent = bodies(page)
    arrive(page, address(live_server, survey(tiers=TIERS)))
    welcome = page.locator("#welcome")
    expect(welcome).to_contain_text("Of each scrambled answer 3 versions are sent")
    page.get_by_text("More about this").click()
    expect(welcome).to_contain_text("All versions together reveal no more than the last one.")
    press(page, "I agree")
    press(page, "Start")
    explained = page.locator(".meeting")
    expect(explained).to_contain_text("3 versions are sent: the most scrambled for “The public”")
    expect(explained).to_contain_text("All versions together reveal no more than the last one.")
    choose(page, "Yes")
    spin(page)
    told = page.locator(".result__code").inner_text()
    letters = [item.inner_text().split(": ")[1] for item in page.locator(".codes li").all()]
    readers = [name for name, _share in TIERS]
    first, second, third = (f"{x} for “{y}”" for x, y in zip(letters, readers, strict=True))
    assert told == f"This is what will be sent: {first}, {second}, and {third}."
    press(page, "Send")
    assert receipt(page)
    assert len(sent) == 1
    reports = Submission.objects.get().content["reports"]["q1"]
    assert ["AB"[code] for code in reports] == letters
    row = page.locator(".fields > div").first
    expect(row).to_contain_text(json.dumps(reports, separators=(",", ":")))
    for name, letter in zip(readers, letters, strict=True):
        expect(row).to_contain_text(f"{name}: {letter}")


KINDS = {
    "several boxes": ({**EACH, "epsilon": 3}, lambda page: tick(page, "Tools"), spin),
    "a whole set": ({**WHOLE, "epsilon": 3}, lambda page: tick(page, "Tools"), spin),
    "cards": (CARDS, lambda page: choose(page, "Cannabis"), draw_card),
    "a refusal": ({**SENSITIVE, "prefer_not": True}, lambda page: choose(page, "No"), spin),
    "a number": (HOURS, lambda page: page.locator(".number__field").fill("12"), spin),
}


@pytest.mark.parametrize("name", KINDS)
def test_every_look_shows_the_versions_of_each_device(live_server, new_context, name):
    question, answer, draw = KINDS[name]
    page = new_context().new_page()
    sent = bodies(page)
    arrive(page, address(live_server, survey(questions=[question], tiers=TIERS)))
    to_questions(page)
    answer(page)
    expect(page.locator(".question form")).to_contain_text("3 versions are sent")
    expect(page.locator(".question form")).to_contain_text("the version that “Our own team” reads")
    draw(page)
    told = page.locator(".result__code").inner_text()
    assert all(f"for “{reader}”" in told for reader, _share in TIERS)
    rows = page.locator(".result .codes").last.locator("li")
    expect(rows).to_have_count(3)
    press(page, "Send")
    assert receipt(page)
    (request,) = sent
    reports = json.loads(request.post_data)["reports"]
    assert all(len(report) == 3 for report in reports.values())
    names = [name for name, _share in TIERS]
    unfold_sent(page)
    for fields in page.locator(".fields > div").all()[: len(reports)]:
        versions = [item.inner_text() for item in fields.locator("li > span").all()]
        assert [text.split(": ")[0] for text in versions] == names


def test_a_reload_keeps_the_versions_that_were_drawn(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, survey(tiers=TIERS)))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    told = page.locator(".result__code").inner_text()
    page.reload()
    expect(page.locator(".result__code")).to_have_text(told)


def test_a_stored_report_with_a_version_too_few_is_drawn_again(live_server, new_context):
    page = new_context().new_page()
    arrive(page, address(live_server, survey(tiers=TIERS)))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    page.evaluate(
        """() => { for (const [key, text] of Object.entries(localStorage)) {
          const stored = JSON.parse(text);
          stored.reports.q1.pop();
          localStorage.setItem(key, JSON.stringify(stored));
        } }"""
    )
    page.reload()
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()


def test_the_practice_round_sends_nothing(live_server, new_context):
    page = new_context().new_page()
    sent = bodies(page)
    arrive(page, address(live_server, survey(tiers=TIERS)))
    press(page, "I agree")
    practice = page.locator(".practice")
    choose(practice, "No")
    spin(practice)
    expect(practice.locator(".result__code")).to_contain_text("This would be sent")
    assert not sent


def test_direct_answers_have_one_version_and_say_so(live_server, new_context):
    page = new_context().new_page()
    sent = bodies(page)
    lead = {"text": "Do you lead a team?", "randomized": False}
    arrive(page, address(live_server, survey(questions=[lead, {}], tiers=TIERS)))
    page.get_by_text("More about this").click()
    expect(page.locator("#welcome")).to_contain_text("which all of these readers see")
    to_questions(page)
    expect(page.locator(".question").first).not_to_contain_text("versions")
    choose(page, "Yes")
    press(page, "Next")
    choose(page.locator(".screen:visible"), "No")
    spin(page)
    press(page, "Send")
    assert receipt(page)
    reports = json.loads(sent[0].post_data)["reports"]
    assert reports["q1"] == 1
    assert len(reports["q2"]) == 3


def test_without_javascript_the_page_says_why_there_is_no_form(live_server, new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(address(live_server, survey(tiers=TIERS)))
    told = "Only the page can make a version of your answer for each group of readers"
    # Playwright looks for text outside <noscript> only.
    assert told in page.locator("noscript .notice").inner_text()


def test_what_tiers_need_comes_with_the_page_and_nothing_of_it_elsewhere(live_server, new_context):
    page = new_context().new_page()
    groups = "link[data-group=chain_rules], link[data-group='features/tiers/page']"
    page.goto(address(live_server, survey(tiers=TIERS)))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator(groups).count() == 2
    for link in page.locator(groups).all():
        expect(link).to_have_attribute("rel", "modulepreload")
    page.goto(address(live_server, survey(slug="plain")))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator(groups).count() == 0


SIZES = [(320, 800), (1280, 800)]


def test_axe_finds_nothing_on_the_screens_that_speak_of_tiers(live_server, new_context):
    size = {"width": 320, "height": 800}
    page = new_context(viewport=size).new_page()
    arrive(page, address(live_server, survey(tiers=TIERS)))
    assert_well_in_sizes(page, "welcome", SIZES)
    press(page, "I agree")
    choose(page.locator(".practice"), "No")
    spin(page.locator(".practice"))
    assert_well_in_sizes(page, "practised", SIZES)
    press(page, "Start")
    choose(page, "Yes")
    assert_well_in_sizes(page, "chosen", SIZES)
    spin(page)
    assert_well_in_sizes(page, "drawn", SIZES)
    press(page, "Send")
    assert receipt(page)
    assert_well_in_sizes(page, "sent", SIZES)
