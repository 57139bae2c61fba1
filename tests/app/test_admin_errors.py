"""A refused page lists every error, with its field and a link to it."""

import re

import pytest

from tests.app.author_posts import ADD, form_data, page, post_new, sign_in
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
TYPED = "Arbeit & Leben ü"


def listed_errors(response):
    """(place, target) of each error, whose target is on the page."""
    entries = response.context["error_entries"]
    ids = set(re.findall(r'\bid="([^"]+)"', response.text))
    assert {entry.target for entry in entries if entry.target} <= ids
    assert "Please correct the error" not in response.text
    return [(entry.place, entry.target) for entry in entries]


def test_errors_are_listed_as_the_page_shows_their_fields(client):
    questions = [{}, {"epsilon": "0", "text": "", "name": "2fast"}]
    answer = post_new(client, *questions, slug=TYPED, budget="much", embed_origins=TYPED)
    assert listed_errors(answer) == [
        ("Address", "id_slug"),
        ("Privacy budget (total epsilon)", "id_budget"),
        ("Sites that may embed the form", "id_embed_origins"),
        ("Question 2, Question", "id_questions-1-text"),
        ("Question 2, Variable name", "id_questions-1-name"),
        ("Question 2, Epsilon", "id_questions-1-epsilon"),
    ]


def test_questions_have_the_numbers_that_the_page_gives_them(client):
    """In the order of their positions, without those that are removed."""
    survey = make_survey(questions=[{}, {}, {}])
    deleted, last, first = survey.questions.all()
    rows = [
        {"id": deleted.pk, "name": "q1", "position": "1", "DELETE": "on", "epsilon": "0"},
        {"id": last.pk, "name": "q2", "position": "2", "epsilon": "0"},
        {"id": first.pk, "name": "q3", "position": "1", "design": "laplace", "prefer_not": "on"},
    ]
    response = sign_in(client).post(page(survey), form_data(*rows, initial=3))
    assert listed_errors(response) == [
        ("Question 1, Device", "id_questions-2-design_0"),
        ("Question 2, Epsilon", "id_questions-1-epsilon"),
    ]


def test_what_is_wrong_as_a_whole_is_said_at_the_top(client):
    survey = make_survey(questions=[{}])
    response = sign_in(client).post(page(survey), form_data(seen_state="open"))
    assert listed_errors(response) == [("", "")]
    assert "has changed meanwhile" in response.text
    assert "<title>Error: " in response.text


def test_a_test_fill_lists_its_errors_too(client):
    survey = make_survey(questions=[{}, {}])
    shares = {"q1-0": "50", "q1-1": "50", "q2-0": "50", "q2-1": "60"}
    response = sign_in(client).post(page(survey, "trial"), {"respondents": "3", **shares})
    assert listed_errors(response) == [
        ("Simulated respondents", "id_respondents"),
        ("Question 2, No", "id_q2-0"),
    ]


def test_a_page_without_errors_lists_none(client):
    survey = make_survey()
    for address in (ADD, page(survey), page(survey, "trial"), page(survey, "delete")):
        assert "data-errors" not in sign_in(client).get(address).text
