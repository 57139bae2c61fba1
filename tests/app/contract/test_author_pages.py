"""The contract on the author's pages, in German, so that missing translations are found."""

import re

import pytest
from django.urls import reverse
from django.utils import translation

from surveys.devices import DIRECT, draft_design
from tests.app.author_posts import (
    errors_of_new,
    opened,
    page,
    question_page,
    saved,
    sign_in,
    stored_question,
    typed_figures,
)
from tests.app.contract.cases import (
    EACH,
    FITTING,
    OUR_FAMILIES,
    OUR_KINDS,
    covering,
    question_of,
    survey_of,
)
from tests.app.contract.launches import TEXTS, launch_of
from tests.app.contract.subset_selection import SubsetSelection
from tests.app.contract.wording import problems_in
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.any_database]
GERMAN = {"Accept-Language": "de"}
RANDOMIZED = [case for case in FITTING if case.device is not DIRECT]
# These pages compute for seconds, and the product's own families are tested elsewhere: a device of
# this folder with each kind of the product, and a kind of this folder with its usual device.
FAMILY_NAMES, KIND_NAMES = ({each.name for each in ours} for ours in (OUR_FAMILIES, OUR_KINDS))
PLAIN = [case for case in FITTING if not case.physical and not case.refusal]
OURS = [
    case for case in PLAIN if case.device.name in FAMILY_NAMES and case.kind.name not in KIND_NAMES
]
OURS += {case.kind: case for case in reversed(PLAIN) if case.kind.name in KIND_NAMES}.values()


@pytest.fixture
def author(client):
    return sign_in(client, make_user("chefin", superuser=True))


def draft_of(case):
    question = {**question_of(case.draft()), "text": "Wie kommen Sie zur Arbeit?"}
    return make_survey(questions=[question], language="de", **TEXTS, **survey_of(case))


def read(response):
    assert response.status_code == 200
    assert problems_in(visible_text(response.text), "de") == []
    return response.text


@pytest.mark.parametrize("case", EACH, ids=str)
def test_the_questions_page(author, case):
    survey = draft_of(case)
    address = question_page(survey.questions.get())
    html = read(author.get(address, headers=GERMAN))
    assert f'<option value="{case.kind.name}" ' in html
    assert author.get(address, headers=GERMAN).context["form"].errors == {}


@pytest.mark.parametrize("case", EACH, ids=str)
def test_the_questions_once_they_are_launched(author, case):
    survey = launch_of(case).survey
    html = read(author.get(page(survey), headers=GERMAN))
    assert str(case.kind.label) in html


@pytest.mark.parametrize("case", covering(RANDOMIZED), ids=str)
def test_the_figures_while_it_is_typed(case):
    survey = draft_of(case)
    typed = {"epsilon": "2", "delta": "0.01", "prevalence": "0.02", "delta_understood": "on"}
    with translation.override("de"):
        figures = typed_figures(survey.questions.get(), **typed)
    assert figures.panel.error == ""
    assert case.device.name in (figures.offered if case.physical else figures.fitting)


EIGHT = {"kind": "single_choice", "options": "\n".join("abcdefgh"), "design": SubsetSelection.name}


@pytest.mark.parametrize(("shown", "stored", "reports"), [("4", 4, 70), ("", None, 56)])
def test_a_setting_of_its_own_is_asked_for_and_stored(client, shown, stored, reports):
    survey = saved(client, {**EIGHT, "answers_on_card": shown})
    (question,) = survey.questions.all()
    assert question.design_parameters == ({} if stored is None else {"answers_on_card": stored})
    assert len(draft_design(question).matrix) == reports
    html = opened(client, question).text
    field = re.search(r'<select name="answers_on_card".*?</select>', html, re.DOTALL)
    assert re.findall(r'<option value="(.)" selected', field[0]) == [shown or "3"]


def test_a_setting_out_of_range_is_said_at_its_field(client):
    assert list(errors_of_new(client, {**EIGHT, "answers_on_card": "5"})) == ["0.answers_on_card"]


def test_a_setting_of_another_device_is_not_stored(client):
    survey = saved(client, {**EIGHT, "design": "k_rr", "answers_on_card": "5"})
    assert survey.questions.get().design_parameters == {}


def test_the_page_says_what_a_setting_means():
    typed = {**EIGHT, "epsilon": "2", "answers_on_card": "4"}
    assert typed_figures(stored_question(**EIGHT), **typed).notes == {SubsetSelection.name: "70"}


@pytest.mark.parametrize("case", OURS, ids=str)
def test_the_trial_with_simulated_people(author, case):
    survey = draft_of(case)
    response = author.get(page(survey, "trial"), headers=GERMAN)
    read(response)
    fields = response.context["form"]
    data = {field.html_name: field.value() for field in fields} | {"respondents": "1000"}
    html = read(author.post(page(survey, "trial"), data, headers=GERMAN))
    assert "1.000" in html


@pytest.mark.parametrize("case", [case for case in OURS if case in RANDOMIZED], ids=str)
def test_mechanisms_over_epsilon(author, case):
    survey = draft_of(case)
    question = survey.questions.get()
    address = reverse("admin:survey_compare", args=[survey.pk, question.pk])
    read(author.get(address, headers=GERMAN))
