"""The figures beside an epsilon: those of what was typed last, and said once they are ready.

How quickly they are there is measured in `benchmarks/panel.py`.
"""

import pytest
from playwright.sync_api import Page, expect

from surveys.admin.editor import lines
from tests.app.author_posts import page as address
from tests.browser.author import (
    add_question,
    field,
    figure,
    line,
    open_question,
    save,
    settings_of,
    sign_in,
)
from tests.browser.support import come_to_rest
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LINES = "**/questions/?open=*"


def test_figures_follow_the_typed_epsilon(open_draft):
    page = open_draft(make_survey())
    first = open_question(page, 1)
    expect(first.get_by_text("“About 10 of 100, give or take 9”, at 500 resp")).to_be_visible()
    first.get_by_text("All figures").click()
    expect(figure(first, "retained")).to_have_text("73 %")
    field(first, "epsilon").fill("2")
    expect(figure(first, "retained")).to_have_text("88 %")
    expect(figure(first, "frequencies")).to_contain_text("88 send A, 12 send B")
    expect(figure(first, "needed")).to_have_text("417")
    expect(figure(first, "margin")).to_have_text("± 4.6 points")
    expect(figure(first, "belief")).to_have_text("45 %")
    expect(line(page, 1).locator(".line__facts")).to_contain_text("± 4.6 points")
    expect(page.locator("[data-budget-text]")).to_have_text("2 of 3 used, 1 left.")
    # Of what is not right there are none.
    field(first, "epsilon").fill("0")
    expect(first.locator("[data-part=means]")).to_contain_text("once the question is complete")
    expect(figure(first, "retained")).to_have_count(0)


def test_figures_follow_the_settings(live_server, new_context):
    survey = make_survey(questions=[{"epsilon": "2"}])
    page = sign_in(new_context(), live_server)
    page.goto(settings_of(live_server, survey))
    page.locator("#id_planned_n").fill("2000")
    page.locator("#id_budget").fill("1.5")
    save(page)
    page.goto(live_server.url + address(survey))
    expect(line(page, 1).locator(".line__facts")).to_contain_text("± 2.3 points")
    expect(page.locator(".budget--over [data-budget-text]")).to_contain_text("0.5 over the budget")
    assert "2,000" in open_question(page, 1).locator("[data-part=means]").inner_text()


def hold_first(page: Page) -> list:
    """Hold back the first answer about the lines, and let the others through."""
    held: list = []

    def hold(route):
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(LINES, hold)
    return held


def test_an_answer_about_an_earlier_state_undoes_nothing(open_draft):
    page = open_draft(make_survey())
    first = open_question(page, 1)
    first.get_by_text("All figures").click()
    expect(figure(first, "retained")).to_have_text("73 %")
    come_to_rest(page)
    held = hold_first(page)
    with page.expect_request(LINES):
        field(first, "epsilon").fill("2")
    field(first, "epsilon").fill("3")
    expect(figure(first, "retained")).to_have_text("95 %")
    (overtaken,) = held
    overtaken.continue_()
    overtaken.request.response()
    come_to_rest(page)
    expect(figure(first, "retained")).to_have_text("95 %")


def test_an_answer_that_never_came_leaves_what_was_typed(open_draft):
    page = open_draft(make_survey())
    first = open_question(page, 1)
    come_to_rest(page)
    page.route(LINES, lambda route: route.abort())
    field(first, "epsilon").fill("2")
    save(page)
    page.unroute(LINES)
    field(first, "epsilon").fill("3")
    expect(line(page, 1).locator(".line__facts")).to_contain_text("Weak")


def test_what_there_was_no_time_for_comes_in_by_itself(open_draft, monkeypatch, live_server):
    page = open_draft(make_survey(budget="8", questions=[{"epsilon": e} for e in ("1", "2", "3")]))
    facts = page.locator(".line__facts")
    monkeypatch.setattr(lines, "SECONDS", -1)
    page.reload()
    expect(facts.nth(2)).to_contain_text("…")
    monkeypatch.setattr(lines, "SECONDS", 60)
    for number, margin in enumerate(("± 8.8", "± 4.6", "± 3.3")):
        expect(facts.nth(number)).to_contain_text(margin)
    # So it is after a question was added.
    monkeypatch.setattr(lines, "SECONDS", -1)
    add_question(page)
    expect(facts.nth(0)).to_contain_text("…")
    monkeypatch.setattr(lines, "SECONDS", 60)
    expect(facts.nth(3)).to_contain_text("±")
