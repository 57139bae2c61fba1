"""A question about the roster while it is edited, and the test fill of its network."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.author_posts import page as address
from tests.browser.author import (
    all_options,
    field,
    figure,
    open_question,
    option,
    save,
    sign_in,
    troubles,
)
from tests.browser.axe import assert_well_in_sizes
from tests.rosters import TIES, network_survey, roster_rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(360, 900), (1280, 900)]


def draft(members=12):
    return network_survey(roster_rows(members), questions=[TIES[1]], planned_n=members)


def all_figures(question):
    """Open all figures, with the tables of the network among them."""
    question.get_by_text("All figures").click()
    return question.locator("[data-part=means]")


def test_the_figures_and_the_test_fill_are_accessible_and_fit(live_server, new_context):
    survey = draft()
    page = sign_in(new_context(viewport={"width": 360, "height": 900}), live_server)
    noted = troubles(page)
    page.goto(live_server.url + address(survey, "change"))
    tables = all_figures(all_options(open_question(page, 1)))
    for heading in ("What “name up to …” would buy", "Other devices for the same promise"):
        expect(tables.get_by_role("heading", name=heading)).to_be_visible()
    expect(tables.get_by_text("no cap: this question")).to_be_visible()
    assert noted == []
    assert_well_in_sizes(page, "figures", SIZES)
    page.goto(live_server.url + address(survey, "trial"))
    page.get_by_role("button", name="Fill").click()
    expect(page.get_by_role("rowheader", name="Reciprocity")).to_be_visible()
    assert_well_in_sizes(page, "test fill", SIZES)


def test_the_tables_follow_what_the_author_chooses(live_server, new_context):
    survey = draft()
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + address(survey, "change"))
    question = open_question(page, 1)
    tables = all_figures(question)
    expect(tables.get_by_role("rowheader", name=re.compile("^Reciprocity"))).to_be_visible()
    expect(field(question, "prefer_not")).to_be_hidden()
    # What the author has opened stays open while the figures change.
    field(question, "epsilon").fill("0.5")
    expect(tables.get_by_role("row", name=re.compile("^All ties that one member"))).to_contain_text(
        "5.5"
    )
    expect(tables.get_by_text("no cap: this question")).to_be_visible()
    question.get_by_label("Both ways").check()
    expect(tables.get_by_role("rowheader", name=re.compile("^Triangles"))).to_be_visible()
    device = option(question, "What you expect of the answers")
    field(device, "expected_ties").fill("40")
    save(page)
    expect(question.locator("[data-part=means]")).to_contain_text("only 11 others")
    expect(tables.get_by_role("table")).to_have_count(0)
    field(device, "expected_ties").fill("3")
    expect(figure(question, "assumption")).to_contain_text("For 3 ties of a member")
    field(question, "kind").select_option("yes_no")
    expect(question.get_by_label("Both ways")).to_be_hidden()
    expect(tables.get_by_role("rowheader", name=re.compile("^Triangles"))).to_have_count(0)
    field(question, "kind").select_option("roster_ties")
    expect(tables.get_by_role("rowheader", name=re.compile("^Triangles"))).to_have_count(1)
    save(page)
    (stored,) = survey.questions.all()
    assert (stored.directed, stored.design_parameters) == (False, {"expected_ties": "3"})
