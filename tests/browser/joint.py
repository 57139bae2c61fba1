"""A survey with a group of questions, and the steps of its respondent."""

import json
from decimal import Decimal
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.respondent import address, arrive, choose, press, survey

LEAD = {"text": "Do you lead a team?", "randomized": False}
GROUP = {"group": 1, "epsilon": Decimal("0.6")}
DRUG = {**GROUP, "text": "Have you ever used a drug at work?"}
WHICH = {
    **GROUP,
    "text": "Which one first?",
    "kind": "single_choice",
    "options": ["Tea", "Wine", "Pills"],
}
LOW = {
    **GROUP,
    "text": "How often did you feel low?",
    "kind": "scale",
    "options": ["Never", "Sometimes", "Often"],
    "prefer_not": True,
}
THREE = [DRUG, WHICH, LOW]
QUESTIONS = [LEAD, *THREE]
OPTIONAL = [{**question, "required": False} for question in QUESTIONS]
TOGETHER = "Questions 2 to 4 are sent together"


def spin(page: Page) -> None:
    press(page, "Spin")
    expect(page.locator(".question--joint[data-state=drawn]").last).to_be_visible()


def answer(page: Page, *labels: str) -> None:
    """One answer to a screen, the last one without going on."""
    for place, label in enumerate(labels):
        choose(page, label)
        if place + 1 < len(labels):
            press(page, "Next")


def opened(new_context, live_server, questions=QUESTIONS, **values: Any) -> tuple[Page, list]:
    page = new_context().new_page()
    posts: list[dict] = []
    page.on("request", lambda r: r.method == "POST" and posts.append(json.loads(r.post_data)))
    arrive(page, address(live_server, survey(questions=questions, **values)))
    return page, posts


def shown_letters(page: Page) -> list[str]:
    return page.locator(".question--joint .result .codes b").all_inner_texts()
