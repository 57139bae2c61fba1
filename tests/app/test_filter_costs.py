"""What an author reads of the price of a filter, and a test fill of a survey with filters."""

from decimal import Decimal

import numpy as np
import pytest

import rr_engine
from surveys.authoring.draft_parameters import draft_parameters
from surveys.authoring.planning.figures import focal_margin
from surveys.authoring.planning.simulated_conditions import people_asked
from surveys.authoring.planning.simulation import simulated_survey
from surveys.drafts import Draft
from surveys.features.filters.figures import asked_figures, margin_asked_of_all
from surveys.services.launches import parameters_of_some
from tests.app.author_posts import opened, page, saved, sign_in
from tests.app.visible_text import visible_text
from tests.builders import make_survey
from tests.filtered import CONTRACT, DRUG, HOURS, SURVEY, question

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.parametrize("share", [0.2, 0.5])
@pytest.mark.parametrize("prefer_not", [False, True])
def test_the_margin_among_those_asked_is_that_of_many_simulated_surveys(share, prefer_not):
    values = {"only_if": "drug = Yes", "epsilon": Decimal(2), "prefer_not": prefer_not}
    survey = make_survey(questions=[DRUG, question("often", **values)], planned_n=4000, budget=9)
    draft = Draft.of(survey.questions.get(name="often"))
    figures = asked_figures(draft, share)

    answers = [0.85, 0.1, 0.05] if prefer_not else [0.9, 0.1]
    truth = [share * each for each in answers]
    truth.insert(2, 1 - share)
    device = rr_engine.k_rr(len(truth), 2)
    found = [
        rr_engine.association.subgroup_shares(rr_engine.estimate(device, counts), 2).values[1]
        for counts in np.random.default_rng(5).multinomial(4000, device.matrix @ truth, 3000)
    ]
    assert figures.people == 4000 * share
    assert figures.reported == pytest.approx(1.96 * np.std(found), rel=0.06)
    # Without “does not apply” it is the question as it would be without a filter, of fewer people.
    plain = draft.without_feature("filters")
    assert figures.unasked == focal_margin(plain, figures.people)
    assert margin_asked_of_all(draft) == focal_margin(plain, 4000)
    assert margin_asked_of_all(draft) < figures.unasked < figures.reported


def test_an_author_reads_what_a_filter_costs(client):
    survey = saved(client, {"name": "drug"}, {"name": "often", "only_if": "drug = Yes"})
    drug, often = survey.questions.order_by("position")
    shown = visible_text(opened(client, often).text)
    assert "If the question is for 10 % of 500 respondents (50), the margin among these" in shown
    assert "If everybody else were left out, as they may be" in shown
    assert "Asked of everybody: ± 8.8 points." in shown
    assert "Asked of everybody" not in visible_text(opened(client, drug).text)
    # The list says of each question whom it is for.
    assert shown.count("Only if drug = Yes") == 1


def test_a_question_with_a_filter_is_previewed_by_itself():
    survey = make_survey(questions=[DRUG, question("often", only_if="drug = Yes")], budget=9)
    often = survey.questions.get(name="often")
    shown, _alone = parameters_of_some(survey=survey, questions=[often])
    assert [each.id for each in shown.parameters.questions] == ["often"]
    assert survey.questions.get(name="often").features == {"filters": {"only_if": "drug = Yes"}}


def test_a_fill_has_no_answers_of_whom_a_question_is_left_out_for():
    after = question("after", only_if="hours = Few", kind="yes_no", randomized=False, epsilon=None)
    survey = make_survey(questions=[CONTRACT, HOURS, after], budget=9)
    parameters = draft_parameters(survey=survey)
    truth = {"contract": [0.5, 0.1, 0.4], "hours": [0.25, 0.5, 0.25], "after": [0.5, 0.5]}
    people = people_asked(parameters, truth, 100_000, np.random.default_rng(1))
    assert people["hours"] == pytest.approx(60_000, abs=600)
    assert people["after"] == pytest.approx(15_000, abs=450)
    filled = simulated_survey(parameters, "0" * 64, truth, 1000, seed=3)
    n = {each.id: each.n for each in filled.results.questions}
    assert n["contract"] == 1000 > n["hours"] > n["after"]


def test_a_fill_of_a_survey_with_filters_is_shown(client):
    survey = make_survey(**SURVEY)
    sign_in(client)
    initial = {
        field.html_name: field.initial
        for group in client.get(page(survey, "trial")).context["form"].groups()
        for field in group["fields"]
    }
    html = client.post(page(survey, "trial"), {"respondents": "1000", **initial}).text
    assert "Recovered from 1,000 simulated respondents" in html
