"""An author adds a control item with one click, and sees its known share in the form."""

import pytest
from playwright.sync_api import expect

from tests.app.author_posts import page as address
from tests.browser.author import field, more, open_question, sign_in, troubles
from tests.browser.axe import assert_well
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_one_click_adds_a_control_item(live_server, new_context):
    survey = make_survey(questions=[{}, {}])
    page = sign_in(new_context(), live_server)
    noted = troubles(page)
    page.goto(live_server.url + address(survey))
    more(page)
    page.get_by_role("button", name="Add a control item").click()
    expect(page.get_by_text("The control item “Were you born on 30 February?”")).to_be_visible()
    item = open_question(page, 2)
    expect(field(item, "name")).to_have_value("control")
    expect(field(item, "known_share")).to_have_value("0")
    field(item, "randomized").select_option("False")
    expect(field(item, "known_share")).to_be_hidden()
    field(item, "randomized").select_option("True")
    expect(field(item, "known_share")).to_be_visible()
    assert noted == []
    assert_well(page, "a control item")
