"""Every state of a respondent's pages, one after the other."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.services.transitions import close_survey
from tests.browser.respondent import (
    DIRECT,
    EACH,
    MIXED,
    SCALE,
    WHOLE,
    address,
    arrive,
    choose,
    press,
    receipt,
    spin,
    survey,
    tick,
    to_questions,
)

LONG = {
    "kind": "single_choice",
    "text": "In which region do you live?",
    "options": [f"Region number {number}" for number in range(1, 51)],
}


def states(page: Page, live_server) -> Iterator[str]:
    """Walks through every state of the pages, and stops at each."""
    arrive(page, address(live_server, survey(questions=[*MIXED, LONG])))
    yield "welcome"
    page.get_by_text("More about this").click()
    yield "more"
    press(page, "I agree")
    yield "explanation"
    choose(page, "Yes")
    yield "practice, chosen"
    spin(page)
    yield "practice, drawn"
    press(page, "Continue")
    choose(page.locator(".quiz").first, "No")
    press(page, "Check")
    yield "quiz, with help"
    press(page, "Continue")
    yield "question"
    choose(page, "Prefer not to say")
    yield "chosen"
    spin(page)
    yield "drawn"
    press(page, "Next")
    press(page, "Next")
    yield "direct question, nothing chosen"
    choose(page, "None")
    press(page, "Next")
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    press(page, "Next")
    choose(page, "Region number 30")
    yield "fifty options"
    spin(page)
    page.route("**/responses/", lambda route: route.abort())
    press(page, "Send")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    yield "waiting for a connection"
    page.unroute("**/responses/")
    press(page, "Try now")
    receipt(page)
    yield "sent"
    page.reload()
    receipt(page)
    yield "answered before"
    yield from states_of_other_pages(page, live_server)
    yield from states_of_new_kinds(page, live_server)


def states_of_other_pages(page: Page, live_server) -> Iterator[str]:
    """The check page, an address of nothing, and surveys that are laid out or open otherwise."""
    page.goto(f"{live_server.url}/check/")
    yield "check"
    page.goto(f"{live_server.url}/s/nothing-here/")
    yield "unknown"
    launch = survey(slug="both", layout="all", questions=MIXED)
    arrive(page, address(live_server, launch))
    to_questions(page)
    yield "all questions"
    close_survey(survey=launch.survey, actor=None)
    page.goto(address(live_server, launch))
    yield "closed"
    later = survey(slug="later", opens_at=timezone.now() + timedelta(days=2))
    page.goto(address(live_server, later))
    yield "not open yet"
    arrive(page, address(live_server, survey(slug="direct", questions=[DIRECT])))
    yield "direct questions only"


def states_of_new_kinds(page: Page, live_server) -> Iterator[str]:
    """Boxes with a device each, a scale, a whole set, boxes sent as they are, and a delta."""
    whole = {**WHOLE, "epsilon": "0.9"}
    scale = {**SCALE, "prefer_not": True, "epsilon": "0.9"}
    plain = {**EACH, "randomized": False}
    questions = [{**EACH, "prefer_not": True}, scale, whole, plain]
    arrive(page, address(live_server, survey(slug="kinds", questions=questions)))
    press(page, "I agree")
    yield "explanation of boxes"
    press(page, "Continue")
    press(page, "Continue")
    yield "boxes"
    tick(page, "Paper", "Food")
    yield "boxes, ticked"
    spin(page)
    yield "boxes, drawn"
    press(page, "Next")
    choose(page, "Often")
    yield "scale, chosen"
    spin(page)
    press(page, "Next")
    tick(page, "None of these")
    yield "whole set, chosen"
    spin(page)
    yield "whole set, drawn"
    press(page, "Next")
    tick(page, "Tools")
    yield "boxes sent as they are"
    press(page, "Send")
    receipt(page)
    yield "boxes, sent"
    rare = {
        "design": "optimal_binary",
        "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
    }
    arrive(page, address(live_server, survey(slug="rare", questions=[rare])))
    press(page, "I agree")
    yield "a code that only one answer can send"
