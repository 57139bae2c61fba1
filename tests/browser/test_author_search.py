"""The design workbench in a browser: by keyboard alone, live, accessible, in light and dark."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, ViewportSize, expect

from surveys import jobs
from surveys.admin.figures.search_words import member_points
from surveys.authoring.workbench.searching import run_request
from surveys.jobs.lease import NO_LEASE
from surveys.models import DesignSearch, Question
from surveys.services.search_runs import SEARCH
from tests.app.search_cases import CHOICE, made, search_request
from tests.browser.author import sign_in, troubles
from tests.browser.axe import COLOURS, LAYOUT, assert_well, assert_well_in_sizes
from tests.browser.support import until
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE: ViewportSize = {"width": 360, "height": 800}
DESK: ViewportSize = {"width": 1280, "height": 800}
SIZES = [(size["width"], size["height"]) for size in (PHONE, DESK)]
RANGE = "document.getElementById('plot').layout.xaxis.range"


def address(live_server, question, name, *more):
    path = reverse(f"admin:survey_{name}", args=[question.survey_id, question.pk, *more])
    return live_server.url + path


def type_into(page: Page, label: str, value: str) -> None:
    place = page.get_by_label(label, exact=True)
    place.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type(value)


def open_designs(page: Page) -> Locator:
    """Unfold the list of all designs."""
    page.get_by_text("Choose from all designs").click()
    return page.get_by_role("combobox", name="Design")


def test_from_the_guess_to_the_adopted_design_by_keyboard(live_server, new_context):
    question = make_survey(questions=[CHOICE]).questions.get()
    # axe brings styles of its own, which the policy would block.
    context = new_context(viewport=PHONE, bypass_csp=True)
    page = sign_in(context, live_server)
    page.goto(address(live_server, question, "workbench"))
    type_into(page, "Never", "60")
    page.keyboard.press("Enter")
    expect(page.locator(".entry--bad .errorlist")).to_contain_text("they must add up to 100 %")
    assert_well_in_sizes(page, "a guess, refused", SIZES)
    for label, share in (("Once", "20"), ("Often", "15"), ("Daily", "5")):
        type_into(page, label, share)
    page.get_by_role("checkbox", name="OptRR").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Search", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for a worker.").first).to_be_visible()
    assert_well_in_sizes(page, "a search that waits", SIZES)

    search = DesignSearch.objects.get()
    DesignSearch.objects.update(request={**search.request, "generations": 40, "levels": 4})
    jobs.run(SEARCH, question.pk)
    # The page that was open all the time shows it.
    expect(page.locator("[data-live=status]")).to_contain_text("Done.")
    expect(page.locator("#announcement")).to_have_text("Done.")
    expect(page.locator("#plot .legend")).to_contain_text("OptRR as published")
    choices = open_designs(page)
    choices.focus()
    before = choices.input_value()
    page.keyboard.press("ArrowDown")
    expect(choices).not_to_have_value(before)
    option = choices.locator("option:checked").inner_text()
    expect(page.locator("#announcement")).to_have_text(option)
    expect(page.locator("#heat .heatmaplayer")).to_be_visible()
    assert_well(page, "a front on a phone")
    # Figures are drawn for the window that they find.
    page.set_viewport_size(DESK)
    page.reload()
    expect(page.locator("#heat .heatmaplayer")).to_be_visible()
    assert_well(page, "a front on a desk", rules=(*LAYOUT, *COLOURS))
    page.set_viewport_size(PHONE)
    adopt = page.get_by_role("link", name="Adopt for this question")
    adopt.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Adopt this design?")).to_be_visible()
    assert_well_in_sizes(page, "to be adopted", SIZES)
    page.get_by_role("button", name="Adopt", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".messagelist .success")).to_contain_text("Searched for this question")
    assert Question.objects.get().design == "searched"


def test_what_is_chosen_and_zoomed_into_stays_while_the_front_grows(live_server, new_context):
    question = make_survey(questions=[CHOICE]).questions.get()
    partly = run_request(search_request(methods=["certified"], epsilon=None), lambda *_: True)
    unfinished = {"state": "running", "progress": 0.3, "content": partly}
    search = made(question, None, **unfinished)
    page = sign_in(new_context(color_scheme="light"), live_server)
    heard = troubles(page)
    page.goto(address(live_server, question, "search", search.pk))
    marks = page.locator("#plot .scatterlayer .points path")
    # Those of the bound, which only speak, then the designs, then the ring around the chosen one.
    silent, designs = len(partly["bound"]), len(partly["fronts"]["certified"]["members"])
    expect(marks).to_have_count(silent + designs + 1)
    choices = open_designs(page)
    # A mark is chosen by a click, and zoomed into.
    page.locator("#plot").evaluate("element => element.scrollIntoView({block: 'center'})")
    spot = marks.nth(silent + 1).bounding_box()
    page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    expect(page.locator("#plot .hovertext")).to_contain_text("strongest belief after a report: 75")
    page.mouse.down()
    page.mouse.up()
    expect(choices.locator("option:checked")).to_have_attribute(
        "value", f"certified:{partly['fronts']['certified']['members'][1]['privacy']:.9f}:1"
    )
    box = page.locator("#plot .nsewdrag").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.9 * box["height"], steps=5)
    page.mouse.up()
    zoomed, chosen = page.evaluate(RANGE), choices.input_value()
    whole = made(make_survey(slug="other", questions=[CHOICE]).questions.get(), None)
    ended = {"content": whole.content, "state": "done", "progress": 1, **NO_LEASE}
    DesignSearch.objects.filter(pk=search.pk).update(**ended)
    expect(page.locator("[data-live=status]")).to_contain_text("Done.")
    expect(page.locator("#plot .legend")).to_contain_text("OptRR as published")
    assert (page.evaluate(RANGE), choices.input_value()) == (zoomed, chosen)
    page.get_by_role("button", name="Show the whole figure").click()
    until(page, f"(range) => String({RANGE}) !== String(range)", zoomed)
    page.get_by_label("Worth of a report").check()
    expect(page.locator("#plot .ytitle")).to_contain_text("worth in open answers")
    with page.expect_download() as download:
        page.get_by_role("button", name="Figure as SVG").click()
    assert download.value.suggested_filename == f"health-q1-search-{search.pk}-efficiency.svg"
    # The figure follows the reader's light or dark.
    paper = page.locator("#plot .main-svg").first
    expect(paper).to_have_css("background-color", "rgb(255, 255, 255)")
    page.emulate_media(color_scheme="dark")
    expect(paper).to_have_css("background-color", "rgb(28, 34, 38)")
    assert heard == []


def test_what_a_search_has_come_to_is_said_first_and_shown_by_a_press(live_server, new_context):
    question = make_survey(questions=[CHOICE]).questions.get()
    search = made(question, request=search_request(delta="0.9", levels=8))
    page = sign_in(new_context(viewport=PHONE, bypass_csp=True), live_server)
    heard = troubles(page)
    page.goto(address(live_server, question, "search", search.pk))
    expect(page.get_by_role("heading", name="What the search found")).to_be_in_viewport()
    expect(page.get_by_text("Nothing to gain: keep what you have.")).to_be_visible()
    expect(page.locator("#detail .button")).not_to_have_class("button button--main")
    expect(page.locator("#heat .heatmaplayer")).to_be_visible()
    assert_well_in_sizes(page, "nothing to gain", SIZES)
    # Beside cards, which are less precise for these shares, the same designs are a gain.
    Question.objects.update(design="cards")
    page.reload()
    expect(page.get_by_text("Something to gain: ± 9.6 points instead of")).to_be_visible()
    expect(page.locator("#detail .button--main")).to_have_text("Adopt for this question")
    expect(page.locator("#heat .heatmaplayer")).to_be_visible()
    assert_well_in_sizes(page, "something to gain", SIZES)
    # A design is shown by a press, and its numbers are reached.
    last = member_points(search.content)[-1].key
    page.goto(address(live_server, question, "search", search.pk) + f"?point={last}")
    chosen, pick = page.locator("#point"), page.locator(".picks__one .button").first
    expect(chosen).to_have_value(last)
    pick.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chosen-heading")).to_be_focused()
    expect(chosen).to_have_value(pick.get_attribute("data-key") or "")
    assert heard == []
