"""An author marks questions that are sent together: the frame, the figures, the launch."""

from decimal import Decimal

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Survey
from surveys.parameters import joint_of_all
from tests.browser.author import card, field, figure, sign_in, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CHOICE = {"kind": "single_choice", "options": ["Never", "Once", "Often"]}
QUESTIONS = [
    {"text": "Do you lead a team?", "required": False},
    {"text": "Have you ever taken a drug at work?", "required": False},
    {**CHOICE, "text": "How often did you drink at work?", "required": False},
]


@pytest.fixture
def survey():
    return make_survey(questions=QUESTIONS, budget=Decimal(5))


@pytest.fixture
def open_page(live_server, new_context, survey):
    def opened(**options):
        page = sign_in(new_context(**options), live_server)
        page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
        return page

    return opened


def join(page, number, group="1"):
    field(card(page, number), "group").select_option(group)


def head(page, number=1):
    return page.locator(f"[data-group-head='{number}']")


def test_an_author_marks_a_group_sees_its_figures_saves_and_launches(open_page, survey):
    page = open_page()
    heard = troubles(page)
    alone = figure(card(page, 2), "retained")
    expect(alone).to_have_text("73 %")
    join(page, 2)
    expect(head(page)).to_contain_text("Group 1: question 2")
    expect(head(page)).to_contain_text("has one question only")
    # No figures of the question on its own beside a group that is not there yet.
    expect(alone).to_have_text("–")
    join(page, 3)
    expect(head(page)).to_contain_text("Group 1: questions 2 and 3, ε 2 together, 6 combinations")
    expect(head(page)).not_to_contain_text("one question only")
    expect(figure(card(page, 2), "groups")).to_contain_text("all 2 questions of the group")
    expect(figure(card(page, 2), "factor")).to_have_text("7.4")
    expect(head(page).locator("tbody .compare__chosen")).to_have_count(1)
    expect(card(page, 2).locator(".devices")).to_be_hidden()
    expect(card(page, 1).locator(".devices")).to_be_visible()
    # A change of one question moves the figures of the other.
    shown = figure(card(page, 2), "margin").inner_text()
    field(card(page, 3), "epsilon").fill("2")
    expect(head(page)).to_contain_text("ε 3 together")
    expect(figure(card(page, 2), "margin")).not_to_have_text(shown)
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("was changed successfully")).to_be_visible()
    assert list(survey.questions.values_list("group", flat=True)) == [None, 1, 1]
    page.get_by_role("link", name="Launch", exact=True).click()
    expect(page.get_by_text("Group 1: questions 2 and 3, ε 3 together")).to_be_visible()
    page.get_by_role("button", name="Launch and freeze").click()
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    launch = Survey.objects.get().current_launch()
    (group,) = joint_of_all(launch.parameters)
    assert (group.questions, group.epsilon) == (("q2", "q3"), "3")
    assert heard == []


def test_questions_move_around_groups_and_leave_them(open_page):
    page = open_page()
    join(page, 2)
    join(page, 3)
    first = card(page, 1)
    # The question above passes the whole group.
    first.locator("[data-down]").click()
    expect(page.locator("[data-status]")).to_have_text("Question 1 is now number 3 of 3.")
    assert names(page) == ["q2", "q3", "q1"]
    expect(head(page)).to_contain_text("questions 1 and 2")
    # Within the group two questions change places, and the head stays above both.
    card(page, 1).locator("[data-down]").click()
    assert names(page) == ["q3", "q2", "q1"]
    expect(page.locator("[data-cards] > :first-child")).to_have_attribute("data-group-head", "1")
    # By keyboard: a question leaves, and what is left is no group.
    field(card(page, 2), "group").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-status]")).to_have_text("Question 2 is asked on its own.")
    expect(head(page)).to_contain_text("has one question only")
    card(page, 1).locator("[data-remove]").click()
    expect(head(page)).to_have_count(0)
    expect(figure(card(page, 2), "retained")).to_have_text("73 %")


def names(page):
    return [field(card(page, number), "name").input_value() for number in (1, 2, 3)]


def test_sensitive_questions_are_offered_the_groups_in_use_and_a_new_one(open_page):
    page = open_page()
    values = field(card(page, 3), "group").locator("option")
    expect(values).to_have_text(["On its own", "Group 1"])
    join(page, 1)
    expect(values).to_have_text(["On its own", "Group 1", "Group 2"])
    page.get_by_role("button", name="Add a question").click()
    added = field(card(page, 4), "group").locator("option")
    expect(added).to_have_text(["On its own", "Group 1", "Group 2"])
    card(page, 4).locator("[data-remove]").click()

    group = field(card(page, 2), "group")
    expect(group).to_be_visible()
    randomized = card(page, 2).locator("[name$='-randomized']")
    randomized.and_(page.locator("[value=False]")).check()
    expect(group).to_be_hidden()
    randomized.and_(page.locator("[value=True]")).check()
    group.select_option("1")
    randomized.and_(page.locator("[value=False]")).check()
    # It has to be possible to leave the group.
    expect(group).to_be_visible()
    randomized.and_(page.locator("[value=True]")).check()
    group.select_option("")

    # A broken group is said, and at its field once it is saved.
    join(page, 3)
    expect(head(page)).to_contain_text("must follow one another")
    page.get_by_role("button", name="Save and continue editing").click()
    link = page.locator("[data-errors] a", has_text="Question 3, Sent together with")
    link.click()
    expect(field(card(page, 3), "group")).to_be_focused()
    expect(head(page)).to_be_visible()


def test_a_group_fits_and_can_be_read(open_page):
    page = open_page(viewport={"width": 360, "height": 800})
    join(page, 2)
    join(page, 3)
    page.locator("#id_planned_n").fill("50")
    expect(head(page)).to_contain_text("fewer than 10 for each")
    expect(figure(card(page, 3), "groups")).to_contain_text("all 2 questions")
    assert_well_in_sizes(page, "a group", [(360, 800), (1280, 800)])


def test_without_scripts_the_list_is_enough(open_page, survey):
    page = open_page(java_script_enabled=False)
    join(page, 2)
    join(page, 3)
    with page.expect_navigation():
        page.locator("[name=_continue]").click()
    assert list(survey.questions.values_list("group", flat=True)) == [None, 1, 1]
