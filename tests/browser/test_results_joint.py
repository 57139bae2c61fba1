"""Questions that were sent together, on the results page in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_well, loaded_in_looks
from tests.released import with_groups

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_pairs_are_shown_when_they_open(new_context, live_server):
    with_groups(300)
    page = new_context().new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text))
    for state, rules in loaded_in_looks(page, f"{live_server.url}/s/health/results/", height=900):
        page.wait_for_selector("#results[data-drawn]")
        expect(page.locator("#figure-group_2 .strip__estimate").first).to_be_visible()
        closed = page.locator("#figure-drug-by-drink")
        expect(closed).to_be_hidden()
        page.locator("#pair-drug-by-drink > summary").click()
        expect(closed.locator(".strip__estimate").first).to_be_visible()
        page.locator("section.joint details > summary").first.click()
        expect(page.locator("#combinations-together-group_2")).to_be_visible()
        assert_well(page, state, rules=rules)
        assert errors == []
