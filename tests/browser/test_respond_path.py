"""The whole path of a respondent through every kind of question, in Chromium and in Firefox.

Firefox is Debian's, just as it was released; how it is driven: docs/decisions/0021-firefox.md
"""

import json
from decimal import Decimal

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from surveys.models import Launch, Submission
from tests.browser import respondent
from tests.browser.author import troubles
from tests.devices import devices_of

pytestmark = pytest.mark.browser

MONEY = {
    "kind": "single_choice",
    "text": "Where did your money come from?",
    "options": ["Work", "Family", "Elsewhere"],
    "prefer_not": True,
}
OPTIONAL = {**respondent.SENSITIVE, "text": "Do you smoke?", "required": False}
# Each kind of question and device, and what is answered; an optional one is left out.
ANSWERS = [
    (respondent.SENSITIVE, ["Yes"]),
    (MONEY, ["Prefer not to say"]),
    (respondent.EACH, ["Paper", "Food"]),
    (respondent.SCALE, ["Often"]),
    (respondent.CARDS, ["Cannabis"]),
    (respondent.WHOLE, ["Paper", "Tools"]),
    (OPTIONAL, []),
    (respondent.DIRECT, ["Four or more"]),
]
RELOADED_AFTER = 4


def test_from_arrival_to_receipt(live_server, new_context_in_each):
    questions = [question for question, _ in ANSWERS]
    launch = respondent.survey(questions=questions, budget=Decimal("12"))
    # Firefox has no setting for this that a driver knows: there everything moves.
    context: BrowserContext = new_context_in_each()
    page = context.new_page()
    said = troubles(page)
    respondent.arrive(page, respondent.address(live_server, launch))
    practise(page)
    shown = [part for number in range(len(ANSWERS)) for part in answer(page, number)]
    respondent.press(page, "Send")
    code = respondent.receipt(page)
    sent = json.loads(page.locator("pre.body").text_content())["reports"]
    assert Submission.objects.get().content["reports"] == sent
    assert letters(launch, sent) == shown
    page.reload()
    expect(page.get_by_role("heading", name="You have answered this survey")).to_be_visible()
    assert respondent.receipt(page) == code
    assert Submission.objects.count() == 1
    assert (said, context.cookies()) == ([], [])


def practise(page: Page) -> None:
    respondent.press(page, "I agree")
    respondent.choose(page, "Yes")
    respondent.spin(page)
    page.get_by_text("Two quick questions").click()
    for quiz, right in zip(page.locator(".quiz").all(), ("Yes", "No"), strict=True):
        respondent.choose(quiz, right)
    respondent.press(page, "Check")
    expect(page.get_by_text("Right, so no letter proves an answer.")).to_be_visible()
    respondent.press(page, "Start")


def answer(page: Page, number: int) -> list[str]:
    """Answer a question and go on, reloading once; returns the letters that it shows."""
    question, labels = ANSWERS[number]
    expect(page.get_by_text(f"Question {number + 1} of {len(ANSWERS)}")).to_be_visible()
    expect(page.get_by_role("heading", name=question["text"])).to_be_visible()
    for label in labels:
        several = question.get("kind") == "multiple_choice"
        (respondent.tick if several else respondent.choose)(page, label)
    drawn = draw(page, question) if labels and question.get("randomized", True) else []
    if number + 1 < len(ANSWERS):
        respondent.press(page, "Next")
    if number == RELOADED_AFTER:
        page.reload()
    return drawn


def draw(page: Page, question: dict) -> list[str]:
    (respondent.draw_card if question is respondent.CARDS else respondent.spin)(page)
    told = page.locator(".question[data-state=drawn] .result__code").inner_text()
    codes = told.removeprefix("This is what will be sent: ").removesuffix(".")
    return codes.removeprefix("card ").split()


def letters(launch: Launch, reports: dict[str, int]) -> list[str]:
    """Return what stands for the reports of scrambled answers, in the order of the questions."""
    devices = [device for device in devices_of(launch) if device["family"] != "direct"]
    return [x["reports"][reports[x["id"]]] for x in devices if x["id"] in reports]
