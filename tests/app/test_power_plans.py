"""Smallest effects of multinomial and linear probability models, against plans of the library."""

from math import inf

import numpy as np
import pytest
from msgspec.structs import replace

import rr_engine
from surveys.authoring.planning.figures import planning_shares
from surveys.drafts import Draft
from surveys.features.analyses.figures import Of, detectable_effects
from surveys.parameters import Predictor
from tests.app.test_analysis_power import PLAIN, SHARES, YES, asked_questions, design_of
from tests.arms import change_arms

pytestmark = pytest.mark.django_db
STRAIGHT = replace(PLAIN, link="identity")
APART = replace(PLAIN, outcome="mood", event=())
AGE = (Predictor(question="age", scored=False),)


@pytest.fixture
def questions():
    return asked_questions()


def test_of_a_straight_line_the_engine_plans_the_same(questions):
    (effect,) = detectable_effects(STRAIGHT, questions, 20_000, SHARES)
    for size in (effect.above[0], effect.below[0]):
        plan = rr_engine.planning.plan_regression(
            design_of(questions["drug"]), [[0], [1]], [size], YES, 20_000, link="identity"
        )
        assert plan.power[0] == pytest.approx(0.8, abs=1e-3)
    assert 0 < effect.above[0] == effect.above[1] < 2 * YES


@pytest.mark.parametrize("planned_n", [500, 700, 1_000, 1_500, 2_000, 3_000])
def test_an_effect_is_found_up_to_the_end_of_the_line_and_none_beyond(questions, planned_n):
    """Half of the people are in the South: a line from 0 to 0.2 is the steepest one."""
    (effect,) = detectable_effects(STRAIGHT, questions, planned_n, SHARES)
    design = design_of(questions["drug"])
    (steepest,) = rr_engine.planning.plan_regression(
        design, [[0], [1]], [2 * YES], YES, planned_n, link="identity"
    ).power
    assert (effect.above[0] < inf) == (steepest > 0.8)


def test_a_pair_of_answers_has_the_wanted_power(questions):
    """The second answer of the pair changes against both others."""
    pair, _ = detectable_effects(APART, questions, 20_000, SHARES)
    assert pair.of == Of.PAIR
    design, planned = design_of(questions["mood"]), shares_of(questions["mood"])
    found = []
    for size in (*pair.above, *pair.below):
        for second in (1, 2):
            toward = np.zeros((2, 1))
            toward[second - 1] = size
            plan = rr_engine.planning.plan_multinomial(design, [[0], [1]], toward, planned, 20_000)
            found += [
                plan.power[row, 0] for row, ends in enumerate(plan.pairs) if ends[1] == second
            ]
    near = np.abs(np.reshape(found, (4, 3)) - 0.8).min(axis=1)
    assert near == pytest.approx(0, abs=1e-3)
    assert 0 < pair.above[0] <= pair.above[1] < inf


def test_the_test_of_a_predictor_has_the_wanted_power(questions):
    """One of its categories makes one answer more common against both others."""
    asked, shares = replace(APART, predictors=AGE), [0.25, 0.25, 0.5]
    _, joint = detectable_effects(asked, questions, 50_000, SHARES)
    assert joint.of == Of.ANY
    design, planned = design_of(questions["mood"]), shares_of(questions["mood"])
    for size in (*joint.above, *joint.below):
        found = []
        for answer in range(3):
            for column in range(2):
                logs = np.zeros((3, 2))
                logs[answer, column] = size
                plan = rr_engine.planning.plan_multinomial(
                    design,
                    [[0, 0], [1, 0], [0, 1]],
                    logs[1:] - logs[0],
                    planned,
                    50_000,
                    shares=shares,
                    predictors=["age", "age"],
                )
                assert plan.freedom == (4,)
                found.append(plan.joint_power[0])
        assert np.abs(np.array(found) - 0.8).min() == pytest.approx(0, abs=1e-3)
    assert 0 < joint.above[0] <= joint.above[1] < inf


def test_predictors_beside_one_change_nothing_if_they_are_unrelated(questions):
    """The page's effects of several predictors are checked by the plan of both together."""
    both = replace(PLAIN, predictors=(*PLAIN.predictors, Predictor(question="size", scored=False)))
    region, size = detectable_effects(both, questions, 50_000, SHARES)
    rows, spread = [[0, 0], [1, 0], [0, 1], [1, 1]], [0.1, 0.1, 0.4, 0.4]
    for place, effect in enumerate((region, size)):
        assumed = np.zeros(2)
        assumed[place] = effect.above[0]
        plan = rr_engine.planning.plan_regression(
            design_of(questions["drug"]), rows, assumed, YES, 50_000, shares=spread
        )
        assert plan.power[place] == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("analysis", [STRAIGHT, APART])
def test_of_those_asked_directly_no_line_and_no_pair_knows(questions, analysis):
    question = questions[analysis.outcome]
    seven_tenths = detectable_effects(analysis, questions, 14_000, SHARES)
    change_arms(question, asked_directly=True)
    assert detectable_effects(analysis, questions, 20_000, SHARES) == seven_tenths


def shares_of(question):
    draft = Draft.of(question)
    return planning_shares(draft, design_of(question))
