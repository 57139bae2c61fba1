"""The findings of arms, on the results page in a real browser."""

import pytest

from tests.arm_reports import arms_survey, everybody, store
from tests.browser.author import sign_in
from tests.browser.axe import assert_well

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_arms_of_a_question_are_legible_on_a_phone(new_context, live_server):
    store(arms_survey(), everybody(400, 160, 240))
    context = new_context(viewport={"width": 360, "height": 900}, color_scheme="dark")
    page = sign_in(context, live_server)
    page.goto(f"{live_server.url}/s/health/results/")
    page.wait_for_selector("#results[data-drawn]")
    tables = page.locator(".arms .table-wrap")
    assert tables.count() == 3
    for table in tables.all():
        assert table.evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth")
    assert_well(page)
