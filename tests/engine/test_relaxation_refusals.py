"""Refusals of what has no relaxation, with the entry that would be negative."""

from math import exp

import numpy as np
import pytest

import rr_engine as rr
from rr_engine.relaxation.degradation import DenseDegradation
from tests.engine.engine_cases import refusal
from tests.engine.relaxation_cases import check_exact


def both_refusals(now, later):
    """Return what the kernel and the degradation say of two devices without a relaxation."""
    return [
        refusal(compute, now, later)
        for compute in (rr.relaxation.relaxation_kernel, rr.relaxation.exact_degradation)
    ]


def test_a_falling_epsilon_is_refused_with_the_entry():
    for error in both_refusals(*(rr.k_rr(["a", "b", "c"], epsilon) for epsilon in (2, 1))):
        assert error.code == "no_relaxation"
        assert "degraded copy" in str(error)
        previous, later, chance = error.value
        assert (previous, later) == ("a", "b")
        # (1 - r) / 3 with the ratio r of the gaps.
        gaps = [(exp(e) - 1) / (exp(e) + 2) for e in (2, 1)]
        assert chance == pytest.approx((1 - gaps[0] / gaps[1]) / 3, rel=1e-6)


def test_tables_that_do_not_fit_are_refused_with_the_worst_entry():
    now = rr.DesignMatrix([[0.6, 0.2, 0.2], [0.3, 0.5, 0.3], [0.1, 0.3, 0.5]], ["a", "b", "c"])
    later = rr.k_rr(["a", "b", "c"], 1.2)
    expected = now.matrix @ np.linalg.inv(later.matrix)
    worst = np.unravel_index(expected.argmin(), expected.shape)
    assert expected.min() < 0
    for error in both_refusals(now, later):
        assert error.code == "no_relaxation"
        assert error.value[:2] == tuple("abc"[index] for index in worst)
        assert error.value[2] == pytest.approx(expected.min(), rel=1e-6)


def test_cards_of_other_blocks_are_refused_where_every_solution_is_negative():
    now, later = rr.designs.subset_selection(6, 0.5, k=3), rr.designs.card_deck(6, 0.6, k=2)
    for error in both_refusals(now, later):
        assert error.code == "no_relaxation"
        assert error.value[2] < 0


def test_a_later_device_that_mixes_truths_up_is_refused():
    mixed = rr.DesignMatrix([[0.6, 0.6, 0.1], [0.4, 0.4, 0.9]])
    useless = rr.channels.UniformChannel(3, 2**30, 2**30, 3 * 2**30)
    for pair in ((rr.k_rr(3, "0.1"), mixed), (rr.k_rr(3, 1), useless)):
        for error in both_refusals(*pair):
            assert error.code == "no_relaxation"
            assert "mixes up" in str(error)


def test_a_device_on_the_edge_that_rounding_moves_is_told_apart():
    later = rr.k_rr(3, 2)
    # The second and third report are merged: the degradation has zeros.
    merged = rr.DesignMatrix([later.matrix[0], later.matrix[1] + later.matrix[2]])
    assert rr.relaxation.relaxation_kernel(merged, later).min() >= 0
    integers = later.quantized()
    sums = [integers.integers[0], integers.integers[1:].sum(axis=0)]
    exact = rr.relaxation.exact_degradation(rr.DesignMatrix.from_integers(sums, 2**32), integers)
    assert exact.rows == ((1, 0, 0), (0, 1, 1))
    for now, coarser in ((merged.quantized(20), integers), (integers, later.quantized(24))):
        error = refusal(rr.relaxation.exact_degradation, now, coarser)
        assert error.code == "rounded_apart"
        assert "rounding" in str(error)


def test_one_unit_of_rounding_is_told_apart_where_there_are_more_reports_than_truths():
    # The first report lies outside the cone of the others: only merging those gives it alone.
    scale = 2**26
    rows = np.array([[10, 2, 1], [3, 9, 2], [2, 3, 11], [1, 2, 2]]) * scale
    later = rr.DesignMatrix.from_integers(rows, 16 * scale)

    def first_alone(first):
        return rr.DesignMatrix.from_integers([first, 16 * scale - first], 16 * scale)

    assert rr.relaxation.exact_degradation(first_alone(rows[0]), later).rows == (
        (1, 0, 0, 0),
        (0, 1, 1, 1),
    )
    nudged = first_alone(rows[0] + np.array([1, -1, 0]))
    assert refusal(rr.relaxation.exact_degradation, nudged, later).code == "rounded_apart"


def test_merged_cards_have_a_degradation_of_zeros_and_ones():
    cards = rr.designs.card_deck(6, 1).quantized()
    groups = np.arange(len(cards.reports)) % 7
    merged = np.array([cards.integers[groups == group].sum(axis=0) for group in range(7)])
    now = rr.DesignMatrix.from_integers(merged, 2**32)
    check_exact(rr.relaxation.exact_degradation(now, cards), now, cards)


def test_designs_about_other_truths_are_refused():
    three, bits = rr.k_rr(3, 1), rr.channels.BitChannel.from_epsilon(3, 1)
    for later, code in ((rr.k_rr(4, 2), "categories_differ"), (bits, "bits_beside_reports")):
        assert [error.code for error in both_refusals(three, later)] == [code] * 2
    with pytest.raises(rr.errors.CategoryError):
        rr.relaxation.exact_degradation(
            bits, rr.channels.BitChannel.from_epsilon(3, 2, truths="set")
        )
    error = refusal(
        rr.relaxation.exact_degradation, rr.designs.laplace(200, 1), rr.designs.laplace(200, 2)
    )
    assert error.code == "table_too_large"


def test_impossible_reports_are_refused():
    now, later = rr.designs.direct(3).quantized(), rr.designs.direct(3)
    degradation = rr.relaxation.exact_degradation(now, later)
    error = refusal(rr.relaxation.exact_kernel_weights, degradation, now, later, 1, 2)
    assert (
        error.code
        == refusal(rr.relaxation.relax, [0, 1], [0, 2], now, later, 1).code
        == "impossible_report"
    )
    certain = rr.DesignMatrix.from_integers([[8, 4], [0, 4]], 8)
    assert isinstance(
        refusal(rr.relaxation.relax, [1], [0], certain, rr.designs.direct(2), 1),
        rr.errors.CategoryError,
    )
    for other in (
        rr.relaxation.UniformDegradation(3, 2, 1, 4),
        rr.relaxation.UniformDegradation(4, 1, 1, 4),
    ):
        error = refusal(rr.relaxation.exact_kernel_weights, other, now, later, 1, 1)
        assert isinstance(error, rr.errors.DesignError)
        assert other.size == 4 or error.code == "not_the_degradation"


@pytest.mark.parametrize(
    ("previous", "truth"), [([0.5], [0]), ([0], [3]), ([3], [0]), ([0, 1], [0]), ("no", [0])]
)
def test_reports_and_truths_are_checked(previous, truth):
    with pytest.raises(rr.errors.CategoryError):
        rr.relaxation.relax(previous, truth, rr.k_rr(3, 1), rr.k_rr(3, 2), 1)


def test_arrays_keep_their_shape():
    now, later = rr.k_rr(3, 1), rr.k_rr(3, 2)
    assert rr.relaxation.relax([[0, 1], [2, 2]], [[0, 0], [2, 1]], now, later, 1).shape == (2, 2)
    assert rr.relaxation.relax(0, 1, now, later, 1).shape == ()
    assert rr.relaxation.relax([], [], now, later, 1).tolist() == []


def test_a_degradation_is_stochastic_or_refused():
    with pytest.raises(rr.errors.DesignError):
        DenseDegradation([[3, 1], [1, 2]], 4)
    with pytest.raises(rr.errors.ArgumentError):
        DenseDegradation([[5, 0], [-1, 4]], 4)
    with pytest.raises(rr.errors.DesignError):
        rr.relaxation.UniformDegradation(3, 1, 1, 4)
