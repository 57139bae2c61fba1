"""The whole path of a respondent through every kind of question, in Chromium and in Firefox.

Firefox is Debian's, just as it was released; how it is driven: docs/decisions/0021-firefox.md
"""

import json

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from surveys.models import Submission
from tests.browser import respondent
from tests.browser.author import troubles
from tests.browser.every_kind import EVERY_KIND, letters_in, letters_of, survey_of_every_kind
from tests.browser.support import serving

pytestmark = pytest.mark.browser

RELOADED_AFTER = 4
STEPS = [("button", "I agree"), ("button", "Start"), ("radio", "Yes"), ("button", "Spin")]


def test_from_arrival_to_receipt(live_server, new_context_in_each):
    launch = survey_of_every_kind()
    # Firefox has no setting for this that a driver knows: there everything moves.
    context: BrowserContext = new_context_in_each()
    page = context.new_page()
    said = troubles(page)
    respondent.arrive(page, respondent.address(live_server, launch))
    practise(page)
    shown = [part for number in range(len(EVERY_KIND)) for part in answer(page, number)]
    respondent.press(page, "Send")
    code = respondent.receipt(page)
    sent = json.loads(page.locator("pre.body").text_content())["reports"]
    assert Submission.objects.get().content["reports"] == sent
    assert letters_of(launch, sent) == shown
    page.reload()
    expect(page.get_by_role("heading", name="You have answered this survey")).to_be_visible()
    assert respondent.receipt(page) == code
    assert Submission.objects.count() == 1
    assert (said, context.cookies()) == ([], [])


def test_in_a_frame_of_a_site_that_the_author_named(live_server, new_context_in_each, tmp_path):
    """What a frame of another site stores is its own, and goes on after a reload."""
    with serving(tmp_path) as outside:
        url = respondent.address(live_server, respondent.survey(embed_origins=outside))
        tmp_path.joinpath("index.html").write_text(f'<title>x</title><iframe src="{url}"></iframe>')
        page = new_context_in_each().new_page()
        page.goto(outside)
        form = page.frame_locator("iframe").locator("body")

        def click(role: str, name: str) -> None:
            # Playwright's pointer does not get into a frame of another site in Firefox.
            form.get_by_role(role, name=name, exact=True).dispatch_event("click")

        for role, name in STEPS:
            click(role, name)
        told = form.locator(".question[data-state=drawn] .result__code").inner_text()
        page.reload()
        expect(form.locator(".result__code")).to_have_text(told)
        click("button", "Send")
        expect(form.locator(".receipt__code")).to_be_visible()
    assert Submission.objects.count() == 1


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
    asked = EVERY_KIND[number]
    expect(page.get_by_text(f"Question {number + 1} of {len(EVERY_KIND)}")).to_be_visible()
    expect(page.get_by_role("heading", name=asked.question["text"])).to_be_visible()
    if isinstance(asked.given, str):
        page.get_by_role("textbox").fill(asked.given)
    for label in asked.given if isinstance(asked.given, tuple) else ():
        kind = asked.question.get("kind")
        give = {"multiple_choice": respondent.tick, "ranked_items": respondent.press}
        give.get(kind, respondent.choose)(page, label)
    drawn = draw(page, asked.button) if asked.is_drawn else []
    if number + 1 < len(EVERY_KIND):
        respondent.press(page, "Next")
    if number == RELOADED_AFTER:
        page.reload()
    return drawn


def draw(page: Page, button: str) -> list[str]:
    respondent.press(page, button)
    return letters_in(page.locator(".question[data-state=drawn] .result__code").inner_text())
