"""Estimates take inputs from any number of launches: waves and audiences are sources alike."""

from fractions import Fraction

import numpy as np
import pytest

import rr_engine
from surveys.kinds import KINDS
from surveys.kinds.estimation_inputs import Answered
from surveys.models import Launch, Result
from surveys.parameters import columns_of
from surveys.results.launch_strata import Source, released_strata, strata_of
from surveys.results.release import release_of
from tests.builders import launched
from tests.plain import results_document, typed_document

pytestmark = pytest.mark.django_db

SHARES = [Fraction(6, 10), Fraction(3, 10), Fraction(1, 10)]
CHOICE = {"kind": "single_choice", "options": ["Tea", "Coffee", "Water"], "text": "Which?"}
SEVERAL = {"kind": "multiple_choice", "options": ["Saw", "Drill"], "text": "Which of these?"}


def expected_counts(device, shares, people):
    """Counts that come out exactly as expected; `people` are a multiple of the denominator."""
    table = device.table
    rows = zip(*columns_of(table), strict=True)
    counts = [sum(p * share for p, share in zip(row, shares, strict=True)) for row in rows]
    tallies = [count * people / table.denominator for count in counts]
    assert all(count.denominator == 1 for count in map(Fraction, tallies))
    return [int(count) for count in tallies]


def source(launch, shares, people, label):
    devices = launch.parameters.devices
    tallies = {device.key: expected_counts(device, shares, people) for device in devices}
    return Source(devices, tallies, label)


def two_waves(**second):
    first = launched(slug="one", questions=[{**CHOICE, "epsilon": "1"}], release_threshold=5)
    two = launched(slug="two", questions=[{**CHOICE, "epsilon": "2.5", **second}])
    people = 10 * 2**32
    return first, source(first, SHARES, people, "first"), source(two, SHARES, 3 * people, "second")


def estimates_of(question, strata):
    (launch, *_others) = Launch.objects.order_by("pk")
    (facts,) = typed_document(launch.parameters, launch.digest, {}, 0).questions
    return KINDS[question.kind].estimates(facts, Answered(question, strata, "sample"))


def test_two_launches_with_different_devices_are_pooled_without_bias():
    launch, first, second = two_waves()
    (question,) = launch.parameters.questions
    strata = strata_of(question, first, second)
    assert [(stratum.source, stratum.name) for stratum in strata] == [
        ("first", "page"),
        ("second", "page"),
    ]
    results = estimates_of(question, strata)
    for row, share in zip(results.categories, SHARES, strict=True):
        assert row.estimate == pytest.approx(float(share), abs=1e-9)
        assert row.reported is None
    assert results.agreement.p_value == pytest.approx(1)


def test_they_are_worth_what_the_engine_makes_of_both():
    launch, first, second = two_waves()
    (question,) = launch.parameters.questions
    inputs = [stratum.inputs[0] for stratum in strata_of(question, first, second)]
    pooled_estimate = rr_engine.estimate_strata(
        [material.design for material in inputs],
        [material.counts for material in inputs],
        population="sample",
    )
    results = estimates_of(question, strata_of(question, first, second))
    errors = [row.standard_error for row in results.categories]
    assert errors == pytest.approx(pooled_estimate.standard_errors.tolist())
    single_estimate = rr_engine.estimate(inputs[1].design, inputs[1].counts)
    assert (np.array(errors) < single_estimate.standard_errors).all()


def test_a_wave_with_too_few_people_stays_out():
    launch, first, _ = two_waves()
    (question,) = launch.parameters.questions
    small_source = Source(first.devices, {first.devices[0].key: [3, 1, 0]}, "second")
    strata = strata_of(question, first, small_source)
    assert [stratum.source for stratum in released_strata(strata, 5)] == ["first"]
    assert [stratum.n for stratum in strata][1] == 4


def test_the_results_document_pools_other_launches_and_tells_them_apart():
    launch, first, second = two_waves()
    (device,) = first.devices
    n = sum(first.tallies[device.key])
    few = Source(first.devices, {device.key: [3, 1, 0]}, "third")
    document = results_document(
        launch.parameters, launch.digest, first.tallies, n, others=[second, few]
    )
    (question,) = document["questions"]
    assert [(row["source"], row["stratum"]) for row in question["devices"]] == [
        ("", "page"),
        ("second", "page"),
        ("third", "page"),
    ]
    assert question["n"] == n + sum(second.tallies[device.key])
    assert question["suppressed"] == 4
    for row, share in zip(question["categories"], SHARES, strict=True):
        assert row["estimate"] == pytest.approx(float(share), abs=1e-9)


def test_few_reports_of_another_launch_suppress_none_of_this_one():
    """Their devices and strata have the same names."""
    launch, first, _ = two_waves()
    (device,) = first.devices
    n = sum(first.tallies[device.key])
    few = Source(first.devices, {device.key: [3, 1, 0]}, "third")
    content = results_document(launch.parameters, launch.digest, first.tallies, n, others=[few])
    Launch.objects.filter(pk=launch.pk).update(aggregated=n)
    Result.objects.create(launch=launch, responses=n, content=content)
    assert release_of(launch_again(launch)).suppressed == {("third", "q1", "page")}
    own_few = results_document(launch.parameters, launch.digest, few.tallies, 4, others=[first])
    Result.objects.update(content=own_few)
    assert release_of(launch_again(launch)).suppressed == {("", "q1", "page")}


def launch_again(launch):
    return Launch.objects.get(pk=launch.pk)


def test_options_are_pooled_over_launches_that_ask_them_differently():
    """One device for each option in one wave, one over all combinations in the other."""
    first = launched(slug="one", questions=[{**SEVERAL, "design": "per_option", "epsilon": "2"}])
    two = launched(slug="two", questions=[{**SEVERAL, "design": "whole_set", "epsilon": "2"}])
    (question,) = first.parameters.questions
    ticked, people = [Fraction(1, 2), Fraction(1, 4)], 8 * 2**32
    each = {
        device.key: expected_counts(
            device, [1 - ticked[device.option], ticked[device.option]], people
        )
        for device in first.parameters.devices
    }
    (whole_set_device,) = two.parameters.devices
    sets = [Fraction(3, 8), Fraction(3, 8), Fraction(1, 8), Fraction(1, 8)]
    other = {whole_set_device.key: expected_counts(whole_set_device, sets, people)}
    strata = strata_of(
        question,
        Source(first.parameters.devices, each, "1"),
        Source((whole_set_device,), other, "2"),
    )
    results = estimates_of(question, strata)
    estimates = [row.estimate for row in results.categories]
    assert estimates == pytest.approx([0.5, 0.25], abs=1e-9)


def test_cards_in_one_wave_and_codes_in_another_are_pooled():
    options = ["Never", "Once", "Often", "Daily", "Always"]
    shares = [Fraction(8, 16), Fraction(4, 16), Fraction(2, 16), Fraction(1, 16), Fraction(1, 16)]
    question_fields = {**CHOICE, "options": options, "epsilon": "1"}
    waves = [
        launched(slug=slug, questions=[{**question_fields, "design": design}])
        for slug, design in (("one", "cards"), ("two", "k_rr"))
    ]
    (question,) = waves[0].parameters.questions
    sources = [source(wave, shares, 16 * 2**32, wave.survey.slug) for wave in waves]
    results = estimates_of(question, strata_of(question, *sources))
    estimates = [row.estimate for row in results.categories]
    assert estimates == pytest.approx([float(share) for share in shares], abs=1e-9)
