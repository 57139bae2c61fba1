"""The tables beside the page of results are copied with each number in a cell of its own."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import AnalysisFit
from tests.app.test_analysis_fits import people, survey_of
from tests.app.test_analysis_pages import address, fitted
from tests.arm_reports import arms_survey, everybody, store
from tests.browser.author import sign_in
from tests.browser.axe import assert_well
from tests.browser.support import open_details
from tests.browser.test_results_page import copy_table, number_of, wait_for_figures
from tests.released import with_groups

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LOW, HIGH = "95 % interval from", "95 % interval to"
MAY_COPY = ["clipboard-read", "clipboard-write"]


@pytest.fixture
def opened(new_context, live_server):
    def open_at(path, *, as_author=False):
        context = new_context(permissions=MAY_COPY, bypass_csp=True)
        page = sign_in(context, live_server) if as_author else context.new_page()
        page.goto(live_server.url + path)
        return page

    return open_at


def assert_numbers(head, rows, names=1):
    """Every cell after the names of the row is a number, or a p-value below what is written."""
    assert rows
    for row in rows:
        assert len(row) == len(head)
        for title, text in zip(head[names:], row[names:], strict=True):
            if title != "p" or not text.startswith("<"):
                number_of(text)


def test_the_tables_of_an_analysis(opened):
    launch = survey_of(people(240), results_public=True)
    fitted(AnalysisFit.objects.get(number=1))
    page = opened(address(launch))
    open_details(page)
    expect(page.locator("#copy-coefficients-1")).to_be_visible()
    head, *rows = copy_table(page, "coefficients-1")
    ratio = [f"Odds ratio, {end}" for end in (LOW, HIGH)]
    assert head[1:] == ["Coefficient", "Standard error", LOW, HIGH, "Odds ratio", *ratio, "p"]
    content = AnalysisFit.objects.get(number=1).content
    for row, coefficient in zip(rows, content["coefficients"], strict=True):
        found = [number_of(text) for text in (row[1], row[3], row[4])]
        expected = [coefficient["estimate"], *coefficient["interval"]]
        assert found == pytest.approx(expected, rel=0.02, abs=0.02)
        assert all(text == "" or number_of(text) is not None for text in row[5:8])
    head, *rows = copy_table(page, "predictions-numbers")
    assert head[1:] == [name for name in head[1:] if re.search(r" \(%\)$", name)]
    assert_numbers(head, rows)
    for name in ("effects-numbers", "wald-tests"):
        head, *rows = copy_table(page, name)
        assert_numbers(head, rows)
    head, *rows = copy_table(page, "calibration-numbers")
    assert_numbers(head, rows, names=0)
    assert_well(page, "an analysis whose tables are copied")


@pytest.mark.parametrize("query", ["mean", "table"])
def test_what_was_computed_on_the_crowd(opened, query):
    launch = with_groups(120)
    page = opened(reverse("results-crowd", args=[launch.survey.slug]))
    if query == "table":
        page.get_by_role("link", name="Conditional table").click()
        page.get_by_label("Shares of the answers to").select_option("drink")
        page.get_by_label("Within each answer to").select_option("drug")
    else:
        page.get_by_role("link", name="Mean", exact=True).click()
    page.get_by_role("button", name="Compute", exact=True).click()
    expect(page.locator("#found")).to_be_visible()
    open_details(page)
    expect(page.locator("#copy-crowd-numbers")).to_be_visible()
    head, *rows = copy_table(page, "crowd-numbers")
    if query == "table":
        of_tea = ["Tea (%)", f"Tea, {LOW} (%)", f"Tea, {HIGH} (%)"]
        assert head[:4] == ["Group", *of_tea]
        assert len(head) == 1 + 3 * 3
        assert len(rows) == 2
    else:
        assert head == ["Statistic", "Estimate", LOW, HIGH, "In the synthetic distribution"]
    assert_numbers(head, rows)
    assert_well(page, "a statistic that can be copied")


def test_the_ways_of_asking(opened):
    launch = store(arms_survey(linkage="together"), everybody(400, 300, 100))
    page = wait_for_figures(opened(reverse("results", args=[launch.survey.slug]), as_author=True))
    open_details(page)
    head, *rows = copy_table(page, "arms-drug")
    assert head[1:4] == ["Estimate (%)", f"{LOW} (%)", f"{HIGH} (%)"]
    assert_numbers(head, rows)
    head, *rows = copy_table(page, "arms-absence-1")
    assert head[1:] == ["Difference", LOW, HIGH, "p"]
    assert_numbers(head, rows)
