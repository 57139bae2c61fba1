"""A page lists every error, with its field and a link to it; the launch names each page."""

import re

import pytest

from surveys.authoring.checks.survey import lint_survey
from tests.app.author_posts import (
    composed,
    opened,
    page,
    question_page,
    sign_in,
    write_question,
    write_settings,
)
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


def test_what_is_wrong_is_listed_as_the_page_shows_its_fields(client):
    survey, errors = composed(client, slug=TYPED, budget="much", embed_origins=TYPED)
    assert set(errors) == {"slug", "budget", "embed_origins"}
    response = client.get(page(survey, "settings"))
    assert listed_errors(response) == [
        ("Address", "id_slug"),
        ("Privacy budget (total epsilon)", "id_budget"),
        ("Sites that may embed the form", "id_embed_origins"),
    ]


def test_the_launch_names_each_page_on_which_something_is_wrong(client):
    survey, _errors = composed(client, {}, {"epsilon": "0", "text": ""}, budget="much")
    second = survey.questions.last()
    launch = client.get(page(survey, "launch"))
    assert question_page(second) in launch.text
    assert page(survey, "settings") in launch.text
    unfinished = [each for each in lint_survey(survey) if each.code == "unfinished"]
    assert len(unfinished) == 2
    assert all(each.blocks for each in unfinished)
    shown = opened(client, second).text
    for name in ("text", "epsilon"):
        assert re.search(rf'name="{name}"[^>]* aria-invalid="true"', shown), name
    write_question(client, second, epsilon="1", text="Which?")
    write_settings(client, survey, budget="3")
    survey.refresh_from_db()
    assert "unfinished" not in {each.code for each in lint_survey(survey)}


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
    for address in (page(survey, "settings"), page(survey, "trial"), page(survey, "delete")):
        assert "data-errors" not in sign_in(client).get(address).text
