"""The figures of a draft are computed within bounds, and once for questions that are alike."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.admin.editor import lines as page_of_lines
from surveys.authoring.planning.figures import device_figures, epsilon_panel
from surveys.devices import exact_channels
from surveys.drafts import Draft
from surveys.models import Question
from tests.app.author_posts import opened, page, sign_in
from tests.builders import make_survey

pytestmark = pytest.mark.django_db


def choices(count, *, options=10, epsilon="1"):
    """Questions with labels of their own, so that only what they have in common can be shared."""
    return [
        {
            "kind": "single_choice",
            "options": [f"answer {number}.{option}" for option in range(options)],
            "epsilon": Decimal(epsilon),
            "design": "cards",
        }
        for number in range(count)
    ]


def survey_of(count, **values):
    return make_survey(slug=f"s{count}", questions=choices(count, **values), budget=100)


def shown_lines(client, survey):
    response = client.get(page(survey, "questions"))
    return response.context["overview"], response.text


def computed() -> int:
    return device_figures.figures_of.cache_info().misses + focal_misses()


def focal_misses() -> int:
    return epsilon_panel.figures_of.cache_info().misses


def test_questions_that_are_alike_are_computed_once(client, monkeypatch):
    # However slow the machine, all are shown at once.
    monkeypatch.setattr(page_of_lines, "SECONDS", 600)
    survey = survey_of(20, epsilon="3.22")
    tables = exact_channels._cached.cache_info().misses
    overview, _text = shown_lines(sign_in(client), survey)
    assert len({line.margin for line in overview.lines}) == 1
    assert exact_channels._cached.cache_info().misses - tables == 1


def test_what_was_computed_is_not_computed_again(client, monkeypatch):
    monkeypatch.setattr(page_of_lines, "SECONDS", 600)
    survey = survey_of(3, epsilon="3.23")
    question = survey.questions.first()
    sign_in(client)
    opened(client, question)
    first, before = shown_lines(client, survey), computed()
    tables = exact_channels._cached.cache_info().misses
    opened(client, question)
    again = shown_lines(client, survey)
    assert again[0] == first[0]
    assert computed() == before
    assert exact_channels._cached.cache_info().misses == tables


@pytest.mark.slow
def test_queries_do_not_grow_with_the_questions(client):
    sign_in(client)
    counts = []
    for count in (1, 20):
        survey = survey_of(count)
        for address in (page(survey), page(survey, "questions"), page(survey, "launch")):
            with CaptureQueriesContext(connection) as captured:
                client.get(address)
            counts.append(len(captured))
    assert counts[:3] == counts[3:]


def test_a_list_goes_out_in_time_and_the_rest_follows(client, monkeypatch):
    monkeypatch.setattr(page_of_lines, "SECONDS", -1)
    survey = survey_of(3)
    overview, text = shown_lines(sign_in(client), survey)
    assert [line.margin for line in overview.lines] == [None] * 3
    assert 'data-pending="yes"' in text
    # Questions that are not computed yet are in the budget already.
    assert overview.budget["total"] == "3"
    monkeypatch.undo()
    monkeypatch.setattr(page_of_lines, "SECONDS", 600)
    overview, text = shown_lines(client, survey)
    assert all(line.margin.startswith("± ") for line in overview.lines)
    assert 'data-pending=""' in text


DRAFTS = [
    Question(kind="yes_no", epsilon=Decimal("1.3"), design="k_rr"),
    Question(kind="yes_no", epsilon=Decimal("1.3"), design="laplace"),
    Question(
        kind="yes_no",
        epsilon=Decimal("1.3"),
        design="optimal_binary",
        design_parameters={"delta": "0.01", "prevalence": "0.02"},
    ),
    Question(kind="single_choice", options=list("abcdef"), epsilon=Decimal("0.8"), design="cards"),
    Question(
        kind="scale", options=list("abc"), epsilon=Decimal("2"), design="k_rr", prefer_not=True
    ),
    Question(kind="multiple_choice", options=list("abc"), epsilon=Decimal("2"), design="whole_set"),
    Question(
        kind="multiple_choice", options=list("abc"), epsilon=Decimal("2"), design="per_option"
    ),
]


@pytest.mark.parametrize("draft", DRAFTS, ids=lambda draft: f"{draft.kind}-{draft.design}")
def test_kept_figures_are_those_of_the_question_itself(draft):
    for figures in (epsilon_panel, device_figures):
        assert figures(draft, 500) == figures.__wrapped__(Draft.of(draft), 500)


def test_figures_follow_everything_that_they_depend_on():
    plain = {"kind": "single_choice", "options": list("abcd"), "epsilon": Decimal(1)}
    changes = (
        {"epsilon": Decimal("1.1")},
        {"options": list("abcde")},
        {"options": list("abcdef"), "prefer_not": True},
        {"design": "cards"},
        {"kind": "multiple_choice", "design": "per_option"},
    )
    answers = [
        epsilon_panel(Question(**{"design": "k_rr", **plain, **change}), 500)
        for change in ({}, *changes)
    ]
    assert all(first != other for index, first in enumerate(answers) for other in answers[:index])
