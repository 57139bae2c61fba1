"""A question about the roster while it is edited, and the test fill of its network."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.author_posts import page as address
from tests.browser.author import card, field, figure, save, sign_in, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.rosters import TIES, network_survey, roster_rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(360, 900), (1280, 900)]


def draft(members=12):
    return network_survey(roster_rows(members), questions=[TIES[1]], planned_n=members)


def sections(question):
    return question.locator("[data-sections]")


def test_the_panel_and_the_test_fill_are_accessible_and_fit(live_server, new_context):
    survey = draft()
    page = sign_in(new_context(viewport={"width": 360, "height": 900}), live_server)
    noted = troubles(page)
    page.goto(live_server.url + address(survey, "change"))
    for summary in ("What “name up to …” would buy", "Other devices for the same promise"):
        sections(card(page, 1)).locator("summary").filter(has_text=summary).click()
    expect(sections(card(page, 1)).get_by_text("no cap: this question")).to_be_visible()
    assert noted == []
    assert_well_in_sizes(page, "panel", SIZES)
    page.goto(live_server.url + address(survey, "trial"))
    page.get_by_role("button", name="Fill").click()
    expect(page.get_by_role("rowheader", name="Reciprocity")).to_be_visible()
    assert_well_in_sizes(page, "test fill", SIZES)


def test_the_tables_follow_what_the_author_chooses(live_server, new_context):
    survey = draft()
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + address(survey, "change"))
    question = card(page, 1)
    tables = sections(question)
    expect(tables.get_by_role("rowheader", name=re.compile("^Reciprocity"))).to_be_visible()
    expect(field(question, "prefer_not")).to_be_hidden()
    # The parts that the author has opened stay open while the figures change.
    folded = tables.get_by_text("What “name up to …” would buy", exact=True).first
    folded.click()
    expect(tables.get_by_text("no cap: this question")).to_be_visible()
    field(question, "epsilon").fill("0.5")
    expect(tables.get_by_role("row", name=re.compile("^All ties that one member"))).to_contain_text(
        "5.5"
    )
    expect(tables.get_by_text("no cap: this question")).to_be_visible()
    question.get_by_label("Both ways").check()
    expect(tables.get_by_role("rowheader", name=re.compile("^Triangles"))).to_be_visible()
    field(question, "expected_ties").fill("40")
    expect(question.locator("[data-problem]")).to_contain_text("only 11 others")
    expect(tables).to_be_empty()
    field(question, "expected_ties").fill("3")
    expect(figure(question, "assumption")).to_contain_text("For 3 ties of a member")
    field(question, "kind").select_option("yes_no")
    expect(question.get_by_label("Both ways")).to_be_hidden()
    expect(tables).to_be_empty()
    field(question, "kind").select_option("roster_ties")
    expect(tables.get_by_role("rowheader", name=re.compile("^Triangles"))).to_be_visible()
    save(page)
    (stored,) = survey.questions.all()
    assert (stored.directed, stored.design_parameters) == (False, {"expected_ties": "3"})
