"""The paper's device from a privacy loss: exact integers that keep it and waste nothing."""

from fractions import Fraction
from math import log

import numpy as np
import pytest

import rr_engine as rr
from rr_engine import check
from rr_engine.channels.joint_channel import neighbours
from rr_engine.privacy.loss import ratio_at_most
from tests.engine.engine_cases import refusal

SETTINGS = [
    ([2, 2], "0.7", 12), ([2, 3], "0.6932", 24), ([3, 4, 5], "1.1", 32), ([9, 16], "7.309", 32),
    ([5] * 5, "2.5", 40), ([9, 16, 5, 42], "11.844", 52), ([2] * 10, "30", 32),
]  # fmt: skip


def weights_at(sizes, total, least):
    """Return the integers with `least` for all answers changed, by the paper's rule."""
    count = len(sizes)
    moved = [-(-least * count // w) for w in range(1, count + 1)]
    numbers = neighbours(sizes)[1:]
    return total - sum(w * number for w, number in zip(moved, numbers, strict=True)), *moved


@pytest.mark.parametrize(("sizes", "epsilon", "bits"), SETTINGS)
def test_the_loss_is_kept_and_one_unit_less_would_break_it(sizes, epsilon, bits):
    channel, budget = (
        rr.channels.joint_design(sizes, bits=bits, epsilon=epsilon),
        check.epsilon(epsilon),
    )
    assert channel.denominator == 2**bits
    assert channel.epsilon_at_most(epsilon)
    assert channel.weights == weights_at(sizes, 2**bits, channel.weights[-1])
    assert channel.weights[0] == max(channel.weights)
    kept, *moved = weights_at(sizes, 2**bits, channel.weights[-1] - 1)
    assert not moved[-1] or not ratio_at_most(Fraction(kept, moved[-1]), budget)


@pytest.mark.parametrize(("sizes", "p"), [([9, 16], 0.9), ([9, 5, 42], 0.7), ([2, 2, 2], 0.5)])
def test_a_chance_and_the_epsilon_it_has_give_the_same_device(sizes, p):
    channel = rr.channels.joint_design(sizes, p, bits=52)
    again = rr.channels.joint_design(sizes, bits=52, epsilon=channel.epsilon)
    assert np.divide(again.weights, channel.weights) == pytest.approx(1, abs=1e-6)


def test_one_question_and_the_uniform_form_are_k_ary_response():
    for sizes, form in (([4], "changes"), ([4], "uniform"), ([2, 3], "uniform")):
        channel = rr.channels.joint_design(sizes, form=form, epsilon="0.4")
        assert channel == rr.channels.UniformChannel.from_epsilon(sizes, "0.4")


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_below_the_logarithm_of_the_questions_there_is_no_such_device(count):
    error = refusal(rr.channels.joint_design, [2] * count, epsilon=log(count) - 1e-6)
    assert error.code == "epsilon_too_small"
    least = error.limit
    assert log(count) <= float(least) < log(count) + 1e-4
    assert rr.channels.joint_design([2] * count, epsilon=least).epsilon_at_most(least)
    assert rr.channels.joint_design([2] * count, form="uniform", epsilon="0.1").epsilon <= 0.1


@pytest.mark.parametrize("sizes", [(2, 2), (5, 5), (3, 4, 5), (2, 5, 3, 7), (2,) * 5])
def test_the_budget_at_which_the_table_is_lost(sizes):
    """The eigenvalue of the interaction of all questions passes zero; whatever the sizes."""
    count = len(sizes)
    lost = log(count * sum(1 / w for w in range(1, count + 1)))
    for epsilon, sign in ((lost - 0.05, -1), (lost + 0.05, 1)):
        channel = rr.channels.joint_design(sizes, bits=52, epsilon=epsilon)
        kept, least = channel.weights[0], channel.weights[-1]
        expected = (kept - np.exp(lost) * least) / channel.denominator
        found = channel.spectrum.flat[-1]
        assert np.sign(found) == sign
        assert found == pytest.approx(expected, abs=1e-12)
    channel = rr.channels.joint_design(sizes, bits=52, epsilon=lost)
    assert channel.condition_number > 1e9
    assert channel.margin([0]).condition_number < 100
    ways = {way.way: way for way in rr.spending.compare_joint(sizes, lost, 1000, bits=52)}
    assert ways["changes"].table > 1e5 > 1 > ways["uniform"].table
    assert "table" not in ways["changes"].best_for


@pytest.mark.parametrize("given", [{}, {"p": 0.5, "epsilon": 2}])
def test_a_chance_or_an_epsilon_is_given(given):
    assert refusal(rr.channels.joint_design, [2, 2], **given).code == "chance_or_epsilon"


@pytest.mark.parametrize(("sizes", "epsilon", "bits"), [([16, 16], 3, 7), ([3, 3], 0.694, 6)])
def test_too_few_bits_are_refused(sizes, epsilon, bits):
    assert (
        refusal(rr.channels.joint_design, sizes, bits=bits, epsilon=epsilon).code == "too_few_bits"
    )
