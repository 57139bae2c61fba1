"""The page of a file that a worker makes: it waits by itself, and has the file."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys import jobs
from surveys.models import Job, ReleaseFile
from surveys.services.printed_summaries import SUMMARY
from surveys.services.results import refresh_results
from surveys.services.table_files import TABLE
from tests.browser.author import sign_in
from tests.browser.axe import assert_well
from tests.browser.support import BOTH_SCHEMES
from tests.released import answer, rich, rich_rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_first_reader_waits_and_gets_the_file(live_server, new_context):
    launch = rich(60)
    page = new_context(viewport={"width": 360, "height": 800}, bypass_csp=True).new_page()
    page.goto(live_server.url + reverse("results", args=[launch.survey.slug]))
    page.locator("#downloads > summary").click()
    page.get_by_role("link", name="Summary to hand on (PDF)").click()
    expect(page.get_by_role("heading", name="The file is being made")).to_be_visible()
    assert_well(page, "a summary that is being made", schemes=BOTH_SCHEMES)
    # The page notices by itself that the worker has been there.
    jobs.run(SUMMARY.job, ReleaseFile.objects.get().pk)
    expect(page.get_by_role("heading", name="The file is ready")).to_be_visible()
    assert_well(page, "a summary that is ready", schemes=BOTH_SCHEMES)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download (").click()
    assert download.value.suggested_filename.endswith(".pdf")


@pytest.mark.parametrize("width", [360, 1280])
def test_an_earlier_file_is_offered_and_the_newest_is_made(
    live_server, new_context, settings, width
):
    settings.ROWS_AT_ONCE = 10
    launch = rich(60)
    context = new_context(viewport={"width": width, "height": 800}, bypass_csp=True)
    page = sign_in(context, live_server, launch.survey.owner)
    address = live_server.url + reverse("results-file", args=[launch.survey.slug, "reports.csv"])
    page.goto(address)
    # It would look by itself between the two releases.
    page.goto("about:blank")
    jobs.run(TABLE.job, ReleaseFile.objects.get().pk)
    answer(launch, rich_rows(40))
    refresh_results(launch_id=launch.pk)
    page.goto(address)
    earlier = page.get_by_role("heading", name="The file of an earlier release is ready")
    expect(earlier).to_be_visible()
    assert_well(page, "a file of an earlier release", schemes=BOTH_SCHEMES)
    page.get_by_role("link", name="Make the newest").click()
    expect(page.get_by_role("heading", name="The newest file is being made")).to_be_visible()
    assert_well(
        page,
        "a file of an earlier release, and the newest that is being made",
        schemes=BOTH_SCHEMES,
    )
    with page.expect_download() as download:
        page.get_by_role("link", name="Download (").click()
    assert download.value.suggested_filename.endswith("-n60-reports.csv")
    jobs.run(TABLE.job, ReleaseFile.objects.get().pk)
    expect(page.get_by_role("heading", name="The file is ready")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download (").click()
    assert download.value.suggested_filename.endswith("-n100-reports.csv")


def test_rows_of_many_people_show_how_far_they_are(live_server, new_context, settings):
    settings.ROWS_AT_ONCE = 10
    launch = rich(60)
    context = new_context(viewport={"width": 360, "height": 800}, bypass_csp=True)
    page = sign_in(context, live_server, launch.survey.owner)
    page.goto(live_server.url + reverse("reports-csv", args=[launch.survey.slug]))
    expect(page.get_by_role("heading", name="The file is being made")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "0")
    assert_well(page, "a file that is being made", schemes=BOTH_SCHEMES)
    Job.objects.filter(kind=TABLE.name).update(progress=0.42)
    expect(page.get_by_role("progressbar")).to_have_js_property("value", 42)
    jobs.run(TABLE.job, ReleaseFile.objects.get().pk)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download (").click()
    assert download.value.suggested_filename.endswith("-n60-reports.csv")
