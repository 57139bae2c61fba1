"""A feature that lives in a folder of the tests, on the page of a respondent."""

import pytest
from playwright.sync_api import expect

from tests.app.contract import thank_you
from tests.browser.respondent import address, answer_one, survey

pytestmark = pytest.mark.browser


@pytest.fixture
def feature(settings):
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, thank_you.STATIC]
    with thank_you.registered():
        yield


def test_its_part_of_the_page_is_loaded_where_the_document_uses_it(
    feature, live_server, new_context
):
    launch = survey(features={thank_you.NAME: {"texts": {"en": "Thanks, all of you."}}})
    page = new_context().new_page()
    page.goto(address(live_server, launch))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator("link[data-module^='thank_you/'][rel=modulepreload]").count() == 2
    answer_one(page, address(live_server, launch), "Yes")
    expect(page.locator("#thank-you")).to_have_text("Thanks, all of you.")
    page.goto(address(live_server, survey(slug="other")))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator("link[data-module]").count() == 0
