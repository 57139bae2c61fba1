"""Surveys with arms, and respondents whom the server's chance puts into a chosen one."""

import json
import uuid
from decimal import Decimal
from typing import Any

from playwright.sync_api import Locator, Page

from surveys.models import Launch
from tests.arms import BOTH, PLAIN, SPLIT_ONLY, id_in
from tests.browser.respondent import address, survey, to_questions

DRUG = {**BOTH, "text": "Have you ever used a drug at work?", "epsilon": Decimal(1)}
MOOD = {**SPLIT_ONLY, "text": "How was your week?"}
REGION = {**PLAIN, "text": "Where do you live?"}
# The id of a response is the only thing that a page draws sixteen bytes for.
OWN_ID = """
const real = Crypto.prototype.getRandomValues;
Crypto.prototype.getRandomValues = function (array) {
  return array.byteLength === 16 ? (array.set(%s), array) : real.call(this, array);
};
"""
NOTICE = "so that both can be compared"


def armed_survey(questions: Any = (DRUG, MOOD, REGION), **values: Any) -> Launch:
    return survey(questions=questions, split_share=35, direct_share=30, layout="all", **values)


def drawing(submission: str, script: str = OWN_ID) -> str:
    """A script with which a page draws this id."""
    return script % list(uuid.UUID(submission).bytes)


def page_in(new_context: Any, launch: Launch, arm: str) -> tuple[Page, list[tuple[str, Any]]]:
    """A page whose next response is in this arm, and its requests: the last part of the address
    with the body, which Playwright does not learn from Firefox.
    """
    page = new_context().new_page()
    page.add_init_script(drawing(id_in(launch, arm)))
    posts: list[tuple[str, Any]] = []

    def note(request: Any) -> None:
        if request.method == "POST":
            posts.append((request.url.split("/")[-2], json.loads(request.post_data or "null")))

    page.on("request", note)
    return page, posts


def open_questions(page: Page, live_server: Any, launch: Launch) -> None:
    """Agreed, and past what chance does."""
    page.goto(address(live_server, launch))
    to_questions(page)


def question(page: Page, asked: dict[str, Any]) -> Locator:
    return page.locator(".question", has_text=asked["text"])


def kept(page: Page) -> dict[str, Any]:
    """Return what the browser keeps of the survey."""
    (text,) = page.evaluate("Object.values(localStorage)")
    return json.loads(text)
