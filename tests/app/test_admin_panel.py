"""The figures beside an epsilon and the budget, as the page asks for them."""

import json
import math

import pytest
from django.urls import reverse

from surveys.models import Survey
from tests.app.author_posts import signed_in
from tests.builders import make_user

pytestmark = pytest.mark.django_db
URL = reverse("admin:survey_panel")


def asked(**values):
    question = {
        "key": "questions-0",
        "kind": "yes_no",
        "options": "",
        "randomized": "True",
        "epsilon": "1",
        "prefer_not": False,
    }
    return {**question, **values}


def answer(client, *questions, **plan):
    body = {"budget": "3", "planned_n": "500", "language": "en", "questions": questions, **plan}
    response = signed_in(client).post(URL, json.dumps(body), content_type="application/json")
    assert response.status_code == 200
    return response.json()


def panel(client, **values):
    return answer(client, asked(**values))["panels"]["questions-0"]


# PRODUCT.md, section 3: binary, true share 10 %, 95 %. Its n were made with z = 1.96, ours with
# 1.959964, so one respondent of difference is rounding.
TABLE = [
    ("0.5", 62, 1.6, 6159, 17.5, 15.5),
    ("1", 73, 2.7, 1554, 8.8, 23),
    (f"{math.log(3):.4f}", 75, 3.0, 1291, 8.0, 25),
    ("2", 88, 7.4, 417, 4.6, 45),
    ("3", 95, 20, 224, 3.3, 69),
]


@pytest.mark.parametrize(("epsilon", "kept", "odds", "needed", "margin", "belief"), TABLE)
def test_figures_equal_the_published_table(client, epsilon, kept, odds, needed, margin, belief):
    figures = panel(client, epsilon=epsilon)["figures"]
    assert 100 * figures["kept"] == pytest.approx(kept, abs=0.5)
    assert figures["odds"] == pytest.approx(odds, abs=0.1)
    assert abs(figures["n_for_margin"] - needed) <= 1
    assert 100 * figures["margin_at_planned_n"] == pytest.approx(margin, abs=0.05)
    assert 100 * figures["posterior"] == pytest.approx(belief, abs=0.5)


def test_texts_say_the_same_as_the_figures(client):
    assert panel(client)["texts"] == {
        "odds": "Of 100 people whose real answer is “No”: 73 send A, 27 send B. "
        "Of 100 people whose real answer is “Yes”: 27 send A, 73 send B.",
        "kept": "73 %",
        "factor": "2.7",
        "needed": "1,553",
        "margin": "± 8.8 points",
        # 0.09 / (0.09 * 1 + p(1-p)/(2p-1)^2) with p = e/(1+e): the variance of a direct answer
        # over that of a scrambled one.
        "effective": "8.9 %",
        "belief": "23 %",
        "answer": "Yes",
        "planned": "500",
        "prior": "10 %",
    }


def test_the_odds_are_in_the_respondents_language(client):
    told = answer(client, asked(), language="de")["panels"]["questions-0"]["texts"]
    assert told["answer"] == "Ja"


def test_a_choice_says_how_many_codes_there_are(client):
    told = panel(client, kind="single_choice", options="A\nB\nC", prefer_not=True)
    kept = math.e / (math.e + 3)
    assert told["figures"]["kept"] == pytest.approx(kept, abs=1e-9)
    assert f"{100 * kept:.0f} send its own code" in told["texts"]["odds"]
    assert "other 3 codes" in told["texts"]["odds"]


@pytest.mark.parametrize(("epsilon", "crowd"), [("1", "100"), ("6", "1000"), ("8", "10000")])
def test_the_crowd_is_large_enough_for_somebody_to_be_scrambled(client, epsilon, crowd):
    odds = panel(client, epsilon=epsilon)["texts"]["odds"]
    assert odds.startswith(f"Of {crowd} people")
    assert " 0 send" not in odds


@pytest.mark.parametrize("epsilon", ["0.0001", "0.01", "8"])
def test_extreme_epsilons_have_readable_texts(client, epsilon):
    assert all(len(text) < 200 for text in panel(client, epsilon=epsilon)["texts"].values())


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"epsilon": ""}, "above 0"),
        ({"epsilon": "0"}, "above 0"),
        ({"epsilon": "x"}, "number"),
        ({"epsilon": "1.23456"}, "decimal places"),
        ({"epsilon": "9"}, "8 at most"),
        ({"epsilon": ["1"]}, "above 0"),
        ({"kind": "single_choice"}, "this list has 0"),
        ({"kind": "single_choice", "options": "A\nA"}, "Line 2 repeats line 1"),
        ({"kind": "essay"}, "essay"),
    ],
)
def test_what_is_wrong_is_said_in_place(client, values, says):
    told = panel(client, **values)
    assert says in told["error"]
    assert told["figures"] == {}


def test_the_budget_counts_what_is_sensitive(client):
    questions = [
        asked(epsilon="1.5"),
        asked(key="b", epsilon="1"),
        asked(key="c", epsilon="5", randomized="False"),
    ]
    budget = answer(client, *questions)["budget"]
    assert budget == {
        "total": "2.5",
        "budget": "3",
        "over": False,
        "text": "2.5 of 3 used, 0.5 left.",
    }


def test_the_budget_counts_a_question_whose_options_are_missing_yet(client):
    budget = answer(client, asked(kind="single_choice", epsilon="2"))["budget"]
    assert budget["total"] == "2"


def test_over_the_budget_is_said(client):
    budget = answer(client, asked(epsilon="2"), asked(key="b", epsilon="1.25"))["budget"]
    assert budget["over"]
    assert budget["text"] == "3.25 of 3 used, 0.25 over the budget: it cannot be launched."


def test_bad_settings_fall_back_and_show_no_budget(client):
    told = answer(client, asked(), budget="x", planned_n="-3", language="tlh")
    assert told["budget"] is None
    assert told["panels"]["questions-0"]["texts"]["planned"] == "500"


@pytest.mark.parametrize(
    "body", ["", "[]", "{", '{"questions": 3}', '{"questions": [1]}', "[" * 9999]
)
def test_a_body_that_is_no_question_list_is_refused(client, body):
    response = signed_in(client).post(URL, body, content_type="application/json")
    assert response.status_code == 400


def test_only_posts_are_answered_and_nothing_is_stored(client):
    assert signed_in(client).get(URL).status_code == 405
    answer(client, asked())
    assert not Survey.objects.exists()


def test_only_authors_are_answered(client):
    assert client.post(URL, "{}", content_type="application/json").status_code == 302
    client.force_login(make_user("reader"))
    assert client.post(URL, "{}", content_type="application/json").status_code == 302


def test_a_forged_request_is_refused(client):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True)
    signed_in(strict)
    assert strict.post(URL, "{}", content_type="application/json").status_code == 403
