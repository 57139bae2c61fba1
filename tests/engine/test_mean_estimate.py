from fractions import Fraction
from itertools import product
from math import exp, prod

import numpy as np
import pytest

import rr_engine as rr
from tests.engine.engine_cases import refusal
from tests.engine.number_coverage import (
    EPSILONS,
    MEANS,
    fixed_variance,
    mean_coverage,
    strata_coverage,
)

DEVICE = rr.bounded.MeanDevice.from_epsilon(4, "1")
LOWER, UPPER = -10, 30


def surveys(device, values):
    """Yield how many people report 1, and how likely that is, for every way to answer."""
    for reports in product((0, 1), repeat=len(values)):
        pairs = zip(values, reports, strict=True)
        yield sum(reports), float(prod(device.chance(value, report) for value, report in pairs))


def number(value):
    return LOWER + (UPPER - LOWER) * value / 4


@pytest.mark.parametrize("values", [[0, 0, 0], [4, 4, 4, 4], [0, 1, 2, 3, 4], [2, 2, 1], [0, 4]])
def test_unbiased_for_a_fixed_group_and_no_more_variable_than_said(values):
    found = [
        (
            rr.bounded.mean_from_reports(DEVICE, [len(values) - ones, ones], LOWER, UPPER, "fixed"),
            chance,
        )
        for ones, chance in surveys(DEVICE, values)
    ]
    truth = np.mean([number(value) for value in values])
    assert sum(each.value * chance for each, chance in found) == pytest.approx(truth, abs=1e-9)
    variance = sum((each.value - truth) ** 2 * chance for each, chance in found)
    stated = sum(each.standard_error**2 * chance for each, chance in found)
    chances = [float(DEVICE.chance(value)) for value in values]
    scale = (UPPER - LOWER) / float(DEVICE.gap) / len(values)
    assert variance == pytest.approx(scale**2 * sum(p * (1 - p) for p in chances))
    # One bit says nothing of the spread: exact where there is none, too large by that otherwise.
    spread = np.var(chances) * scale**2 * len(values) ** 2 / (len(values) - 1)
    assert stated == pytest.approx(variance + spread)


def test_the_variance_of_a_sample_is_estimated_without_bias():
    shares, n, moments = {0: 0.5, 1: 0.2, 4: 0.3}, 3, np.zeros(3)
    for values in product(shares, repeat=n):
        weight = prod(shares[value] for value in values)
        for ones, chance in surveys(DEVICE, values):
            found = rr.bounded.mean_from_reports(DEVICE, [n - ones, ones], LOWER, UPPER)
            row = [found.value, found.value**2, found.standard_error**2]
            moments += weight * chance * np.array(row)
    mean = sum(share * number(value) for value, share in shares.items())
    assert moments[0] == pytest.approx(mean)
    assert moments[2] == pytest.approx(moments[1] - mean**2)


def test_the_estimate_is_that_of_the_paper():
    power, share = exp(1), 0.58
    device = rr.bounded.MeanDevice.from_epsilon(80, "1", bits=52)
    found = rr.bounded.mean_from_reports(device, [420, 580], 5, 85)
    assert found.value == pytest.approx(5 + 80 * ((power + 1) * share - 1) / (power - 1))


def test_the_device_of_one_bit_measures_the_ends_and_their_mixtures():
    found = rr.bounded.mean_from_reports(DEVICE, [42, 58], LOWER, UPPER)
    ends = rr.estimate(DEVICE.ends, [42, 58])
    assert found.value == LOWER + (UPPER - LOWER) * ends.proportions[1]
    low, high = ends.interval(method="exact")[1]
    expected = [LOWER + (UPPER - LOWER) * low, LOWER + (UPPER - LOWER) * high]
    np.testing.assert_allclose(found.interval(method="exact"), expected)


def test_a_mean_outside_the_range_is_kept_beside_the_one_inside():
    found = rr.bounded.mean_from_reports(DEVICE, [800, 200], LOWER, UPPER)
    assert found.value < LOWER == found.possible_value
    low, high = found.interval()
    assert low < high < LOWER
    low, high = found.possible_interval()
    assert LOWER == low < high < LOWER + 5
    above = rr.bounded.mean_from_reports(DEVICE, [200, 800], LOWER, UPPER)
    assert above.possible_value == UPPER < above.value
    assert found.note("outside_range")


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 1000, 10_000])
@pytest.mark.parametrize("epsilon", EPSILONS[:-1])
def test_intervals_cover_as_often_as_they_say_at_the_ends_too(epsilon, n):
    for mean in MEANS:
        assert 0.94 <= mean_coverage(epsilon, mean, n) <= 0.96
        assert mean_coverage(epsilon, 1 - mean, n) == pytest.approx(
            mean_coverage(epsilon, mean, n), abs=1e-9
        )


def test_few_reports_of_a_weak_device_leave_no_finer_choice():
    # 3.6 reports of the other kind are expected: the chances of whole numbers are coarse.
    assert mean_coverage("4", 0.0, 200) == pytest.approx(0.9706, abs=1e-4)
    assert 0.94 <= mean_coverage("4", 0.0, 1000) <= 0.96


def test_the_bound_for_a_fixed_group_depends_on_how_far_the_numbers_lie_apart():
    for epsilon in EPSILONS:
        alone = fixed_variance([30] * 9, epsilon)
        assert alone[0] == pytest.approx(alone[1])
        (even, bound), (apart, same) = (
            fixed_variance(range(101), epsilon),
            fixed_variance([0, 100], epsilon),
        )
        assert apart < even < bound == pytest.approx(same)


def test_a_fixed_group_is_told_that_its_error_is_a_bound():
    sample, fixed = (
        rr.bounded.mean_from_reports(DEVICE, [42, 58], population=whom)
        for whom in ("sample", "fixed")
    )
    assert fixed.standard_error == sample.standard_error
    assert fixed.note("spread_unknown")
    assert not sample.notes


def test_waves_are_pooled_without_bias():
    devices = [
        rr.bounded.MeanDevice.from_epsilon(4, "0.5"),
        rr.bounded.MeanDevice.from_epsilon(8, "2"),
    ]
    shares, total = {0: 0.25, 1: 0.5, 4: 0.25}, 0.0
    ones = [
        float(
            sum(share * device.chance(value * device.steps // 4) for value, share in shares.items())
        )
        for device in devices
    ]
    for first, second in product(range(4), range(3)):
        found = rr.bounded.mean_from_reports(
            devices, [[3 - first, first], [2 - second, second]], LOWER, UPPER
        )
        total += found.value * binomial(3, first, ones[0]) * binomial(2, second, ones[1])
    assert total == pytest.approx(sum(share * number(value) for value, share in shares.items()))


def binomial(n, count, share):
    ways = {(3, 1): 3, (3, 2): 3, (2, 1): 2}.get((n, count), 1)
    return ways * share**count * (1 - share) ** (n - count)


def test_waves_of_one_device_are_one_survey():
    whole = rr.bounded.mean_from_reports(DEVICE, [42, 58], LOWER, UPPER)
    parts = rr.bounded.mean_from_reports([DEVICE, DEVICE], [[40, 8], [2, 50]], LOWER, UPPER)
    assert parts.value == whole.value
    np.testing.assert_array_equal(parts.interval(), whole.interval())


def test_a_better_device_counts_more():
    devices = [
        rr.bounded.MeanDevice.from_epsilon(10, "0.2"),
        rr.bounded.MeanDevice.from_epsilon(10, "3"),
    ]
    apart = [
        rr.bounded.mean_from_reports(device, counts)
        for device, counts in zip(devices, BOTH, strict=True)
    ]
    pooled = rr.bounded.mean_from_reports(devices, BOTH)
    assert pooled.standard_error < min(each.standard_error for each in apart)
    assert abs(pooled.value - apart[1].value) < abs(pooled.value - apart[0].value)


BOTH = [[250, 250], [300, 200]]


@pytest.mark.slow
def test_pooled_intervals_cover_as_often_as_they_say():
    # Standard error of 2,000 simulated surveys: .0049.
    assert strata_coverage(("1", "3"), 0.0, 200) == pytest.approx(0.95, abs=0.015)


def test_without_reports_the_mean_is_anywhere_in_the_range():
    empty = rr.bounded.mean_from_reports(DEVICE, [0, 0], LOWER, UPPER, "fixed")
    assert (empty.value, empty.standard_error, empty.n) == (10, float("inf"), 0)
    assert empty.interval().tolist() == [LOWER, UPPER]
    assert [note.code for note in empty.notes] == ["no_reports"]


def test_planning_foretells_the_error():
    device = rr.bounded.MeanDevice.from_epsilon(100, "1")
    share = float(device.chance(30))
    found = rr.bounded.mean_from_reports(
        device, [round(10**6 * (1 - share)), round(10**6 * share)], 0, 50
    )
    margin = rr.bounded.mean_margin_of_error(device, 15, 10**6, 0, 50)
    low, high = found.interval(method="normal")
    assert margin == pytest.approx((high - low) / 2, rel=1e-4)
    n = rr.bounded.mean_sample_size(device, 15, 2, 0, 50)
    at, before = (rr.bounded.mean_margin_of_error(device, 15, size, 0, 50) for size in (n, n - 1))
    assert at <= 2 < before


@pytest.mark.parametrize(
    ("lower", "upper", "argument"),
    [(1, 1, "upper"), (2, 1, "upper"), (1e9, 1e9 + 1, "upper"), (-1e101, 0, "lower")],
)
def test_a_range_is_not_empty_nor_too_large(lower, upper, argument):
    caught = refusal(rr.bounded.mean_from_reports, DEVICE, [4, 5], lower, upper)
    assert (caught.argument, caught.code) == (argument, "out_of_range")


def test_the_middle_of_the_grid_is_reported_by_a_fair_coin():
    for steps in (2, 10, 1000):
        assert rr.bounded.MeanDevice.from_epsilon(steps, "1").chance(steps // 2) == Fraction(1, 2)
