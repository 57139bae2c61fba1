"""An author adds a control item: in a question's form, or with one click."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction

from surveys.authoring.checks.survey import lint_survey
from surveys.exceptions import UnfitDeclarationError, WrongStateError
from surveys.features.control_items.changes import TEXTS, add_control_item, unused_text
from surveys.features.control_items.settings import share_of
from surveys.forms.question import QuestionForm
from surveys.models import Question
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_question, make_survey, owner

pytestmark = pytest.mark.django_db
DIRECT = {"randomized": False, "name": "age"}
REGION = {"kind": "single_choice", "options": ["North", "South", "East"], "epsilon": Decimal("1.5")}
POSTED = {
    "kind": "yes_no",
    "text": "Were you born on 30 February?",
    "name": "born",
    "randomized": "True",
    "epsilon": "1",
    "design": "k_rr",
    "position": "0",
    "known_share": "0.25",
}


def typed(**values):
    form = QuestionForm({**POSTED, **values})
    form.is_valid()
    return form


def names(survey):
    return list(survey.questions.values_list("name", flat=True))


def test_the_form_takes_a_known_share_of_a_sensitive_yes_no_question():
    form = typed()
    assert not form.errors
    assert form.cleaned_data["known_share"] == Decimal("0.25")
    assert typed(known_share="").cleaned_data["known_share"] is None


@pytest.mark.parametrize(
    "values",
    [{"kind": "single_choice", "options": "North\nSouth\nEast"}, {"randomized": "False"}],
    ids=["a choice", "a direct question"],
)
def test_of_any_other_question_the_form_forgets_it(values):
    form = typed(**values, known_share="7")
    assert "known_share" not in form.errors
    assert form.cleaned_data["known_share"] is None


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("known_share", {"known_share": "1.01"}),
        ("known_share", {"known_share": "-0.1"}),
        ("prefer_not", {"prefer_not": "on"}),
    ],
)
def test_the_form_says_what_stands_against_it(field, values):
    assert field in typed(**values).errors


def test_a_stored_share_is_shown_without_idle_zeros():
    question = make_question(make_survey(questions=[]), known_share=Decimal("0.25"))
    question.refresh_from_db()
    assert QuestionForm(instance=question).initial["known_share"] == "0.25"


def test_one_click_adds_it_amid_the_sensitive_ones(client):
    questions = [DIRECT, {"epsilon": Decimal("1.5")}, {}, REGION]
    survey = make_survey(questions=questions, budget=6)
    answer = sign_in(client).post(page(survey, "control_item"), follow=True)
    assert names(survey) == ["age", "q2", "q3", "control", "q4"]
    item = survey.questions.get(name="control")
    assert (item.text, share_of(item)) == ("Were you born on 30 February?", 0)
    assert (item.kind, item.design, item.epsilon) == ("yes_no", "k_rr", Decimal("1.5"))
    assert not item.prefer_not
    shown = visible_text(answer.text)
    assert "It has the epsilon 1.5: all questions together now use 5.5 of the budget of 6." in shown
    frozen = launch_survey(survey=survey, actor=None).parameters
    assert [question.known for question in frozen.questions] == [None, None, None, "0", None]


def test_a_page_of_a_draft_has_the_button(client):
    survey = make_survey(budget=9)
    address = page(survey, "control_item")
    assert address in sign_in(client).get(page(survey)).text
    launch_survey(survey=survey, actor=None)
    assert address not in client.get(page(survey)).text
    assert client.get(address).status_code == 405


def test_it_stands_in_no_group_and_takes_a_device_that_fits():
    grouped = {"group": 1, "design": "joint"}
    survey = make_survey(questions=[grouped, grouped, {}], budget=9)
    item = add_control_item(survey=survey)
    assert names(survey) == ["q1", "q2", "control", "q3"]
    assert (item.group, item.design) == (None, "k_rr")


def test_without_a_yes_no_question_it_has_the_epsilon_of_a_choice():
    survey = make_survey(questions=[REGION], budget=9)
    item = add_control_item(survey=survey)
    assert (item.kind, item.design, item.epsilon) == ("yes_no", "k_rr", Decimal("1.5"))


def test_each_click_takes_another_text_until_none_is_left():
    survey = make_survey(questions=[{"epsilon": Decimal("0.5")}], budget=9, language="de")
    items = [add_control_item(survey=survey) for _ in TEXTS]
    assert [item.name for item in items] == ["control", *(f"control_{n}" for n in range(2, 6))]
    assert len({item.text for item in items}) == len(TEXTS)
    assert items[0].text == "Wurden Sie an einem 30. Februar geboren?"
    with pytest.raises(UnfitDeclarationError, match="All texts"):
        add_control_item(survey=survey)


def test_a_text_that_somebody_typed_is_not_used_again():
    assert unused_text("en", [f" {TEXTS[0].upper()} "]) == TEXTS[1]


def test_a_budget_that_is_too_small_is_said_and_nothing_changes(client):
    survey = make_survey(questions=[{}, {}], budget=Decimal("2.5"))
    answer = sign_in(client).post(page(survey, "control_item"), follow=True)
    expected = (
        "takes an epsilon of 1, and 2 of the budget of 2.5 is used. Lower an epsilon, or raise the "
        "budget to 3."
    )
    assert expected in visible_text(answer.text)
    assert names(survey) == ["q1", "q2"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"questions": [DIRECT]}, "Add a sensitive question first"),
        ({"questions": [{}, {}, {}], "pilot": True}, "make it no pilot"),
    ],
)
def test_what_has_no_place_for_one_is_told_why(values, reason):
    survey = make_survey(**values, budget=9)
    with pytest.raises(UnfitDeclarationError, match=reason):
        add_control_item(survey=survey)


def test_after_the_launch_none_is_added():
    launch = launched(budget=9)
    with pytest.raises(WrongStateError):
        add_control_item(survey=launch.survey)


@pytest.mark.each_database
def test_the_database_freezes_a_known_share_at_the_launch():
    launch = launched(questions=[{"known_share": Decimal(0)}])
    with pytest.raises(IntegrityError, match="frozen at launch"), transaction.atomic():
        launch.survey.questions.update(features={"control_items": {"share": "0.5"}})


def test_a_copy_of_a_survey_has_its_control_items():
    survey = make_survey(questions=[{}, {"known_share": Decimal("0.5")}], budget=9)
    copy = clone_survey(survey=survey, owner=owner())
    assert list(map(share_of, copy.questions.all())) == [None, Decimal("0.5")]
    assert Question.objects.exclude(features={}).count() == 2


@pytest.mark.parametrize(
    ("item", "code", "blocks"),
    [
        ({}, None, False),
        ({"known_share": Decimal("0.5")}, "control_silent", True),
        ({"known_share": Decimal("0.4")}, None, False),
        ({"design": "laplace"}, "control_alone", False),
        ({"kind": "single_choice", "options": ["a", "b", "c"]}, "unfit_document", True),
    ],
)
def test_a_launch_checks_what_a_control_item_can_say(item, code, blocks):
    plain = {"release_threshold": 20, "release_batch": 5, "budget": 9}
    survey = make_survey(questions=[{}, {"known_share": Decimal(0), **item}], **plain)
    found = {(finding.code, finding.blocks) for finding in lint_survey(survey)}
    assert found == ({(code, blocks)} if code else set())
