"""A reader of the results asks for an analysis, and finds its table, its figures and its files."""

import csv

import pytest
from playwright.sync_api import expect

from surveys.models import AnalysisFit
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_analysis_pages import fitted, listing
from tests.browser.author import sign_in
from tests.browser.axe import assert_well

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_an_outcome_to_figures_and_a_file(live_server, new_context, tmp_path):
    launch = survey_of(people(120), results_public=True)
    size = {"width": 360, "height": 800}
    page = sign_in(new_context(viewport=size, bypass_csp=True), live_server)
    page.goto(live_server.url + listing(launch))
    expect(page.get_by_text("Declared before launch")).to_be_visible()
    page.get_by_label("What is to be explained").select_option("drug")
    page.get_by_role("button", name="Choose this outcome").click()
    page.get_by_role("button", name="Fit this model").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was asked for yet")
    page.get_by_label("Name of the analysis").fill("Drugs by mood")
    page.get_by_label("mood", exact=True).select_option("as a number")
    page.get_by_label("region", exact=True).select_option("as categories")
    assert_well(page, "the form")
    page.get_by_role("button", name="Fit this model").click()
    expect(page.get_by_text("Waiting for a worker to fit it")).to_be_visible()

    # The page notices by itself that the worker has been there, and has failed.
    fit = AnalysisFit.objects.get(number=2)
    AnalysisFit.objects.filter(pk=fit.pk).update(failed=fit.asked)
    expect(page.get_by_role("heading", name="The fit has failed")).to_be_visible()
    assert_well(page, "a failed analysis")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Waiting for a worker to fit it")).to_be_visible()

    fit.refresh_from_db()
    fitted(fit)
    expect(page.get_by_role("heading", name="Coefficients").first).to_be_visible()
    expect(page.locator("#finding .finding")).to_contain_text("fit the data")
    assert page.locator("#finding .figure").count() == 2
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.locator("#figure-coefficients .strip__estimate").count() == 3
    rows = page.locator("#coefficients-1 tbody tr")
    assert rows.count() == 4
    wide = "all => all.some((each) => each.scrollWidth > each.clientWidth)"
    assert not page.locator(".table-wrap:has(table)").evaluate_all(wide)
    assert_well(page, "an analysis")
    with page.expect_download() as download:
        page.get_by_role("link", name="Coefficients (CSV)").click()
    target = tmp_path / download.value.suggested_filename
    download.value.save_as(target)
    with target.open(newline="") as file:
        found = [row["name"] for row in csv.DictReader(file)]
    assert found == ["intercept", "region[South]", "region[West]", "mood"]
    with page.expect_download() as download:
        page.locator("#explore-coefficients").click()
        page.wait_for_selector("#explorer[data-drawn]")
        page.get_by_role("button", name="Figure as PNG").click()
    assert download.value.suggested_filename.endswith("-2-coefficients.png")
