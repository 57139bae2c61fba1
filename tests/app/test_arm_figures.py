"""The power and the costs of the arms of a question, from the exact devices."""

from dataclasses import replace
from decimal import Decimal
from math import sqrt

import pytest

import rr_engine
from surveys.authoring.planning.figures import (
    effective_share,
    epsilon_panel,
    joint_effective_share,
    margin_at_planned_n,
)
from surveys.drafts import Draft
from surveys.features.arms.figures import arm_figures, people_of
from tests.arms import armed_draft

YES_NO = Draft(kind="yes_no", epsilon=Decimal(1), design="k_rr")
CHOICE = replace(YES_NO, kind="single_choice", options=("a", "b", "c", "d"))
DIRECT = {"asked_directly": True, "direct_share": 30}
SPLIT = {"split_epsilon": Decimal("0.5"), "split_share": 50}


@pytest.mark.parametrize("draft", [YES_NO, CHOICE, replace(YES_NO, design="laplace")])
def test_who_is_asked_directly_tells_the_estimate_nothing(draft):
    with_arm = armed_draft(draft, **DIRECT)
    assert margin_at_planned_n(with_arm, 1000) == pytest.approx(margin_at_planned_n(draft, 700))
    assert effective_share(with_arm) == pytest.approx(0.7 * effective_share(draft))
    plain, armed = (epsilon_panel(each, 1000)["n_for_margin"] for each in (draft, with_arm))
    assert armed == pytest.approx(plain / 0.7, rel=1e-3)


def test_the_two_devices_of_a_split_sample_are_pooled_by_likelihood():
    page, split = (
        margin_at_planned_n(replace(YES_NO, epsilon=Decimal(epsilon)), 500)
        for epsilon in ("1", "0.5")
    )
    pooled = margin_at_planned_n(armed_draft(YES_NO, **SPLIT), 1000)
    assert pooled == pytest.approx(1 / sqrt(page**-2 + split**-2))


def test_what_a_report_reveals_is_that_of_the_page():
    names = ("likelihood_ratio", "posterior", "least_retained")
    plain, armed = (epsilon_panel(each, 1000) for each in (YES_NO, armed_draft(YES_NO, **SPLIT)))
    assert [plain[name] for name in names] == [armed[name] for name in names]


def test_everybody_is_in_one_arm():
    people = people_of({"split": 35, "direct": 30}, 999)
    assert people == {"page": 349, "split": 350, "direct": 300}


def test_the_smallest_difference_has_the_power_that_it_states():
    figures = arm_figures(armed_draft(YES_NO, **DIRECT), 2000)
    designs = rr_engine.k_rr(2, 1), rr_engine.designs.direct(2)
    power = rr_engine.planning.power_difference(
        designs, (0.1 + figures.direct, 0.1), (1400, 600), variance="null"
    )
    assert power == pytest.approx(0.8, abs=1e-3)
    assert figures.split is None
    assert figures.margin_without < figures.margin


def test_of_several_answers_each_is_tested():
    figures = arm_figures(armed_draft(CHOICE, **DIRECT), 2000)
    page = rr_engine.k_rr(4, 1)
    shares = (0.1 + figures.direct, 0.1)
    power = rr_engine.planning.power_difference(
        (page, rr_engine.designs.direct(4)),
        shares,
        (1400, 600),
        0.05 / 4,
        category=0,
        variance="null",
    )
    assert power == pytest.approx(0.8, abs=1e-3)


def test_a_split_sample_finds_only_large_differences_and_a_few_people_none():
    figures = arm_figures(armed_draft(YES_NO, **SPLIT), 2000)
    assert 0.15 < figures.split < 0.4
    assert arm_figures(armed_draft(YES_NO, **SPLIT), 20).split is None


def test_a_table_has_only_those_whom_no_arm_asks_one_of_its_questions_directly():
    other = armed_draft(CHOICE, **DIRECT)
    plain = effective_share(YES_NO) * effective_share(CHOICE)
    assert joint_effective_share([YES_NO, CHOICE]) == pytest.approx(plain)
    assert joint_effective_share([armed_draft(YES_NO, **DIRECT), other]) == pytest.approx(
        0.7 * plain
    )
    halves = joint_effective_share([armed_draft(YES_NO, **SPLIT), CHOICE])
    weaker = effective_share(replace(YES_NO, epsilon=Decimal("0.5"))) * effective_share(CHOICE)
    assert halves == pytest.approx((plain + weaker) / 2)
    assert joint_effective_share([Draft(kind="yes_no", design="k_rr"), CHOICE]) is None


# docs/guide/authors.md, "Arms".
TABLE = [
    ("1", 1000, 6.2, 12.0, 7.4, 28.7, 7.9),
    ("1", 4000, 3.1, 5.9, 3.7, 14.2, 3.9),
    ("2", 1000, 3.2, 8.0, 3.9, 14.9, 4.1),
    ("2", 4000, 1.6, 3.8, 1.9, 7.3, 2.0),
]


@pytest.mark.parametrize(("epsilon", "n", "plain", "direct", "beside", "split", "both"), TABLE)
@pytest.mark.slow
def test_the_guide_has_these_figures(epsilon, n, plain, direct, beside, split, both):
    question = replace(YES_NO, epsilon=Decimal(epsilon))
    asked = arm_figures(armed_draft(question, **DIRECT), n)
    halves = armed_draft(question, split_epsilon=question.epsilon / 2, split_share=50)
    other = arm_figures(halves, n)
    found = (asked.margin_without, asked.direct, asked.margin, other.split, other.margin)
    assert [round(100 * value, 1) for value in found] == [plain, direct, beside, split, both]
