"""The contract on the author's pages, in German, so that missing translations are found."""

import json

import pytest
from django.urls import reverse

from surveys.devices import DIRECT
from tests.app.author_posts import page, sign_in
from tests.app.contract.cases import FITTING, question_of
from tests.app.contract.launches import TEXTS, launch_of
from tests.app.contract.not_sure import YesNoNotSure
from tests.app.contract.subset_selection import SubsetSelection
from tests.app.contract.wording import problems_in
from tests.app.visible_text import visible_text
from tests.builders import make_survey, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GERMAN = {"Accept-Language": "de"}
RANDOMIZED = [case for case in FITTING if case.device is not DIRECT]
# These pages compute for half a second; the product's own families are tested elsewhere.
NEW = {SubsetSelection.name, YesNoNotSure.name}
OURS = [case for case in FITTING if not case.physical and {case.device.name, case.kind.name} & NEW]
# One case for each device and one for each kind, the only distinctions that the pages make.
EACH = [*{case.device: case for case in FITTING}.values()]
EACH += [*{case.kind: case for case in FITTING if case not in EACH}.values()]


@pytest.fixture
def author(client):
    return sign_in(client, make_user("chefin", superuser=True))


def draft_of(case):
    question = {**question_of(case.draft()), "text": "Wie kommen Sie zur Arbeit?"}
    return make_survey(questions=[question], language="de", **TEXTS)


def read(response):
    assert response.status_code == 200
    assert problems_in(visible_text(response.text), "de") == []
    return response.text


@pytest.mark.parametrize("case", EACH, ids=str)
def test_the_questions_page(author, case):
    survey = draft_of(case)
    html = read(author.get(page(survey), headers=GERMAN))
    assert f'value="{case.kind.name}"' in html


@pytest.mark.parametrize("case", EACH, ids=str)
def test_the_questions_once_they_are_launched(author, case):
    survey = launch_of(case).survey
    html = read(author.get(page(survey), headers=GERMAN))
    assert str(case.kind.label) in html


@pytest.mark.parametrize("case", RANDOMIZED, ids=str)
def test_the_panel_while_it_is_typed(author, case):
    survey, question = draft_of(case), question_of(case.draft())
    entry = {name: value for name, value in question.items() if isinstance(value, str | bool)}
    entry |= {"key": "k", "id": str(survey.questions.get().pk)}
    entry |= {"options": "\n".join(question["options"]), "epsilon": "2"}
    entry |= {"delta": "0.01", "prevalence": "0.02", "delta_understood": True}
    body = {"budget": "3", "planned_n": "500", "language": "de", "questions": [entry]}
    address = reverse("admin:survey_panel")
    answer = author.post(address, json.dumps(body), "application/json", headers=GERMAN)
    document = answer.json()["panels"]["k"]
    assert document["error"] == ""
    assert case.device.name in (
        document["physical"]["fitting"] if case.physical else document["fitting"]
    )


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
