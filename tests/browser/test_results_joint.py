"""Questions that were sent together, on the results page in a real browser."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import assert_well, loaded_in_looks
from tests.released import with_groups

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_pairs_are_drawn_when_they_open(new_context, live_server):
    with_groups(300)
    page = new_context().new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text))
    for state, rules in loaded_in_looks(page, f"{live_server.url}/s/health/results/", height=900):
        page.wait_for_selector("#results[data-drawn]")
        expect(page.locator('[data-figure="group_2:joint"] .main-svg').first).to_be_visible()
        closed = page.locator('[data-figure="drug,drink:heat"]')
        assert closed.locator(".main-svg").count() == 0

        page.locator("#pair-drug-by-drink > summary").click()
        expect(closed.locator(".main-svg").first).to_be_visible()
        # As wide as its place, although there was none when the page was drawn.
        place, drawn = (
            page.locator(f'[data-figure="drug,drink:heat"]{part}').first.bounding_box()
            for part in ("", " .main-svg")
        )
        assert drawn["width"] == pytest.approx(place["width"], abs=1)
        page.locator("section.joint details > summary").first.click()
        expect(page.locator("#combinations-together-group_2")).to_be_visible()
        assert_well(page, state, rules=rules)
        assert errors == []
