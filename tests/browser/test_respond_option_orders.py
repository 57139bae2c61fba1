"""Answers in an order by chance, on a respondent's page."""

import json

import pytest
from playwright.sync_api import expect

from surveys.models import Submission
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    CARDS,
    DIRECT,
    EACH,
    SCALE,
    address,
    arrive,
    press,
    receipt,
    survey,
    to_questions,
    unfold_sent,
)

pytestmark = pytest.mark.browser

# All bytes of this page's draws: with 0 every answer stays where it was written but for those that
# are shuffled, and with 255 rotations and reversals are others.
DRAWS_OF = "crypto.getRandomValues = (bytes) => bytes.fill(%s);"
ORDERED = [
    {**DIRECT, "option_order": "reversed"},
    {**EACH, "option_order": "shuffled", "prefer_not": True},
    {**CARDS, "option_order": "rotated", "prefer_not": True},
    {**SCALE, "option_order": "reversed"},
]
SIZES = [(360, 740), (1280, 800)]


def labels(page):
    return page.locator(".question .options .option").all_inner_texts()


def walk(context, url, *, look=False):
    """Take the second answer as it was written, of every question: what was seen and sent."""
    page, requests, seen = context.new_page(), [], []
    page.on("request", lambda request: requests.append(request))
    arrive(page, url)
    to_questions(page)
    for number, question in enumerate(ORDERED, start=1):
        seen.append(labels(page))
        if look:
            assert_well_in_sizes(page, f"answers in an order {number}", SIZES)
        page.get_by_label(question["options"][1], exact=True).check()
        if question.get("randomized", True):
            page.locator(".question .device button").click()
            expect(page.locator(".question")).to_have_attribute("data-state", "drawn")
        for kept in page.evaluate("Object.values({...localStorage, ...sessionStorage})"):
            assert json.loads(kept).keys() == {"reports", "submission"}
        press(page, "Send" if number == len(ORDERED) else "Next")
    assert receipt(page)
    (post,) = [each for each in requests if each.method == "POST"]
    return page, seen, post, sorted({each.url for each in requests})


def test_nothing_that_leaves_the_browser_tells_an_order_that_is_not_kept(live_server, new_context):
    launch = survey(questions=ORDERED, budget=9)
    seen, sent = {}, {}
    for draw in (0, 1):
        context = new_context(fresh=True)
        context.add_init_script(DRAWS_OF % draw)
        _page, seen[draw], post, urls = walk(context, address(live_server, launch), look=not draw)
        body = json.loads(post.post_data)
        assert body.keys() == {"digest", "submission", "reports"}
        # The code of the answer as it was written, wherever it stood.
        assert body["reports"]["q1"] == 1
        sent[draw] = (list(body["reports"]), len(post.post_data), urls)
    assert sent[0] == sent[1]
    ends = ["None of these", "Prefer not to say"]
    assert seen[0] == [
        DIRECT["options"],
        ["Tools", "Food", "Paper", *ends],
        [*CARDS["options"], "Prefer not to say"],
        SCALE["options"],
    ]
    assert seen[1] == [
        DIRECT["options"][::-1],
        ["Paper", "Food", "Tools", *ends],
        [*CARDS["options"][1:], CARDS["options"][0], "Prefer not to say"],
        SCALE["options"][::-1],
    ]


def test_a_reload_draws_an_order_anew_and_one_that_is_kept_is_that_in_which_was_answered(
    live_server, new_context
):
    kept = [{**each, "option_order_kept": each["option_order"] != "shuffled"} for each in ORDERED]
    launch = survey(questions=kept, budget=9, linkage="together", planned_n=2000)
    context = new_context(fresh=True)
    context.add_init_script(DRAWS_OF % "Number(sessionStorage.draw ?? 1)")
    page = context.new_page()
    arrive(page, address(live_server, launch))
    to_questions(page)
    note = "Chance picked the order of these answers when the page opened."
    expect(page.locator(".question").get_by_text(note)).to_be_visible()
    for name in (DIRECT["options"][1], EACH["options"][1], CARDS["options"][1]):
        page.get_by_label(name, exact=True).check()
        if name != DIRECT["options"][1]:
            page.locator(".question .device button").click()
            expect(page.locator(".question")).to_have_attribute("data-state", "drawn")
        press(page, "Next")
    assert labels(page) == SCALE["options"][::-1]
    page.evaluate("sessionStorage.draw = 0")
    page.reload()
    # What is sent as it is, is kept nowhere but on the page.
    page.get_by_label(DIRECT["options"][1], exact=True).check()
    assert labels(page) == DIRECT["options"]
    for _ in range(3):
        press(page, "Next")
    assert labels(page) == SCALE["options"]
    page.get_by_label("Often", exact=True).check()
    page.locator(".question .device button").click()
    expect(page.locator(".question")).to_have_attribute("data-state", "drawn")
    press(page, "Send")
    assert receipt(page)
    (response,) = Submission.objects.values_list("content", flat=True)
    assert response["orders"] == {"q1": 0, "q3": 1, "q4": 0}
    unfold_sent(page)
    assert page.locator(".fields dt", has_text="orders.q3").count() == 1
