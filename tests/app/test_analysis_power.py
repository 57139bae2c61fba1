"""The smallest effects that declared analyses would find, against other routes."""

from decimal import Decimal
from math import inf, log, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

import rr_engine
from surveys.authoring.analyses.declarations import answers_of
from surveys.devices import draft_design
from surveys.drafts import Draft
from surveys.features.analyses.figures import detectable_effects, figures_of
from surveys.parameters import Analysis, Predictor
from tests.analyses import QUESTIONS
from tests.arms import change_arms
from tests.builders import make_question, make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
YES = 0.1
PLAIN = Analysis(
    name="a",
    outcome="drug",
    event=(1,),
    link="logit",
    predictors=(Predictor(question="region", scored=False),),
    weighted=False,
)
SHARES = {
    "region": ("0.5", "0.5"),
    "size": ("0.2", "0.8"),
    "age": ("0.25", "0.25", "0.5"),
}


def asked_questions():
    survey = make_survey(questions=QUESTIONS, budget=9)
    bins = {"lower": "0", "upper": "60", "step": "1", "unit": "", "bins": [0, 10, 30]}
    make_question(survey, name="age", kind="bounded_number", scale=bins, randomized=False)
    return {question.name: question for question in survey.questions.all()}


@pytest.fixture
def questions():
    return asked_questions()


def design_of(question):
    return draft_design(Draft.of(question))


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
@pytest.mark.parametrize(
    ("predictor", "rows"),
    [
        (Predictor(question="region", scored=False), [[0], [1]]),
        (Predictor(question="size", scored=False), [[0], [1]]),
        # The middles 4.5, 19.5 and 45 of the bins.
        (Predictor(question="age", scored=True), [[0], [15 / 40.5], [1]]),
    ],
    ids=lambda value: getattr(value, "question", ""),
)
def test_of_a_known_predictor_the_engine_plans_the_same(questions, link, predictor, rows):
    asked = replace(PLAIN, link=link, predictors=(predictor,))
    (effect,) = detectable_effects(asked, questions, 20_000, SHARES)
    shares = [float(share) for share in SHARES[predictor.question]]
    design = design_of(questions["drug"])
    found = [ends[0] for ends in (effect.above, effect.below) if ends[0] < inf and ends[0] > -inf]
    assert found
    for coefficient in found:
        plan = rr_engine.planning.plan_regression(
            design, rows, [coefficient], YES, 20_000, shares=shares, link=link
        )
        assert plan.power[0] == pytest.approx(0.8, abs=1e-3)
    assert (effect.above[0], effect.below[0]) == (effect.above[1], effect.below[1])


def test_of_categories_the_surest_and_the_least_sure(questions):
    """Each by itself has the wanted power with the effect that is said of it."""
    asked = replace(PLAIN, predictors=(Predictor(question="age", scored=False),))
    shares = {"age": ("0.5", "0.45", "0.05")}
    (effect,) = detectable_effects(asked, questions, 40_000, shares)
    assert effect.above[0] < effect.above[1]
    for effects, place in (([effect.above[0], 0], 0), ([0, effect.above[1]], 1)):
        plan = rr_engine.planning.plan_regression(
            design_of(questions["drug"]),
            [[0, 0], [1, 0], [0, 1]],
            effects,
            YES,
            40_000,
            shares=[0.5, 0.45, 0.05],
        )
        assert plan.power[place] == pytest.approx(0.8, abs=1e-3)


def test_a_direct_outcome_needs_a_smaller_effect(questions):
    asked = replace(PLAIN, outcome="size", predictors=PLAIN.predictors)
    (effect,) = detectable_effects(asked, questions, 2_000, SHARES)
    plan = rr_engine.planning.plan_regression(
        rr_engine.designs.direct(2), [[0], [1]], [effect.above[0]], 0.8, 2_000, shares=[0.5, 0.5]
    )
    assert plan.power[0] == pytest.approx(0.8, abs=1e-3)
    (scrambled,) = detectable_effects(PLAIN, questions, 2_000, SHARES)
    assert effect.above[0] < scrambled.above[0]


def test_a_scrambled_predictor_is_planned_with_both_reports(questions):
    """The standard error at the effect that is said, by numerical differentiation.

    A fit estimates the share of the predictor too, so that it is a third parameter.
    """
    survey = questions["drug"].survey
    questions["crime"] = make_question(survey, name="crime", epsilon=Decimal(2))
    asked = replace(PLAIN, predictors=(Predictor(question="crime", scored=True),))
    (effect,) = detectable_effects(asked, questions, 20_000, {})
    outcome, other = (design_of(questions[name]).matrix for name in ("drug", "crime"))
    shares = np.array([1 - YES, YES])

    def chances(intercept, slope):
        return 1 / (1 + np.exp(-(intercept + slope * np.arange(2))))

    def joint(intercept, slope, more=0.0):
        events, spread = chances(intercept, slope), shares + more * np.array([-1, 1])
        return outcome @ np.array([(1 - events) * spread, events * spread]) @ other.T

    grid = np.linspace(-10, 10, 2_000_001)
    means = sum(
        share / (1 + np.exp(-(grid + effect.above[0] * truth)))
        for truth, share in enumerate(shares)
    )
    start, step = grid[np.abs(means - YES).argmin()], 1e-5
    slopes = [
        (joint(start + a, effect.above[0] + b, c) - joint(start - a, effect.above[0] - b, -c))
        / (2 * step)
        for a, b, c in step * np.eye(3)
    ]
    cells = joint(start, effect.above[0])
    whole = np.array([[(one * two / cells).sum() for one in slopes] for two in slopes])
    error = sqrt(np.linalg.inv(whole)[1, 1] / 20_000)
    # 1.95996 + 0.84162: a two-sided test at 5 % with a power of 80 %.
    assert effect.above[0] == pytest.approx(2.80158 * error, rel=1e-3)


def test_simulated_surveys_find_the_effect_in_eighty_of_a_hundred(questions):
    """100 surveys with the effect that is said: a share of 0.8 has a standard error of 0.04."""
    (effect,) = detectable_effects(PLAIN, questions, 20_000, SHARES)
    design = design_of(questions["drug"])
    plan = rr_engine.planning.plan_regression(design, [[0], [1]], [effect.above[0]], YES, 20_000)
    random = np.random.default_rng(20261123)
    covariate = np.repeat([0.0, 1.0], 10_000)
    chances = 1 / (1 + np.exp(-(plan.intercept + effect.above[0] * covariate)))
    found = 0
    for _ in range(100):
        truths = (random.random(20_000) < chances).astype(int)
        reports = (random.random(20_000) < design.matrix[1, truths]).astype(int)
        fit = rr_engine.RRLogit(design).fit(covariate[:, None], reports)
        found += bool(fit.p_values[1] < 0.05)
    assert abs(found - 80) < 3 * 4


def test_answers_count_together_as_they_are_planned(questions):
    """Two of three moods, put together with their reports; 10 % have the first one."""
    asked = replace(PLAIN, outcome="mood", event=(1, 2))
    (effect,) = detectable_effects(asked, questions, 20_000, SHARES)
    matrix = design_of(questions["mood"]).matrix
    (kept,) = set(np.diag(matrix).round(9))
    other = (1 - kept) / 2
    merged = rr_engine.DesignMatrix([[kept, other], [2 * other, kept + other]])
    plan = rr_engine.planning.plan_regression(merged, [[0], [1]], [effect.above[0]], 0.9, 20_000)
    assert plan.power[0] == pytest.approx(0.8, abs=1e-3)


def test_a_device_that_cannot_be_built_is_not_planned(questions):
    questions["drug"].epsilon = Decimal(0)
    assert detectable_effects(PLAIN, questions, 2_000, {}) == []


def test_what_is_rare_cannot_be_seen_to_be_rarer(questions):
    few = replace(PLAIN, predictors=(Predictor(question="size", scored=False),))
    (effect,) = detectable_effects(few, questions, 10_000, {"size": ("0.8", "0.2")})
    assert effect.above[0] < 2
    assert effect.below[0] == -inf


def test_where_no_effect_would_do_none_is_named(questions):
    (effect,) = detectable_effects(PLAIN, questions, 20, SHARES)
    assert (effect.above, effect.below) == ((inf, inf), (-inf, -inf))


def test_more_respondents_find_smaller_effects(questions):
    sizes = [detectable_effects(PLAIN, questions, n, SHARES)[0].above[0] for n in (5_000, 50_000)]
    assert log(1.1) < sizes[1] < sizes[0]


def test_coefficients_are_counted(questions):
    predictors = (Predictor(question="age", scored=False), Predictor(question="drug", scored=True))
    asked = replace(PLAIN, outcome="mood", event=(), predictors=predictors)
    assert len(answers_of(questions["age"])) == 3
    assert figures_of(asked, questions, 500).coefficients == 2 * (1 + 2 + 1)
    assert figures_of(replace(PLAIN, outcome="region"), questions, 500).worth == 500
    matrix = design_of(questions["drug"]).matrix
    reports = matrix @ [1 - YES, YES]
    told = float(((matrix[:, 1] - matrix[:, 0]) ** 2 / reports).sum()) * YES * (1 - YES)
    assert figures_of(PLAIN, questions, 500).worth == round(500 * told)


def test_who_is_asked_directly_is_in_no_analysis(questions):
    plain = detectable_effects(PLAIN, questions, 14_000, SHARES)
    change_arms(questions["drug"], asked_directly=True)
    (armed,) = detectable_effects(PLAIN, questions, 20_000, SHARES)
    assert armed.above == pytest.approx(plain[0].above)
    assert armed.below == pytest.approx(plain[0].below)


def test_a_split_sample_tells_less_than_the_page_and_more_than_nobody(questions):
    everybody, half = (detectable_effects(PLAIN, questions, n, SHARES)[0] for n in (20_000, 10_000))
    drug = questions["drug"]
    change_arms(drug, split_epsilon=drug.epsilon / 2)
    armed = detectable_effects(PLAIN, questions, 20_000, SHARES)[0]
    assert everybody.above[0] < armed.above[0] < half.above[0]
    change_arms(drug, split_epsilon=drug.epsilon)
    assert detectable_effects(PLAIN, questions, 20_000, SHARES)[0] == everybody
