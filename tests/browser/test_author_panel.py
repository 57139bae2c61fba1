"""The panel beside an epsilon: steady, never out of date, honest when it cannot know.

How quickly it answers is measured in `benchmarks/panel.py`.
"""

import pytest
from playwright.sync_api import expect

from surveys.admin.pages.planning import panel_page
from surveys.authoring import limits
from tests.browser.author import card, field, figure
from tests.browser.support import come_to_rest, in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The answer about one choice is held back, and let go in the turn in which a device is picked: no
# timer has asked again then.
HELD = """() => {
  const fetched = window.fetch;
  window.fetch = async (url, options) => {
    const answer = await fetched(url, options);
    if (!options.body.includes('"kind":"yes_no"')) return answer;
    const text = await answer.text();
    return new Promise((done) => {
      window.letGo = () => done(new Response(text));
      document.body.dataset.held = "";
    });
  };
}"""
PICKED = """([kind, cards]) => {
  kind.value = "single_choice";
  kind.dispatchEvent(new Event("change", { bubbles: true }));
  cards.click();
  window.letGo();
}"""


def test_figures_follow_the_typed_epsilon_beside_or_under_it(open_draft, monkeypatch):
    page = open_draft(make_survey())
    first = card(page, 1)
    expect(figure(first, "retained")).to_have_text("73 %")
    field(first, "epsilon").fill("2")
    expect(figure(first, "retained")).to_have_text("88 %")
    expect(figure(first, "frequencies")).to_contain_text("88 send A, 12 send B")
    expect(figure(first, "needed")).to_have_text("417")
    expect(figure(first, "margin")).to_have_text("± 4.6 points")
    expect(figure(first, "belief")).to_have_text("45 %")
    expect(page.locator("[data-budget-text]")).to_have_text("2 of 3 used, 1 left.")
    page.locator("#id_planned_n").fill("2000")
    expect(figure(first, "planned")).to_have_text("2,000")
    expect(figure(first, "margin")).to_have_text("± 2.3 points")
    page.locator("#id_budget").fill("1.5")
    expect(page.locator(".budget--over [data-budget-text]")).to_contain_text("0.5 over the budget")

    # The panel is beside the field, or under it where there is no room.
    for size in in_sizes(page, [(1280, 800), (360, 800)]):
        epsilon = field(first, "epsilon").bounding_box()
        panel = first.locator("[data-panel]").bounding_box()
        right = panel["x"] >= epsilon["x"] + epsilon["width"]
        under = panel["y"] >= epsilon["y"] + epsilon["height"]
        assert (right, under) == (size[0] == 1280, size[0] == 360)

    # That there are too many questions is said before they are saved.
    monkeypatch.setattr(limits, "MAX_QUESTIONS", 1)
    page.get_by_role("button", name="Add a question").click()
    problem = "Questions: a survey has 1 at most, and this one has 2."
    expect(card(page, 2).locator("[data-problem]")).to_contain_text(problem)


def test_the_panel_does_not_move_the_page(open_draft):
    page = open_draft(
        make_survey(budget="8", questions=[{"epsilon": "0.1"} for _turn in range(10)])
    )
    last = card(page, 10)
    expect(figure(last, "retained")).to_have_text("52 %")
    height = page.evaluate("document.documentElement.scrollHeight")
    for epsilon, kept in (("2", "88 %"), ("3", "95 %"), ("1", "73 %"), ("0.5", "62 %")):
        field(last, "epsilon").fill(epsilon)
        expect(figure(last, "retained")).to_have_text(kept)
        assert page.evaluate("document.documentElement.scrollHeight") == height
    field(last, "epsilon").fill("0")
    expect(last.locator("[data-problem]")).to_contain_text("above 0")
    assert page.evaluate("document.documentElement.scrollHeight") == height


def test_an_answer_about_an_earlier_state_does_not_undo_a_choice(open_draft):
    options = [f"Company {number}" for number in range(1, 11)]
    page = open_draft(make_survey(questions=[{"kind": "single_choice", "options": options}]))
    first = card(page, 1)
    cards = first.locator("[value=cards]")
    expect(cards).to_be_visible()
    page.evaluate(HELD)
    field(first, "kind").select_option("yes_no")
    expect(page.locator("body[data-held]")).to_be_attached()
    page.evaluate(PICKED, [field(first, "kind").element_handle(), cards.element_handle()])
    expect(figure(first, "retention_label")).to_have_text("Cards that show the real answer")
    expect(cards).to_be_checked()


def test_an_answer_that_was_overtaken_is_not_shown_and_one_that_never_came_is_said(open_draft):
    page = open_draft(make_survey())
    first = card(page, 1)
    expect(figure(first, "retained")).to_have_text("73 %")

    held = []

    def hold(route):
        if '"epsilon":"2"' in route.request.post_data:
            held.append(route)
        else:
            route.continue_()

    page.route("**/panel/", hold)
    with page.expect_request("**/panel/"):
        field(first, "epsilon").fill("2")
    field(first, "epsilon").fill("3")
    expect(figure(first, "retained")).to_have_text("95 %")
    (overtaken,) = held
    overtaken.continue_()
    # Until it has been answered, or was called off.
    overtaken.request.response()
    come_to_rest(page)
    expect(figure(first, "retained")).to_have_text("95 %")

    page.unroute("**/panel/")
    page.route("**/panel/", lambda route: route.fulfill(status=204))
    field(first, "epsilon").fill("2")
    expect(first.locator("[data-problem]")).to_contain_text("no answer from the server")
    # And forgotten once the server is there again.
    page.unroute("**/panel/")
    field(first, "epsilon").fill("1")
    expect(figure(first, "retained")).to_have_text("73 %")
    expect(first.locator("[data-problem]")).to_be_empty()


def test_what_there_was_no_time_for_is_asked_for_again(open_draft, monkeypatch):
    monkeypatch.setattr(panel_page, "SECONDS", 0)
    epsilons = ("1", "2", "3")
    survey = make_survey(budget="8", questions=[{"epsilon": epsilon} for epsilon in epsilons])
    page = open_draft(survey)
    for number, kept in enumerate(("73 %", "88 %", "95 %"), 1):
        expect(figure(card(page, number), "retained")).to_have_text(kept)
    with page.expect_request("**/panel/") as asked:
        field(card(page, 3), "epsilon").fill("0.5")
    # The question that is being typed goes first, and the others are not computed again.
    sent = asked.value.post_data_json
    assert [question["epsilon"] for question in sent["questions"]] == ["0.5", "1", "2"]
    assert len(sent["settled"]) == 2
    expect(figure(card(page, 3), "retained")).to_have_text("62 %")
