"""The panel's computations are bounded, and made once for questions that are alike."""

import json
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from surveys.admin.pages.planning import panel_page as page_of_panels
from surveys.authoring.limits import MAX_QUESTIONS
from surveys.authoring.planning.figures import device_figures, epsilon_panel
from surveys.devices import exact_channels
from surveys.drafts import Draft
from surveys.models import Question
from tests.app.author_posts import sign_in
from tests.app.test_admin_panel import URL, answer, panel_question

pytestmark = pytest.mark.django_db


def choices(count, *, options=10, **values):
    """Questions with labels of their own, so that only what they have in common can be shared."""
    return [
        panel_question(
            key=f"questions-{number}",
            kind="single_choice",
            options="\n".join(f"answer {number}.{option}" for option in range(options)),
            **values,
        )
        for number in range(count)
    ]


def computed() -> int:
    return epsilon_panel.figures_of.cache_info().misses


def test_more_questions_than_a_survey_may_have_are_refused_before_anything_is_computed(client):
    before = computed()
    body = {"questions": choices(MAX_QUESTIONS + 1, epsilon="3.21")}
    response = sign_in(client).post(URL, json.dumps(body), content_type="application/json")
    assert response.status_code == 422
    assert response.json()["error"].startswith(
        "Questions: a survey has 200 at most, and this one has 201."
    )
    assert computed() == before


def test_questions_that_are_alike_are_computed_once(client, monkeypatch):
    # However slow the machine, all are answered at once.
    monkeypatch.setattr(page_of_panels, "SECONDS", 600)
    before, tables = computed(), exact_channels._cached.cache_info().misses
    document = answer(client, *choices(20, epsilon="3.22"))
    assert len(document["panels"]) == 20
    # Randomized response and cards.
    assert computed() - before == 2
    assert exact_channels._cached.cache_info().misses - tables == 2


def test_what_was_computed_is_not_computed_again(client):
    questions = choices(3, epsilon="3.23")
    first, before = answer(client, *questions), computed()
    assert answer(client, *questions) == first
    assert computed() == before


def test_queries_do_not_grow_with_the_questions(client):
    sign_in(client)
    counts = []
    for count in (1, 20):
        with CaptureQueriesContext(connection) as captured:
            answer(client, *choices(count))
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_an_answer_goes_out_in_time_and_the_rest_follows(client, monkeypatch):
    monkeypatch.setattr(page_of_panels, "SECONDS", 0)
    questions, settled = choices(3), []
    for left in (2, 1, 0):
        document = answer(client, *questions, settled=settled)
        assert len(document["panels"]) == 1
        assert document["more"] is bool(left)
        # Questions not computed yet are in the budget already.
        assert document["budget"]["total"] == "3"
        settled += document["panels"]
    assert settled == ["questions-0", "questions-1", "questions-2"]


def test_in_time_nothing_is_left(client):
    assert answer(client, *choices(3))["more"] is False


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
