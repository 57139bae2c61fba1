"""A pilot asks each person two questions, which chance picks, and sends one report for both."""

import json
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from surveys.models import Submission
from tests.browser.axe import assert_well, assert_well_in_sizes
from tests.browser.joint import opened, shown_letters, spin
from tests.browser.respondent import choose, press, receipt, to_questions

pytestmark = pytest.mark.browser

EACH = {"epsilon": Decimal("0.8")}
TEXTS = ["Ever drunk at work?", "Ever bullied?", "Ever smoked at work?"]
LEAD = {"text": "Do you lead a team?", "randomized": False}
# A direct question stands between the others.
QUESTIONS = [{**EACH, "text": TEXTS[0]}, LEAD, *({**EACH, "text": text} for text in TEXTS[1:])]
TOLD = "Chance picks 2 of the 3 sensitive questions for you, and one draw scrambles both answers."


def pilot(new_context, live_server, questions=QUESTIONS, **values):
    return opened(new_context, live_server, questions, pilot=True, **values)


def on_screen(page):
    shown = page.locator(".question")
    return [text for text in TEXTS if shown.filter(has_text=text).count()]


def stored(page):
    """Return what the browser keeps of the survey."""
    entries = page.evaluate("Object.entries(localStorage)")
    assert len(entries) == 1, json.dumps(entries)
    return json.loads(entries[0][1])


def test_two_questions_are_asked_and_one_report_is_sent(live_server, new_context):
    page, posts = pilot(new_context, live_server, layout="all")
    expect(page.locator("#welcome")).to_contain_text(TOLD)
    to_questions(page)
    picked = on_screen(page)
    assert len(picked) == 2
    expect(page.locator(".question")).to_have_count(3)
    for text in (*picked, LEAD["text"]):
        choose(page.locator(".question", has_text=text), "Yes")
    assert page.evaluate("localStorage.length") == 0
    spin(page)
    letters = shown_letters(page)
    kept = stored(page)
    assert set(kept["reports"]) == {"pair"}
    press(page, "Send")
    assert receipt(page)
    (sent,) = posts
    assert ["AB"[code] for code in sent["reports"]["pair"]] == letters
    stratum = sent["strata"]["pair"]
    assert stratum == kept["stratum"]
    numbers = [int(number) - 1 for number in stratum.removeprefix("pair_").split("_")]
    assert [QUESTIONS[number]["text"] for number in numbers] == picked
    row = page.locator(".fields > div", has_text="strata.pair")
    expect(row).to_contain_text(stratum)
    content = Submission.objects.get().content
    assert content["reports"] == sent["reports"]
    assert content["strata"]["pair"] == stratum


def test_a_reload_after_the_draw_keeps_the_pair(live_server, new_context):
    page, posts = pilot(new_context, live_server, layout="all")
    to_questions(page)
    picked = on_screen(page)
    for text in picked:
        choose(page.locator(".question", has_text=text), "No")
    spin(page)
    letters, kept = shown_letters(page), stored(page)
    for _ in range(3):
        page.reload()
        expect(page.locator(".question--joint[data-state=drawn]").last).to_be_visible()
        assert on_screen(page) == picked
        assert shown_letters(page) == letters
    choose(page.locator(".question", has_text=LEAD["text"]), "No")
    press(page, "Send")
    assert receipt(page)
    assert posts[-1]["strata"] == {"pair": kept["stratum"]}
    assert posts[-1]["reports"]["pair"] == kept["reports"]["pair"]


def test_chance_picks_all_pairs(live_server, new_context):
    """All of nine openings are the same pair in one of 3**8 cases."""
    page, _posts = pilot(new_context, live_server, layout="all")
    seen = set()
    for _ in range(9):
        to_questions(page)
        seen.add(tuple(on_screen(page)))
        page.reload()
    assert len(seen) > 1
    assert all(len(pair) == 2 for pair in seen)


def test_another_tab_takes_over_the_pair_that_was_drawn(live_server, new_context):
    page, _posts = pilot(new_context, live_server, layout="all")
    to_questions(page)
    second = page.context.new_page()
    second.goto(page.url)
    to_questions(second)
    picked = on_screen(page)
    for text in picked:
        choose(page.locator(".question", has_text=text), "Yes")
    spin(page)
    expect(second.locator(".question--joint[data-state=drawn]").last).to_be_visible()
    assert on_screen(second) == picked
    assert shown_letters(second) == shown_letters(page)


def test_an_optional_pair_that_is_left_out_names_no_pair(live_server, new_context):
    questions = [{**question, "required": False} for question in QUESTIONS]
    page, posts = pilot(new_context, live_server, questions, layout="all")
    to_questions(page)
    choose(page.locator(".question", has_text=LEAD["text"]), "Yes")
    press(page, "Send")
    assert receipt(page)
    assert (posts[0]["reports"], "strata" in posts[0]) == ({"q2": 1}, False)


def test_one_at_a_time_the_two_follow_one_another(live_server, new_context):
    page, posts = pilot(new_context, live_server)
    press(page, "I agree")
    assert_well(page, "what chance does", schemes=("light", "dark"))
    press(page, "Start")
    order = []
    for place in range(3):
        expect(page.get_by_text(f"Question {place + 1} of 3")).to_be_visible()
        order.append(LEAD["text"] if page.get_by_text(LEAD["text"]).count() else "sensitive")
        choose(page, "Yes")
        if order[-2:] == ["sensitive", "sensitive"]:
            spin(page)
        press(page, "Next" if place < 2 else "Send")
    assert receipt(page)
    assert order.count("sensitive") == 2
    assert order[1] == "sensitive" or order == ["sensitive", "sensitive", LEAD["text"]]
    assert json.dumps(posts[0]["reports"]).count("pair") == 1


def test_the_welcome_is_well(live_server, new_context):
    page, _posts = pilot(new_context, live_server)
    expect(page.locator("#welcome")).to_contain_text(TOLD)
    assert_well_in_sizes(page, "welcome", [(360, 800), (1280, 800)])
