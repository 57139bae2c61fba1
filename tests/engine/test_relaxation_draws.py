"""Exact draws of relaxed and of earlier reports: tables, parts and bits."""

import os
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np
import pytest

import rr_engine
from rr_engine import (
    BitChannel,
    CategoryError,
    UniformChannel,
    draw_degraded,
    draw_relaxed,
    exact_degradation,
    exact_kernel_weights,
    relax,
)
from rr_engine.library import Chain
from tests.engine.relaxation_cases import DRAWS, PAIRS


def numbers(source):
    """Random bytes that are the digits of given integers, one block for each."""
    blocks = iter(source)
    return lambda size: next(blocks).to_bytes(size, "big")


def common_range(degradation, now, later, previous):
    """The least number that the weights of every truth can be multiplied to."""
    truths = 2 if isinstance(now, BitChannel) else now.truth_size
    totals = [
        exact_kernel_weights(degradation, now, later, previous, truth)[1] for truth in range(truths)
    ]
    return lcm(*totals)


def test_every_number_of_the_range_gives_its_report():
    now, later = UniformChannel(3, 6, 5, 16), UniformChannel(3, 12, 2, 16)
    degradation = exact_degradation(now, later)
    for previous in range(3):
        for truth in range(3):
            weights, total = exact_kernel_weights(degradation, now, later, previous, truth)
            common = common_range(degradation, now, later, previous)
            drawn = [
                draw_relaxed(degradation, now, later, previous, truth, numbers([number]))
                for number in range(common)
            ]
            assert [drawn.count(report) * total for report in range(3)] == [
                weight * common for weight in weights
            ]
            assert drawn == sorted(drawn)
    for report in range(3):
        drawn = [
            draw_degraded(degradation, report, numbers([number]))
            for number in range(degradation.denominator)
        ]
        assert [drawn.count(earlier) for earlier in range(3)] == degradation.column(report)


def test_a_draw_takes_the_bytes_of_its_range_and_rejects_what_is_too_large():
    now, later = (rr_engine.card_deck(6, e).quantized() for e in ("0.5", "1"))
    degradation = exact_degradation(now, later)
    weights, total = exact_kernel_weights(degradation, now, later, 4, 2)
    common = common_range(degradation, now, later, 4)
    size = -(-(common - 1).bit_length() // 8)
    assert size > 20
    asked = []

    def source(count):
        asked.append(count)
        return (
            b"\xff" * count
            if len(asked) == 1
            else (weights[0] * common // total).to_bytes(count, "big")
        )

    assert draw_relaxed(degradation, now, later, 4, 2, source) == 1
    assert asked == [size, size]


def test_parts_and_bits_are_drawn_one_after_the_other():
    now, later = PAIRS["product"]
    degradation = exact_degradation(now, later)
    pairs = list(zip(degradation.factors, now.factors, later.factors, strict=True))
    for previous in range(6):
        for truth in range(6):
            expected, source = [], []
            answers = divmod(truth, 3)
            for pair, before, answer in zip(pairs, divmod(previous, 3), answers, strict=True):
                weights, _total = exact_kernel_weights(*pair, before, answer)
                source.append(common_range(*pair, before) - 1)
                expected.append(max(r for r, weight in enumerate(weights) if weight))
            report = draw_relaxed(degradation, now, later, previous, truth, numbers(source))
            assert report == 3 * expected[0] + expected[1]


@pytest.mark.parametrize("truths", ["category", "set"])
def test_bits_are_relaxed_one_by_one(truths):
    now, middle, later = (BitChannel.from_epsilon(3, e, truths=truths) for e in ("0.5", "1", "2"))
    chain = Chain([now, middle, later])
    degradation = exact_degradation(now, later)
    assert degradation.bits == 3
    answer = 1 if truths == "category" else (0, 1, 0)
    (clear, _set), total = exact_kernel_weights(degradation, now, later, 1, 0)
    common = common_range(degradation, now, later, 1)
    # The largest number of the range is a set bit, the smallest a clear one.
    source = numbers([common - 1, 0, clear * common // total])
    assert draw_relaxed(degradation, now, later, (1, 1, 1), answer, source) == (1, 0, 1)
    rng = np.random.default_rng(8)
    people = np.full(DRAWS, 1) if truths == "category" else np.tile([0, 1, 0], (DRAWS, 1))
    reports = relax(now.draw(people, rng.bytes), people, now, later, rng)
    p, q = later.pair
    # 200,000 people: within 5 standard errors (.0011 each).
    assert reports.mean(axis=0) == pytest.approx([q, p, q], abs=0.0056)
    sampled = chain.sample(people[:1000], 8)
    assert sampled.shape == (1000, 3, 3)
    assert len(chain.draw(answer)) == 3
    assert all(set(report) <= {0, 1} for report in chain.draw(answer, os.urandom))
    with pytest.raises(CategoryError):
        relax([0, 1], people[:2], now, later, 1)


def test_the_bits_of_a_chain_together_keep_to_the_last_epsilon():
    # All reports of two bits in two steps, by enumeration.
    chain = Chain([BitChannel.from_epsilon(2, e) for e in ("0.7", "1.5")])
    now, later = chain.designs
    laws = []
    for truth in range(2):
        link = chain.degradations[0]
        bit_laws = [bit_law(link, now, later, int(bit == truth)) for bit in (0, 1)]
        pairs = product(bit_laws[0].items(), bit_laws[1].items())
        laws.append({(first, second): p * q for (first, p), (second, q) in pairs})
    worst = max(laws[0][reports] / laws[1][reports] for reports in laws[0])
    assert worst == chain.likelihood_ratio_bound == later.likelihood_ratio_bound


def bit_law(degradation, now, later, truth):
    """The law of one bit's two reports."""
    ones = now.kept if truth else now.raised
    law = {}
    for previous, chance in enumerate((now.denominator - ones, ones)):
        weights, total = exact_kernel_weights(degradation, now, later, previous, truth)
        for report, weight in enumerate(weights):
            law[previous, report] = Fraction(chance, now.denominator) * Fraction(weight, total)
    return law
