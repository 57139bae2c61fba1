"""How many clicks lie between an empty desk and a launched survey, and that none is refused."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from surveys.models import Survey
from tests.browser.author import sign_in, troubles

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_CLICKS, MOST_FROM_A_TEMPLATE = 22, 8


class CountingAuthor:
    """Counts what a hand does beside typing: each click, and each choice from a list."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, place: Locator) -> None:
        self.clicks += 1
        place.click()

    def choose(self, place: Locator, label: str) -> None:
        self.clicks += 1
        place.select_option(label=label)

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True))

    def ask(self, kind: str, text: str, *options: str) -> None:
        """Add a question, whose text takes what is typed at once."""
        self.button(kind)
        field = self.page.locator("form[data-question-form] [name=text]")
        expect(field).to_be_focused()
        expect(field).to_have_value("")
        self.page.keyboard.type(text)
        if options:
            self.page.locator("[name=options]").fill("\n".join(options))

    def cross(self, outcome: str, groups: str) -> None:
        """Declare a cross-table of two questions."""
        self.link("Add to this survey")
        self.click(
            self.page.get_by_role("link", name="Add", exact=True).and_(
                self.page.locator("[aria-describedby=feature-tables]")
            )
        )
        self.choose(self.page.get_by_label("Show the answers to"), outcome)
        self.choose(self.page.get_by_label("for each answer to"), groups)
        self.button("Add this cross-table")

    def asked_directly(self) -> None:
        self.choose(self.page.locator("[name=randomized]"), "Direct: sent as it is")


def test_seven_questions_with_a_table_and_a_randomizer(live_server, new_context):
    page = sign_in(new_context(), live_server)
    heard, author = troubles(page), CountingAuthor(page)
    page.goto(live_server.url + reverse("admin:surveys_survey_changelist"))
    author.link("Create a survey")
    author.button("Blank survey")
    page.get_by_label("Title", exact=True).fill("Work and health")
    author.ask("Yes or no", "Have you been bullied at work this year?")
    author.click(page.get_by_text("More for this question"))
    author.click(page.get_by_text("Let respondents scramble their answers"))
    author.choose(
        page.locator("[name=physical_device]"),
        page.locator(
            "[name=physical_device] option:not([disabled]):not([value=''])"
        ).first.inner_text(),
    )
    author.ask("Yes or no", "Have you taken a drug at work this year?")
    ten = [f"Reason number {number}" for number in range(1, 11)]
    author.ask("Single choice", "What kept you from reporting it?", *ten)
    author.ask("Scale, in order", "How safe do you feel?", "Not at all", "A little", "Very")
    author.ask("Multiple choice (tick all that apply)", "Who knew of it?", "A friend", "My boss")
    author.ask("Single choice", "How large is your firm?", "Up to 50 people", "More than 50 people")
    author.asked_directly()
    author.ask("Yes or no", "Do you lead other people?")
    author.asked_directly()
    author.cross("1. Have you been bullied at work this year?", "6. How large is your firm?")
    expect(page.locator(".messagelist .success")).to_be_visible()
    author.link("Settings")
    page.get_by_label("Planned respondents").fill("1000")
    author.link("Check and launch")
    author.button("Launch and freeze")
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    survey = Survey.objects.get()
    assert (survey.state, survey.title, survey.slug) == (
        "open",
        "Work and health",
        "work-and-health",
    )
    assert survey.planned_n == 1000
    assert author.clicks <= MOST_CLICKS
    assert heard == []


def test_from_a_template(live_server, new_context):
    page = sign_in(new_context(), live_server)
    heard, author = troubles(page), CountingAuthor(page)
    page.goto(live_server.url + reverse("admin:surveys_survey_changelist"))
    author.link("Create a survey")
    author.link("Workplace bullying and harassment")
    author.button("Use this template")
    author.link("Check and launch")
    author.button("Launch and freeze")
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    assert Survey.objects.get().state == "open"
    assert author.clicks <= MOST_FROM_A_TEMPLATE
    assert heard == []
