"""Refusals of what has no relaxation, with the entry that would be negative."""

from math import exp

import numpy as np
import pytest

import rr_engine
from rr_engine import (
    ArgumentError,
    BitChannel,
    CategoryError,
    DesignError,
    DesignMatrix,
    UniformChannel,
    UniformDegradation,
    exact_degradation,
    exact_kernel_weights,
    relax,
    relaxation_kernel,
)
from rr_engine.relaxation.degradation import DenseDegradation
from tests.engine.relaxation_cases import check_exact


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


def test_one_unit_of_rounding_is_told_apart_where_there_are_more_reports_than_truths():
    # The first report lies outside the cone of the others: only merging those gives it alone.
    scale = 2**26
    rows = np.array([[10, 2, 1], [3, 9, 2], [2, 3, 11], [1, 2, 2]]) * scale
    later = DesignMatrix.from_integers(rows, 16 * scale)
    first = rows[0]
    now = DesignMatrix.from_integers([first, 16 * scale - first], 16 * scale)
    assert exact_degradation(now, later).rows == ((1, 0, 0, 0), (0, 1, 1, 1))
    nudged = first + np.array([1, -1, 0])
    with pytest.raises(DesignError) as caught:
        exact_degradation(
            DesignMatrix.from_integers([nudged, 16 * scale - nudged], 16 * scale), later
        )
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
