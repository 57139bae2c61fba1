"""What the respondent's page weighs, as production stores and serves its files."""

import gzip
import re
from decimal import Decimal
from typing import Any

import brotli
import pytest
from django.test import Client
from playwright.sync_api import Response, Route, expect

from surveys.models import Launch
from tests.browser.respondent import (
    CARDS,
    EACH,
    SCALE,
    SENSITIVE,
    address,
    alter,
    arrive,
    choose,
    press,
    receipt,
    spin,
    stored,
    survey,
    to_questions,
)
from tests.browser.support import come_to_rest
from tests.rosters import launched_network, links_of
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = pytest.mark.browser

# What a server says before each file.
HEAD = 500


def weight(answers: list[Response]) -> tuple[int, int]:
    """Bytes as production serves them, plain and compressed, each file once."""
    bodies = {answer.url: answer.body() for answer in answers}
    compressed = sum(
        len(brotli.compress(body) if "/static/" in url else gzip.compress(body))
        for url, body in bodies.items()
    )
    return sum(map(len, bodies.values())), compressed


def test_the_whole_page_is_light(live_server, new_context):
    """A yes/no survey: under 124 KiB, 34 compressed, until the first question can be answered.

    What the last screens need is asked for only then, and is left out of the first sum by refusing
    it: the question is asked and answered without it, and nothing of the answer is lost.
    """
    page = new_context(fresh=True).new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    late = re.compile("groups/en/(end|looking_up)")
    # One route whose mind changes: to take it away would answer twice what is still under way.
    answered = [Route.abort]
    page.route(late, lambda route: answered[-1](route))
    arrive(page, address(live_server, survey()))
    to_questions(page)
    choose(page, "Yes")
    spin(page)
    written, compressed = weight(answers)
    assert written < 124 * 1024
    assert compressed < 34 * 1024
    press(page, "Send")
    expect(page.get_by_text("The end of this page could not be loaded yet.")).to_be_visible()
    # Nor is it run when it is not what the page names.
    answered.append(alter)
    with page.expect_response(late):
        press(page, "Try now")
    expect(page.get_by_text("The end of this page could not be loaded yet.")).to_be_visible()
    answered.append(Route.continue_)
    press(page, "Try now")
    assert receipt(page)
    assert stored() == 1
    # Everything together, each file once.
    written, compressed = weight(answers)
    assert written < 140 * 1024
    assert compressed < 39 * 1024


def mixed(**values: Any) -> tuple[Launch, str]:
    text = {"kind": "short_text", "design": "rappor", "epsilon": Decimal("4")}
    questions = [SENSITIVE, EACH, CARDS, SCALE, text]
    return survey(**values, budget=Decimal("12"), questions=questions), ""


def together(**values: Any) -> tuple[Launch, str]:
    return survey(**values, questions=[{"group": 1, "epsilon": Decimal("0.9")}] * 2), ""


def armed(**values: Any) -> tuple[Launch, str]:
    return survey(**values, questions=[{"asked_directly": True}], direct_share=30), ""


def second_wave(**values: Any) -> tuple[Launch, str]:
    return next_wave(coded_launch(**values), drug="2"), ""


def with_a_code(**values: Any) -> tuple[Launch, str]:
    """Of every kind but texts, whose reports are drawn anew in a second wave."""
    asked = [{"name": "drug"}, {**EACH, "name": "took"}, {**SCALE, "name": "low"}]
    first = coded_launch(questions=asked, budget=Decimal("12"), **values)
    sent = {"drug": 1, "took_1": 1, "took_2": 0, "took_3": 1, "low": 2}
    code = new_code()
    assert post(Client(), first, code, sent).status_code == 201
    return next_wave(first, drug="2"), f"={code}"


def network(**values: Any) -> tuple[Launch, str]:
    launch = launched_network(slug="staff", **values)
    return launch, f"#{links_of(launch.survey)['m001']}"


MODES = {
    "open link": lambda **values: (survey(**values), ""),
    "open link, five kinds": mixed,
    "open link, together": together,
    "open link, arms": armed,
    "return code": lambda **values: (coded_launch(**values), ""),
    "wave 2": second_wave,
    "wave 2, with a code": with_a_code,
    "personal link": network,
}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("mode", MODES)
def test_little_is_loaded_before_the_first_question(live_server, new_context, mode, language):
    """At most 12 requests and 60 kB in every mode, the first question's own scripts included."""
    launch, key = MODES[mode](language=language)
    link, _, code = key.partition("=")
    page = new_context(fresh=True).new_page()
    answers: dict[str, Response] = {}
    page.on("response", lambda answer: answers.setdefault(answer.url, answer))
    page.goto(f"{address(live_server, launch)}{link}")
    expect(page.locator("#start")).to_be_visible()
    expect(page.locator("link[data-soon]:not([rel])")).to_have_count(0)
    come_to_rest(page)
    later = page.locator("link[data-group]:not([rel])")
    waiting = {page.evaluate("(each) => each.href", each) for each in later.element_handles()}
    if code:
        page.locator("#start").click()
        page.locator("input.code-input").fill(code)
        page.keyboard.press("Enter")
        expect(page.locator(".screen > .question")).to_be_visible()
        come_to_rest(page)
    loaded = [answer for url, answer in answers.items() if url not in waiting]
    assert len(loaded) <= 12
    assert weight(loaded)[1] + HEAD * len(loaded) <= 60_000
