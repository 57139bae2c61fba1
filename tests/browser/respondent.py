"""A respondent, as the tests of the respondent's page need one."""

from decimal import Decimal
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect

from surveys.models import Launch, Receipt
from tests.builders import launched

SENSITIVE = {"text": "Have you ever used a drug at work?", "epsilon": Decimal("1.1")}
DIRECT = {
    "kind": "single_choice",
    "text": "How many days did you work?",
    "options": ["None", "One to three", "Four or more"],
    "randomized": False,
}
SCALE = {
    "kind": "scale",
    "text": "How often did you feel low last week?",
    "options": ["Never", "Rarely", "Sometimes", "Often", "Always"],
}
# Tick all that apply: each option with a device of its own, or one device over the whole set.
EACH = {
    "kind": "multiple_choice",
    "text": "Which of these have you taken from work?",
    "options": ["Paper", "Tools", "Food"],
    "design": "per_option",
}
WHOLE = {**EACH, "design": "whole_set"}
# Every card shows two of the five answers, or of the six with a refusal.
CARDS = {
    "kind": "single_choice",
    "text": "Which of these did you take first?",
    "options": ["Nothing", "Alcohol", "Cannabis", "Cocaine", "Sleeping pills"],
    "design": "cards",
}
# Where the words of the page are those of the author, or names.
TEXTS_OF_AUTHORS = ".author-text:not(#person), .survey-title, .who"
# The questions that an author writes; four kinds in one survey.
MIXED = [
    {**SENSITIVE, "prefer_not": True, "required": False},
    DIRECT,
    {**SENSITIVE, "text": "Did you ever take something home?"},
    {"text": "Do you lead a team?", "randomized": False, "required": False},
]

# Motions go on until they are skipped; `lengths` is how long they were meant to be.
HELD_MOTIONS = """
window.lengths = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.lengths.push(options.duration);
  return animate.call(this, frames, {...options, duration: 600_000});
};
const later = window.setTimeout;
window.setTimeout = (call, delay, ...rest) => later(call, delay >= 900 ? 600_000 : delay, ...rest);
"""


def survey(**values: Any) -> Launch:
    return launched(**{"slug": "work", "budget": Decimal("6"), **values})


def address(live_server: Any, launch: Launch) -> str:
    return f"{live_server.url}/s/{launch.survey.slug}/"


def press(page: Page | Locator, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def press_by_key(page: Page, name: str) -> None:
    """Go to the button of this name by Tab, and press it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{name} is not reached by Tab")


def arrive(page: Page, url: str) -> Page:
    page.goto(url)
    expect(page.get_by_role("button", name="I agree", exact=True)).to_be_visible()
    return page


def open_survey(page: Page, live_server: Any, **values: Any) -> Page:
    """At the first screen of a new survey."""
    return arrive(page, address(live_server, survey(**values)))


# Presses the buttons of these names; returns the first that is not there yet, and those after it.
PRESS_ALL = """(names) => {
  const isOf = (name) => (one) => one.textContent.trim() === name && one.checkVisibility();
  for (const [at, name] of names.entries()) {
    const shown = [...document.querySelectorAll("button:enabled")].filter(isOf(name));
    if (shown.length !== 1) return names.slice(at);
    shown[0].click();
  }
  return [];
}"""


def to_questions(page: Page) -> None:
    """Past the practice, without trying it.

    The way to a test, in one message: that hands and keys find the buttons, others see.
    """
    left = ["I agree", "Start"]
    while left := page.evaluate(PRESS_ALL, left):
        press(page, left.pop(0))


def choose(page: Page | Locator, label: str) -> None:
    page.get_by_role("radio", name=label, exact=True).check()


def tick(page: Page | Locator, *labels: str) -> None:
    for label in labels:
        page.get_by_role("checkbox", name=label, exact=True).check()


def spin(page: Page | Locator) -> None:
    press(page, "Spin")
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()


def draw_card(page: Page | Locator) -> None:
    press(page, "Draw a card")
    expect(page.locator(".question[data-state=drawn]").last).to_be_visible()


def answer_one(page: Page, url: str, label: str) -> None:
    """All the way through a survey of one question."""
    arrive(page, url)
    to_questions(page)
    choose(page, label)
    spin(page)
    press(page, "Send")


def unfold_sent(page: Page) -> None:
    """Unfold all that was sent, on the last page."""
    page.locator("details", has=page.locator(".fields")).locator("summary").first.click()
    expect(page.locator(".fields").first).to_be_visible()


def receipt(page: Page) -> str:
    return page.locator(".receipt__code").inner_text()


def stored() -> int:
    return Receipt.objects.count()


def alter(route: Route) -> None:
    """Answer with a file that is not the one asked for."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text() + "\n// altered")
