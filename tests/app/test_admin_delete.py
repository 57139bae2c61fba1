"""Deleting and cloning from the admin."""

import pytest
from django.urls import reverse

from surveys.models import Survey
from surveys.services.transitions import close_survey
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey, make_user, sent

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def test_the_address_must_be_typed(client):
    survey = make_survey()
    answer = sign_in(client).post(page(survey, "delete"), {"typed": "healht"})
    assert "This is not the address" in answer.text
    assert client.post(page(survey, "delete"), {"post": "yes"}).status_code == 200
    assert Survey.objects.exists()


def test_a_draft_is_deleted(client):
    survey = make_survey()
    html = sign_in(client).get(page(survey, "delete")).text
    assert "Its texts and questions go with it." in html
    assert "frozen" not in html
    answer = client.post(page(survey, "delete"), {"typed": "health"})
    assert answer.url == reverse("admin:surveys_survey_changelist")
    assert not Survey.objects.exists()
    assert client.post(page(survey, "delete"), {"typed": "health"}).status_code == 404


def test_says_how_many_responses_go_and_deletes_them(client):
    launch = launched()
    for _turn in range(2):
        sent(client, launch)
    close_survey(survey=launch.survey, actor=None)
    assert "2 responses go with it" in sign_in(client).get(page(launch.survey, "delete")).text
    client.post(page(launch.survey, "delete"), {"typed": "health"})
    assert not Survey.objects.exists()


def test_an_open_survey_must_be_closed_first(client):
    survey = launched().survey
    answer = sign_in(client).post(page(survey, "delete"), {"typed": "health"})
    assert "Close it first" in answer.text
    assert Survey.objects.exists()


def test_there_is_no_deletion_in_bulk(client):
    survey = make_survey()
    address = reverse("admin:surveys_survey_changelist")
    bulk = {"action": "delete_selected", "_selected_action": survey.pk, "post": "yes"}
    sign_in(client).post(address, bulk)
    assert Survey.objects.exists()
    assert "delete_selected" not in client.get(address).text


def test_a_clone_is_a_draft_of_its_own(client):
    # As before a new sensitive question started as optional and with a refusal.
    second = {"kind": "single_choice", "options": ["A", "B"], "required": False}
    survey = launched(questions=[{}, second]).survey
    survey.researchers.add(make_user("reader"))
    answer = sign_in(client).post(page(survey, "clone"))
    copy = Survey.objects.exclude(pk=survey.pk).get()
    assert answer.url == page(copy)
    assert (copy.state, copy.slug, copy.owner) == ("draft", "health-2", survey.owner)
    assert [q.options for q in copy.questions.all()] == [[], ["A", "B"]]
    assert [(q.required, q.prefer_not) for q in copy.questions.all()] == [
        (True, False),
        (False, False),
    ]
    assert not copy.researchers.exists()


def test_a_superusers_clone_belongs_to_the_superuser(client):
    survey = make_survey()
    root = make_user("root", superuser=True)
    sign_in(client, root).post(page(survey, "clone"))
    assert Survey.objects.get(slug="health-2").owner == root
