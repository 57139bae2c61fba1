"""An author marks questions that are sent together: the frame, the figures, the launch."""

from decimal import Decimal

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from surveys.parameters import joint_of_all
from tests.browser.author import (
    all_options,
    field,
    figure,
    line,
    open_question,
    option,
    put,
    save,
    step,
    troubles,
)
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CHOICE = {"kind": "single_choice", "options": ["Never", "Once", "Often"]}
QUESTIONS = [
    {"text": "Do you lead a team?", "required": False},
    {"text": "Have you ever taken a drug at work?", "required": False},
    {**CHOICE, "text": "How often did you drink at work?", "required": False},
]
SEND_TOGETHER = "Learn which answers go together, by one draw."


@pytest.fixture
def survey():
    return make_survey(questions=QUESTIONS, budget=Decimal(5))


@pytest.fixture
def page(open_draft, survey):
    return open_draft(survey)


def head(page, number=1):
    return page.locator(f"[data-group-head='{number}']")


def join(page, *numbers):
    """Tick these questions on the page of groups, to which what can be added leads."""
    page.get_by_role("link", name="Add to this survey").click()
    page.locator("a[href$='/groups/']").click()
    for number in numbers:
        page.get_by_role("checkbox", name=f"{number}. ").check()
    page.get_by_role("button", name="Send them together").click()
    expect(page.get_by_text("These questions are sent together now")).to_be_visible()


def groups(survey):
    return list(survey.questions.order_by("position").values_list("group", flat=True))


def test_an_author_makes_a_group_sees_its_figures_and_launches(page, survey):
    heard = troubles(page)
    expect(line(page, 2).locator(".line__facts")).to_contain_text("±")
    join(page, 2, 3)
    assert groups(survey) == [None, 1, 1]
    expect(head(page)).to_contain_text("Group 1: questions 2 and 3, ε 2 together, 6 combinations")
    head(page).locator("summary").click()
    expect(head(page).locator("tbody .compare__chosen")).to_have_count(1)
    second = all_options(open_question(page, 2))
    second.get_by_text("All figures").click()
    expect(figure(second, "groups")).to_contain_text("all 2 questions of the group")
    expect(figure(second, "factor")).to_have_text("7.4")
    expect(second.locator("[data-option=device]")).to_have_count(0)
    shown = figure(second, "margin").inner_text()
    # A change of one question moves the figures of the other.
    field(open_question(page, 3), "epsilon").fill("2")
    expect(head(page)).to_contain_text("ε 3 together")
    # What was open of it stays open.
    expect(head(page).locator("tbody .compare__chosen")).to_be_visible()
    second = open_question(page, 2)
    expect(figure(second, "margin")).not_to_have_text(shown)
    all_options(open_question(page, 1))
    expect(page.locator("[data-option=device]")).to_have_count(1)
    step(page, "Check and launch")
    expect(page.get_by_text("Group 1: questions 2 and 3, ε 3 together")).to_be_visible()
    page.get_by_role("button", name="Launch and freeze").click()
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    launch = Survey.objects.get().current_launch()
    (group,) = joint_of_all(launch.parameters)
    assert (group.questions, group.epsilon) == (("q2", "q3"), "3")
    assert heard == []


def test_questions_join_and_leave_a_group_by_their_own_field(page, survey):
    third = open_question(page, 3)
    values = field(page.locator("form[data-question-form]"), "group").locator("option")
    expect(values).to_have_text(["On its own", "Group 1"])
    field(option(third, SEND_TOGETHER), "group").select_option("1")
    expect(head(page)).to_contain_text("has one question only")
    first = open_question(page, 1)
    expect(values).to_have_text(["On its own", "Group 1", "Group 2"])
    field(option(first, SEND_TOGETHER), "group").select_option("1")
    save(page)
    assert groups(survey) == [1, None, 1]
    # A broken group is said above it, at its question and before launch.
    expect(head(page).first).to_contain_text("must follow one another")
    third = open_question(page, 3)
    expect(third.locator("[data-part=notices]")).to_contain_text("must follow one another")
    step(page, "Check and launch")
    expect(page.locator(".finding--blocks").first).to_contain_text("must follow one another")
    step(page, "Questions")
    field(open_question(page, 2), "group").select_option("1", force=True)
    save(page)
    expect(head(page)).to_contain_text("Group 1: questions 1 to 3")
    # It has to be possible to leave the group.
    third = open_question(page, 3)
    expect(field(third, "group")).to_be_visible()
    field(third, "group").select_option("")
    expect(head(page)).to_contain_text("questions 1 and 2")


def test_a_question_that_moves_through_a_group_leaves_it_in_order(page, survey):
    join(page, 2, 3)
    put(page, 1, "Move down")
    expect(page.locator(".line__text").nth(1)).to_have_text(QUESTIONS[0]["text"])
    expect(head(page)).to_contain_text("must follow one another")
    put(page, 2, "Move down")
    expect(head(page)).to_contain_text("Group 1: questions 1 and 2")
    assert groups(survey) == [1, 1, None]
    # The frame is around the questions of the group, and its head above the first.
    expect(page.locator(".line--joint")).to_have_count(2)
    expect(line(page, 1).locator("[data-group-head='1']")).to_be_visible()
    put(page, 1, "Remove")
    expect(head(page)).to_contain_text("has one question only")


def test_a_group_fits_and_can_be_read(page):
    join(page, 2, 3)
    Survey.objects.update(planned_n=50)
    page.reload()
    expect(head(page)).to_contain_text("fewer than 10 for each")
    head(page).locator("summary").click()
    all_options(open_question(page, 3))
    assert_well_in_sizes(page, "a group", [(360, 800), (1280, 800)])


def test_without_scripts_the_page_of_groups_is_enough(open_draft, survey):
    page = open_draft(survey, java_script_enabled=False)
    join(page, 2, 3)
    assert groups(survey) == [None, 1, 1]
    page.goto(page.url.replace("/change/", "/groups/"))
    page.get_by_role("button", name="Ask them on their own").click()
    expect(page.get_by_text("are asked on their own")).to_be_visible()
    assert groups(survey) == [None, None, None]
