"""Choosing devices and declaring a cross-table, as an author does it in a browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.features.tables.settings import tables_of
from surveys.models import Survey
from tests.browser.author import card, field, figure, save, sign_in, troubles
from tests.browser.support import come_to_rest, in_sizes
from tests.builders import make_survey
from tests.devices import devices_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = ((1280, 800), (360, 800))


def row(place, name):
    return place.locator(f"[data-row={name}]")


def test_from_the_choice_of_a_device_to_the_launch(open_draft):
    survey = make_survey(
        budget="8",
        questions=[{"name": "drug"}, {"name": "age", "randomized": False, "text": "Old?"}],
    )
    page = open_draft(survey)
    heard = troubles(page)
    choose_one_device_for_the_set(card(page, 1))
    add_a_question_with_a_die(page)
    declare_a_table(page)
    survey.refresh_from_db()
    assert tables_of(survey) == (("ever", "age"),)
    rows = list(survey.questions.values_list("name", "design", "physical_device"))
    assert rows == [("drug", "whole_set", ""), ("age", "k_rr", ""), ("ever", "k_rr", "die")]

    page.get_by_role("link", name="Launch", exact=True).click()
    expect(page.locator(".facts")).to_contain_text("ever by age")
    expect(page.get_by_text("One device over all combinations")).to_be_visible()
    page.get_by_role("button", name="Launch and freeze").click()
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    launch = Survey.objects.get().current_launch()
    assert launch.document["tables"] == [["ever", "age"]]
    assert [(d["id"], d["stratum"]) for d in devices_of(launch)] == [
        ("drug", "page"),
        ("age", "page"),
        ("ever", "page"),
        ("ever", "physical"),
    ]
    assert heard == []


def choose_one_device_for_the_set(first):
    expect(row(first, "k_rr")).to_contain_text("± 8.8 points")
    expect(row(first, "k_rr")).to_contain_text("chosen")

    field(first, "kind").select_option("multiple_choice")
    field(first, "options").fill("Pills\nAlcohol\nCannabis")
    field(first, "epsilon").fill("3")
    expect(first.get_by_label("Randomized response")).to_be_hidden()
    expect(first.get_by_label("One device for each option")).to_be_checked()
    expect(first.locator("[data-best]")).to_contain_text("“One device over all combinations”")
    first.get_by_label("One device over all combinations").check()
    expect(row(first, "whole_set")).to_contain_text("chosen")
    expect(first.locator("[data-best]")).to_contain_text("The chosen device is the most accurate")


def add_a_question_with_a_die(page):
    page.get_by_role("button", name="Add a question").click()
    third = card(page, 3)
    field(third, "text").fill("Ever?")
    field(third, "name").fill("ever")
    field(third, "epsilon").fill("2")
    field(third, "physical_device").select_option("die")
    expect(third.locator("[data-physical-sentences]")).to_contain_text("If it shows 1: choose A.")
    # With a refusal there are three letters: (3/6 + 1/6) over 1/6 is 4, and ln 4 is 1.3863.
    expect(third.locator("[data-physical-epsilon]")).to_contain_text("1.3863")


def declare_a_table(page):
    page.locator("#id_cross_tables").fill("ever by age")
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.locator(".field-cross_tables .errorlist")).to_contain_text("side by side")
    page.locator("#id_linkage").select_option("together")
    save(page)


def test_delta_needs_the_disclosure_and_the_tick(open_draft):
    survey = make_survey()
    page = open_draft(survey)
    first = card(page, 1)
    rare = first.get_by_label("Rare trait: (epsilon, delta)")
    expect(rare).to_be_hidden()
    expect(row(first, "optimal_binary")).to_have_count(0)
    first.get_by_text("For a rare trait").click()
    expect(
        first.get_by_text("of 1,000 people with the trait up to 10 are revealed")
    ).to_be_visible()
    rare.check()
    expect(first.locator("[data-problem]")).to_contain_text("Tick this after reading")
    first.get_by_label("I understand that delta reveals some people outright").check()
    field(first, "prevalence").fill("0.005")
    expect(row(first, "optimal_binary")).to_contain_text("can only come from “Yes”")
    field(first, "delta").fill("0.05")
    expect(first.locator("[data-setting-note]")).to_contain_text("up to 50 are revealed")
    save(page)
    row_saved = survey.questions.get()
    assert row_saved.design_parameters == {"delta": "0.05", "prevalence": "0.005"}
    expect(page.locator(".finding", has_text="expected to be revealed outright")).to_be_visible()


def test_choosing_and_typing_move_nothing_and_show_no_stale_figure(open_draft):
    survey = make_survey(budget="8", questions=[{}, {}])
    page = open_draft(survey)
    first = card(page, 1)
    expect(row(first, "laplace")).to_contain_text("± 10.6 points")
    height = page.evaluate("document.documentElement.scrollHeight")
    for epsilon in ("2", "0", "0.1", "", "8"):
        with page.expect_response("**/panel/"):
            field(first, "epsilon").fill(epsilon)
        come_to_rest(page)
        assert page.evaluate("document.documentElement.scrollHeight") == height, epsilon
        if epsilon == "0":
            expect(figure(first, "retained")).to_have_text("–")
            expect(row(first, "k_rr").locator("td").first).to_be_hidden()
            expect(row(first, "k_rr").locator("th")).to_be_visible()
    first.get_by_label("Laplace noise, rounded to an answer").check()
    expect(row(first, "laplace")).to_contain_text("chosen")
    assert page.evaluate("document.documentElement.scrollHeight") == height


def test_mechanisms_are_drawn_in_the_pages_colours_and_in_a_table(open_draft):
    survey = make_survey()
    page = open_draft(survey)
    heard = troubles(page)
    page.get_by_role("link", name="Compare mechanisms over epsilon").click()
    expect(page.locator("[data-mechanism] .main-svg").first).to_be_visible()
    assert page.locator("[data-mechanism=error] .scatterlayer path.js-line").count() == 2
    stroke = page.locator("[data-mechanism=error] path.js-line").first
    assert stroke.evaluate("node => getComputedStyle(node).stroke") == "rgb(10, 98, 100)"
    page.get_by_label("Respondents", exact=True).fill("1000")
    page.get_by_role("button", name="Compare", exact=True).click()
    own = page.locator(".numbers__own")
    expect(own).to_contain_text("± 6.2 points")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the curves as CSV").click()
    assert download.value.suggested_filename == "health-q1-mechanisms.csv"
    assert heard == []


def test_mechanisms_without_a_script(live_server, new_context):
    survey = make_survey()
    page = sign_in(new_context(java_script_enabled=False), live_server)
    number = survey.questions.get().pk
    page.goto(live_server.url + reverse("admin:survey_compare", args=[survey.pk, number]))
    expect(page.locator(".numbers__own")).to_contain_text("± 8.8 points")
    expect(page.locator(".mechanism").first).to_be_hidden()


def test_cards_are_proposed_and_taken_while_typing(open_draft):
    survey = make_survey(budget="8")
    page = open_draft(survey)
    first = card(page, 1)
    options = "\n".join(f"Company {number}" for number in range(1, 11))
    field(first, "kind").select_option("single_choice")
    field(first, "options").fill(options)
    take = first.get_by_role("button", name="Use this device")
    # A question that was saved keeps its device until somebody takes the other one.
    expect(row(first, "k_rr")).to_contain_text("chosen")
    expect(first.locator("[data-best]")).to_contain_text("needs 28 % fewer respondents")
    expect(row(first, "cards")).to_contain_text("30 cards with 3 answers on each")
    take.focus()
    page.keyboard.press("Enter")
    expect(row(first, "cards")).to_contain_text("chosen")
    expect(take).to_be_hidden()
    expect(figure(first, "retention_label")).to_have_text("Cards that show the real answer")
    expect(first.get_by_label("Cards that show several answers")).to_be_focused()
    field(first, "epsilon").fill("3")
    expect(first.locator("[data-best]")).to_contain_text("“Randomized response” needs")
    expect(first.get_by_label("Cards that show several answers")).to_be_checked()
    save(page)
    assert survey.questions.get().design == "cards"
    expect(card(page, 1).get_by_role("link", name="Search for a better device")).to_be_visible()


def test_a_new_question_follows_the_proposal_and_stays_in_place(open_draft):
    page = open_draft(make_survey(budget="20"))
    page.get_by_role("button", name="Add a question").click()
    second = card(page, 2)
    field(second, "kind").select_option("single_choice")
    field(second, "options").fill("\n".join(f"Company {number}" for number in range(1, 11)))
    expect(row(second, "cards")).to_contain_text("chosen")
    steps = [("0.5", "cards"), ("3", "k_rr"), ("", "k_rr"), ("0.7", "cards"), ("2", "k_rr")]
    heights = {}
    for width, _height in in_sizes(page, SIZES):
        heights[width] = page.evaluate("document.documentElement.scrollHeight")
        for epsilon, design in steps:
            with page.expect_response("**/panel/"):
                field(second, "epsilon").fill(epsilon)
            expect(second.locator(f"[value={design}]:checked")).to_have_count(1)
            come_to_rest(page)
            height = page.evaluate("document.documentElement.scrollHeight")
            assert height == heights[width], f"{epsilon} in {width} px"
    # Once picked, it stays.
    second.get_by_label("Randomized response").click()
    field(second, "epsilon").fill("0.5")
    for width, _height in in_sizes(page, SIZES):
        expect(second.get_by_role("button", name="Use this device")).to_be_visible()
        expect(row(second, "k_rr")).to_contain_text("chosen")
        assert page.evaluate("document.documentElement.scrollHeight") == heights[width]
