"""The start of a new question, and that it follows its author and nobody else."""

import pytest
from playwright.sync_api import expect

from surveys.models import Survey
from tests.browser.author import (
    add_question,
    all_options,
    field,
    figure,
    open_question,
    option,
    save,
    step,
)
from tests.builders import make_survey

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SENSITIVE = {"required": False, "prefer_not": True}
DIRECT = {"required": True, "prefer_not": False}
BOTH = {"required": True, "prefer_not": True}
ANSWERING = "Require an answer, or let it be refused"


@pytest.fixture
def draft(open_draft):
    """The page of a draft that has one saved question."""
    return open_draft(make_survey(questions=[{}]))


def added(page):
    """A new question beneath the others."""
    new = add_question(page)
    field(new, "text").fill("New?")
    return new


def ask(question, *, sensitive):
    field(question, "randomized").select_option(str(sensitive))
    save(question.page)


def has(question, boxes):
    for name, checked in boxes.items():
        expect(field(question, name)).to_be_checked(checked=checked)


def stored():
    rows = Survey.objects.get().questions.values("required", "prefer_not").order_by("position")
    return list(rows)


def test_a_new_question_follows_how_it_is_asked(draft):
    new = added(draft)
    has(new, SENSITIVE)
    # The figures count the refusal as a third answer: ± 8.8 points without it.
    save(draft)
    expect(figure(new, "margin")).to_have_text("± 10.4 points")
    ask(new, sensitive=False)
    has(new, DIRECT)
    ask(new, sensitive=True)
    has(new, SENSITIVE)
    ask(added(draft), sensitive=False)
    assert stored() == [DIRECT, SENSITIVE, DIRECT]
    has(open_question(draft, 2), SENSITIVE)
    step(draft, "Check and launch")
    expect(draft.get_by_text("who leaves it out is seen")).to_have_count(0)


def test_devices_that_the_refusal_leaves_out_are_named_until_it_is_off(draft):
    new = all_options(added(draft))
    save(draft)
    devices, laplace = new.locator("[data-part=devices]"), new.get_by_label("Laplace noise")
    expect(devices).to_contain_text("fit only without “prefer not to say”")
    expect(laplace).to_be_hidden()
    field(new, "prefer_not").uncheck()
    expect(laplace).to_be_visible()
    expect(devices).not_to_contain_text("only without “prefer not to say”")
    field(new, "kind").select_option("scale")
    field(new, "options").fill("Low\nHigh")
    field(new, "prefer_not").check()
    save(draft)
    expect(devices).to_contain_text("only without “prefer not to say”")


def test_what_the_author_has_set_stays(draft):
    first = open_question(draft, 1)
    has(first, DIRECT)
    ask(first, sensitive=False)
    has(first, DIRECT)
    field(option(first, ANSWERING), "required").uncheck()
    ask(first, sensitive=True)
    has(first, {"required": False, "prefer_not": False})

    new = added(draft)
    answering = option(new, ANSWERING)
    field(answering, "required").check()
    save(draft)
    for sensitive in (False, True):
        ask(new, sensitive=sensitive)
        has(new, BOTH)
    assert stored() == [{"required": False, "prefer_not": False}, BOTH]
    draft.reload()
    has(open_question(draft, 1), {"required": False, "prefer_not": False})


def test_what_is_typed_for_one_kind_is_there_again_after_a_look_at_another(draft):
    new = add_question(draft, "Single choice")
    field(new, "text").fill("Which?")
    field(new, "options").fill("Here\nThere")
    for kind in ("yes_no", "bounded_number", "single_choice"):
        field(new, "kind").select_option(kind)
        save(draft)
    expect(field(new, "options")).to_have_value("Here\nThere")
    assert Survey.objects.get().questions.get(position=2).options == ["Here", "There"]
