"""Questions that were sent together, in a later wave: the same report, and nothing of an answer."""

import json
from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from surveys.features.return_codes.assignment import chain_of
from tests.browser import comer, comer_states
from tests.browser.axe import assert_well
from tests.browser.joint import THREE, answer
from tests.browser.respondent import address, arrive, choose, press, receipt, spin, to_questions
from tests.browser.test_come_back_access import OWN
from tests.browser.test_german import RUNS_OUT
from tests.browser.test_respond_truth import COUNTED_BYTES, STORES, watch
from tests.german import english_in
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = pytest.mark.browser

TEAM = {"name": "team", "text": "Do you lead a team?", "epsilon": Decimal(1)}
NAMED = [
    {**question, "name": name}
    for question, name in zip(THREE, ("drug", "which", "low"), strict=True)
]
QUESTIONS = [TEAM, *NAMED]
OPTIONAL = [{**question, "required": False} for question in QUESTIONS]
# The last outcome of every draw: all answers change, each into the last code that is not its own.
LAST = """
Crypto.prototype.getRandomValues = function (array) {
  return array.fill(0xff);
};
"""
TRUTH = ["Yes", "Wine", "Sometimes"]


def launch_of(**values: Any) -> Any:
    return coded_launch(**{"slug": "work", "questions": QUESTIONS, "budget": Decimal(6), **values})


def answer_team(page: Page) -> None:
    choose(page, "Yes")
    spin(page)
    press(page, "Next")


def answer_first_wave(page: Page, url: str) -> tuple[str, str]:
    """Answer everything; the return code, and what the browser kept before it sent."""
    arrive(page, url)
    to_questions(page)
    answer_team(page)
    answer(page, *TRUTH)
    press(page, "Spin")
    expect(page.locator(".question--joint[data-state=drawn]").last).to_be_visible()
    press(page, "Next")
    code, kept = comer.shown_code(page), json.dumps(page.evaluate(STORES))
    comer.keep_and_send(page)
    receipt(page)
    return code, kept


def pass_the_group(page: Page) -> None:
    """Each of its questions says that it was sent before, and asks nothing."""
    for number in (2, 3, 4):
        expect(page.locator("#respond")).to_contain_text(f"Question {number} of 4")
        shown = page.locator(".question--joint:visible")
        expect(shown).to_contain_text("Questions 2 to 4 were sent together in wave 1.")
        expect(shown).to_contain_text("you need not answer them")
        expect(page.get_by_role("radio")).to_have_count(0)
        expect(page.get_by_role("button", name="Spin")).to_have_count(0)
        press(page, "Next")


def ledger(page: Page) -> list[str]:
    return page.locator("table.outcomes tbody tr").all_inner_texts()


@pytest.mark.slow
def test_whoever_comes_back_sends_the_same_report_and_the_answers_are_nowhere(
    live_server, new_context
):
    first = launch_of()
    page, traffic = watch(new_context, LAST)
    code, kept = answer_first_wave(page, address(live_server, first))
    report = chain_of(launch_id=first.pk, code=code).reports["group_2"]
    # None of the true codes 1, 1 and 1 is sent.
    assert report == [0, 2, 3]
    later = next_wave(first, team="2")

    page, second = watch(new_context, COUNTED_BYTES)
    comer.come_back(page, live_server, later, code)
    row = page.locator(".fields > div").nth(1)
    expect(row.locator("dt")).to_have_text("Questions 2 to 4 were sent together")
    assert row.locator(".codes b").all_inner_texts() == ["A", "C", "D"]
    expect(row).to_contain_text(
        "The same letters are sent again, so these questions need no answer."
    )
    page.get_by_text("What it adds up to").click()
    # The group is 1.8 of the first wave, and nothing of the second.
    assert ledger(page) == ["Wave 1\t2.8\t2.8", "Wave 2\t1\t3.8"]
    answer_team(page)
    taken = page.evaluate("window.taken.length")
    pass_the_group(page)
    assert comer.shown_code(page) == code
    press(page, "Send")
    receipt(page)
    assert page.evaluate("window.taken.length") == taken
    assert ledger(page) == ["Wave 1\t2.8\t2.8", "Wave 2\t1\t3.8"]
    chain = chain_of(launch_id=later.pk, code=code)
    assert chain.reports["group_2"] == report
    assert [(entry.wave, entry.epsilon) for entry in chain.ledger] == [(1, "2.8"), (2, "3.8")]
    for record in (traffic, second):
        everything = (json.dumps(record) + kept).replace(" ", "").replace("\\", "")
        assert "[0,2,3]" in json.dumps(record).replace(" ", "")
        assert "[1,1,1]" not in everything
        assert not any(label in everything for label in TRUTH[1:])


@pytest.mark.slow
def test_who_left_a_group_out_answers_it_anew_and_its_epsilon_is_added(
    live_server, new_context, client
):
    first, code = launch_of(questions=OPTIONAL), new_code()
    assert post(client, first, code, {"team": 1}).status_code == 201
    later = next_wave(first, team="2")
    page = new_context().new_page()
    comer.come_back(page, live_server, later, code)
    expect(page.locator(".fields > div")).to_have_count(1)
    page.get_by_text("What it adds up to").click()
    assert ledger(page) == ["Wave 1\t1\t1", "Wave 2\t2.8\t3.8"]
    answer_team(page)
    answer(page, *TRUTH)
    press(page, "Spin")
    expect(page.locator(".result").last).to_contain_text("no longer holds your real answers")
    press(page, "Next")
    press(page, "Send")
    receipt(page)
    assert ledger(page) == ["Wave 1\t1\t1", "Wave 2\t2.8\t3.8"]
    assert chain_of(launch_id=later.pk, code=code).ledger[-1].epsilon == "3.8"


def test_who_has_answered_this_wave_sees_the_codes_of_the_group(live_server, new_context, client):
    first, code = launch_of(questions=[TEAM, *NAMED[:2]]), new_code()
    assert post(client, first, code, {"team": 1, "group_2": [1, 0]}).status_code == 201
    later = next_wave(first, team="2")
    assert post(client, later, code, {"team": 0, "group_2": [1, 0]}).status_code == 201
    page = new_context().new_page()
    comer.come_back(page, live_server, later, code)
    row = page.locator(".fields > div").nth(1)
    expect(row.locator("dt")).to_have_text("Questions 2 and 3 were sent together")
    assert row.locator(".codes b").all_inner_texts() == ["B", "A"]
    expect(row).not_to_contain_text("sent again")


def test_in_german_the_page_says_which_questions_were_sent_together(
    live_server, new_context, client
):
    first, code = launch_of(questions=[TEAM, *NAMED[:2]], language="de"), new_code()
    assert post(client, first, code, {"team": 1, "group_2": [1, 2]}).status_code == 201
    later = next_wave(first, team="2")
    sizes = {"viewport": {"width": 360, "height": 740}}
    page = new_context(**sizes).new_page()
    comer_states.open_at(page, live_server, later)
    comer_states.go_on(page)
    comer_states.enter(page, code)
    page.get_by_text("Was Sie damals gesendet haben", exact=True).click()
    row = page.locator(".fields > div").nth(1)
    expect(row.locator("dt")).to_have_text("Die Fragen 2 und 3 wurden zusammen gesendet")
    expect(row).to_contain_text("Dieselben Buchstaben werden noch einmal gesendet")
    assert page.evaluate(RUNS_OUT) == []
    assert_well(page, "what was sent before", schemes=["light"])
    comer_states.answer(page)
    shown = page.locator(".question--joint:visible")
    expect(shown).to_contain_text("Die Fragen 2 und 3 wurden in Welle 1 zusammen gesendet.")
    found = english_in(page.locator("body").inner_text())
    assert [text for text in found if text not in OWN] == []
    assert_well(page, "sent again", schemes=["light"])
    assert page.evaluate(RUNS_OUT) == []
