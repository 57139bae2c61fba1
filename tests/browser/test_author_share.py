"""The share page on paper: what there was to copy can be read."""

import pytest
from playwright.sync_api import expect

from tests.browser.author import sign_in
from tests.builders import launched

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_on_paper_links_are_texts_dark_on_light_and_nothing_is_to_be_pressed(
    new_context, live_server
):
    survey = launched().survey
    page = sign_in(new_context(viewport={"width": 672, "height": 950}), live_server)
    page.goto(f"{live_server.url}/admin/surveys/survey/{survey.pk}/share/")
    link = page.locator("p.copy__paper").first
    expect(link).to_be_hidden()
    page.emulate_media(media="print", color_scheme="dark")
    expect(link).to_have_text(page.locator("[data-copy]").first.input_value())
    expect(link).to_be_visible()
    assert page.locator("button:visible, input:visible, .breadcrumbs:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(29, 35, 41)"
    assert page.evaluate("document.documentElement.scrollWidth") <= 672
    qr = page.locator(".qr").evaluate("(figure) => getComputedStyle(figure).breakInside")
    assert qr == "avoid"
