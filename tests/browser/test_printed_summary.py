"""The page of the printed summary: it waits by itself, and has the file."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys import jobs
from surveys.models import PrintedSummary
from surveys.services.printed_summaries import PRINT
from tests.browser.axe import assert_well
from tests.released import rich

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_first_reader_waits_and_gets_the_file(live_server, new_context):
    launch = rich(60)
    page = new_context(viewport={"width": 360, "height": 800}, bypass_csp=True).new_page()
    page.goto(live_server.url + reverse("results", args=[launch.survey.slug]))
    page.locator("#downloads > summary").click()
    page.get_by_role("link", name="Summary to hand on (PDF)").click()
    expect(page.get_by_role("heading", name="The file is being made")).to_be_visible()
    assert_well(page, "a summary that is being made")
    # The page notices by itself that the worker has been there.
    jobs.run(PRINT, PrintedSummary.objects.get().pk)
    expect(page.get_by_role("heading", name="The file is ready")).to_be_visible()
    assert_well(page, "a summary that is ready")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download (").click()
    assert download.value.suggested_filename.endswith(".pdf")
