"""The questions of a draft as lines: opened, moved, copied, removed, put back."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from surveys.models import Survey
from tests.app.author_posts import page as address
from tests.browser.author import (
    add_question,
    field,
    line,
    open_question,
    opened,
    put,
    save,
    sign_in,
    troubles,
)
from tests.browser.support import come_to_rest
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def survey():
    return make_survey(questions=[{"text": "A?"}, {"text": "B?"}, {"text": "C?"}])


@pytest.fixture
def page(open_draft, survey):
    return open_draft(survey)


def texts(survey: Survey) -> list[str]:
    return [question.text for question in survey.questions.order_by("position", "pk")]


def expect_lines(page: Page, *shown: str) -> None:
    expect(page.locator(".line__text")).to_have_text(list(shown))


def test_a_line_opens_in_its_place_and_closes_the_one_before(page, survey):
    heard = troubles(page)
    form = open_question(page, 2)
    expect(field(form, "text")).to_be_focused()
    assert re.search(r"/questions/\d+/$", page.url)
    open_question(page, 3)
    expect(page.locator("form[data-question-form]")).to_have_count(1)
    expect(line(page, 2).locator("[data-open]")).to_have_attribute("aria-expanded", "false")
    page.reload()
    opened(page, 3)
    line(page, 3).locator("[data-open]").click()
    expect(page.locator("form[data-question-form]")).to_have_count(0)
    assert page.url.endswith(address(survey))
    assert heard == []


def test_the_fields_are_those_of_the_kind_and_of_how_it_is_asked(page):
    form = open_question(page, 1)
    shown = ["text", "kind", "randomized", "epsilon", "required", "prefer_not"]
    hidden = ["options", "lower", "upper", "characters"]
    for name in shown:
        expect(field(form, name)).to_be_visible()
    for name in hidden:
        expect(field(form, name)).to_be_hidden()
    field(form, "kind").select_option("bounded_number")
    expect(field(form, "lower")).to_be_visible()
    field(form, "randomized").select_option("False")
    expect(field(form, "epsilon")).to_be_hidden()
    expect(form.get_by_text("This one is sent as it is.")).to_be_visible()


def test_lines_are_moved_by_keys(page, survey):
    grip = line(page, 1).get_by_role("button", name="Move question 1")
    grip.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-status]")).to_have_text("Question 1 is now number 3 of 3.")
    expect_lines(page, "B?", "C?", "A?")
    expect(line(page, 3).locator(".line__number")).to_have_text("3")
    expect(line(page, 3).locator("[data-grip]")).to_be_focused()
    assert texts(survey) == ["B?", "C?", "A?"]
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-status]")).to_have_text("Question 3 is now number 2 of 3.")
    page.reload()
    expect_lines(page, "B?", "A?", "C?")


def test_lines_are_moved_by_hand_also_the_open_one(page, survey):
    field(open_question(page, 3), "text").fill("C? And D?")
    save(page)
    line(page, 3).locator("[data-grip]").hover()
    page.mouse.down()
    # An open line is tall, and the others move while it passes them.
    for _turn in range(3):
        goal = line(page, 1).bounding_box()
        page.mouse.move(goal["x"] + 10, goal["y"] + 4, steps=4)
    page.mouse.up()
    expect_lines(page, "C? And D?", "A?", "B?")
    expect(field(opened(page, 1), "text")).to_have_value("C? And D?")
    expect(line(page, 1).locator(".line__number")).to_have_text("1")
    assert texts(survey) == ["C? And D?", "A?", "B?"]


def test_a_copy_stands_after_its_question_and_a_removed_one_comes_back(page, survey):
    heard = troubles(page)
    field(open_question(page, 1), "text").fill("A, as typed?")
    put(page, 1, "Duplicate")
    expect_lines(page, "A, as typed?", "A, as typed?", "B?", "C?")
    field(opened(page, 2), "text").fill("A copy?")
    save(page)
    assert texts(survey) == ["A, as typed?", "A copy?", "B?", "C?"]
    assert survey.questions.values("name").distinct().count() == 4
    put(page, 3, "Remove")
    expect_lines(page, "A, as typed?", "A copy?", "C?")
    expect(page.locator("[data-budget-text]")).to_contain_text("3 of 3 used")
    page.reload()
    page.get_by_role("button", name="Put it back").click()
    expect(field(opened(page, 3), "text")).to_have_value("B?")
    expect(page.locator("[data-budget-text]")).to_contain_text("over the budget")
    expect(page.get_by_role("button", name="Put it back")).to_have_count(0)
    assert texts(survey) == ["A, as typed?", "A copy?", "B?", "C?"]
    assert heard == []


def test_a_double_click_adds_one_question(page, survey):
    page.get_by_role("button", name="Short text", exact=True).dblclick()
    opened(page, 4)
    come_to_rest(page)
    expect(page.locator("[data-lines] > li")).to_have_count(4)
    assert survey.questions.count() == 4


def test_without_a_script_questions_are_added_edited_moved_and_removed(open_draft, survey):
    page = open_draft(survey, java_script_enabled=False)
    page.get_by_role("button", name="Single choice", exact=True).click()
    form = page.locator("form[data-question-form]")
    field(form, "text").fill("How often?")
    field(form, "options").fill("Never\nOften")
    with page.expect_navigation():
        form.get_by_role("button", name="Save", exact=True).click()
    assert survey.questions.get(position=4).options == ["Never", "Often"]
    field(form, "options").fill("Never")
    with page.expect_navigation():
        form.get_by_role("button", name="Save", exact=True).click()
    expect(form.locator(".entry-options .errorlist")).to_be_visible()
    expect(field(form, "options")).to_have_value("Never")
    for way in ("Move up", "Remove"):
        with page.expect_navigation():
            put(page, 4 if way == "Move up" else 1, way)
    assert texts(survey) == ["B?", "How often?", "C?"]
    with page.expect_navigation():
        page.get_by_role("button", name="Put it back").click()
    assert texts(survey) == ["A?", "B?", "How often?", "C?"]
    page.locator("#id_title").fill("Without a script")
    with page.expect_navigation():
        page.locator(".editor__title").get_by_role("button", name="Save").click()
    assert Survey.objects.get().title == "Without a script"


def test_each_kind_can_be_added_to_an_empty_draft(open_draft):
    survey = make_survey(questions=[])
    page = open_draft(survey)
    expect(page.get_by_text("No question yet.")).to_be_visible()
    kinds = page.locator(".palette__kinds button").all_inner_texts()
    for kind in kinds:
        add_question(page, kind)
    expect(page.get_by_text("No question yet.")).to_be_hidden()
    stored = survey.questions.order_by("position").values_list("kind", flat=True)
    values = page.locator(".palette__kinds button").evaluate_all("all => all.map((x) => x.value)")
    assert list(stored) == values


def test_the_keyboard_alone_goes_from_the_list_to_a_launched_survey(live_server, new_context):
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_changelist"))
    for name in ("Create a survey", "Blank survey"):
        with page.expect_navigation():
            press_by_tab(page, name)
    tab_to(page, "document.activeElement.name === 'title'")
    page.keyboard.press("Control+a")
    page.keyboard.type("By keyboard")
    press_by_tab(page, "Yes or no")
    expect(field(opened(page, 1), "text")).to_be_focused()
    page.keyboard.type("Did you?")
    press_by_tab(page, "3 Check and launch", back=True)
    expect(page.get_by_role("heading", name="What freezes")).to_be_visible()
    press_by_tab(page, "Launch and freeze")
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    survey = Survey.objects.get()
    assert (survey.state, survey.title, survey.slug) == ("open", "By keyboard", "by-keyboard")
    assert texts(survey) == ["Did you?"]


def tab_to(page: Page, expression: str, key: str = "Tab") -> None:
    for _ in range(80):
        if page.evaluate(expression):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {expression}")


def press_by_tab(page: Page, name: str, *, back: bool = False) -> None:
    text = "document.activeElement.innerText.replace(/\\s+/g, ' ').trim()"
    tab_to(page, f"{text} === {name!r}", "Shift+Tab" if back else "Tab")
    page.keyboard.press("Enter")
