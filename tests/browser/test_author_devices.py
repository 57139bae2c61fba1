"""Choosing devices and declaring a cross-table, as an author does it in a browser."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.features.tables.settings import tables_of
from surveys.models import Survey
from tests.browser.author import (
    add_question,
    all_options,
    field,
    figure,
    line,
    more,
    open_question,
    option,
    save,
    sign_in,
    step,
    troubles,
)
from tests.builders import make_survey
from tests.devices import devices_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def row(place, name):
    return place.locator(f"[data-row={name}]")


def test_from_the_choice_of_a_device_to_the_launch(open_draft):
    survey = make_survey(
        budget="8",
        questions=[{"name": "drug"}, {"name": "age", "randomized": False, "text": "Old?"}],
    )
    page = open_draft(survey)
    heard = troubles(page)
    choose_one_device_for_the_set(page)
    add_a_question_with_a_die(page)
    declare_a_table(page)
    survey.refresh_from_db()
    assert tables_of(survey) == (("ever", "age"),)
    rows = list(survey.questions.values_list("name", "design", "physical_device"))
    assert rows == [("drug", "whole_set", ""), ("age", "k_rr", ""), ("ever", "k_rr", "die")]

    page.goto(page.url.replace("/tables/", "/launch/"))
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


def choose_one_device_for_the_set(page):
    first = all_options(open_question(page, 1))
    expect(row(first, "k_rr")).to_contain_text("± 8.8 points")
    expect(row(first, "k_rr")).to_contain_text("chosen")

    field(first, "kind").select_option("multiple_choice")
    field(first, "options").fill("Pills\nAlcohol\nCannabis")
    field(first, "epsilon").fill("3")
    save(page)
    expect(first.get_by_label("Randomized response")).to_be_hidden()
    expect(first.get_by_label("One device for each option")).to_be_checked()
    expect(first.locator("[data-best]")).to_contain_text("“One device over all combinations”")
    first.get_by_label("One device over all combinations").check()
    expect(row(first, "whole_set")).to_contain_text("chosen")
    expect(first.locator("[data-best]")).to_contain_text("The chosen device is the most accurate")


def add_a_question_with_a_die(page):
    third = add_question(page)
    field(third, "text").fill("Ever?")
    field(option(third, "Name it in the downloads"), "name").fill("ever")
    field(third, "epsilon").fill("2")
    die = option(third, "Let respondents scramble their answers with a die, coins or cards.")
    field(die, "physical_device").select_option("die")
    expect(die.locator("ol")).to_contain_text("If it shows 1: choose A.")
    # With a refusal there are three letters: (3/6 + 1/6) over 1/6 is 4, and ln 4 is 1.3863.
    expect(die).to_contain_text("1.3863")


def declare_a_table(page):
    more(page)
    page.get_by_role("link", name="Cross-tables").click()
    page.get_by_label("Show the answers to").select_option("ever")
    page.get_by_label("for each answer to").select_option("ever")
    page.get_by_role("button", name="Add this cross-table").click()
    expect(page.locator("[data-errors]")).to_contain_text("ever")
    page.get_by_label("for each answer to").select_option("age")
    page.get_by_role("button", name="Add this cross-table").click()
    expect(page.get_by_role("button", name="Remove")).to_have_accessible_description(
        "Ever? for each answer to Old?"
    )


def test_delta_needs_the_disclosure_and_the_tick(open_draft):
    survey = make_survey()
    page = open_draft(survey)
    first = open_question(page, 1)
    device = option(first, "Choose another device")
    rare = first.get_by_label("Rare trait: (epsilon, delta)")
    expect(rare).to_be_hidden()
    expect(row(first, "optimal_binary")).to_have_count(0)
    device.get_by_text("For a rare trait").click()
    expect(
        first.get_by_text("of 1,000 people with the trait up to 10 are revealed")
    ).to_be_visible()
    rare.check()
    expect(line(page, 1).locator(".line__mark")).to_have_text("Not finished")
    understood = first.get_by_label("I understand that delta reveals some people outright")
    understood.check()
    understood.uncheck()
    expect(first.locator(".entry-delta_understood .errorlist")).to_contain_text(
        "Tick this after reading"
    )
    understood.check()
    field(first, "prevalence").fill("0.005")
    expect(row(first, "optimal_binary")).to_contain_text("can only come from “Yes”")
    field(first, "delta").fill("0.05")
    expect(first.locator("[data-part=devices]")).to_contain_text("up to 50 are revealed")
    save(page)
    row_saved = survey.questions.get()
    assert row_saved.design_parameters == {"delta": "0.05", "prevalence": "0.005"}
    step(page, "Check and launch")
    expect(page.locator(".finding", has_text="expected to be revealed outright")).to_be_visible()


def test_mechanisms_are_drawn_in_the_pages_colours_and_in_a_table(open_draft):
    survey = make_survey()
    page = open_draft(survey)
    heard = troubles(page)
    all_options(open_question(page, 1)).get_by_role(
        "link", name="Compare mechanisms over epsilon"
    ).click()
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
    options = [f"Company {number}" for number in range(1, 11)]
    few = {"kind": "single_choice", "options": options, "design": "k_rr"}
    survey = make_survey(budget="8", questions=[few])
    page = open_draft(survey)
    first = open_question(page, 1)
    take = first.get_by_role("button", name="Use this device")
    # A device that is not the usual one is in sight, and stays until somebody takes another one.
    expect(row(first, "k_rr")).to_contain_text("chosen")
    expect(first.locator("[data-best]")).to_contain_text("needs 28 % fewer respondents")
    expect(row(first, "cards")).to_contain_text("30 cards with 3 answers on each")
    take.focus()
    page.keyboard.press("Enter")
    expect(row(first, "cards")).to_contain_text("chosen")
    expect(take).to_have_count(0)
    expect(figure(first, "retention_label")).to_have_text("Cards that show the real answer")
    # The usual device follows the strength, and comes back with it.
    field(first, "epsilon").fill("3")
    expect(row(first, "k_rr")).to_contain_text("chosen")
    expect(first.locator("[data-best]")).to_contain_text("The chosen device is the most accurate")
    field(first, "epsilon").fill("1")
    expect(row(first, "cards")).to_contain_text("chosen")
    expect(first.get_by_label("Cards that show several answers")).to_be_checked()
    save(page)
    assert survey.questions.get().design == "cards"
    all_options(first)
    expect(first.get_by_role("link", name="Search for a better device")).to_be_visible()


def test_a_new_question_follows_the_usual_device_until_one_is_picked(open_draft):
    survey = make_survey(budget="20")
    page = open_draft(survey)
    second = add_question(page, "Single choice")
    field(second, "text").fill("Which?")
    field(second, "options").fill("\n".join(f"Company {number}" for number in range(1, 11)))
    option(second, "Choose another device")
    steps = [("0.5", "cards"), ("3", "k_rr"), ("", "k_rr"), ("0.7", "cards"), ("2", "k_rr")]
    for epsilon, design in steps:
        field(second, "epsilon").fill(epsilon)
        expect(second.locator(f"[name=design][value={design}]:checked")).to_have_count(1)
        if epsilon:
            expect(row(second, design)).to_contain_text("chosen")
    # Once another one is picked, it stays.
    field(second, "epsilon").fill("0.5")
    expect(row(second, "cards")).to_contain_text("chosen")
    second.get_by_label("Randomized response").click()
    expect(row(second, "k_rr")).to_contain_text("chosen")
    field(second, "epsilon").fill("0.7")
    expect(second.get_by_role("button", name="Use this device")).to_be_visible()
    save(page)
    assert survey.questions.get(position=2).design == "k_rr"


def test_a_device_that_no_longer_fits_is_replaced_and_said(open_draft):
    survey = make_survey(questions=[{"design": "laplace"}])
    page = open_draft(survey)
    first = open_question(page, 1)
    field(first, "kind").select_option("single_choice")
    field(first, "options").fill("Here\nThere\nElsewhere")
    save(page)
    expect(first.locator("[data-notes]")).to_contain_text("does not fit any more")
    assert survey.questions.get().design != "laplace"
