"""Exact draws of relaxed and of earlier reports: tables, parts and bits."""

import os
from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.relaxation.degradation import DenseDegradation, UniformDegradation
from tests.engine.engine_cases import Tape
from tests.engine.relaxation_cases import DRAWS, PAIRS
from tests.vectors.case_lines import read_vectors


def numbers(source):
    """Random bytes that are the digits of given integers, one block for each."""
    blocks = iter(source)
    return lambda size: next(blocks).to_bytes(size, "big")


def common_range(degradation, now, later, previous):
    """The least number that the weights of every truth can be multiplied to."""
    truths = 2 if isinstance(now, rr.channels.BitChannel) else now.truth_size
    totals = [
        rr.relaxation.exact_kernel_weights(degradation, now, later, previous, truth)[1]
        for truth in range(truths)
    ]
    return lcm(*totals)


def test_every_number_of_the_range_gives_its_report():
    now, later = rr.channels.UniformChannel(3, 6, 5, 16), rr.channels.UniformChannel(3, 12, 2, 16)
    degradation = rr.relaxation.exact_degradation(now, later)
    for previous in range(3):
        for truth in range(3):
            weights, total = rr.relaxation.exact_kernel_weights(
                degradation, now, later, previous, truth
            )
            common = common_range(degradation, now, later, previous)
            drawn = [
                rr.relaxation.draw_relaxed(
                    degradation, now, later, previous, truth, numbers([number])
                )
                for number in range(common)
            ]
            assert [drawn.count(report) * total for report in range(3)] == [
                weight * common for weight in weights
            ]
            assert drawn == sorted(drawn)
    for report in range(3):
        drawn = [
            rr.relaxation.draw_degraded(degradation, report, numbers([number]))
            for number in range(degradation.denominator)
        ]
        assert [drawn.count(earlier) for earlier in range(3)] == degradation.column(report)


def test_a_draw_takes_the_bytes_of_its_range_and_rejects_what_is_too_large():
    now, later = (rr.designs.card_deck(6, e).quantized() for e in ("0.5", "1"))
    degradation = rr.relaxation.exact_degradation(now, later)
    weights, total = rr.relaxation.exact_kernel_weights(degradation, now, later, 4, 2)
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

    assert rr.relaxation.draw_relaxed(degradation, now, later, 4, 2, source) == 1
    assert asked == [size, size]


def test_parts_and_bits_are_drawn_one_after_the_other():
    now, later = PAIRS["product"]
    degradation = rr.relaxation.exact_degradation(now, later)
    pairs = list(zip(degradation.factors, now.factors, later.factors, strict=True))
    for previous in range(6):
        for truth in range(6):
            expected, source = [], []
            answers = divmod(truth, 3)
            for pair, before, answer in zip(pairs, divmod(previous, 3), answers, strict=True):
                weights, _total = rr.relaxation.exact_kernel_weights(*pair, before, answer)
                source.append(common_range(*pair, before) - 1)
                expected.append(max(r for r, weight in enumerate(weights) if weight))
            report = rr.relaxation.draw_relaxed(
                degradation, now, later, previous, truth, numbers(source)
            )
            assert report == 3 * expected[0] + expected[1]


@pytest.mark.parametrize("truths", ["category", "set"])
def test_bits_are_relaxed_one_by_one(truths):
    now, middle, later = (
        rr.channels.BitChannel.from_epsilon(3, e, truths=truths) for e in ("0.5", "1", "2")
    )
    chain = rr.relaxation.Chain([now, middle, later])
    degradation = rr.relaxation.exact_degradation(now, later)
    assert degradation.bits == 3
    answer = 1 if truths == "category" else (0, 1, 0)
    (clear, _set), total = rr.relaxation.exact_kernel_weights(degradation, now, later, 1, 0)
    common = common_range(degradation, now, later, 1)
    # The largest number of the range is a set bit, the smallest a clear one.
    source = numbers([common - 1, 0, clear * common // total])
    assert rr.relaxation.draw_relaxed(degradation, now, later, (1, 1, 1), answer, source) == (
        1,
        0,
        1,
    )
    rng = np.random.default_rng(8)
    people = np.full(DRAWS, 1) if truths == "category" else np.tile([0, 1, 0], (DRAWS, 1))
    reports = rr.relaxation.relax(now.draw(people, rng.bytes), people, now, later, rng)
    p, q = later.pair
    # 200,000 people: within 5 standard errors (.0011 each).
    assert reports.mean(axis=0) == pytest.approx([q, p, q], abs=0.0056)
    sampled = chain.sample(people[:1000], 8)
    assert sampled.shape == (1000, 3, 3)
    assert len(chain.draw(answer)) == 3
    assert all(set(report) <= {0, 1} for report in chain.draw(answer, os.urandom))
    with pytest.raises(rr.errors.CategoryError):
        rr.relaxation.relax([0, 1], people[:2], now, later, 1)


def test_the_bits_of_a_chain_together_keep_to_the_last_epsilon():
    # All reports of two bits in two steps, by enumeration.
    chain = rr.relaxation.Chain([rr.channels.BitChannel.from_epsilon(2, e) for e in ("0.7", "1.5")])
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
        weights, total = rr.relaxation.exact_kernel_weights(
            degradation, now, later, previous, truth
        )
        for report, weight in enumerate(weights):
            law[previous, report] = Fraction(chance, now.denominator) * Fraction(weight, total)
    return law


VECTORS = read_vectors("relaxations.json")


def design(table):
    columns = table.get("columns")
    if columns is None:
        size = range(len(table["reports"]))
        columns = [[table["kept" if u == v else "other"] for u in size] for v in size]
    rows = [list(row) for row in zip(*columns, strict=True)]
    return rr.DesignMatrix.from_integers(rows, table["denominator"])


def degradation(served, size):
    if served["form"] == "uniform":
        entries = (int(served[name]) for name in ("kept", "other", "denominator"))
        return UniformDegradation(size, *entries)
    rows = zip(*served["columns"], strict=True)
    return DenseDegradation([list(map(int, row)) for row in rows], int(served["denominator"]))


def chain(served):
    """The earlier design, the later one, and how the first follows from the second."""
    (earlier,) = served["earlier"]
    now, later = design(earlier["table"]), design(served["table"])
    return now, later, degradation(earlier["degradation"], len(served["table"]["reports"]))


# Where the table has not changed nothing is drawn at all.
CHAINS = {
    case["case"]: chain(case["device"])
    for case in VECTORS["devices"]
    if case["device"]["earlier"][0]["degradation"]["form"] != "same"
}
# With as many reports as truths only one degradation leads from the later table to the earlier one.
ONLY = [name for name, (_, later, _) in CHAINS.items() if later.matrix.shape[0] == later.truth_size]
# A truth that never sends the earlier report is refused here, and asks for another range there.
REFUSED = [name for name, (now, _, _) in CHAINS.items() if not now.matrix.all()]


@pytest.mark.parametrize("name", ONLY)
def test_degradations_are_those_of_the_vectors(name):
    now, later, expected = CHAINS[name]
    found = rr.relaxation.exact_degradation(now, later)
    assert found.denominator == expected.denominator
    reports = range(expected.previous_size)
    assert [found.row(report) for report in reports] == [expected.row(each) for each in reports]


def test_the_same_bytes_give_the_same_report():
    draws = [case for case in VECTORS["draws"] if case["case"] in CHAINS.keys() - set(REFUSED)]
    assert len(draws) > 450
    for case in draws:
        now, later, link = CHAINS[case["case"]]
        source = Tape(bytes.fromhex(case["bytes"]))
        report = rr.relaxation.draw_relaxed(
            link, now, later, case["previous"], case["truth"], source
        )
        assert (report, source.left) == (case["report"], b""), case


def test_a_report_that_a_truth_never_sends_is_refused():
    assert REFUSED == ["never sent by one"]
    now, later, link = CHAINS[REFUSED[0]]
    with pytest.raises(rr.errors.CategoryError):
        rr.relaxation.draw_relaxed(link, now, later, 1, 0)


def test_the_same_bytes_give_the_same_earlier_report():
    assert len(VECTORS["degraded"]) > 150
    for case in VECTORS["degraded"]:
        source = Tape(bytes.fromhex(case["bytes"]))
        report = rr.relaxation.draw_degraded(CHAINS[case["case"]][2], case["later"], source)
        assert (report, source.left) == (case["report"], b""), case
