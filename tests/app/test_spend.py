"""The proposal for a survey's budget, as the page asks for it."""

import json
import re
from dataclasses import replace
from decimal import Decimal

import pytest
from django.urls import reverse

from surveys.admin.pages.planning import spend_page
from surveys.authoring import budget_split
from surveys.authoring.budget_split import Plan, Spender, propose
from surveys.authoring.planning.figures import focal_margin
from surveys.drafts import Draft
from surveys.models import Survey
from tests.app.author_posts import proposal_for, sign_in
from tests.app.test_admin_panel import panel_question
from tests.builders import make_survey, make_user

pytestmark = pytest.mark.django_db
URL = reverse("admin:survey_spend")
CHOICE = {"kind": "single_choice", "options": "\n".join("abcdefgh"), "design": "k_rr"}
NUMBER = {"kind": "bounded_number", "design": "one_bit", "lower": "0", "upper": "10", "step": "1"}
TEXT = {"kind": "short_text", "design": "rappor"}
FOREVER = 1e12


def posted(questions, plan):
    """The questions and the plan of a request, each with what is not said of it."""
    entries = [panel_question(**{"key": f"k{i}", **entry}) for i, entry in enumerate(questions)]
    return {"budget": "3", "planned_n": "500", "goal": "largest", "questions": entries, **plan}


def post(client, *questions, **plan):
    return client.post(URL, json.dumps(posted(questions, plan)), content_type="application/json")


def filled(row):
    """Return what is written into the field of the only question of a row; empty where it stays."""
    return "".join(row["fields"].values())


def answer(client, *questions, **plan):
    return proposal_for(client, **posted(questions, plan))


def refusal(client, *questions, **plan):
    response = post(sign_in(client), *questions, **plan)
    assert response.status_code == 422, response.text
    return response.json()["error"]


def problem(client, *questions, **plan):
    """Why there is nothing to propose: an answer, no error."""
    return answer(client, *questions, **plan)["problem"]


def draft(**values):
    return Draft(**{"kind": "yes_no", "epsilon": Decimal(1), "design": "k_rr", **values})


def spenders(*drafts, most="4"):
    return [Spender((f"k{i}",), (one,), Decimal(most)) for i, one in enumerate(drafts)]


def eight(**values):
    return draft(kind="single_choice", options=tuple("abcdefgh"), **values)


# --- what is proposed ----------------------------------------------------------------------------


def test_the_largest_margin_becomes_smaller_within_the_budget(client):
    found = answer(client, {}, CHOICE)
    epsilons = [Decimal(filled(row)) for row in found["rows"]]
    assert epsilons[0] < epsilons[1]
    assert sum(epsilons) <= 3
    assert all(epsilon % Decimal("0.01") == 0 for epsilon in epsilons)
    assert [row["keys"] for row in found["rows"]] == [["k0"], ["k1"]]
    assert [row["now"] for row in found["rows"]] == ["1", "1"]
    assert found["rows"][0]["margin_now"] == "± 8.8 points"
    assert {row["margin"] for row in found["rows"]} == {"± 7.3 points"}
    assert found["summary"].startswith("The largest margin changes from ± 16.1 points")
    assert "of 3 used" in found["total"]
    assert found["budget"] == ""


def test_the_margins_are_those_of_the_panel():
    drafts = [draft(), eight()]
    plan = Plan(Decimal(3), 500)
    for share in propose(spenders(*drafts), plan, FOREVER).shares:
        (one,) = share.spender.drafts
        assert share.margin == focal_margin(replace(one, epsilon=share.epsilon), 500)


@pytest.mark.parametrize("goal", ["largest", "mean"])
def test_no_coarse_split_is_clearly_better(goal):
    drafts, plan = [draft(), eight(), draft(options=())], Plan(Decimal(3), 500, goal)
    found = propose(spenders(*drafts), plan, FOREVER)
    value = budget_split.value_of(goal, found.margins()[1])
    quarters = [Decimal(step) / 4 for step in range(1, 11)]
    splits = [(a, b, c) for a in quarters for b in quarters for c in quarters if a + b + c <= 3]
    best = min(
        budget_split.value_of(
            goal,
            [
                focal_margin(replace(one, epsilon=epsilon), 500)
                for one, epsilon in zip(drafts, split, strict=True)
            ],
        )
        for split in splits
    )
    assert value <= 1.01 * best


def test_what_is_already_best_stays(client):
    found = answer(client, {"epsilon": "1.5"}, {"epsilon": "1.5"})
    assert [filled(row) for row in found["rows"]] == ["", ""]
    assert found["summary"] == "No other split is clearly better than the one that you have."


def test_epsilons_above_the_budget_are_brought_under_it(client):
    found = answer(client, {"epsilon": "3"}, {"epsilon": "3"})
    assert [filled(row) for row in found["rows"]] == ["1.5", "1.5"]


def test_direct_questions_have_no_part(client):
    found = answer(client, {"randomized": "False"}, {}, {**CHOICE, "randomized": "False"})
    assert [row["keys"] for row in found["rows"]] == [["k1"]]
    assert found["rows"][0]["fields"]["k1"] == "3"


def test_a_text_stays_as_it_is_and_counts(client):
    found = answer(client, {**TEXT, "epsilon": "2"}, {"epsilon": "0.5"})
    text, question = found["rows"]
    assert (filled(text), text["margin"]) == ("", "–")
    assert text["note"] == "stays: its device is made for this epsilon"
    assert filled(question) == "1"
    assert problem(client, TEXT) == "No question has an epsilon that could be changed."


def test_a_number_has_its_margin_in_its_own_units(client):
    number, question = answer(client, {**NUMBER, "epsilon": "0.5"}, {"epsilon": "2.4"})["rows"]
    assert "points" not in number["margin"]
    assert Decimal(filled(number)) > Decimal("0.5")
    assert question["margin"].endswith("points")


@pytest.mark.parametrize("design", ["per_option", "whole_set"])
def test_multiple_choice_gets_more_than_one_answer(client, design):
    several = {"kind": "multiple_choice", "options": "a\nb\nc\nd", "design": design}
    first, second = answer(client, several, {})["rows"]
    assert Decimal(filled(first)) > Decimal(filled(second))


def test_no_question_gets_more_than_its_author_allows(client):
    assert answer(client, {}, budget="10")["rows"][0]["fields"]["k0"] == "4"
    with_reason = answer(client, {"epsilon_reason": "A game."}, budget="10")
    assert with_reason["rows"][0]["fields"]["k0"] == "8"


def test_a_physical_randomizer_keeps_what_it_needs(client):
    # A die keeps to no less than ln 5.
    die = {"physical_device": "die", "epsilon": "1.7"}
    found = answer(client, die, CHOICE, CHOICE, budget="3")["rows"][0]
    kept = Decimal(filled(found) or found["now"])
    assert kept >= budget_split.PHYSICAL_DEVICES["die"].smallest_epsilon(draft())
    error = problem(client, die, *[CHOICE] * 2, budget="0.5")
    assert "too small" in error


def test_several_questions_can_have_one_epsilon():
    together = Spender(("a", "b"), (draft(), eight()), Decimal(4))
    alone = Spender(("c",), (draft(),), Decimal(4))
    found = propose([together, alone], Plan(Decimal(3), 500), FOREVER)
    assert [share.spender.keys for share in found.shares] == [("a", "b"), ("c",)]
    assert found.total == sum(share.epsilon for share in found.shares) <= 3
    assert found.shares[0].epsilon > found.shares[1].epsilon


# --- what a margin takes -------------------------------------------------------------------------


def test_what_a_margin_takes(client):
    found = answer(client, {}, CHOICE, goal="margin", margin="10")
    assert {row["margin"] for row in found["rows"]} <= {
        "± 9.8 points",
        "± 9.9 points",
        "± 10 points",
    }
    assert found["budget"] == ""
    dear = answer(client, {}, CHOICE, goal="margin", margin="5")
    total = sum(Decimal(filled(row)) for row in dear["rows"])
    assert Decimal(dear["budget"]) == total > 3
    assert "Filling these in changes the budget too." in dear["total"]


def test_a_margin_that_is_asked_for_is_kept():
    decks = [
        draft(kind="single_choice", options=tuple(map(str, range(size))), design="cards")
        for size in (6, 11, 17, 24)
    ]
    found = propose(spenders(*decks), Plan(Decimal(3), 900, "margin", 0.08), FOREVER)
    assert 0.078 < max(found.margins()[1]) <= 0.08


def test_a_margin_out_of_reach_is_refused_with_the_best(client):
    error = problem(client, {}, goal="margin", margin="1")
    assert error.startswith(
        "± 1.0 points are out of reach at 500 respondents: one question has ± 2."
    )


# --- what becomes worse --------------------------------------------------------------------------

# Five sensitive questions as they start, with margins of 10.4, 10.4, 15.3, 14.0 and 43.8 points at
# 500 respondents; together they use 5 of a budget of 3.
SCALE = {"kind": "scale", "options": "a\nb\nc\nd\ne", "design": "k_rr", "prefer_not": True}
SIX = {"kind": "multiple_choice", "options": "\n".join("abcdef"), "design": "per_option"}


def points(text):
    return float(text.removeprefix("± ").removesuffix(" points"))


def margins(found, name):
    return [points(row[name]) for row in found["rows"]]


def test_all_questions_gain_alike_and_none_loses(client):
    found = answer(client, {"epsilon": "0.5"}, {**CHOICE, "epsilon": "1"}, goal="even")
    before, after = margins(found, "margin_now"), margins(found, "margin")
    factors = [new / old for old, new in zip(before, after, strict=True)]
    assert max(factors) < 0.75
    assert max(factors) - min(factors) < 0.02
    assert not any(row["worse"] for row in found["rows"])
    assert (found["take"], found["confirm"], found["exits"]) == ("Fill these in", "", "")


def test_what_becomes_worse_is_said_and_asked(client):
    found = answer(client, {}, {}, {}, CHOICE, goal="even")
    before, after = margins(found, "margin_now"), margins(found, "margin")
    factors = [new / old for old, new in zip(before, after, strict=True)]
    assert min(factors) > 1.2
    assert max(factors) - min(factors) < 0.03
    assert all(row["worse"] for row in found["rows"])
    assert found["take"] == "Make 4 questions less precise"
    assert found["confirm"].startswith("4 questions become less precise than they are.")
    # The exits are true: that budget changes nothing, that many people make up for it.
    assert "a budget of 4 keeps all as precise" in found["exits"]
    wanted = int(re.search(r"about ([\d,]+) respondents", found["exits"])[1].replace(",", ""))
    others = answer(client, {}, {}, {}, CHOICE, goal="even", planned_n=str(wanted))
    assert all(
        new <= old * 1.01 for old, new in zip(before, margins(others, "margin"), strict=True)
    )


@pytest.mark.parametrize("goal", ["even", "largest", "mean"])
def test_a_hopeless_question_takes_nothing_from_the_others(client, goal):
    """No aim gives what it lacks to a question that finds nothing all the same."""
    five = [{}, {}, CHOICE, SCALE, SIX]
    found = answer(client, *five, goal=goal)
    *others, hopeless = found["rows"]
    *before, coarse = margins(found, "margin_now")
    assert max(before) < 25 < coarse
    # The hopeless question gets its part of what all lose, and no more.
    assert Decimal(hopeless["proposed"]) <= Decimal("0.6")
    assert max(points(row["margin"]) for row in others) < 30
    assert "Too coarse to find anything: ± 25 points take about" in hopeless["note"]
    assert "Without such questions the others reach ±" in hopeless["note"]
    assert found["confirm"]
    assert [row["worse"] for row in others] == [True] * 4
    # The number of people that it takes is right: with it its margin, at this epsilon, finds
    # something.
    people = int(re.search(r"about ([\d,]+) respondents", hopeless["note"])[1].replace(",", ""))
    asked = {**SIX, "epsilon": hopeless["proposed"]}
    at_that = answer(client, asked, {}, planned_n=str(people), goal="even")["rows"][0]
    assert 23 < points(at_that["margin_now"]) <= 25


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ({"goal": "best"}, "best"),
        ({"goal": ""}, "required"),
        ({"goal": "margin"}, "such as 5"),
        ({"goal": "margin", "margin": "x"}, "such as 5"),
        ({"goal": "margin", "margin": "90"}, "50"),
        ({"budget": ""}, "required"),
        ({"budget": "-1"}, "0"),
        ({"planned_n": "no"}, "number"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(client, plan, words):
    assert words in refusal(client, {}, **plan)


def test_an_unfinished_question_is_named(client):
    error = problem(client, {}, {"kind": "single_choice", "options": ""})
    assert error.startswith("Question 2 is not finished: ")
    assert problem(client, {"epsilon": "x"}).startswith("Question 1 is not finished: ")


def test_no_question_is_no_budget_to_spend(client):
    assert problem(client) == "No question has an epsilon that could be changed."


@pytest.mark.parametrize("body", ["", "[]", "{", '{"questions": 1}', '{"questions": [1]}'])
def test_what_is_no_json_object_is_refused(client, body):
    response = sign_in(client).post(URL, body, content_type="application/json")
    assert response.status_code == 400


def test_too_many_questions_are_refused_unread(client):
    assert "200" in refusal(client, *[{}] * 201)


def test_only_authors_may_ask(client):
    assert post(client, {}).status_code == 302
    reader = make_user("reader")
    assert post(sign_in(client, reader), {}).status_code == 302
    staff = make_user("clerk")
    staff.is_staff = True
    staff.save()
    assert post(sign_in(client, staff), {}).status_code == 403
    assert sign_in(client).get(URL).status_code == 405


def test_nothing_is_stored_and_nothing_is_read_of_others(client):
    survey = make_survey(questions=[{}])
    before = Survey.objects.values().get(), survey.questions.values().get()
    question = str(survey.questions.get().pk)
    stranger = sign_in(client, make_user("stranger", author=True))
    # The key of somebody else's question is not read: the entry counts as a new one.
    response = post(stranger, {"id": question, "design": "searched"}, {})
    assert response.status_code == 200
    assert before == (Survey.objects.values().get(), survey.questions.values().get())


def test_a_long_survey_is_answered_in_parts(client, monkeypatch):
    author = sign_in(client)
    monkeypatch.setattr(spend_page, "SECONDS", 0)
    assert post(author, {}, CHOICE).json() == {"more": True}
    monkeypatch.setattr(spend_page, "SECONDS", FOREVER)
    assert len(post(author, {}, CHOICE).json()["rows"]) == 2


@pytest.mark.slow
def test_the_work_for_many_different_questions_is_bounded():
    drafts = [
        draft(kind="single_choice", options=tuple(map(str, range(2 + number % 49))), prefer_not=odd)
        for number in range(49)
        for odd in (False, True)
    ]
    focal_margin.figures_of.cache_clear()
    propose(spenders(*drafts), Plan(Decimal(60), 501), FOREVER)
    assert focal_margin.figures_of.cache_info().misses <= budget_split.POINTS_IN_ALL * 1.5
