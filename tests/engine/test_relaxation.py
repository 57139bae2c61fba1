"""Kernels, degradations and draws of gradual release, beside their closed forms."""

import os
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from math import exp

import numpy as np
import pytest

import rr_engine
from rr_engine import (
    AccountingError,
    ArgumentError,
    BitChannel,
    CategoryError,
    Chain,
    DesignError,
    DesignMatrix,
    ProductChannel,
    UniformChannel,
    UniformDegradation,
    draw_degraded,
    draw_relaxed,
    exact_degradation,
    exact_kernel_weights,
    relax,
    relaxation_kernel,
    total_epsilon,
)
from rr_engine.relaxation.degradation import DenseDegradation
from tests.engine.channel_cases import COIN
from tests.engine.relaxation_cases import integers_of, lopsided

PAPER_EPSILONS = (0.1, 0.5, 1.0, 2.0, 10.0)
DRAWS = 200_000


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
    kernel = relaxation_kernel(*(rr_engine.k_rr(size, epsilon) for epsilon in pair))
    for entry, chance in k_ary_closed_form(size, *pair).items():
        assert kernel[entry] == pytest.approx(chance, rel=1e-10)


def test_the_binary_kernel_is_the_papers():
    first, second = exp(0.5), exp(2)
    kernel = relaxation_kernel(rr_engine.k_rr(2, 0.5), rr_engine.k_rr(2, 2))
    stays = second * (first * second - 1) / (first * (1 + second) * (second - 1))
    assert kernel[0, 0, 0] == pytest.approx(stays, rel=1e-12)
    returns = second * (second - first) / (second**2 - 1)
    assert kernel[0, 1, 0] == pytest.approx(returns, rel=1e-12)


PAIRS = {
    "k-ary": (rr_engine.k_rr(4, 1), rr_engine.k_rr(4, 2)),
    "k-ary, answer-reversing": (UniformChannel(3, 4, 6, 16), UniformChannel(3, 10, 3, 16)),
    "answer-reversing both": (UniformChannel(3, 4, 6, 16), UniformChannel(3, 2, 7, 16)),
    "binary": (rr_engine.generalized_binary(0.6, 0.7), rr_engine.generalized_binary(0.8, 0.9)),
    "scale": (rr_engine.laplace(5, 0.5), rr_engine.laplace(5, 1.5)),
    "to direct": (rr_engine.kuk(0.7, 0.4), rr_engine.direct(2)),
    "same blocks": tuple(rr_engine.card_deck(6, e) for e in (0.5, 1)),
    "other block sizes": (rr_engine.card_deck(7, 0.5, k=3), rr_engine.card_deck(7, 2, k=2)),
    "all subsets, 3 to 2": tuple(
        rr_engine.subset_selection(6, e, k=k) for e, k in ((0.5, 3), (1.5, 2))
    ),
    "more reports, then fewer": tuple(lopsided()[1:]),
    "joint": (rr_engine.joint_design([2, 3], 0.3), rr_engine.joint_design([2, 3], 0.6)),
    "product": (
        ProductChannel([COIN, UniformChannel(3, 6, 5, 16)]),
        ProductChannel([rr_engine.warner(0.9).quantized(), UniformChannel(3, 12, 2, 16)]),
    ),
    "product, then all together": (
        ProductChannel([UniformChannel(2, 5, 3, 8), UniformChannel(2, 5, 3, 8)]),
        UniformChannel((2, 2), 13, 1, 16),
    ),
    "direct": (rr_engine.direct(3), rr_engine.direct(3)),
    "nothing is told": (UniformChannel(3, 1, 1, 3), UniformChannel(3, 1, 1, 3)),
}


@pytest.fixture(params=PAIRS)
def pair(request):
    return PAIRS[request.param]


def test_a_kernel_gives_the_next_device_its_law(pair):
    now, later = pair
    kernel = relaxation_kernel(now, later)
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


def test_people_are_relaxed_by_the_kernel(pair):
    now, later = pair
    kernel, rng = relaxation_kernel(now, later), np.random.default_rng(41)
    truths = rng.integers(now.truth_size, size=DRAWS)
    previous = now.draw(truths, rng.bytes)
    reports = relax(previous, truths, now, later, rng)
    counts = np.zeros(kernel.shape)
    np.add.at(counts, (reports, previous, truths), 1)
    people = counts.sum(axis=0)
    # Within 5 standard errors of a count, and one report.
    spread = np.sqrt(people * kernel * (1 - kernel))
    assert (np.abs(counts - people * kernel) <= 5 * spread + 1).all()


def test_a_degradation_is_exact_and_in_lowest_terms(pair):
    now, later = pair
    degradation = exact_degradation(now, later)
    if isinstance(degradation, rr_engine.ProductDegradation):
        pairs = zip(degradation.factors, now.factors, later.factors, strict=True)
        for factor, before, after in pairs:
            check_exact(factor, before, after)
        return
    check_exact(degradation, now, later)


def check_exact(degradation, now, later):
    rows = [degradation.row(report) for report in range(degradation.previous_size)]
    assert all(type(entry) is int and entry >= 0 for row in rows for entry in row)
    assert {sum(column) for column in zip(*rows, strict=True)} == {degradation.denominator}
    assert np.gcd.reduce(np.array([e for row in rows for e in row], dtype=object)) == 1
    after = list(zip(*integers_of(later), strict=True))
    for row, before in zip(rows, integers_of(now), strict=True):
        for column, chance in zip(after, before, strict=True):
            degraded = sum(entry * share for entry, share in zip(row, column, strict=True))
            assert degraded == chance * degradation.denominator


def test_weights_are_the_kernel_in_integers():
    for now, later in (PAIRS["binary"], PAIRS["same blocks"], PAIRS["k-ary"]):
        degradation, kernel = exact_degradation(now, later), relaxation_kernel(now, later)
        for previous in range(now.tally_size):
            for truth in range(now.truth_size):
                weights, total = exact_kernel_weights(degradation, now, later, previous, truth)
                assert sum(weights) == total
                shares = [weight / total for weight in weights]
                # The kernel is that of floats, which integers over 2**32 differ from.
                assert shares == pytest.approx(kernel[:, previous, truth], abs=1e-6)


def test_ten_thousand_categories_need_no_table():
    now = UniformChannel.from_epsilon(10_000, "5", bits=52)
    later = UniformChannel.from_epsilon(10_000, "8", bits=52)
    degradation = exact_degradation(now, later)
    gaps = [Fraction(c.kept - c.other, c.denominator) for c in (now, later)]
    assert Fraction(degradation.kept - degradation.other, degradation.denominator) == (
        gaps[0] / gaps[1]
    )
    truths = np.arange(10_000)
    rng = np.random.default_rng(3)
    reports = relax(now.draw(truths, rng.bytes), truths, now, later, rng)
    # 10,000 people, each truthful with chance .23: within 5 standard errors (.0042 each).
    assert (reports == truths).mean() == pytest.approx(later.uniform[0], abs=0.021)
    assert 0 <= draw_relaxed(degradation, now, later, 17, 9_999) < 10_000
    with pytest.raises(ArgumentError) as caught:
        relaxation_kernel(now, later)
    assert caught.value.code == "table_too_large"


def test_the_k_ary_family_is_always_exact_and_never_out_of_order():
    # Rounded independently, at neighbouring epsilons and few bits.
    for size in (2, 3, 5, 17):
        designs = [
            UniformChannel.from_epsilon(size, Decimal(step) / 10, bits=12) for step in range(2, 30)
        ]
        gaps = [design.kept - design.other for design in designs]
        for position in range(len(designs) - 1):
            degradation = exact_degradation(designs[position], designs[position + 1])
            ratio = Fraction(degradation.kept - degradation.other, degradation.denominator)
            assert ratio == Fraction(gaps[position], gaps[position + 1])


# -- refusals ------------------------------------------------------------------------------------


def test_a_falling_epsilon_is_refused_with_the_entry():
    for compute in (relaxation_kernel, exact_degradation):
        with pytest.raises(DesignError, match="degraded copy") as caught:
            compute(rr_engine.k_rr(["a", "b", "c"], 2), rr_engine.k_rr(["a", "b", "c"], 1))
        assert caught.value.code == "no_relaxation"
        previous, later, chance = caught.value.value
        assert (previous, later) == ("a", "b")
        # (1 - r) / 3 with the ratio r of the gaps.
        gaps = [(exp(e) - 1) / (exp(e) + 2) for e in (2, 1)]
        assert chance == pytest.approx((1 - gaps[0] / gaps[1]) / 3, rel=1e-6)


def test_tables_that_do_not_fit_are_refused_with_the_worst_entry():
    now = DesignMatrix([[0.6, 0.2, 0.2], [0.3, 0.5, 0.3], [0.1, 0.3, 0.5]], ["a", "b", "c"])
    later = rr_engine.k_rr(["a", "b", "c"], 1.2)
    expected = now.matrix @ np.linalg.inv(later.matrix)
    worst = np.unravel_index(expected.argmin(), expected.shape)
    assert expected.min() < 0
    for compute in (relaxation_kernel, exact_degradation):
        with pytest.raises(DesignError) as caught:
            compute(now, later)
        assert caught.value.code == "no_relaxation"
        assert caught.value.value[:2] == tuple("abc"[index] for index in worst)
        assert caught.value.value[2] == pytest.approx(expected.min(), rel=1e-6)


def test_cards_of_other_blocks_are_refused_where_every_solution_is_negative():
    now, later = rr_engine.subset_selection(6, 0.5, k=3), rr_engine.card_deck(6, 0.6, k=2)
    for compute in (relaxation_kernel, exact_degradation):
        with pytest.raises(DesignError) as caught:
            compute(now, later)
        assert caught.value.code == "no_relaxation"
        assert caught.value.value[2] < 0


def test_a_later_device_that_mixes_truths_up_is_refused():
    mixed = DesignMatrix([[0.6, 0.6, 0.1], [0.4, 0.4, 0.9]])
    with pytest.raises(DesignError, match="mixes up") as caught:
        exact_degradation(rr_engine.k_rr(3, "0.1"), mixed)
    assert caught.value.code == "no_relaxation"
    with pytest.raises(DesignError, match="mixes up"):
        relaxation_kernel(rr_engine.k_rr(3, "0.1"), mixed)
    useless = UniformChannel(3, 2**30, 2**30, 3 * 2**30)
    for compute in (relaxation_kernel, exact_degradation):
        with pytest.raises(DesignError, match="mixes up"):
            compute(rr_engine.k_rr(3, 1), useless)


def test_a_device_on_the_edge_that_rounding_moves_is_told_apart():
    later = rr_engine.k_rr(3, 2)
    # The second and third report are merged: the degradation has zeros.
    merged = DesignMatrix([later.matrix[0], later.matrix[1] + later.matrix[2]])
    assert relaxation_kernel(merged, later).min() >= 0
    integers = later.quantized()
    sums = [integers.integers[0], integers.integers[1:].sum(axis=0)]
    exact = exact_degradation(DesignMatrix.from_integers(sums, 2**32), integers)
    assert exact.rows == ((1, 0, 0), (0, 1, 1))
    with pytest.raises(DesignError, match="rounding") as caught:
        exact_degradation(merged.quantized(20), integers)
    assert caught.value.code == "rounded_apart"
    with pytest.raises(DesignError) as caught:
        exact_degradation(later.quantized(32), later.quantized(24))
    assert caught.value.code == "rounded_apart"


def test_merged_cards_have_a_degradation_of_zeros_and_ones():
    cards = rr_engine.card_deck(6, 1).quantized()
    groups = np.arange(len(cards.reports)) % 7
    merged = np.array([cards.integers[groups == group].sum(axis=0) for group in range(7)])
    now = DesignMatrix.from_integers(merged, 2**32)
    check_exact(exact_degradation(now, cards), now, cards)


def test_designs_about_other_truths_are_refused():
    for compute in (relaxation_kernel, exact_degradation):
        with pytest.raises(CategoryError) as caught:
            compute(rr_engine.k_rr(3, 1), rr_engine.k_rr(4, 2))
        assert caught.value.code == "categories_differ"
        with pytest.raises(ArgumentError) as caught:
            compute(rr_engine.k_rr(3, 1), BitChannel.from_epsilon(3, 1))
        assert caught.value.code == "bits_beside_reports"
    with pytest.raises(CategoryError):
        exact_degradation(
            BitChannel.from_epsilon(3, 1), BitChannel.from_epsilon(3, 2, truths="set")
        )
    with pytest.raises(ArgumentError) as caught:
        exact_degradation(rr_engine.laplace(200, 1), rr_engine.laplace(200, 2))
    assert caught.value.code == "table_too_large"


def test_impossible_reports_are_refused():
    now, later = rr_engine.direct(3).quantized(), rr_engine.direct(3)
    degradation = exact_degradation(now, later)
    with pytest.raises(CategoryError) as caught:
        exact_kernel_weights(degradation, now, later, 1, 2)
    assert caught.value.code == "impossible_report"
    with pytest.raises(CategoryError) as caught:
        relax([0, 1], [0, 2], now, later, 1)
    assert caught.value.code == "impossible_report"
    certain = DesignMatrix.from_integers([[8, 4], [0, 4]], 8)
    with pytest.raises(CategoryError):
        relax([1], [0], certain, rr_engine.direct(2), 1)
    with pytest.raises(DesignError) as caught:
        exact_kernel_weights(UniformDegradation(3, 2, 1, 4), now, later, 1, 1)
    assert caught.value.code == "not_the_degradation"
    with pytest.raises(DesignError):
        exact_kernel_weights(UniformDegradation(4, 1, 1, 4), now, later, 1, 1)


@pytest.mark.parametrize(
    ("previous", "truth"), [([0.5], [0]), ([0], [3]), ([3], [0]), ([0, 1], [0]), ("no", [0])]
)
def test_reports_and_truths_are_checked(previous, truth):
    with pytest.raises(CategoryError):
        relax(previous, truth, rr_engine.k_rr(3, 1), rr_engine.k_rr(3, 2), 1)


def test_arrays_keep_their_shape():
    now, later = rr_engine.k_rr(3, 1), rr_engine.k_rr(3, 2)
    assert relax([[0, 1], [2, 2]], [[0, 0], [2, 1]], now, later, 1).shape == (2, 2)
    assert relax(0, 1, now, later, 1).shape == ()
    assert relax([], [], now, later, 1).tolist() == []


def test_a_degradation_is_stochastic_or_refused():
    with pytest.raises(DesignError):
        DenseDegradation([[3, 1], [1, 2]], 4)
    with pytest.raises(ArgumentError):
        DenseDegradation([[5, 0], [-1, 4]], 4)
    with pytest.raises(DesignError):
        UniformDegradation(3, 1, 1, 4)


# -- exact draws -----------------------------------------------------------------------------------


def numbers(source):
    """Random bytes that are the digits of given integers, one block for each."""
    blocks = iter(source)
    return lambda size: next(blocks).to_bytes(size, "big")


def test_every_number_below_the_sum_gives_its_report():
    now, later = UniformChannel(3, 6, 5, 16), UniformChannel(3, 12, 2, 16)
    degradation = exact_degradation(now, later)
    for previous in range(3):
        for truth in range(3):
            weights, total = exact_kernel_weights(degradation, now, later, previous, truth)
            drawn = [
                draw_relaxed(degradation, now, later, previous, truth, numbers([number]))
                for number in range(total)
            ]
            assert [drawn.count(report) for report in range(3)] == weights
            assert drawn == sorted(drawn)
    for report in range(3):
        drawn = [
            draw_degraded(degradation, report, numbers([number]))
            for number in range(degradation.denominator)
        ]
        assert [drawn.count(earlier) for earlier in range(3)] == degradation.column(report)


def test_a_draw_takes_the_bytes_of_its_sum_and_rejects_what_is_too_large():
    now, later = (rr_engine.card_deck(6, e).quantized() for e in ("0.5", "1"))
    degradation = exact_degradation(now, later)
    weights, total = exact_kernel_weights(degradation, now, later, 4, 2)
    size = -(-(total - 1).bit_length() // 8)
    assert size > 20
    asked = []

    def source(count):
        asked.append(count)
        return b"\xff" * count if len(asked) == 1 else (weights[0]).to_bytes(count, "big")

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
                weights, total = exact_kernel_weights(*pair, before, answer)
                source.append(total - 1)
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
    weights = [exact_kernel_weights(degradation, now, later, 1, bit) for bit in (0, 1, 0)]
    # The largest number below the sum is a set bit, the smallest a clear one.
    source = numbers([weights[0][1] - 1, 0, weights[2][0][0]])
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


# -- chains ------------------------------------------------------------------------------------------


def test_a_chain_is_an_event_of_the_accountant():
    chain = Chain([rr_engine.k_rr(3, e) for e in ("0.5", "1", "2")])
    event = chain.event(["0.5", "1", "2"])
    assert isinstance(event, rr_engine.Relaxation)
    assert total_epsilon(event) == 2
    # Never above the declared epsilon, and below it by rounding to integers alone.
    assert 2 - 1e-8 < chain.epsilon <= 2
    with pytest.raises(AccountingError) as caught:
        chain.event(["0.5", "1", "1.9"])
    assert caught.value.code == "declaration_not_kept"
    with pytest.raises(AccountingError) as caught:
        chain.event(["2"])
    assert caught.value.code == "not_a_chain"


def test_a_chain_that_does_not_hold_names_its_link():
    with pytest.raises(DesignError) as caught:
        Chain([rr_engine.k_rr(3, e) for e in (1, 2, 1.5)])
    assert (caught.value.argument, caught.value.code) == ("designs[1]", "no_relaxation")
    with pytest.raises(ArgumentError):
        Chain([])


def test_a_sampled_chain_has_the_law_of_the_chain():
    for designs in (lopsided(), [rr_engine.k_rr(3, e) for e in ("0.5", "1", "2")]):
        chain = Chain(designs)
        for truth in (0, 2):
            drawn = chain.sample(np.full(DRAWS, truth), 5)
            law = chain.law(truth)
            tuples, counts = np.unique(drawn, axis=0, return_counts=True)
            observed = dict(zip(map(tuple, tuples.tolist()), counts.tolist(), strict=True))
            assert set(observed) <= set(law)
            for reports, chance in law.items():
                expected = DRAWS * float(chance)
                # Within 5 standard errors of a count.
                assert abs(observed.get(reports, 0) - expected) < 5 * expected**0.5 + 1


def test_products_are_sampled_and_drawn():
    chain = Chain(PAIRS["product"])
    drawn = chain.sample(np.full(DRAWS, 4), 6)
    for position, design in enumerate(chain.designs):
        shares = np.bincount(drawn[:, position], minlength=6) / DRAWS
        # Within 5 standard errors (at most .0011 each).
        assert shares == pytest.approx(design.matrix[:, 4], abs=0.0056)
    assert all(0 <= report < 6 for report in chain.draw(4))
    with pytest.raises(ArgumentError) as caught:
        chain.law(0)
    assert caught.value.code == "table_not_available"
    with pytest.raises(ArgumentError) as caught:
        exact_kernel_weights(chain.degradations[0], *chain.designs, 0, 0)
    assert caught.value.code == "table_not_available"
    with pytest.raises(ArgumentError) as caught:
        Chain([rr_engine.k_rr(50, e) for e in (1, 2, 3)]).law(0)
    assert caught.value.code == "too_many_cells"


def test_a_chain_of_one_is_its_device():
    chain = Chain([rr_engine.k_rr(3, 1)])
    assert chain.degradations == ()
    assert chain.sample([0, 1], 1).shape == (2, 1)
    assert len(chain.draw(2)) == 1
