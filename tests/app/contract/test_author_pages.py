"""The contract on the author's pages, in German, so that missing translations are found."""

import json
import re

import pytest
from django.urls import reverse

from surveys.devices import DIRECT, draft_design
from surveys.models import Survey
from tests.app.author_posts import errors_of, form_data, page, sign_in
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
ADD = reverse("admin:surveys_survey_add")
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
    html = read(author.get(page(survey), headers=GERMAN))
    assert f'value="{case.kind.name}"' in html


@pytest.mark.parametrize("case", EACH, ids=str)
def test_the_questions_once_they_are_launched(author, case):
    survey = launch_of(case).survey
    html = read(author.get(page(survey), headers=GERMAN))
    assert str(case.kind.label) in html


@pytest.mark.parametrize("case", covering(RANDOMIZED), ids=str)
def test_the_panel_while_it_is_typed(author, case):
    survey, question = draft_of(case), question_of(case.draft())
    entry = {name: value for name, value in question.items() if isinstance(value, str | bool)}
    scale = question["scale"] or {}
    entry |= {**scale, "bins": str(len(scale.get("bins", [])) or "")}
    entry |= {"key": "k", "id": str(survey.questions.get().pk)}
    entry |= {"options": "\n".join(question["options"]), "epsilon": "2"}
    entry |= {"delta": "0.01", "prevalence": "0.02", "delta_understood": True}
    body = {"budget": "3", "planned_n": "500", "language": "de", "questions": [entry]}
    body |= {"survey": str(survey.pk)}
    address = reverse("admin:survey_panel")
    answer = author.post(address, json.dumps(body), "application/json", headers=GERMAN)
    document = answer.json()["panels"]["k"]
    assert document["error"] == ""
    assert case.device.name in (
        document["physical"]["fitting"] if case.physical else document["fitting"]
    )


EIGHT = {"kind": "single_choice", "options": "\n".join("abcdefgh"), "design": SubsetSelection.name}


@pytest.mark.parametrize(("shown", "stored", "reports"), [("4", 4, 70), ("", None, 56)])
def test_a_setting_of_its_own_is_asked_for_and_stored(client, shown, stored, reports):
    author = sign_in(client)
    entry = {**EIGHT, "answers_on_card": shown}
    response = author.post(ADD, form_data(entry))
    assert response.status_code == 302, errors_of(response)
    (question,) = Survey.objects.get().questions.all()
    assert question.design_parameters == ({} if stored is None else {"answers_on_card": stored})
    assert len(draft_design(question).matrix) == reports
    html = author.get(page(question.survey)).text
    assert re.findall(r'<option value="(.)" selected', fields_of_settings(html)) == [shown or "3"]


def test_a_setting_out_of_range_is_refused_at_its_field(client):
    answer = sign_in(client).post(ADD, form_data({**EIGHT, "answers_on_card": "5"}))
    assert list(errors_of(answer)) == ["0.answers_on_card"]
    assert not Survey.objects.exists()


def test_a_setting_of_another_device_is_not_stored(client):
    author = sign_in(client)
    entry = {**EIGHT, "design": "k_rr", "answers_on_card": "5"}
    response = author.post(ADD, form_data(entry))
    assert response.status_code == 302, errors_of(response)
    assert Survey.objects.get().questions.get().design_parameters == {}


def test_the_panel_says_what_a_setting_means(client):
    author = sign_in(client)
    entry = {**EIGHT, "key": "k", "randomized": "True", "epsilon": "2", "answers_on_card": "4"}
    body = {"budget": "3", "planned_n": "500", "language": "de", "questions": [entry]}
    address = reverse("admin:survey_panel")
    told = author.post(address, json.dumps(body), "application/json").json()["panels"]["k"]
    assert told["notes"] == {SubsetSelection.name: "70"}


def fields_of_settings(html):
    """The part of the first question's card with the settings of the family of this folder."""
    start = html.index(f'data-design="{SubsetSelection.name}"')
    return html[start : html.index(f'data-setting-note="{SubsetSelection.name}"')]


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
