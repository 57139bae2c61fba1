"""Estimates take inputs from any number of launches: waves and audiences are sources alike."""

from fractions import Fraction

import numpy as np
import pytest

import rr_engine
from surveys.kinds import KINDS
from surveys.parameters import columns_of
from surveys.results.launch_strata import Source, released_strata, strata_of
from tests.builders import launched

pytestmark = pytest.mark.django_db

SHARES = [Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)]
CHOICE = {"kind": "single_choice", "options": ["Tea", "Coffee", "Water"], "text": "Which?"}
SEVERAL = {"kind": "multiple_choice", "options": ["Saw", "Drill"], "text": "Which of these?"}


def expected_counts(device, shares, people):
    """Counts that come out exactly as expected; `people` are a multiple of the denominator."""
    table = device.table
    rows = zip(*columns_of(table), strict=True)
    counts = [sum(p * share for p, share in zip(row, shares, strict=True)) for row in rows]
    whole = [count * people / table.denominator for count in counts]
    assert all(count.denominator == 1 for count in map(Fraction, whole))
    return [int(count) for count in whole]


def source(launch, shares, people, who):
    devices = launch.parameters.devices
    tallies = {device.key: expected_counts(device, shares, people) for device in devices}
    return Source(devices, tallies, who)


def two_waves(**second):
    one = launched(slug="one", questions=[{**CHOICE, "epsilon": "1"}])
    two = launched(slug="two", questions=[{**CHOICE, "epsilon": "2.5", **second}])
    people = 10 * 2**32
    return one, source(one, SHARES, people, "first"), source(two, SHARES, 3 * people, "second")


def test_two_launches_with_different_devices_are_pooled_without_bias():
    launch, first, second = two_waves()
    (question,) = launch.parameters.questions
    strata = strata_of(question, first, second)
    assert [stratum.who for stratum in strata] == ["first page", "second page"]
    found = KINDS[question.kind].estimates(question, strata, "sample")
    for row, share in zip(found["categories"], SHARES, strict=True):
        assert row["estimate"] == pytest.approx(float(share), abs=1e-9)
        assert row["reported"] is None
    assert found["agreement"]["p_value"] == pytest.approx(1)


def test_they_are_worth_what_the_engine_makes_of_both():
    launch, first, second = two_waves()
    (question,) = launch.parameters.questions
    inputs = [stratum.inputs[0] for stratum in strata_of(question, first, second)]
    pooled = rr_engine.estimate_strata(
        [one.design for one in inputs], [one.counts for one in inputs], population="sample"
    )
    found = KINDS[question.kind].estimates(question, strata_of(question, first, second), "sample")
    errors = [row["standard_error"] for row in found["categories"]]
    assert errors == pytest.approx(pooled.standard_errors.tolist())
    alone = rr_engine.estimate(inputs[1].design, inputs[1].counts)
    assert (np.array(errors) < alone.standard_errors).all()


def test_a_wave_with_too_few_people_stays_out():
    launch, first, _ = two_waves()
    (question,) = launch.parameters.questions
    few = Source(first.devices, {first.devices[0].key: [3, 1, 0]}, "second")
    strata = strata_of(question, first, few)
    assert [stratum.who for stratum in released_strata(strata, 5)] == ["first page"]
    assert [stratum.n for stratum in strata][1] == 4


def test_options_are_pooled_over_launches_that_ask_them_differently():
    """One device for each option in one wave, one over all combinations in the other."""
    one = launched(slug="one", questions=[{**SEVERAL, "design": "per_option", "epsilon": "2"}])
    two = launched(slug="two", questions=[{**SEVERAL, "design": "whole_set", "epsilon": "2"}])
    (question,) = one.parameters.questions
    ticked, people = [Fraction(1, 2), Fraction(1, 4)], 8 * 2**32
    each = {
        device.key: expected_counts(
            device, [1 - ticked[device.option], ticked[device.option]], people
        )
        for device in one.parameters.devices
    }
    (whole,) = two.parameters.devices
    sets = [Fraction(3, 8), Fraction(3, 8), Fraction(1, 8), Fraction(1, 8)]
    other = {whole.key: expected_counts(whole, sets, people)}
    strata = strata_of(
        question, Source(one.parameters.devices, each, "1"), Source((whole,), other, "2")
    )
    found = KINDS[question.kind].estimates(question, strata, "sample")
    estimates = [row["estimate"] for row in found["categories"]]
    assert estimates == pytest.approx([0.5, 0.25], abs=1e-9)


def test_cards_in_one_wave_and_codes_in_another_are_pooled():
    options = ["Never", "Once", "Often", "Daily", "Always"]
    shares = [Fraction(8, 16), Fraction(4, 16), Fraction(2, 16), Fraction(1, 16), Fraction(1, 16)]
    asked = {**CHOICE, "options": options, "epsilon": "1"}
    waves = [
        launched(slug=slug, questions=[{**asked, "design": design}])
        for slug, design in (("one", "cards"), ("two", "k_rr"))
    ]
    (question,) = waves[0].parameters.questions
    sources = [source(wave, shares, 16 * 2**32, wave.survey.slug) for wave in waves]
    found = KINDS[question.kind].estimates(question, strata_of(question, *sources), "sample")
    estimates = [row["estimate"] for row in found["categories"]]
    assert estimates == pytest.approx([float(share) for share in shares], abs=1e-9)
