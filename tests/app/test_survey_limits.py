"""A survey has so many questions at most, and a list of options is read so far."""

import json
import uuid
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import translation

from surveys.admin.pages.planning import trial
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.limits import MAX_QUESTIONS, too_many_questions
from surveys.authoring.planning import coverage
from surveys.forms.fields.options import parse_options
from tests.app.author_posts import add_question, errors_of_new, page, question_page, sign_in
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
TOO_MANY = "Questions: a survey has 200 at most, and this one has 201."


def test_too_many_questions_are_refused_and_one_less_is_taken(client):
    direct = {"randomized": False}
    survey = make_survey(questions=[direct] * (MAX_QUESTIONS - 1))
    sign_in(client)
    last = add_question(client, survey)
    acts = [(page(survey, "question_add"), {"kind": "yes_no"})]
    acts += [(question_page(last, "question_duplicate"), {})]
    for address, data in acts:
        answer = client.post(address, data, follow=True)
        assert TOO_MANY in answer.text
        assert survey.questions.count() == MAX_QUESTIONS
    client.post(question_page(last, "question_remove"))
    add_question(client, survey)
    removed = survey.removed_questions.get()
    put_back = reverse("admin:survey_question_put_back", args=[survey.pk, removed.pk])
    assert TOO_MANY in client.post(put_back, follow=True).text
    # It is not lost by that.
    assert survey.removed_questions.get() == removed


def test_too_many_questions_are_said_in_german():
    with translation.override("de"):
        message = too_many_questions(MAX_QUESTIONS + 1)
    assert message.startswith("Fragen: Eine Umfrage hat höchstens 200, diese hat 201.")


def test_a_survey_with_too_many_questions_cannot_be_launched():
    direct = {"randomized": False}
    survey = make_survey(questions=[direct] * (MAX_QUESTIONS + 1))
    (finding,) = [
        finding for finding in lint_survey(survey) if finding.code == "too_many_questions"
    ]
    assert finding.blocks
    assert finding.message.startswith(TOO_MANY)


def test_of_a_list_far_too_long_only_the_length_is_said(client):
    assert len(parse_options("a\n" * 100_000)) == 100_000
    answer = errors_of_new(client, {"kind": "single_choice", "options": "a\n" * 10_000})
    (problem,) = answer["0.options"]
    assert problem == "A choice has 2 to 50 options, one per line; this list has 10000."


def test_a_test_fill_of_too_many_answers_is_refused(client, monkeypatch):
    monkeypatch.setattr(trial, "MOST_ANSWERS", 3)
    survey = make_survey(questions=[{}, {}], budget=Decimal(3))
    response = sign_in(client).get(page(survey, "trial"), follow=True)
    assert "up to 3 answers to choose from, over all questions; this one has 4." in response.text


def test_a_test_fill_ends_in_time_and_says_what_it_left_out(client, monkeypatch):
    monkeypatch.setattr(coverage, "SECONDS", 0)
    survey = make_survey(questions=[{}, {}, {}])
    shares = {f"q{number}-0": 90 for number in (1, 2, 3)}
    shares |= {f"q{number}-1": 10 for number in (1, 2, 3)}
    response = sign_in(client).post(page(survey, "trial"), {"respondents": "100", **shares})
    assert [block.rows[1].truth for block in response.context["coverage"].blocks] == ["10\u00a0%"]
    assert "There was time for the first 1 of 3 questions." in response.text


BOXES = {"kind": "multiple_choice", "options": [f"Box {number}" for number in range(1, 51)]}


def test_a_survey_whose_responses_would_be_refused_cannot_be_launched():
    boxes = {**BOXES, "randomized": False}
    survey = make_survey(questions=[boxes] * 100)
    (finding,) = [
        finding for finding in lint_survey(survey) if finding.code == "response_too_large"
    ]
    assert finding.blocks
    assert finding.message.startswith("A response would have up to 98,900 bytes")
    survey.questions.filter(position__gte=50).delete()
    assert "response_too_large" not in {finding.code for finding in lint_survey(survey)}


def test_no_response_is_larger_than_the_limit_is_compared_with(settings):
    questions = [{**BOXES, "randomized": False}, {}, {"kind": "single_choice", "options": "ab"}]
    survey = make_survey(questions=questions)
    response = {
        "digest": "sha256:" + "0" * 64,
        "submission": str(uuid.uuid4()),
        "reports": {device.id: 9_999_999 for device in draft_parameters(survey=survey).devices},
    }
    assert len(response["reports"]) == 52
    settings.SUBMISSION_MAX_BYTES = len(json.dumps(response)) - 1
    assert "response_too_large" in {finding.code for finding in lint_survey(survey)}
