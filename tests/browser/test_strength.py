"""The respondent's page says of the protection what follows from the numbers that it checked."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_well
from tests.browser.respondent import choose, draw_card, press, spin, survey, unfold_sent
from tests.browser.rr_page import run
from tests.vectors.case_lines import read_vectors

pytestmark = pytest.mark.browser

VECTORS = read_vectors("strength.json")
RULE = """const formOf = ({ form }) => parts.get(form)?.form ?? device.codedTable;
const contents = ({ table }) => formOf(table)(table, () => {}, false).contents;
const loss = strengths.questionLoss(given.map((raw) => ({ ...raw, ...contents(raw) })));
return [loss, strengths.questionLevel(loss)];"""
HINT = "What is sent here can be a strong hint at your real answer."
MUCH = "What is sent here can give away much about your real answer."
VERY_MUCH = (
    "What is sent here can give away very much about your real answer. It can make other answers "
    "next to impossible."
)
NOTHING = "No letter proves an answer."
MANY = "From many of them we work out how many people gave each answer."
# Epsilon: what is said of it, how often an even guess comes true, what practice says.
WORDS = {
    "0.5": ("", "63 times in 100", NOTHING),
    "2": (HINT, "89 times in 100", HINT),
    "5": (MUCH, "994 times in 1,000", MUCH),
    "8": (VERY_MUCH, "9,997 times in 10,000", VERY_MUCH),
}


@pytest.mark.parametrize("case", VECTORS["surveys"], ids=lambda case: case["name"])
def test_the_rule_is_that_of_the_vectors(page, case):
    expected = [case["strength"]["question"], case["question_level"]]
    assert run(page, RULE, case["devices"]) == expected


@pytest.mark.parametrize("epsilon", WORDS)
def test_no_screen_says_more_than_the_numbers(arrived, epsilon):
    words, guess, practice = WORDS[epsilon]
    question = {"epsilon": Decimal(epsilon), "epsilon_reason": "Nobody minds."}
    launch = survey(budget=Decimal(8), questions=[question])
    page = arrived(launch)
    expect(page.locator("#budget")).to_contain_text(f"right at most {guess}.")
    expect(page.locator("#welcome .notice:not([hidden]):not(noscript *)")).to_have_count(
        1 if words else 0
    )
    press(page, "I agree")
    choose(page.locator(".practice"), "Yes")
    spin(page)
    expect(page.locator(".practice__lesson")).to_have_text(f"{practice} {MANY}")
    page.get_by_text("Two quick questions").click()
    choose(page.locator(".quiz").first, "Yes")
    choose(page.locator(".quiz").nth(1), "No")
    press(page, "Check")
    told = page.locator(".quiz__help").all_inner_texts()
    # No comfort stands beside a warning.
    calm = "Right." if words else "Right, so no letter proves an answer."
    seen = "Right." if words else "Right, it never leaves your device."
    assert told == [f"{calm} {words}".strip(), f"{seen} {words}".strip()]
    choose(page.locator(".quiz").first, "No")
    press(page, "Check")
    again = page.locator(".quiz__help").first
    expect(again).to_contain_text("They can: chance changes some answers")
    assert ("nobody sees which" in again.inner_text()) == (calm != "Right.")
    press(page, "Start")
    notice = page.locator(".question .notice")
    expect(notice).to_have_count(1 if words else 0)
    if words:
        expect(notice).to_contain_text(words)
        above = epsilon in ("5", "8")
        assert ("The reason that the author gives: Nobody minds." in notice.inner_text()) == above
    assert_well(page)
    choose(page, "Yes")
    spin(page)
    if words:
        expect(page.locator(".result").get_by_text(words)).to_be_visible()
    press(page, "Send")
    unfold_sent(page)
    expect(page.get_by_text(f"right at most {guess}.").last).to_be_visible()
    if words:
        expect(page.get_by_text(words).last).to_be_visible()


@pytest.mark.parametrize(
    ("total", "guess", "words"),
    [
        (3, "is right at most 96 times in 100.", None),
        (10, "is right at most 99,996 times in 100,000.", "much"),
        (60, "can be practically always right.", "very much"),
    ],
)
def test_the_total_comes_second_and_in_words(arrived, total, guess, words):
    launch = survey(
        budget=Decimal(60), budget_reason="A long life.", questions=[{}] * total, layout="all"
    )
    page = arrived(launch)
    expect(page.locator("#budget")).to_contain_text("right at most 74 times in 100. Suppose")
    expect(page.locator("#budget")).to_contain_text(f"With all their scrambled answers, it {guess}")
    together = "All your scrambled answers together can give away"
    text = page.locator("#welcome").inner_text()
    assert (f"{together} {words} about you." in text) == (words is not None)
    assert (together in text) == (words is not None)
    assert ("The reason that the author gives: A long life." in text) == (total > 10)


def test_one_weak_question_is_not_hidden_behind_a_strong_example(arrived):
    weak = {"epsilon": Decimal(5), "kind": "single_choice", "options": ["Red", "Blue", "Green"]}
    launch = survey(questions=[{}, weak])
    page = arrived(launch)
    press(page, "I agree")
    choose(page.locator(".practice"), "Yes")
    spin(page)
    expect(page.locator(".practice__lesson")).to_have_text(f"{MUCH} {MANY}")
    assert page.get_by_text(NOTHING).count() == 0


def test_cards_that_give_away_much_say_so(arrived):
    options = [f"Town {number}" for number in range(1, 9)]
    cards = {"epsilon": Decimal(5), "kind": "single_choice", "options": options, "design": "cards"}
    page = arrived(survey(questions=[cards]))
    press(page, "I agree")
    choose(page.locator(".practice"), "1")
    draw_card(page)
    expect(page.locator(".practice__lesson")).to_have_text(f"{MUCH} {MANY}")
    assert page.get_by_text("No card proves an answer.").count() == 0
