"""Chains of reports: built for every tier, frozen exactly, and cut down to one step."""

import dataclasses
import json
from decimal import Decimal
from itertools import pairwise, product

import pytest
from msgspec.structs import replace

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.devices import family_of
from surveys.drafts import Draft
from surveys.features.tiers.figures import chain_of
from surveys.features.tiers.section import Tier
from surveys.parameters import (
    Chain,
    Linear,
    Scale,
    at_step,
    check,
    columns_of,
    read,
    report_at_step,
)
from surveys.parameters.exact import design_of, likelihood_ratio_bound, loss
from surveys.responses.spaces import Chained, Field, space_of
from tests.app.searched_tables import searched_question
from tests.builders import launched, make_survey
from tests.vectors.make_wire_vectors import tiered
from tests.waves import coded_launch, next_wave

TIERS = (("The public", "0.25"), ("Partners", "0.5"), ("Our own team", "1"))
FROZEN = tuple(Tier(name=name, share=share) for name, share in TIERS)
HOURS = Scale(lower="0", upper="60", step="0.5", unit="hours", bins=())
OPTIONS = ("Pay", "Hours", "People", "Work", "Food", "Light")
DRAFTS = {
    "yes or no": Draft(kind="yes_no", design="k_rr"),
    "a choice": Draft(kind="single_choice", options=OPTIONS, design="k_rr"),
    "a refusal": Draft(kind="single_choice", options=OPTIONS, design="k_rr", prefer_not=True),
    "cards": Draft(kind="single_choice", options=OPTIONS, design="cards"),
    "a scale": Draft(kind="scale", options=OPTIONS, design="laplace"),
    "each option": Draft(kind="multiple_choice", options=OPTIONS, design="per_option"),
    "a whole set": Draft(kind="multiple_choice", options=OPTIONS[:4], design="whole_set"),
    "a mean": Draft(kind="bounded_number", scale=HOURS, design="one_bit"),
}


def draft(name, epsilon="2"):
    return dataclasses.replace(DRAFTS[name], epsilon=Decimal(epsilon))


@pytest.mark.parametrize("epsilon", ["0.7", "2", "4"])
@pytest.mark.parametrize("name", DRAFTS)
def test_each_step_is_the_next_one_degraded_and_keeps_its_share(name, epsilon):
    question = draft(name, epsilon)
    chain = chain_of(question, FROZEN)
    whole = Decimal(chain.epsilons[-1])
    for step, declared, tier in zip(chain.steps, chain.epsilons, FROZEN, strict=True):
        assert loss(step) <= float(declared)
        assert Decimal(declared) <= Decimal(tier.share) * whole
        assert loss(step) > 0.5 * float(declared)
    for step, later in pairwise(chain.steps):
        assert rr_engine.relaxation.exact_degradation(design_of(step), design_of(later)) is not None
    assert likelihood_ratio_bound(chain) == likelihood_ratio_bound(chain.last)
    assert chain.truths == chain.last.truths


def test_no_tier_gets_more_than_its_share_for_being_rounded():
    """.3333 times 1.0002 is .33336666."""
    tiers = (Tier(name="The public", share="0.3333"), Tier(name="Our own team", share="1"))
    assert chain_of(draft("yes or no", "1.0002"), tiers).epsilons == ("0.333366", "1.0002")


@pytest.mark.parametrize("name", DRAFTS)
def test_the_lowest_step_is_that_of_a_survey_of_its_own(name):
    question = draft(name)
    alone = family_of(question).table(draft(name, "0.5"))
    assert chain_of(question, FROZEN).steps[0] == alone


@pytest.mark.django_db
def test_a_launch_with_tiers_freezes_chains_and_leaves_direct_questions():
    questions = [{}, {"kind": "single_choice", "options": ["A", "B"], "randomized": False}]
    parameters = launched(questions=questions, tiers=TIERS).parameters
    assert parameters.tiers == FROZEN
    asked, direct = parameters.devices
    assert isinstance(asked.table, Chain)
    assert asked.table.epsilons == ("0.25", "0.5", "1")
    assert asked.epsilon == "1"
    assert not isinstance(direct.table, Chain)


@pytest.mark.django_db
def test_the_parameters_at_a_step_are_those_of_an_ordinary_survey():
    questions = [{}, {"epsilon": 2}, {"kind": "yes_no", "randomized": False}]
    parameters = launched(questions=questions, tiers=TIERS).parameters
    totals = []
    for step, tier in enumerate(FROZEN):
        own = check(at_step(parameters, step))
        assert own.tiers == ()
        assert [device.id for device in own.devices] == [d.id for d in parameters.devices]
        for device, whole in zip(own.devices, parameters.devices, strict=True):
            assert not isinstance(device.table, Chain)
            if not device.direct:
                assert device.table == whole.table.steps[step]
                assert Decimal(device.epsilon) == Decimal(whole.epsilon) * Decimal(tier.share)
        totals.append(own.epsilon)
        assert own.questions == parameters.questions
    assert totals == ["0.75", "1.5", "3"]


def test_there_is_no_step_below_the_first_or_above_the_last():
    parameters = read(tiered())
    for step in (-1, 3):
        with pytest.raises(IndexError):
            at_step(parameters, step)
    with pytest.raises(IndexError):
        at_step(replace(parameters, tiers=()), 0)


def test_a_report_at_a_step_is_its_code_and_a_direct_one_as_it_is():
    parameters = read(tiered())
    smokes, region = parameters.devices[0], parameters.devices[-1]
    assert [report_at_step(smokes, [1, 0, 1], step) for step in range(3)] == [1, 0, 1]
    assert report_at_step(region, 1, 0) == 1


def test_the_space_of_a_chain_takes_a_code_for_each_tier():
    space = space_of(read(tiered()).devices[1])
    assert isinstance(space, Chained)
    assert space.check([1, 0, 2]) is None
    assert space.label([1, 0, 2]) == "B A C"
    assert space.fields("party") == (
        Field("party_step_1", ("A", "B")),
        Field("party_step_2", ("A", "B")),
        Field("party_step_3", ("A", "B", "C")),
    )
    assert space.values([1, 0, 2]) == (1, 0, 2)
    for report in (1, [1, 0], [1, 0, 3], [2, 0, 0], [1, 0, 2, 0], [True, 0, 0], "102", None):
        assert space.check(report) is not None, report


@pytest.mark.parametrize("truth", range(3))
def test_the_law_of_a_frozen_chain_has_each_step_as_its_margin(truth):
    """Drawn from the top by the frozen degradations, each report has exactly its own table."""
    chain = read(tiered()).devices[1].table
    engine = rr_engine.relaxation.Chain([design_of(step) for step in chain.steps])
    law = engine.law(truth)
    for number, step in enumerate(chain.steps):
        for code, entry in enumerate(columns_of(step)[truth]):
            share = sum(chance for codes, chance in law.items() if codes[number] == code)
            assert share * step.denominator == entry


def test_all_reports_together_reveal_what_the_last_one_does():
    chain = read(tiered()).devices[1].table
    engine = rr_engine.relaxation.Chain([design_of(step) for step in chain.steps])
    laws = [engine.law(truth) for truth in range(3)]
    ratios = [
        first[codes] / second[codes] for first, second in product(laws, laws) for codes in first
    ]
    assert max(ratios) == likelihood_ratio_bound(chain)


def test_steps_of_one_bit_on_a_number_are_lines_all_along():
    chain = read(tiered()).devices[2].table
    assert all(isinstance(step, Linear) for step in chain.steps)
    engine = rr_engine.relaxation.Chain([design_of(step) for step in chain.steps])
    assert engine.designs[0].truth_size == 121


@pytest.mark.django_db
def test_a_table_that_was_searched_has_no_chain():
    survey = make_survey(questions=[searched_question()], tiers=TIERS)
    findings = {finding.code: finding.message for finding in lint_survey(survey) if finding.blocks}
    assert list(findings) == ["no_chain"]
    assert "cannot make a version for each tier" in findings["no_chain"]


@pytest.mark.django_db
def test_a_device_with_a_delta_has_no_chain():
    rare = {"design": "optimal_binary", "design_parameters": {"delta": "0.01"}}
    survey = make_survey(questions=[rare], tiers=TIERS)
    assert "no_chain" in {finding.code for finding in lint_survey(survey) if finding.blocks}


@pytest.mark.django_db
def test_an_earlier_table_of_a_number_is_as_short_as_that_of_today():
    """Seen before: every entry of 10,000 steps was written down, 200 kB for each wave."""
    scale = {"lower": "0", "upper": "10000", "step": "1", "unit": "", "bins": []}
    number = {"kind": "bounded_number", "design": "one_bit", "scale": scale, "epsilon": "0.5"}
    first = coded_launch(questions=[{"name": "pay", **number}])
    second = next_wave(first, pay="1")
    third = next_wave(second, pay="1")
    (device,) = third.parameters.devices
    assert [earlier.table for earlier in device.earlier] == [
        launch.parameters.devices[0].table for launch in (first, second)
    ]
    assert len(json.dumps(third.document)) < 4_000
