"""Compute on the crowd in a real browser, with and without JavaScript."""

import csv
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.axe import assert_well_in_sizes
from tests.browser.support import open_details
from tests.released import with_groups

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = ((360, 800), (1280, 800))


def open_results(new_context, live_server, launch, **options):
    page = new_context(**options).new_page()
    page.goto(f"{live_server.url}{reverse('results', args=[launch.survey.slug])}")
    return page


def compute(page):
    page.get_by_role("button", name="Compute", exact=True).click()
    return page.locator("#found")


def test_a_researcher_composes_a_statistic_without_javascript(new_context, live_server, tmp_path):
    launch = with_groups(120)
    page = open_results(new_context, live_server, launch, java_script_enabled=False)
    page.get_by_role("link", name="Compute on the crowd").click()
    page.get_by_role("link", name="Conditional table").click()
    page.get_by_label("Shares of the answers to").select_option("drink")
    page.get_by_label("Within each answer to").select_option("drug")
    page.get_by_label("Only those who answered").select_option("stress:2")
    found = compute(page)
    expect(found).to_contain_text("How much does your work weigh on you? High")
    assert found.locator(".figure__rows caption").all_inner_texts() == ["Tea", "Wine", "Gin"]
    found.locator("summary").click()
    numbers_of = found.locator("#crowd-numbers")
    assert numbers_of.locator("tbody tr").count() == 2
    assert numbers_of.locator("thead th").all_inner_texts() == ["Group", "Tea", "Wine", "Gin"]

    # The address alone leads there again, and the choices are still made.
    link, numbers = page.url, numbers_of.inner_text()
    again = new_context().new_page()
    again.goto(link)
    open_details(again)
    expect(again.locator("#crowd-numbers")).to_have_text(numbers, use_inner_text=True)
    expect(again.get_by_label("Shares of the answers to")).to_have_value("drink")
    assert_well_in_sizes(again, "a conditional table", SIZES)

    page.get_by_role("link", name="Linear regression").click()
    page.get_by_label("Outcome").select_option("stress")
    page.get_by_label("Explained by").select_option("stress")
    page.get_by_role("button", name="Compute", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was computed")
    again.goto(page.url)
    assert_well_in_sizes(again, "a refusal", SIZES)
    # Only the questions of a group are measured together here.
    page.get_by_label("Explained by").select_option("team")
    page.get_by_role("button", name="Compute", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("were not measured together")
    page.get_by_label("Explained by").select_option("drug")
    expect(compute(page)).to_contain_text("Intercept")
    again.goto(page.url)
    assert_well_in_sizes(again, "a regression", SIZES)

    with again.expect_download() as download:
        again.get_by_role("link", name="Synthetic data, block 1: CSV", exact=True).click()
    target = tmp_path / download.value.suggested_filename
    download.value.save_as(target)
    assert "-synthetic" in Path(target).name
    with target.open(newline="") as file:
        head, *people = csv.reader(file)
    assert head[0] == "synthetic_person"
    assert len(people) == 120
