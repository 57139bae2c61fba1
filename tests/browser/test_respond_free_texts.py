"""A page after the last question for what people write in their own words."""

import json

import pytest
from playwright.sync_api import expect

from surveys.models import Submission
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    SENSITIVE,
    address,
    arrive,
    press,
    receipt,
    spin,
    survey,
    to_questions,
    unfold_sent,
)

pytestmark = pytest.mark.browser

ASKED = {"free_text_questions": "What else?\nWhat helps?", "free_text_characters": 60}
HOSTILE = "<img src=x onerror=alert(1)>\n=1+1 “שלום” 😀"
SIZES = [(360, 740), (1280, 800)]


def to_the_last_page(page, url):
    arrive(page, url)
    expect(page.get_by_text("sent and read as you wrote it")).to_be_attached()
    to_questions(page)
    page.get_by_role("radio", name="No", exact=True).check()
    spin(page)
    press(page, "Next")
    expect(page.get_by_role("heading", name="In your own words")).to_be_focused()


def send(page):
    with page.expect_request(lambda request: request.method == "POST") as sent:
        press(page, "Send")
    assert receipt(page)
    return sent.value.post_data_buffer


def test_a_text_is_sent_as_it_was_written_and_its_length_is_not_seen(live_server, new_context):
    url = address(live_server, survey(questions=[SENSITIVE], **ASKED))
    page = new_context(fresh=True).new_page()
    to_the_last_page(page, url)
    warning = page.get_by_text("Do not write what tells who you or others are.")
    expect(warning).to_be_visible()
    assert_well_in_sizes(page, "texts in one's own words", SIZES)
    field = page.get_by_label("What else?")
    field.fill("a" * 100)
    assert field.input_value() == "a" * 60
    # A page that is left and comes back has forgotten it.
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    assert field.input_value() == ""
    field.fill(f"  {HOSTILE}\n")
    page.get_by_label("What helps?").fill(" ")
    # It is in its field and nowhere else.
    assert HOSTILE not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    written = send(page)
    assert json.loads(written)["texts"] == {"text_1": HOSTILE}
    unfold_sent(page)
    expect(page.locator(".fields dd", has_text="onerror=alert(1)")).to_be_visible()
    assert page.locator("img").count() == 0
    assert "onerror" not in page.evaluate("JSON.stringify({...localStorage})")
    other = new_context(fresh=True).new_page()
    to_the_last_page(other, url)
    assert len(send(other)) == len(written)
    texts = [content["texts"] for content in Submission.objects.values_list("content", flat=True)]
    assert sorted(map(len, texts)) == [0, 1]
