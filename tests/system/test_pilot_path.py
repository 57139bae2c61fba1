"""From a pilot to its main survey: launched, answered by pairs, its clusters estimated by a
worker, and the main survey made with them and launched.
"""

import re
import time
from typing import Any

import numpy as np
import pytest
from candor import respondent
from playwright.sync_api import Page, expect

from tests.browser.author import more, step
from tests.system.author import add_question, begin_draft, launch, sign_in, slug_of
from tests.system.stack import Stack

pytestmark = [pytest.mark.system, pytest.mark.browser]

# The answers to the first and third are one, and those to the second and fourth are another.
QUESTIONS = ("Ever drunk at work?", "Ever bullied?", "Ever smoked at work?", "Ever been afraid?")
PLANTED = [["q1", "q3"], ["q2", "q4"]]
# About 45 for each of six pairs.
RESPONSES = 270


def compose(page: Page, stack: Stack) -> None:
    # Few enough that no cluster has more than two questions.
    planned = {"planned_n": "40", "precision_reason": "It tells which questions go together."}
    settings = {"budget": "4", **planned, "pilot": True, "release_threshold": "5"}
    begin_draft(page, stack, "What belongs together", **settings)
    for text in QUESTIONS:
        add_question(page, text, epsilon="2", prefer_not=False)
    expect(page.locator("[data-budget-text]")).to_contain_text("4 of 4 used")
    expect(page.locator("[data-budget]")).to_contain_text("Chance picks one of 6 pairs")


def answer(stack: Stack, slug: str) -> None:
    document = respondent.check(respondent.fetch(stack.url, slug).body)
    chance = np.random.default_rng(5)
    for _ in range(RESPONSES):
        traits = chance.integers(2, size=2).tolist()
        truth = {f"q{number + 1}": traits[number % 2] for number in range(len(QUESTIONS))}
        pair = respondent.pick_pair(document, chance.bytes)
        assert pair is not None
        asked = {name: truth[name] for name in pair["questions"]}
        body = respondent.respond(document, asked, random_bytes=chance.bytes)
        reply = respondent.send(stack.url, slug, body)
        assert reply.status in (200, 201)


def estimate(page: Page) -> None:
    """Until all responses are in the results that the worker reads."""
    deadline = time.monotonic() + 120
    responses = 0
    while responses < RESPONSES:
        assert time.monotonic() < deadline, responses
        page.get_by_role("button", name=re.compile("Estimate (now|again)")).click()
        expect(page.locator("#run[data-finished=yes]")).to_be_visible()
        shown = re.search(r"From (\d+) responses", page.locator("main").inner_text())
        responses = int(shown.group(1)) if shown else 0


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_pilot_from_its_questions_to_the_main_survey(stack: Stack, new_context: Any) -> None:
    author = new_context().new_page()
    sign_in(author, stack, "petra")
    compose(author, stack)
    page = author.url
    link = launch(author)
    slug = slug_of(link)
    answer(stack, slug)

    author.goto(page)
    more(author)
    author.get_by_role("link", name="Clusters", exact=True).click()
    estimate(author)
    names = author.locator(".cluster > p:nth-of-type(1)").all_inner_texts()
    assert names == [", ".join(cluster) for cluster in PLANTED]
    author.get_by_role("button", name="Make the main survey").click()
    expect(author.locator(".messagelist .success")).to_contain_text("This is the main survey")
    step(author, "Settings")
    expect(author.locator("#id_pilot")).not_to_be_checked()
    expect(author.locator("#id_budget")).to_have_value("4")

    main = slug_of(launch(author))
    assert main == f"{slug}-main"
    document = respondent.check(respondent.fetch(stack.url, main).body)
    devices = [(device["id"], device["questions"]) for device in document["devices"]]
    assert devices == [("group_1", ["q1", "q3"]), ("group_3", ["q2", "q4"])]
    assert [question["id"] for question in document["questions"]] == ["q1", "q3", "q2", "q4"]
    reply = respondent.send(
        stack.url,
        main,
        respondent.respond(document, dict.fromkeys(["q1", "q2", "q3", "q4"], 1)),
    )
    assert reply.status == 201
