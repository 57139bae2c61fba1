"""The start of a new question, and that it follows its author and nobody else."""

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.author import card, field, figure, save
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SENSITIVE = {"required": False, "prefer_not": True}
DIRECT = {"required": True, "prefer_not": False}
BOTH = {"required": True, "prefer_not": True}


@pytest.fixture
def draft(open_draft):
    """The page of a draft that has one saved question."""
    return open_draft(make_survey(questions=[{}]))


def added(page):
    """A new question beneath the others."""
    page.get_by_role("button", name="Add a question").click()
    new = card(page, page.locator("[data-question]").count())
    field(new, "text").fill("New?")
    return new


def ask(question, how):
    question.get_by_label(how).check()


def has(question, boxes):
    for name, checked in boxes.items():
        expect(field(question, name)).to_be_checked(checked=checked)


def after_save(page):
    """Return what each question has then."""
    save(page)
    rows = Survey.objects.get().questions.values("required", "prefer_not").order_by("position")
    return list(rows)


def test_a_new_question_follows_how_it_is_asked(draft):
    new = added(draft)
    has(new, SENSITIVE)
    # The panel counts the refusal as a third answer: ± 8.8 points without it.
    expect(figure(new, "margin")).to_have_text("± 10.4 points")
    ask(new, "Direct: sent as it is")
    has(new, DIRECT)
    ask(new, "Sensitive: scrambled")
    has(new, SENSITIVE)
    direct = added(draft)
    ask(direct, "Direct: sent as it is")
    assert after_save(draft) == [DIRECT, SENSITIVE, DIRECT]
    has(card(draft, 2), SENSITIVE)
    expect(draft.get_by_text("who leaves it out is seen")).to_have_count(0)


def test_devices_that_the_refusal_leaves_out_are_named_until_it_is_off(draft):
    new = added(draft)
    hint, laplace = new.locator("[data-refusal]"), new.get_by_label("Laplace noise")
    expect(hint).to_contain_text("fit only without “prefer not to say”")
    expect(laplace).to_be_hidden()
    field(new, "prefer_not").uncheck()
    expect(laplace).to_be_visible()
    expect(hint).to_be_hidden()
    field(new, "kind").select_option("scale")
    field(new, "prefer_not").check()
    expect(hint).to_contain_text("fits only without “prefer not to say”")


def test_what_the_author_has_set_or_saved_stays(draft):
    saved, new = card(draft, 1), added(draft)
    has(saved, DIRECT)
    ask(saved, "Direct: sent as it is")
    has(saved, DIRECT)
    field(saved, "required").uncheck()
    ask(saved, "Sensitive: scrambled")
    has(saved, {"required": False, "prefer_not": False})

    field(new, "prefer_not").uncheck()
    ask(new, "Direct: sent as it is")
    has(new, DIRECT)
    ask(new, "Sensitive: scrambled")
    has(new, {"required": False, "prefer_not": False})
    field(new, "required").check()
    field(new, "prefer_not").check()
    ask(new, "Direct: sent as it is")
    has(new, BOTH)
    ask(new, "Sensitive: scrambled")
    assert after_save(draft) == [{"required": False, "prefer_not": False}, BOTH]

    # The values that were set before a save that failed stay, too.
    field(added(draft), "required").check()
    field(card(draft, 3), "text").fill("")
    draft.get_by_role("button", name="Save and continue editing").click()
    third = card(draft, 3)
    expect(third.locator(".errorlist")).to_be_visible()
    has(third, BOTH)
    ask(third, "Direct: sent as it is")
    has(third, DIRECT)
    ask(third, "Sensitive: scrambled")
    has(third, BOTH)
