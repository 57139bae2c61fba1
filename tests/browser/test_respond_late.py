"""What shows the questions after the first is loaded while that is read, whatever is answered."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.comer import keep_and_send, shown_code
from tests.browser.respondent import (
    CARDS,
    address,
    alter,
    arrive,
    choose,
    draw_card,
    press,
    receipt,
    spin,
    stored,
    survey,
    to_questions,
)
from tests.rosters import launched_network, links_of
from tests.waves import coded_launch

pytestmark = pytest.mark.browser

NOT_YET = "The next part of this page could not be loaded yet."
SAFE = "What you send is kept in this browser, and this page tries again by itself."


class Answers:
    """How requests for some files are answered: of one route, whose mind may change."""

    def __init__(self, page: Page, files: str) -> None:
        self.answer: Callable[[Route], Any] = Route.abort
        self.asked: list[str] = []
        page.route(re.compile(files), self._take)

    def _take(self, route: Route) -> None:
        self.asked.append(route.request.url)
        self.answer(route)


def test_a_question_whose_look_is_not_here_says_so_and_comes(
    live_server: Any, new_context: Any
) -> None:
    page = new_context(fresh=True).new_page()
    looks = Answers(page, "groups/en/choices")
    arrive(page, address(live_server, survey(questions=[{}, CARDS])))
    press(page, "I agree")
    # Practice is on the first question.
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
    assert not looks.asked
    with page.expect_event("requestfailed"):
        press(page, "Start")
    choose(page, "Yes")
    spin(page)
    drawn = page.evaluate("({...localStorage})")
    press(page, "Next")
    expect(page.get_by_role("heading", name="One moment")).to_be_focused()
    expect(page.get_by_text(f"{NOT_YET} {SAFE}")).to_be_visible()
    # Nor is it run when it is not what the page names.
    looks.answer = alter
    with page.expect_response(re.compile("groups/en/choices")):
        press(page, "Try now")
    expect(page.get_by_text(NOT_YET)).to_be_visible()
    looks.answer = Route.continue_
    press(page, "Try now")
    expect(page.get_by_role("heading", name=CARDS["text"])).to_be_focused()
    assert page.evaluate("({...localStorage})") == drawn
    # The way back and forth is as if it had been here all the time.
    press(page, "Back")
    expect(page.locator(".result__code")).to_be_visible()
    press(page, "Next")
    choose(page, "Alcohol")
    draw_card(page)
    press(page, "Send")
    receipt(page)
    assert stored() == 1


def test_the_code_is_kept_once_its_screen_is_here(live_server: Any, new_context: Any) -> None:
    page = new_context(fresh=True).new_page()
    screen = Answers(page, "return_codes/keeping")
    launch = coded_launch(questions=[{"name": "drug"}])
    arrive(page, address(live_server, launch))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    press(page, "Next")
    expect(page.get_by_text(NOT_YET)).to_be_visible()
    screen.answer = Route.continue_
    press(page, "Try now")
    shown_code(page)
    keep_and_send(page)
    receipt(page)


def test_whoever_has_begun_goes_on_at_any_question(live_server: Any, new_context: Any) -> None:
    page = new_context(fresh=True).new_page()
    arrive(page, address(live_server, survey(questions=[{}, CARDS])))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    page.reload()
    expect(page.get_by_role("heading", name=CARDS["text"])).to_be_visible()
    choose(page, "Alcohol")
    draw_card(page)
    press(page, "Send")
    receipt(page)


def test_a_member_may_agree_before_the_list_is_here(live_server: Any, new_context: Any) -> None:
    """Whose link it is is asked once, beside the checks."""
    launch = launched_network(slug="staff")
    page = new_context(fresh=True).new_page()
    held: list[Route] = []
    posts: list[str] = []
    part = Answers(page, "groups/en/features/roster/page")
    part.answer = held.append
    page.on("request", lambda each: posts.append(each.url) if each.method == "POST" else None)
    page.goto(f"{address(live_server, launch)}#{links_of(launch.survey)['m001']}")
    press(page, "I agree")
    expect(page.locator("#person")).to_contain_text("This link is for")
    expect(page.get_by_text("The first question is on its way.")).to_be_visible()
    # It has left the address before anybody could read it there.
    expect(page).to_have_url(address(live_server, launch))
    part.answer = Route.continue_
    for route in held:
        route.continue_()
    expect(page.get_by_role("heading", name="Practice: nothing is sent")).to_be_visible()
    assert [url.rsplit("/", 2)[-2] for url in posts] == ["person"]


def test_a_link_that_was_not_found_at_first_is_looked_up_again(
    live_server: Any, new_context: Any
) -> None:
    launch = launched_network(slug="staff")
    page = new_context(fresh=True).new_page()
    person, trouble = Answers(page, "/person/$"), Answers(page, "roster/trouble")
    page.goto(f"{address(live_server, launch)}#{links_of(launch.survey)['m001']}")
    # Neither the server nor the script that would say so is reached.
    expect(page.get_by_role("heading", name="Looking up your link")).to_be_focused()
    expect(page.get_by_text("There is no connection just now.")).to_be_visible()
    # The server asks for ten minutes of patience: until then only the button asks it again.
    person.answer = busy
    trouble.answer = Route.continue_
    press(page, "Try now")
    expect(page.get_by_text("The server has a problem of its own.")).to_be_visible()
    person.answer = Route.continue_
    press(page, "Try now")
    press(page, "I agree")
    expect(page.get_by_role("heading", name="Practice: nothing is sent")).to_be_visible()


def busy(route: Route) -> None:
    route.fulfill(status=503, headers={"Retry-After": "600"})
