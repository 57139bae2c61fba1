"""Kernels and degradations of gradual release, beside their closed forms."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import exp

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.relaxation.composing import compose_degradations
from rr_engine.relaxation.degradation import DenseDegradation
from tests.engine.engine_cases import refusal
from tests.engine.relaxation_cases import DRAWS, PAIRS, check_exact, lopsided

PAPER_EPSILONS = (0.1, 0.5, 1.0, 2.0, 10.0)


def k_ary_closed_form(size, first, second):
    """The five chances of REFERENCE.md section 6, (next, previous, truth)."""
    before, after = exp(first), exp(second)
    ratio = (before - 1) * (size - 1 + after) / ((size - 1 + before) * (after - 1))
    off = (1 - ratio) / size
    on = ratio + off
    a1, b1 = before / (size - 1 + before), 1 / (size - 1 + before)
    a2, b2 = after / (size - 1 + after), 1 / (size - 1 + after)
    return {
        (0, 0, 0): on * a2 / a1,
        (0, 1, 0): off * a2 / b1,
        (1, 1, 0): on * b2 / b1,
        (1, 0, 0): off * b2 / a1,
        (2, 1, 0): off * b2 / b1,
    }


@pytest.mark.parametrize("size", [3, 4, 7, 10])
@pytest.mark.parametrize("pair", list(pairwise(PAPER_EPSILONS)))
def test_the_k_ary_kernel_is_the_papers(size, pair):
    kernel = rr.relaxation.relaxation_kernel(*(rr.k_rr(size, epsilon) for epsilon in pair))
    for entry, chance in k_ary_closed_form(size, *pair).items():
        assert kernel[entry] == pytest.approx(chance, rel=1e-10)


def test_the_binary_kernel_is_the_papers():
    first, second = exp(0.5), exp(2)
    kernel = rr.relaxation.relaxation_kernel(rr.k_rr(2, 0.5), rr.k_rr(2, 2))
    stays = second * (first * second - 1) / (first * (1 + second) * (second - 1))
    assert kernel[0, 0, 0] == pytest.approx(stays, rel=1e-12)
    returns = second * (second - first) / (second**2 - 1)
    assert kernel[0, 1, 0] == pytest.approx(returns, rel=1e-12)


@pytest.fixture(params=PAIRS)
def pair(request):
    return PAIRS[request.param]


def test_a_kernel_gives_the_next_device_its_law(pair):
    now, later = pair
    kernel = rr.relaxation.relaxation_kernel(now, later)
    possible = now.matrix > 0
    assert kernel.min() >= 0
    assert kernel.sum(axis=0)[possible] == pytest.approx(1, abs=1e-12)
    law = np.einsum("npx,px->nx", kernel, now.matrix)
    assert law == pytest.approx(later.matrix, abs=1e-9)
    # The earlier report says no more than the later one: given that, it does not hang on the truth.
    joint = kernel * now.matrix
    given = joint / np.where(later.matrix > 0, later.matrix, 1)[:, None, :]
    for truth in range(1, now.truth_size):
        both = (later.matrix[:, 0] > 0) & (later.matrix[:, truth] > 0)
        assert given[both, :, truth] == pytest.approx(given[both, :, 0], abs=1e-6)


@pytest.mark.slow
def test_people_are_relaxed_by_the_kernel(pair):
    now, later = pair
    kernel, rng = rr.relaxation.relaxation_kernel(now, later), np.random.default_rng(41)
    truths = rng.integers(now.truth_size, size=DRAWS)
    previous = now.draw(truths, rng.bytes)
    reports = rr.relaxation.relax(previous, truths, now, later, rng)
    counts = np.zeros(kernel.shape)
    np.add.at(counts, (reports, previous, truths), 1)
    people = counts.sum(axis=0)
    # Within 5 standard errors of a count, and one report.
    spread = np.sqrt(people * kernel * (1 - kernel))
    assert (np.abs(counts - people * kernel) <= 5 * spread + 1).all()


def test_a_degradation_is_exact_and_in_lowest_terms(pair):
    now, later = pair
    degradation = rr.relaxation.exact_degradation(now, later)
    if isinstance(degradation, rr.relaxation.ProductDegradation):
        pairs = zip(degradation.factors, now.factors, later.factors, strict=True)
        for factor, before, after in pairs:
            check_exact(factor, before, after)
        return
    check_exact(degradation, now, later)


def test_two_degradations_in_a_row_are_exact_whatever_the_size_of_their_integers():
    """Two devices over 2**32 have entries that pass 2**63, some of a table and not all, or none."""
    for size, epsilons in product((2, 3), combinations(("0.5", "1.5", "2", "2.5", "4"), 3)):
        first, second, third = (rr.k_rr(size, epsilon).quantized() for epsilon in epsilons)
        steps = (
            rr.relaxation.exact_degradation(first, second),
            rr.relaxation.exact_degradation(second, third),
        )
        check_exact(compose_degradations(*steps), first, third)
    first, second, third = lopsided()
    steps = (
        rr.relaxation.exact_degradation(first, second),
        rr.relaxation.exact_degradation(second, third),
    )
    # The same chances with 2**61 times the integers.
    large = [
        DenseDegradation(
            tuple(tuple(2**61 * entry for entry in step.row(at)) for at in range(len(step.rows))),
            2**61 * step.denominator,
        )
        for step in steps
    ]
    check_exact(compose_degradations(*large), first, third)


def test_weights_are_the_kernel_in_integers():
    for now, later in (PAIRS["binary"], PAIRS["same blocks"], PAIRS["k-ary"]):
        degradation, kernel = (
            rr.relaxation.exact_degradation(now, later),
            rr.relaxation.relaxation_kernel(now, later),
        )
        for previous in range(now.tally_size):
            for truth in range(now.truth_size):
                weights, total = rr.relaxation.exact_kernel_weights(
                    degradation, now, later, previous, truth
                )
                assert sum(weights) == total
                shares = [weight / total for weight in weights]
                # The kernel is that of floats, which integers over 2**32 differ from.
                assert shares == pytest.approx(kernel[:, previous, truth], abs=1e-6)


def test_ten_thousand_categories_need_no_table():
    now = rr.channels.UniformChannel.from_epsilon(10_000, "5", bits=52)
    later = rr.channels.UniformChannel.from_epsilon(10_000, "8", bits=52)
    degradation = rr.relaxation.exact_degradation(now, later)
    gaps = [Fraction(c.kept - c.other, c.denominator) for c in (now, later)]
    assert Fraction(degradation.kept - degradation.other, degradation.denominator) == (
        gaps[0] / gaps[1]
    )
    truths = np.arange(10_000)
    rng = np.random.default_rng(3)
    reports = rr.relaxation.relax(now.draw(truths, rng.bytes), truths, now, later, rng)
    # 10,000 people, each truthful with chance .23: within 5 standard errors (.0042 each).
    assert (reports == truths).mean() == pytest.approx(later.uniform[0], abs=0.021)
    assert 0 <= rr.relaxation.draw_relaxed(degradation, now, later, 17, 9_999) < 10_000
    assert refusal(rr.relaxation.relaxation_kernel, now, later).code == "table_too_large"


def test_the_k_ary_family_is_always_exact_and_never_out_of_order():
    # Rounded independently, at neighbouring epsilons and few bits.
    for size in (2, 3, 5, 17):
        designs = [
            rr.channels.UniformChannel.from_epsilon(size, Decimal(step) / 10, bits=12)
            for step in range(2, 30)
        ]
        gaps = [design.kept - design.other for design in designs]
        for position in range(len(designs) - 1):
            degradation = rr.relaxation.exact_degradation(designs[position], designs[position + 1])
            ratio = Fraction(degradation.kept - degradation.other, degradation.denominator)
            assert ratio == Fraction(gaps[position], gaps[position + 1])


def test_all_combinations_of_three_questions_need_eight_integers():
    shape = (6, 5, 4)
    now, later = (rr.channels.joint_design(shape, p, bits=52) for p in (0.05, 0.2))
    degradation = rr.relaxation.exact_degradation(now, later)
    assert len(degradation.entries) == 8
    column = [Fraction(entry, degradation.denominator) for entry in degradation.column(77)]
    assert sum(column) == 1
    # C P_next = P_now, for the combination 77 as the earlier report: by the number of changes.
    tuples = list(product(*map(range, shape)))
    for truth in (0, 77, 119):
        degraded = sum(
            chance * Fraction(later.weights[changes(tuples[truth], between)], later.denominator)
            for chance, between in zip(column, tuples, strict=True)
        )
        weight = now.weights[changes(tuples[truth], tuples[77])]
        assert degraded == Fraction(weight, now.denominator)
    assert 0 <= rr.relaxation.draw_relaxed(degradation, now, later, 77, 5) < 120
    with pytest.raises(rr.errors.DesignError) as caught:
        rr.relaxation.exact_degradation(later, now)
    assert caught.value.code == "no_relaxation"
    assert caught.value.value[:2] == ("0, 0, 0", "0, 0, 1")
    with pytest.raises(rr.errors.DesignError) as caught:
        rr.relaxation.exact_degradation(
            rr.channels.joint_design([2, 3], 0.6, bits=40), rr.channels.joint_design([2, 3], 0.6)
        )
    assert caught.value.code == "rounded_apart"
    with pytest.raises(rr.errors.DesignError):
        rr.relaxation.JointDegradation((2, 2), (5, 1, 1, 2), 8)


def changes(first, second):
    return sum(a != b for a, b in zip(first, second, strict=True))
