"""Statistics of a network on the results page in a real browser: drawn, accessible, never a tie."""

import pytest
from playwright.sync_api import expect

from tests.app.test_network_results import answered_network
from tests.browser.author import sign_in
from tests.browser.axe import assert_well, loaded_in_looks

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FIGURES = ("friends-undirected", "lends-in", "lends-out")


def test_degrees_and_groups_are_drawn_and_the_page_is_accessible(new_context, live_server):
    answered_network(members=48, groups=("Early shift", "Late shift", "Office"))
    page = sign_in(new_context(), live_server)
    errors = []
    page.on("console", lambda message: errors.append(message.text))
    for state, rules in loaded_in_looks(page, f"{live_server.url}/s/health/results/", height=900):
        page.wait_for_selector("#results[data-drawn]")
        for name in FIGURES:
            expect(page.locator(f"#figure-{name} .strip__estimate").first).to_be_visible()
        expect(page.locator("#question-friends .finding").first).to_contain_text("pairs are tied")
        page.locator("#drawer-friends > summary").click()
        expect(page.locator("#network-lends")).to_contain_text("Reciprocity")
        expect(page.locator("#question-friends")).to_contain_text("Person level")
        assert errors == []
        page.locator("#question-friends details details > summary").first.click()
        assert_well(page, state, rules=rules)
