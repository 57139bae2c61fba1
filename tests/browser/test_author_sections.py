"""Sections at the desk: begun, named, moved, removed and put back in the list of questions."""

import pytest
from playwright.sync_api import Page, expect

from surveys.features.sections.settings import start_of
from surveys.models import Survey
from tests.browser.author import field, line, open_question, option, press, save, troubles
from tests.browser.axe import assert_well_in_sizes
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(360, 740), (1280, 900)]
BEGIN = "Begin a section with this question"


@pytest.fixture
def survey():
    texts = ("How old are you?", "Have you been hurt?", "Have you hurt somebody?", "Anything else?")
    return make_survey(questions=[{"text": text} for text in texts], help_text="Call 116 006.")


@pytest.fixture
def page(open_draft, survey):
    return open_draft(survey)


def heads(page: Page) -> list[str]:
    """The titles of the sections, each with the number of the question that it stands above."""
    found = []
    for number in range(1, page.locator("[data-lines] > [data-question]").count() + 1):
        for title in line(page, number).locator(".section-head__title bdi").all_inner_texts():
            found.append(f"{number} {title}")
    return found


def change(page: Page, number: int, way: str) -> None:
    """Press what the section that begins with a question has under its “More”."""
    place = line(page, number).locator(".section-head")
    press(place.get_by_label(f"More for the section that begins with question {number}"))
    press(place.get_by_role("button", name=way, exact=True))


def titles(survey: Survey) -> list[str]:
    return [start_of(each).title for each in survey.questions.order_by("position", "pk")]


def test_an_author_divides_a_draft_into_sections(page, survey):
    heard = troubles(page)
    form = open_question(page, 2)
    part = option(form, BEGIN)
    field(part, "section_title").fill("Violence")
    field(part, "section_text").fill("The next questions may be hard.")
    field(part, "section_together").check()
    help_part = option(
        form, "Show helplines after a distressing question, and let people leave at once."
    )
    field(help_part, "help_after_section").check()
    save(page)
    expect(page.locator(".section-head__title bdi")).to_have_text(["Violence"])
    assert heads(page) == ["2 Violence"]
    expect(line(page, 2).locator(".section-head")).to_contain_text("All questions on one page.")
    assert_well_in_sizes(page, "a draft with a section", SIZES)

    change(page, 2, "Begin one question later")
    expect(line(page, 3).locator(".section-head")).to_have_count(1)
    assert heads(page) == ["3 Violence"]
    change(page, 3, "Begin one question earlier")
    expect(line(page, 2).locator(".section-head")).to_have_count(1)

    # With its questions it moves, too.
    form = open_question(page, 4)
    field(option(form, BEGIN), "section_title").fill("The end")
    save(page)
    expect(page.locator(".section-head__title bdi")).to_have_text(["Violence", "The end"])
    assert titles(survey) == ["", "Violence", "", "The end"]

    change(page, 2, "Remove the section")
    expect(page.locator(".section-head__title bdi")).to_have_text(["The end"])
    expect(page.get_by_text("Section removed: Violence")).to_be_visible()
    # What is typed elsewhere in the question leaves what was removed as it is.
    form = open_question(page, 2)
    expect(field(form, "section_title")).to_have_value("")
    field(form, "text").fill("Have you been hurt by somebody?")
    save(page)
    press(line(page, 2).get_by_role("button", name="Put it back"))
    expect(page.locator(".section-head__title bdi")).to_have_text(["Violence", "The end"])
    stored = start_of(survey.questions.get(position=2))
    assert (stored.text, stored.together) == ("The next questions may be hard.", True)
    assert heard == []


def test_a_section_does_not_take_the_last_question_of_another(page, survey):
    for number, title in ((2, "Violence"), (3, "The end")):
        form = open_question(page, number)
        field(option(form, BEGIN), "section_title").fill(title)
        save(page)
    expect(page.locator(".section-head__title bdi")).to_have_text(["Violence", "The end"])
    change(page, 2, "Begin one question later")
    expect(page.locator("[data-status]")).to_contain_text("There is no question left")
    assert titles(survey) == ["", "Violence", "The end", ""]
