from fractions import Fraction
from math import tanh

import numpy as np
import pytest

from rr_engine import DesignMatrix, check
from rr_engine.bounded import MeanDevice
from rr_engine.designs import draw_report
from rr_engine.privacy.loss import ratio_at_most
from tests.engine.engine_cases import memory_below, refusal

CASES = [(1, "1"), (2, "0.1"), (7, "4"), (10, "0.5"), (100, "2"), (999, "3"), (10**6, "0.001")]


@pytest.mark.parametrize(("steps", "epsilon"), CASES)
def test_epsilon_is_kept_exactly_and_nearly_used_up(steps, epsilon):
    device = MeanDevice.from_epsilon(steps, epsilon)
    assert device.epsilon_at_most(epsilon)
    assert ratio_at_most(device.likelihood_ratio_bound, check.epsilon(epsilon))
    assert 0 <= 1 - float(device.gap) / tanh(float(epsilon) / 2) < 1e-6
    assert 2 * device.low + device.rise * steps == device.denominator == 2**device.bits


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 11])
@pytest.mark.parametrize("bits", [8, 9, 16])
def test_one_rise_more_would_break_the_promise(steps, bits):
    device = MeanDevice.from_epsilon(steps, "1", bits=bits)
    # An odd number of steps needs an even rise.
    steeper = device.rise + 1 + steps % 2
    low = Fraction(device.denominator - steeper * steps, 2)
    assert low <= 0 or not ratio_at_most((device.denominator - low) / low, check.epsilon("1"))


@pytest.mark.parametrize(("steps", "epsilon"), CASES[:5])
def test_one_draw_is_rounding_to_an_end_and_then_binary_randomized_response(steps, epsilon):
    device = MeanDevice.from_epsilon(steps, epsilon)
    low = Fraction(device.low, device.denominator)
    for value in range(steps + 1):
        rounded_up = Fraction(value, steps)
        assert device.chance(value) == rounded_up * (1 - low) + (1 - rounded_up) * low
        assert device.chance(value, 0) == 1 - device.chance(value)


def test_the_loss_is_that_of_the_ends_whatever_two_numbers_are_compared():
    device = MeanDevice.from_epsilon(20, "1.5")
    columns = np.array([device.column(value) for value in range(21)])
    every = DesignMatrix.from_integers(columns.T, device.denominator)
    assert every.likelihood_ratio_bound == device.likelihood_ratio_bound
    assert device.ends.likelihood_ratio_bound == device.likelihood_ratio_bound
    assert device.epsilon == device.ends.epsilon == every.epsilon
    np.testing.assert_array_equal(every.matrix, device.matrix)


def test_every_number_below_the_denominator_draws_the_declared_share_of_ones():
    device = MeanDevice.from_epsilon(5, "1", bits=8)
    sources = [bytes([number]) for number in range(256)]
    for value in range(6):
        drawn = [device.draw([value], lambda size, block=block: block)[0] for block in sources]
        single = [
            draw_report(device.column(value), 256, lambda size, block=block: block)
            for block in sources
        ]
        assert drawn == single
        assert Fraction(sum(map(int, drawn)), 256) == device.chance(value)


def test_many_people_are_drawn_as_one_after_another():
    device, rng = MeanDevice.from_epsilon(1000, "2"), np.random.default_rng(20)
    values, block = rng.integers(0, 1001, size=500), rng.bytes(2000)
    together = device.draw(values, lambda size: block[:size])
    for person, value in enumerate(values.tolist()):
        one = draw_report(
            device.column(value), device.denominator, lambda _, p=person: part(block, p)
        )
        assert together[person] == one


def part(block: bytes, person: int) -> bytes:
    return block[4 * person : 4 * person + 4]


def test_a_million_steps_take_no_memory():
    with memory_below(200_000):
        device = MeanDevice.from_epsilon(10**6, "1")
        device.draw([0, 500_000, 10**6], bytes)
        assert device.ends.matrix.shape == (2, 2)
    assert device.matrix.shape == (2, 10**6 + 1)


def test_equal_devices_are_equal_and_fixed():
    device = MeanDevice.from_epsilon(10, "1")
    assert device == MeanDevice.from_epsilon(10, 1.0)
    assert len({device, MeanDevice.from_epsilon(10, 1.0)}) == 1
    with pytest.raises(AttributeError):
        device.low = 1


@pytest.mark.parametrize(
    ("numbers", "argument", "code"),
    [
        ((0, 1, 2, 4), "steps", "out_of_range"),
        ((10**6 + 1, 1, 2, 4), "steps", "out_of_range"),
        ((1, 0, 4, 4), "low", "out_of_range"),
        ((1, 2, 0, 4), "rise", "out_of_range"),
        ((1, 1, 1, 3), "denominator", "out_of_range"),
        ((1, 1, 4, 8), "denominator", "columns_do_not_sum"),
        ((1, 1, 2, 2**53), "denominator", "out_of_range"),
    ],
)
def test_other_numbers_are_refused(numbers, argument, code):
    caught = refusal(MeanDevice, *numbers)
    assert (caught.argument, caught.code) == (argument, code)


def test_too_few_bits_are_refused():
    caught = refusal(MeanDevice.from_epsilon, 1000, "1", bits=8)
    assert (caught.argument, caught.code) == ("bits", "too_few_bits")
    assert refusal(MeanDevice.from_epsilon, 10**6, "1e-12").code == "too_few_bits"
