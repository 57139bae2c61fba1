"""Every state of a respondent's pages, in four walks through them."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from surveys.services.transitions import close_survey
from tests.browser import respondent

LONG = {
    "kind": "single_choice",
    "text": "In which region do you live?",
    "options": [f"Region number {number}" for number in range(1, 51)],
}


def states_of_one_response(page: Page, live_server) -> Iterator[str]:
    """From the welcome to the receipt and back, without a connection for a while."""
    respondent.open_survey(page, live_server, questions=[*respondent.MIXED, LONG])
    yield "welcome"
    page.get_by_text("More about this").click()
    yield "more"
    respondent.press(page, "I agree")
    yield "practice"
    respondent.choose(page, "Yes")
    yield "practice, chosen"
    respondent.spin(page)
    yield "practice, drawn"
    page.get_by_text("Two quick questions").click()
    respondent.choose(page.locator(".quiz").first, "No")
    respondent.press(page, "Check")
    yield "quiz, with help"
    respondent.press(page, "Start")
    yield "question"
    respondent.choose(page, "Prefer not to say")
    yield "chosen"
    respondent.spin(page)
    yield "drawn"
    respondent.press(page, "Next")
    respondent.press(page, "Next")
    yield "direct question, nothing chosen"
    respondent.choose(page, "None")
    respondent.press(page, "Next")
    respondent.choose(page, "Yes")
    respondent.spin(page)
    respondent.press(page, "Next")
    respondent.press(page, "Next")
    respondent.choose(page, "Region number 30")
    yield "fifty options"
    respondent.spin(page)
    page.route("**/responses/", lambda route: route.abort())
    respondent.press(page, "Send")
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    yield "waiting for a connection"
    page.unroute("**/responses/")
    respondent.press(page, "Try now")
    respondent.receipt(page)
    yield "sent"
    respondent.unfold_sent(page)
    yield "all that was sent"
    page.reload()
    respondent.receipt(page)
    yield "answered before"


def states_of_other_pages(page: Page, live_server) -> Iterator[str]:
    """The check page, an address of nothing, and surveys that are laid out or open otherwise."""
    page.goto(f"{live_server.url}/check/")
    yield "check"
    page.goto(f"{live_server.url}/s/nothing-here/")
    yield "unknown"
    launch = respondent.survey(slug="both", layout="all", questions=respondent.MIXED)
    respondent.arrive(page, respondent.address(live_server, launch))
    respondent.to_questions(page)
    yield "all questions"
    close_survey(survey=launch.survey, actor=None)
    page.goto(respondent.address(live_server, launch))
    yield "closed"
    later = respondent.survey(slug="later", opens_at=timezone.now() + timedelta(days=2))
    page.goto(respondent.address(live_server, later))
    yield "not open yet"
    respondent.open_survey(page, live_server, slug="direct", questions=[respondent.DIRECT])
    yield "direct questions only"


def states_of_new_kinds(page: Page, live_server) -> Iterator[str]:
    """Boxes with a device each, a scale, a whole set, boxes sent as they are, and a delta."""
    whole = {**respondent.WHOLE, "epsilon": "0.9"}
    scale = {**respondent.SCALE, "prefer_not": True, "epsilon": "0.9"}
    plain = {**respondent.EACH, "randomized": False}
    questions = [{**respondent.EACH, "prefer_not": True}, scale, whole, plain]
    respondent.open_survey(page, live_server, slug="kinds", questions=questions)
    respondent.press(page, "I agree")
    yield "practice beside boxes"
    respondent.press(page, "Start")
    yield "boxes"
    respondent.tick(page, "Paper", "Food")
    yield "boxes, ticked"
    respondent.spin(page)
    yield "boxes, drawn"
    respondent.press(page, "Next")
    respondent.choose(page, "Often")
    yield "scale, chosen"
    respondent.spin(page)
    respondent.press(page, "Next")
    respondent.tick(page, "None of these")
    yield "whole set, chosen"
    respondent.spin(page)
    yield "whole set, drawn"
    respondent.press(page, "Next")
    respondent.tick(page, "Tools")
    yield "boxes sent as they are"
    respondent.press(page, "Send")
    respondent.unfold_sent(page)
    yield "boxes, sent"
    rare = {
        "design": "optimal_binary",
        "design_parameters": {"delta": "0.01", "prevalence": "0.001"},
    }
    respondent.open_survey(page, live_server, slug="rare", questions=[rare])
    respondent.to_questions(page)
    yield "a letter that only one answer can send"


def states_of_groups(page: Page, live_server) -> Iterator[str]:
    """Questions that are sent together: a gap that is named, the device, and the codes of all."""
    group = {"group": 1, "epsilon": "0.9", "required": False}
    questions = [{**group}, {**respondent.SCALE, **group, "prefer_not": True}]
    respondent.open_survey(page, live_server, slug="group", questions=questions)
    yield "welcome to a group"
    respondent.press(page, "I agree")
    respondent.choose(page, "Yes")
    yield "practice of a group"
    respondent.spin(page)
    respondent.press(page, "Start")
    respondent.press(page, "Next")
    yield "a gap in a group"
    respondent.press(page, "Send nothing for these questions")
    yield "a group left out"
    respondent.press(page, "Back")
    respondent.choose(page, "Yes")
    respondent.press(page, "Next")
    respondent.choose(page, "Often")
    yield "the device of a group"
    respondent.spin(page)
    yield "a group, drawn"
    respondent.press(page, "Back")
    yield "one question of a group, drawn"
    respondent.press(page, "Next")
    respondent.press(page, "Send")
    respondent.unfold_sent(page)
    yield "a group, sent"


# Each stops at every state of its pages; together they are all states.
WALKS = {
    "one response": states_of_one_response,
    "other pages": states_of_other_pages,
    "new kinds": states_of_new_kinds,
    "groups": states_of_groups,
}
