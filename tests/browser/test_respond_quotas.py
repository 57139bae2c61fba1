"""Quotas, and the way back to a panel, whose own id no request of the page ever carries."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from surveys.models import Receipt, ReportSet, Submission
from surveys.services.results import refresh_results
from tests.browser.axe import assert_well_in_sizes
from tests.browser.respondent import (
    SENSITIVE,
    address,
    choose,
    press,
    receipt,
    spin,
    survey,
    to_questions,
)
from tests.browser.support import serving
from tests.browser.test_respond_truth import STORES, watch
from tests.released import answer
from tests.translations import launched_in

pytestmark = pytest.mark.browser

SIZES = [(360, 740), (1280, 800)]
ID = "Zq7~panel_Member-4711"
PANEL = "https://panel.example"
REGION = {
    "name": "region",
    "kind": "single_choice",
    "options": ["North", "South", "West"],
    "randomized": False,
    "text": "Where do you live?",
}
OWNS = {"name": "owns", "randomized": False, "text": "Do you own a car?"}
LINES = "region = North: 5\nregion = South and owns = Yes: 0\nregion = South: 50"
CLOSING = {
    "panel": "The Panel",
    "complete_text": "Thanks from all of us.",
    "complete_address": f"{PANEL}/end?outcome=1&id={{id}}",
    "full_address": f"{PANEL}/end?outcome=2&id={{id}}",
    "screened_text": "We look for people without a car.",
    "screened_address": f"{PANEL}/end?outcome=3#{{id}}",
}
VALUES = {
    "questions": [REGION, OWNS, SENSITIVE],
    "linkage": "together",
    "quotas": LINES,
    "release_threshold": 5,
    "release_batch": 5,
    "features": {"closing_page": CLOSING},
}


def at(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text, exact=True)).to_be_visible()


def go_back(page: Page, requests: list) -> str:
    """Press the button to the panel; the address that it asks for, without a referrer."""
    page.context.route(f"{PANEL}/**", lambda route: route.fulfill(body="back"))
    page.get_by_role("link", name="Back to The Panel").click()
    expect(page.get_by_text("back", exact=True)).to_be_visible()
    asked = [x for x in requests if x[1].startswith(PANEL)]
    assert len(asked) == 1
    assert "referer" not in asked[0][3]
    return page.url


def assert_unseen(record: dict, live_server) -> None:
    """No request of the page to this site has the id in it, and nothing is stored of it."""
    own = [x for x in record["requests"] if x[1].startswith(live_server.url)]
    assert own
    assert ID not in json.dumps(own)
    rows = [*Submission.objects.values(), *ReportSet.objects.values(), *Receipt.objects.values()]
    assert ID not in str(rows)


def test_the_id_of_a_panel_goes_from_its_link_to_its_button_and_nowhere_else(
    live_server, new_context
):
    page, record = watch(new_context, "")
    page.goto(f"{address(live_server, survey(**VALUES))}#batch=a&pid={ID}")
    to_questions(page)
    choose(page, "West")
    press(page, "Next")
    # A reload needs no storage to know it.
    page.reload()
    to_questions(page)
    choose(page, "West")
    press(page, "Next")
    choose(page, "Yes")
    press(page, "Next")
    choose(page, "No")
    spin(page)
    press(page, "Send")
    receipt(page)
    expect(page.get_by_text("Thanks from all of us.")).to_be_visible()
    expect(page.get_by_text("learns that you have finished, and when")).to_be_visible()
    assert_well_in_sizes(page, "the way back", SIZES)
    kept = page.evaluate(STORES)
    assert ID not in json.dumps({**kept, "address": ""})
    # Nobody is sent there by themselves.
    assert not any(url.startswith(PANEL) for _, url, _, _ in record["requests"])
    page.reload()
    at(page, "You have answered this survey")
    assert go_back(page, record["requests"]) == f"{PANEL}/end?outcome=1&id={ID}"
    assert_unseen(record, live_server)


def test_without_an_id_no_button_leads_back(live_server, new_context):
    launch = survey(questions=[SENSITIVE], features={"closing_page": CLOSING})
    url = address(live_server, launch)
    page = new_context().new_page()
    page.goto(url)
    to_questions(page)
    choose(page, "No")
    spin(page)
    press(page, "Send")
    receipt(page)
    none = page.get_by_text("Your link brought no id of The Panel")
    expect(none).to_be_visible()
    # A mail address is no id, nor is what is too long or cannot be read.
    for fragment in ("#pid=", "#pid=me@home.example", f"#pid={'a' * 129}", "#pid=%", "#id=a"):
        page.goto(f"{url}{fragment}")
        page.reload()
        at(page, "You have answered this survey")
        expect(none).to_be_visible()
        assert page.get_by_role("link", name="Back to").count() == 0


def test_whose_group_is_full_or_not_wanted_is_told_before_a_scrambled_question(
    live_server, new_context
):
    launch = survey(**VALUES)
    answer(launch, [{"region": 0, "owns": 0, "q3": 0}] * 12)
    refresh_results(launch_id=launch.pk)
    stored = Receipt.objects.count()
    page, record = watch(new_context, "")
    url = f"{address(live_server, launch)}#pid={ID}"
    page.goto(url)
    to_questions(page)
    choose(page, "North")
    press(page, "Next")
    at(page, "Thank you. Your group is complete")
    expect(page.get_by_text("Nothing was sent")).to_be_visible()
    assert page.get_by_role("radio").count() == 0
    assert_well_in_sizes(page, "a full group", SIZES)
    assert page.evaluate("Object.keys(localStorage).length") == 0
    assert go_back(page, record["requests"]) == f"{PANEL}/end?outcome=2&id={ID}"

    page.goto(url)
    to_questions(page)
    choose(page, "South")
    press(page, "Next")
    choose(page, "Yes")
    press(page, "Next")
    at(page, "Thank you. This survey is for others")
    expect(page.get_by_text("We look for people without a car.")).to_be_visible()
    link = page.get_by_role("link", name="Back to The Panel").get_attribute("href")
    assert link == f"{PANEL}/end?outcome=3#{ID}"
    assert [method for method, *_ in record["requests"] if method != "GET"] == []
    assert Receipt.objects.count() == stored
    assert_unseen(record, live_server)


def test_from_a_frame_the_button_leads_the_page_around_it(live_server, new_context, tmp_path):
    with serving(tmp_path) as outside:
        launch = survey(
            questions=[REGION, SENSITIVE],
            quotas="region = West: 0",
            embed_origins=outside,
            features={"closing_page": CLOSING},
        )
        inner = f"{address(live_server, launch)}#pid={ID}"
        (tmp_path / "index.html").write_text(f'<title>x</title><iframe src="{inner}"></iframe>')
        page, record = watch(new_context, "")
        page.goto(outside)
        frame = page.frame_locator("iframe")
        for name in ("I agree", "Start"):
            frame.get_by_role("button", name=name, exact=True).click()
        frame.get_by_role("radio", name="West", exact=True).check()
        frame.get_by_role("button", name="Next", exact=True).click()
        page.context.route(f"{PANEL}/**", lambda route: route.fulfill(body="back"))
        frame.get_by_role("link", name="Back to The Panel").click()
        page.wait_for_url(f"{PANEL}/end?outcome=3#{ID}")
        assert_unseen(record, live_server)


def test_questions_of_one_page_are_asked_singly_where_the_first_decides(live_server, new_context):
    page = new_context().new_page()
    first = {**REGION, "section_title": "All of it", "section_together": True}
    launch = survey(
        **{**VALUES, "questions": [first, OWNS, SENSITIVE], "quotas": "region = West: 0"}
    )
    page.goto(address(live_server, launch))
    to_questions(page)
    expect(page.get_by_role("radio")).to_have_count(3)
    choose(page, "West")
    press(page, "Next")
    at(page, "Thank you. This survey is for others")


def test_the_way_back_is_in_the_language_that_somebody_reads(live_server, new_context):
    page = new_context().new_page()
    launch = launched_in("he", slug="work", **{**VALUES, "quotas": "region = West: 0"})
    page.goto(f"{address(live_server, launch)}?language=he#pid={ID}")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.locator("#start").click()
    expect(page.get_by_role("button").first).to_be_visible()
    assert page.url.endswith(f"#pid={ID}")
    assert re.search("[\u0590-\u05ff]", page.locator("main").inner_text())
