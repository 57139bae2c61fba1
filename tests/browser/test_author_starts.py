"""What a new question starts with, and that it follows its author and nobody else."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.author import card, field, figure, sign_in
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SENSITIVE = {"required": False, "prefer_not": True}
DIRECT = {"required": True, "prefer_not": False}


@pytest.fixture
def draft(live_server, new_context):
    """The page of a draft that has one saved question, and a new one beneath it."""
    survey = make_survey(questions=[{}])
    page = sign_in(new_context(), live_server)
    page.goto(live_server.url + reverse("admin:surveys_survey_change", args=[survey.pk]))
    page.get_by_role("button", name="Add a question").click()
    field(card(page, 2), "text").fill("New?")
    return page


def ask(question, how):
    question.get_by_label(how).check()


def has(question, boxes):
    for name, checked in boxes.items():
        expect(field(question, name)).to_be_checked(checked=checked)


def save(page, question):
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.locator(".messagelist .success")).to_be_visible()
    row = Survey.objects.get().questions.get(name=question)
    return {"required": row.required, "prefer_not": row.prefer_not}


def test_a_sensitive_question_offers_a_refusal_and_is_not_required(draft):
    new = card(draft, 2)
    has(new, SENSITIVE)
    # The panel counts the refusal as a third answer: ± 8.8 points without it.
    expect(figure(new, "margin")).to_have_text("± 10.4 points")
    assert save(draft, "q2") == SENSITIVE
    has(card(draft, 2), SENSITIVE)
    expect(draft.get_by_text("who leaves it out is seen")).to_have_count(0)


def test_devices_that_the_refusal_leaves_out_are_named_until_it_is_off(draft):
    new = card(draft, 2)
    hint, laplace = new.locator("[data-refusal]"), new.get_by_label("Laplace noise")
    expect(hint).to_contain_text("fit only without “prefer not to say”")
    expect(laplace).to_be_hidden()
    field(new, "prefer_not").uncheck()
    expect(laplace).to_be_visible()
    expect(hint).to_be_hidden()
    field(new, "kind").select_option("scale")
    field(new, "prefer_not").check()
    expect(hint).to_contain_text("fits only without “prefer not to say”")


def test_a_new_question_follows_how_it_is_asked(draft):
    new = card(draft, 2)
    ask(new, "Direct: sent as it is")
    has(new, DIRECT)
    ask(new, "Sensitive: scrambled")
    has(new, SENSITIVE)
    ask(new, "Direct: sent as it is")
    assert save(draft, "q2") == DIRECT


def test_what_the_author_has_set_stays(draft):
    new = card(draft, 2)
    field(new, "prefer_not").uncheck()
    ask(new, "Direct: sent as it is")
    has(new, DIRECT)
    ask(new, "Sensitive: scrambled")
    has(new, {"required": False, "prefer_not": False})
    field(new, "required").check()
    field(new, "prefer_not").check()
    ask(new, "Direct: sent as it is")
    has(new, {"required": True, "prefer_not": True})
    ask(new, "Sensitive: scrambled")
    assert save(draft, "q2") == {"required": True, "prefer_not": True}


def test_what_was_set_before_a_save_that_failed_stays(draft):
    field(card(draft, 2), "required").check()
    field(card(draft, 2), "text").fill("")
    draft.get_by_role("button", name="Save and continue editing").click()
    expect(card(draft, 2).locator(".errorlist")).to_be_visible()
    new = card(draft, 2)
    has(new, {"required": True, "prefer_not": True})
    ask(new, "Direct: sent as it is")
    has(new, DIRECT)
    ask(new, "Sensitive: scrambled")
    has(new, {"required": True, "prefer_not": True})


def test_a_saved_question_keeps_what_it_has(draft):
    saved = card(draft, 1)
    has(saved, DIRECT)
    ask(saved, "Direct: sent as it is")
    has(saved, DIRECT)
    field(saved, "required").uncheck()
    ask(saved, "Sensitive: scrambled")
    has(saved, {"required": False, "prefer_not": False})
    assert save(draft, "q1") == {"required": False, "prefer_not": False}
