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
    # Its own cache: a file of this address has other modules in other tests.
    page = new_context(fresh=True).new_page()
    page.goto(address(live_server, launch))
    expect(page.locator("#start")).to_be_visible()
    named = "link[data-modules~='features/thank_you/{}']"
    assert page.locator(named.format("rules")).get_attribute("rel") == "modulepreload"
    expect(page.locator(named.format("page"))).to_have_attribute("rel", "modulepreload")
    answer_one(page, address(live_server, launch), "Yes")
    expect(page.locator("#thank-you")).to_have_text("Thanks, all of you.")
    page.goto(address(live_server, survey(slug="other")))
    expect(page.locator("#start")).to_be_visible()
    assert page.locator("link[data-modules*=thank_you]").count() == 0
