"""From an empty list to a shared link, with the keyboard and the mouse of an author."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.author import add_question, field, save, step
from tests.builders import PASSWORD, owner

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_an_author_composes_tries_and_launches_a_survey(live_server, new_context):
    owner()
    page = new_context().new_page()
    page.goto(live_server.url + reverse("admin:index"))
    page.locator("[name=username]").fill("owner")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form button, main form [type=submit]").first.click()
    page.get_by_role("link", name="Surveys", exact=True).first.click()
    page.get_by_role("link", name="Create a survey").click()
    page.get_by_role("button", name="Blank survey").click()

    page.locator("#id_title").fill("")
    page.locator("#id_title").press_sequentially("Health & Safety at Work")
    save(page)
    add_two_questions(page)
    step(page, "Settings")
    expect(page.locator("#id_slug")).to_have_value("health-safety-at-work")
    page.locator("#id_consent").fill("Taking part is voluntary.")
    page.locator("#id_contact").fill("survey@example.org")
    step(page, "Check and launch")
    expect(page.get_by_text("Nothing stands in the way of a launch.")).to_be_visible()

    survey = Survey.objects.get()
    rows = [(q.name, q.kind, q.options, q.randomized) for q in survey.questions.all()]
    assert rows == [
        ("q1", "yes_no", [], True),
        ("q2", "single_choice", ["Never", "Once", "Often"], False),
    ]

    step(page, "Questions")
    draft = page.url
    page.get_by_role("link", name="Test fill").click()
    page.get_by_role("button", name="Fill", exact=True).click()
    expect(page.get_by_text("Recovered from 1,000 simulated respondents")).to_be_visible()

    page.goto(draft)
    step(page, "Check and launch")
    page.get_by_role("button", name="Launch and freeze").dblclick()
    expect(page.get_by_role("heading", name="Share", exact=True)).to_be_visible()
    survey.refresh_from_db()
    assert survey.state == "open"
    link = page.get_by_label("Respondents' link").input_value()
    assert link == live_server.url + "/s/health-safety-at-work/"
    assert page.locator(".qr img").evaluate(
        "image => image.decode().then(() => image.naturalWidth)"
    )


def add_two_questions(page):
    first = add_question(page)
    expect(field(first, "name")).to_have_value("q1")
    field(first, "text").fill("Have you ever used a drug at work?")
    expect(first.locator(".entry-options")).to_be_hidden()

    second = add_question(page)
    expect(field(second, "name")).to_have_value("q2")
    field(second, "text").fill("How often?")
    field(second, "kind").select_option("single_choice")
    field(second, "options").fill("Never\n Once \n\nOften")
    field(second, "randomized").select_option("False")
    expect(field(second, "epsilon")).to_be_hidden()
    expect(second.get_by_text("This one is sent as it is.")).to_be_visible()
    expect(page.locator("[data-budget-text]")).to_have_text("1 of 5 used, 4 left.")
