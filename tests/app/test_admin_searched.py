"""A searched table in the author's form: kept, shown, and never taken from anybody's request."""

import math
from decimal import Decimal

import numpy as np
import pytest
from django.utils.formats import date_format

from surveys.authoring.checks.survey import lint_survey
from surveys.devices import draft_design
from surveys.forms.question import QuestionForm
from surveys.models import DesignSearch
from surveys.services.launches import launch_survey
from tests.app.author_posts import (
    QUESTION,
    opened,
    page,
    question_page,
    sign_in,
    typed_figures,
    write_question,
)
from tests.app.searched_tables import LABELS, PRIOR, searched_parameters, searched_question
from tests.builders import make_survey
from tests.devices import devices_of

pytestmark = pytest.mark.django_db


def make_searched(**values):
    return make_survey(questions=[searched_question(**values)])


def save(client, survey, **values):
    answer = write_question(sign_in(client), survey.questions.get(), **values)
    assert answer["errors"] == {}
    return survey.questions.get()


def findings(survey, *, blocking):
    return {
        finding.code: finding.message
        for finding in lint_survey(survey)
        if finding.blocks == blocking
    }


def figures(survey, **values):
    return typed_figures(survey.questions.get(), **values)


@pytest.mark.parametrize(
    "values",
    [
        {"text": "Another wording?"},
        {"epsilon": "1"},
        {"options": "A\nB\nC\nD\nF"},
        {"options": "A\nB\nC\nD\nE\nF"},
        {"design": "k_rr"},
        {"randomized": "False"},
        {"kind": "yes_no"},
    ],
)
@pytest.mark.slow
def test_what_a_search_found_is_kept_whatever_is_edited(client, values):
    survey = make_searched()
    row = save(client, survey, **values)
    assert row.design_parameters == searched_parameters()
    assert row.design == values.get("design", "searched")
    back = save(
        client,
        survey,
        kind="single_choice",
        options="\n".join(LABELS),
        design="searched",
        randomized="True",
        epsilon="0.81",
    )
    assert draft_design(back).integers.tolist() == searched_parameters()["table"]


def test_a_posted_table_is_not_read(client):
    survey = make_searched()
    row = save(client, survey, design_parameters="{}", table="[[1]]")
    assert row.design_parameters == searched_parameters()


def test_less_epsilon_than_the_table_has_is_an_error_at_epsilon(client):
    """The table's own is 0.81 but for rounding down; declared in steps of 0.0001."""
    survey = make_searched()
    answer = write_question(sign_in(client), survey.questions.get(), epsilon="0.8")
    assert set(answer["errors"]) == {"epsilon"}
    assert "has an epsilon of 0.81." in answer["errors"]["epsilon"][0]
    assert "has an epsilon of 0.81." in figures(survey, epsilon="0.8").panel.error


def test_another_number_of_answers_stops_the_launch_and_not_the_saving(client):
    survey = make_searched()
    save(client, survey, options="A\nB\nC\nD\nE\nF")
    says = "searched for 5 answers, and this question has 6: search again or choose another device."
    assert says in findings(survey, blocking=True)["no_device"]
    shown = figures(survey, options="A\nB\nC\nD\nE\nF")
    assert says in shown.panel.error
    assert "searched" in shown.fitting
    assert survey.questions.get().design == "searched"


@pytest.mark.parametrize(
    ("options", "says"),
    [(["E", "B", "C", "D", "A"], "in another order"), (["A", "B", "C", "D", "Z"], "other names")],
)
def test_answers_that_were_moved_or_renamed_are_a_warning(options, says):
    survey = make_searched(options=options)
    assert says in findings(survey, blocking=False)["relabelled"]
    assert findings(survey, blocking=True) == {}


def test_answers_as_they_were_are_no_warning():
    assert "relabelled" not in findings(make_searched(), blocking=False)
    german = ["Ja", "Nein"][::-1]
    parameters = searched_parameters(labels=german)
    parameters["table"] = [[3 << 30, 1 << 30], [1 << 30, 3 << 30]]
    parameters["search"] = {**parameters["search"], "prior": ["0.7", "0.3"]}
    question = {"design": "searched", "epsilon": Decimal("1.0987"), "design_parameters": parameters}
    survey = make_survey(slug="other", language="de", questions=[question])
    assert findings(survey, blocking=True) == {}
    assert "relabelled" not in findings(survey, blocking=False)


def test_its_row_says_what_it_was_searched_for():
    survey = make_searched()
    row = {row.name: row for row in figures(survey).comparison.rows}["searched"]
    assert row.note == (
        "Searched for the shares 40 / 30 / 15 / 10 / 5\u00a0%. Its squared error is at most "
        "5.0\u00a0% above the least possible at the same privacy."
    )
    assert row.chosen


def test_the_run_is_named_with_its_day_and_its_source():
    origin = {"kind": "survey", "slug": "old", "title": "Last year", "question": "drug"}
    survey = make_searched()
    question = survey.questions.get()
    run = DesignSearch.objects.create(question=question, request={"origin": origin}, state="done")
    question.design_parameters["run"] = run.pk
    question.save()
    day = date_format(run.created_at, "DATE_FORMAT")
    (note,) = [row.note for row in figures(survey).comparison.rows if row.name == "searched"]
    assert note.startswith(f"Searched on {day} for the shares 40 / 30 / 15 / 10 / 5\u00a0%")
    assert "estimated by “Last year”, drug" in note


def test_every_device_is_judged_by_the_guess_of_the_search():
    """Worst of the five variances of the best unbiased estimates at that guess."""
    survey = make_searched()
    texts = figures(survey).panel.texts
    table = np.array(searched_parameters()["table"]) / 2**32
    prior = np.array(PRIOR, float)
    reported = table @ prior
    weight = np.diag(1 / reported)
    inverse = np.linalg.inv(table.T @ weight @ table) @ table.T @ weight
    spread = np.diag(reported) - np.outer(reported, reported)
    worst = np.sqrt(np.diag(inverse @ spread @ inverse.T).max() / 500)
    assert texts["margin"] == f"± {195.996 * worst:.1f} points"
    belief = (table[:, 0] * prior[0] / reported).max()
    assert texts["belief"] == f"{100 * belief:.0f}\u00a0%"
    assert texts["belief_label"].startswith("Belief in “A” after the code that says most for it")
    assert texts["assumption"].startswith("At the shares of the search")
    assert texts["frequencies"] == (
        f"Of 100 people with the same real answer, at most {math.ceil(100 * table.max())} send the "
        "same code; the others send one of the other 9 codes."
    )
    assert texts["retained"] == f"{100 * table.min():.1f}\u00a0% to {100 * table.max():.1f}\u00a0%"


def test_a_rare_trait_is_judged_by_its_own_guess():
    """One-sided device (1, 0.01): of 1,000 people 2 have the trait, each revealed with 0.01."""
    table = {**searched_parameters(), "table": [[3 << 30, 1 << 30], [1 << 30, 3 << 30]]}
    rare = {"delta": "0.01", "prevalence": "0.002"}
    question = {"design": "optimal_binary", "design_parameters": {**table, **rare}}
    survey = make_survey(planned_n=10_000, questions=[question])
    assert "0.2 are expected to be revealed" in findings(survey, blocking=False)["delta"]


@pytest.mark.slow
def test_a_table_belongs_to_its_question_alone(client):
    survey = make_survey(questions=[searched_question(), {"name": "other"}])
    first, second = survey.questions.all()
    assert "searched" in typed_figures(first).fitting
    typed = {"kind": "single_choice", "options": "\n".join(LABELS), "design": "searched"}
    assert "searched" not in typed_figures(second, **typed).fitting
    write_question(sign_in(client), second, **typed)
    second.refresh_from_db()
    assert second.design != "searched"
    assert 'value="searched"' not in opened(client, second).text
    # An import that wants one without a table is refused.
    (message,) = QuestionForm({**QUESTION, "name": "q1", **typed}).errors["design"]
    assert "a table that a search has found" in message
    # A copy is asked the same, so that it has the table too.
    client.post(question_page(first, "question_duplicate"))
    copy = survey.questions.get(position=2)
    assert (copy.design, copy.design_parameters) == ("searched", searched_parameters())


def test_the_launch_freezes_what_was_searched_and_says_so(client):
    survey = make_searched()
    html = sign_in(client).get(page(survey, "launch")).text
    assert "at most 5.0\u00a0% above the least possible" in html
    launch = launch_survey(survey=survey, actor=None)
    (device,) = devices_of(launch)
    assert device["search"] == searched_parameters()["search"]
    frozen = client.get(page(survey)).text
    assert "Searched for this question" in frozen
    assert "send one of the other 9 codes" in frozen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "offered"),
    [
        (searched_question(), True),
        ({}, True),
        ({"kind": "scale", "options": [str(index) for index in range(12)]}, True),
        ({"kind": "scale", "options": [str(index) for index in range(13)]}, False),
        ({"kind": "multiple_choice", "options": LABELS, "design": "per_option"}, False),
    ],
)
def test_questions_that_can_be_searched_have_a_link(client, question, offered):
    html = opened(sign_in(client), make_survey(questions=[question]).questions.get()).text
    assert ("Search for a better device" in html) == offered
