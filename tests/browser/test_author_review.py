"""A link for review, from the author's page to the paper of the committee."""

import pytest
from playwright.sync_api import expect

from tests.app.author_posts import page as address
from tests.app.composed import all_sorts
from tests.browser.author import more, sign_in, troubles
from tests.browser.axe import assert_well_in_sizes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [(360, 740), (1280, 900)]
# The width of a sheet of A4 within margins of 15 mm, at 96 dots an inch.
SHEET = {"width": 680, "height": 960}
CUT = """() => [...document.querySelectorAll("main *")].filter((part) =>
  part.getBoundingClientRect().right > innerWidth + 1).map((part) => part.outerHTML.slice(0, 80))"""


def test_a_committee_reads_and_prints_what_its_author_has_composed(live_server, new_context):
    survey = all_sorts().survey
    author = sign_in(new_context(), live_server)
    author.goto(live_server.url + address(survey))
    more(author)
    author.get_by_role("link", name="Review", exact=True).click()
    author.get_by_label("For whom").fill("Ethics committee")
    author.get_by_role("button", name="Make a link").click()
    link = author.get_by_role("textbox", name="The new link").input_value()
    assert_well_in_sizes(author, "links for review", SIZES)

    # Somebody else, with a browser that has never been here.
    reader = new_context().new_page()
    heard = troubles(reader)
    reader.goto(link)
    expect(reader.get_by_role("heading", name="What protects the respondents")).to_be_visible()
    expect(reader.locator(".review__questions > li")).to_have_count(5)
    assert heard == []
    assert_well_in_sizes(reader, "review", SIZES)
    reader.set_viewport_size(SHEET)
    reader.emulate_media(media="print")
    assert reader.evaluate(CUT) == []
    expect(reader.locator(".site-header")).to_be_hidden()

    author.get_by_role("button", name="Revoke the link of Ethics committee").click()
    expect(author.locator(".messagelist .success")).to_contain_text("is void.")
    assert reader.goto(link).status == 404
