"""How much of a draft is on its page, and whether everybody can use it."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from surveys.kinds import KINDS
from tests.app.author_posts import page as address
from tests.browser.author import (
    add_question,
    all_options,
    figure,
    go_to,
    line,
    open_question,
    save,
    settings_of,
    sign_in,
    troubles,
)
from tests.browser.axe import assert_well_in_sizes
from tests.browser.support import come_to_rest
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = {"width": 1280, "height": 900}
SIZES = [(360, 740), (1280, 900)]
OTHER_WAY = [(1280, 900), (360, 740)]
HEIGHT = "document.documentElement.scrollHeight"
MOST_CONTROLS = 8
PLACE = "(field) => field.getBoundingClientRect().top + scrollY"
# What can be pressed, chosen or typed into, and is not folded away.
CONTROLS = """(form) => [...form.querySelectorAll("input, select, textarea, button, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => one.name || one.textContent.trim())"""
CHOICE = {"kind": "single_choice", "options": ["Never", "Once", "Often"]}
# A few questions of a usual survey.
QUESTIONS = [
    {"text": "Have you ever used a drug at work?"},
    {**CHOICE, "text": "How often did you drink at work?"},
    {"text": "Are you a member of a union?", "epsilon": "0.5"},
    {
        "kind": "multiple_choice",
        "options": ["Pills", "Alcohol"],
        "design": "per_option",
        "text": "Which of these?",
    },
    {"kind": "scale", "options": ["Low", "Middle", "High"], "text": "How much?"},
    {**CHOICE, "text": "How old are you?", "randomized": False, "epsilon": None},
    {"text": "Do you lead a team?", "randomized": False, "epsilon": None},
]


def test_a_draft_takes_little_room(open_draft):
    page = open_draft(make_survey(questions=QUESTIONS, budget=8), viewport=DESK)
    assert page.evaluate(HEIGHT) <= 1_000
    for number in range(1, len(QUESTIONS) + 1):
        form = open_question(page, number)
        expect(page.locator("[data-part=means]")).to_have_count(1)
        come_to_rest(page)
        assert page.evaluate(HEIGHT) <= 2_200, number
        assert form.bounding_box()["width"] > 400


def test_twenty_questions_take_little_room_too(open_draft):
    page = open_draft(make_survey(questions=(QUESTIONS * 3)[:20], budget=50), viewport=DESK)
    expect(page.locator("[data-lines] > li")).to_have_count(20)
    assert page.evaluate(HEIGHT) <= 1_600


def test_an_open_question_has_few_fields_before_anything_is_added(open_draft):
    page = open_draft(make_survey(questions=[]), viewport=DESK)
    labels = page.locator(".palette__kinds button").all_inner_texts()
    assert len(labels) == len(KINDS)
    for label in labels:
        form = add_question(page, label)
        for asked in ("True", "False"):
            form.locator("[name=randomized]").select_option(asked)
            save(page)
            shown = form.evaluate(CONTROLS)
            assert 3 <= len(shown) <= MOST_CONTROLS, (label, asked, shown)


def test_figures_that_come_in_move_nothing_that_is_typed(open_draft):
    page = open_draft(make_survey(questions=[{}, {}], budget=8), viewport=DESK)
    form = open_question(page, 1)
    epsilon = form.locator("[name=epsilon]")
    expect(form.locator("[data-part=means]")).to_contain_text("give or take")
    place = epsilon.evaluate(PLACE)
    for value in ("2", "", "0.1", "8"):
        epsilon.fill(value)
        expect(line(page, 1).locator(".line__mark")).to_have_count(int(not value))
        come_to_rest(page)
        assert epsilon.evaluate(PLACE) == place, value


@pytest.mark.parametrize("kind", KINDS)
def test_an_open_question_of_each_kind_is_accessible_and_fits(open_draft, kind):
    page = open_draft(make_survey(questions=QUESTIONS[:2], budget=8))
    heard = troubles(page)
    form = all_options(add_question(page, str(KINDS[kind].label)))
    form.locator("[name=text]").fill("What?")
    if form.locator("[name=options]").is_visible():
        form.locator("[name=options]").fill("Never\nOnce\nOften")
    save(page)
    come_to_rest(page)
    assert heard == []
    assert_well_in_sizes(page, kind, SIZES)


def test_the_pages_of_a_draft_are_accessible_and_fit(live_server, new_context):
    questions = [QUESTIONS[0], {**CHOICE, "group": 1}, {"group": 1, "text": "And?"}, *QUESTIONS[5:]]
    survey = make_survey(
        questions=questions, budget=8, linkage="together", cross_tables=[["q4", "q5"]]
    )
    page = sign_in(new_context(viewport=DESK), live_server)
    heard = troubles(page)
    pages = [
        address(survey),
        reverse("admin:survey_question", args=[survey.pk, survey.questions.get(position=2).pk]),
        *(address(survey, name) for name in ("settings", "add_feature", "tables", "groups")),
        address(survey, "launch"),
    ]
    for number, path in enumerate(pages):
        go_to(page, live_server.url + path)
        come_to_rest(page)
        assert heard == [], path
        # One is dark where it is narrow, the next one where it is wide.
        assert_well_in_sizes(page, path, OTHER_WAY if number % 2 else SIZES)
        heard.clear()


def test_what_is_wrong_and_what_was_removed_is_accessible_too(open_draft):
    page = open_draft(make_survey(questions=QUESTIONS[:3], budget=8))
    line(page, 3).get_by_label("More for question 3").click()
    assert_well_in_sizes(page, "the menu of a line", SIZES, colours_of=".line__menu")
    line(page, 3).get_by_role("button", name="Remove").click()
    form = open_question(page, 1)
    form.locator("[name=epsilon]").fill("")
    save(page)
    expect(form.locator(".errorlist")).to_be_visible()
    expect(page.get_by_role("button", name="Put it back")).to_be_visible()
    assert_well_in_sizes(page, "errors", SIZES)


def test_a_phone_shows_the_figures_in_words_and_all_of_them_on_demand(open_draft):
    page = open_draft(make_survey(), viewport={"width": 360, "height": 740})
    form = open_question(page, 1)
    expect(form.get_by_text("give or take 9")).to_be_visible()
    expect(figure(form, "retained")).to_be_hidden()
    form.get_by_text("All figures").click()
    expect(figure(form, "retained")).to_have_text("73 %")
    # It stays open while its numbers change.
    form.locator("[name=epsilon]").fill("2")
    expect(figure(form, "retained")).to_have_text("88 %")
    expect(figure(form, "retained")).to_be_visible()


def test_the_settings_say_what_is_wrong_beside_its_field(live_server, new_context):
    survey = make_survey()
    page: Page = sign_in(new_context(viewport=DESK), live_server)
    page.goto(settings_of(live_server, survey))
    page.locator("#id_slug").fill("Arbeit & Leben ü")
    save(page)
    expect(page.locator(".entry-slug .errorlist")).to_be_visible()
    expect(page.locator("#id_slug")).to_have_value("Arbeit & Leben ü")
    assert_well_in_sizes(page, "settings with an error", SIZES, colours_of=".entry-slug")
    page.reload()
    expect(page.locator("#id_slug")).to_have_value("Arbeit & Leben ü")
