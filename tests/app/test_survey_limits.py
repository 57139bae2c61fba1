"""A survey has so many questions at most, and a list of options is read so far."""

import json
import uuid
from decimal import Decimal

import pytest
from django.utils import translation

from surveys.admin.pages.planning import trial
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.limits import MAX_QUESTIONS, too_many_questions
from surveys.authoring.planning import coverage
from surveys.forms.fields.options import parse_options
from surveys.forms.question import QuestionForm
from surveys.models import Survey
from tests.app.author_posts import errors_of, page, post_new, sign_in
from tests.app.test_admin_errors import listed_errors
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
TOO_MANY = "Questions: a survey has 200 at most, and this one has 201."


def post_survey(client, *questions, **changes):
    return post_new(client, *questions, budget="100", **changes)


@pytest.mark.slow
def test_too_many_questions_are_refused_unread(client, monkeypatch):
    read = []
    monkeypatch.setattr(QuestionForm, "clean", lambda form: read.append(form))
    response = post_survey(client, *[{}] * (MAX_QUESTIONS + 1))
    (inline,) = response.context["inline_admin_formsets"]
    (problem,) = inline.formset.non_form_errors()
    assert problem.startswith(TOO_MANY)
    assert problem in response.text
    assert ("Questions", "questions-group") in listed_errors(response)
    assert not any(errors_of(response).values())
    assert not read
    assert not Survey.objects.exists()


def test_too_many_questions_are_said_in_german():
    with translation.override("de"):
        message = too_many_questions(MAX_QUESTIONS + 1)
    assert message.startswith("Fragen: Eine Umfrage hat höchstens 200, diese hat 201.")


def test_as_many_as_allowed_are_stored_beside_those_that_were_taken_away(client):
    questions = [{"randomized": "False", "epsilon": ""}] * MAX_QUESTIONS
    assert post_survey(client, *questions, {"DELETE": "on"}).status_code == 302
    assert Survey.objects.get().questions.count() == MAX_QUESTIONS


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
    response = post_survey(client, {"kind": "single_choice", "options": "a\n" * 10_000})
    (problem,) = errors_of(response)["0.options"]
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
