"""Designs that are made to fit into a chain."""

import numpy as np
import pytest

import rr_engine
from rr_engine import (
    DesignError,
    DesignMatrix,
    EngineError,
    EpsilonError,
    exact_degradation,
    library,
    relaxable_next,
    sharpened,
)
from rr_engine.library import Chain, degraded_copy
from rr_engine.privacy.loss import ratio_at_most


def uneven(seed, reports, truths, epsilon):
    """A table that mostly tells the truth, uneven like searched ones, of at most this epsilon."""
    uniforms = np.random.default_rng(seed).random((reports, truths))
    weights = np.exp(epsilon * (uniforms + np.eye(reports, truths)) / 4)
    return DesignMatrix(weights / weights.sum(axis=0), declared_epsilon=str(epsilon))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("first", "second"), [(4, 4), (4, 6), (6, 4)])
def test_a_degraded_copy_is_exact_and_keeps_to_its_epsilon(seed, first, second):
    later = uneven(seed, second, 4, 2).quantized()
    target = uneven(seed + 100, first, 4, 1)
    design, degradation = degraded_copy(later, target)
    assert design.epsilon_at_most("1")
    assert (degradation.integers @ later.integers == design.integers).all()
    assert degradation.denominator * later.denominator == design.denominator <= 2**52
    assert Chain([design, later]).likelihood_ratio_bound == later.likelihood_ratio_bound


def test_the_degraded_copy_of_a_device_that_fits_is_that_device():
    later = rr_engine.k_rr(4, 2).quantized()
    design, _ = degraded_copy(later, rr_engine.k_rr(4, 1))
    # 20 bits are left for the degradation.
    assert design.matrix == pytest.approx(rr_engine.k_rr(4, 1).matrix, abs=2e-6)
    with pytest.raises(DesignError) as caught:
        degraded_copy(later, rr_engine.k_rr(4, 1), bits=32)
    assert caught.value.code == "too_few_bits"


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 6, 7])
def test_a_next_device_is_found_where_the_target_does_not_fit(seed):
    now, target = uneven(seed, 4, 4, 1).quantized(), uneven(seed + 50, 4, 4, 2)
    with pytest.raises(DesignError):
        exact_degradation(now, target)
    later = relaxable_next(now, target)
    assert ratio_at_most(later.likelihood_ratio_bound, target.declared_epsilon)
    assert exact_degradation(now, later).next_size == 4
    # Nearer to the target than the device in use is.
    assert distance(later, target) < distance(now, target)
    chain = Chain([now, later])
    assert chain.likelihood_ratio_bound > now.likelihood_ratio_bound


def distance(first, second):
    return np.abs(first.matrix - second.matrix).sum()


def test_a_target_that_fits_is_kept():
    now = rr_engine.card_deck(6, "0.5").quantized()
    target = rr_engine.card_deck(6, "1")
    assert relaxable_next(now, target) == target.quantized()


def test_what_cannot_be_repaired_is_refused():
    now = rr_engine.subset_selection(6, 0.5, k=3).quantized()
    with pytest.raises(DesignError) as caught:
        relaxable_next(now, rr_engine.card_deck(6, 0.6, k=2))
    assert caught.value.code == "no_relaxation"
    with pytest.raises(DesignError) as caught:
        relaxable_next(rr_engine.k_rr(3, 2).quantized(), rr_engine.k_rr(3, 1))
    assert caught.value.code == "no_relaxation"
    with pytest.raises(EngineError):
        relaxable_next(rr_engine.k_rr(3, 2), rr_engine.UniformChannel(3, 4, 1, 6))


@pytest.mark.parametrize("size", [5, 6, 7, 10, 13, 16, 30])
def test_the_same_cards_at_a_higher_epsilon_need_few_integers(size):
    now = rr_engine.card_deck(size, "0.5").quantized()
    later = sharpened(now, "1")
    assert later.epsilon_at_most("1")
    # A factor is one of 2**20 to 2**21, in steps of at most 60.
    assert later.epsilon > 0.9998
    same_cards = rr_engine.card_deck(size, "1", k=now_size(size))
    if same_cards.reports == now.reports:
        assert later.matrix == pytest.approx(same_cards.matrix, abs=1e-5)
    degradation = exact_degradation(now, later)
    assert isinstance(degradation, library.UniformDegradation)
    assert degradation.denominator < 2**32
    chain = Chain([now, later])
    assert chain.likelihood_ratio_bound == later.likelihood_ratio_bound


def now_size(size):
    return rr_engine.card_deck(size, "0.5").subset_size


@pytest.mark.parametrize("seed", range(4))
def test_any_table_can_be_sharpened(seed):
    now = uneven(seed, 5, 4, 1).quantized()
    later = sharpened(now, "2.5")
    assert later.epsilon_at_most("2.5")
    assert later.epsilon > 2.499
    degradation = exact_degradation(now, later)
    degraded = degradation.integers @ later.integers * now.denominator
    expected = now.integers.astype(object) * later.denominator * degradation.denominator
    assert (degraded == expected).all()


def test_sharpening_is_refused_where_there_is_nothing_to_take_out():
    now = rr_engine.k_rr(3, 1).quantized()
    with pytest.raises(EpsilonError) as caught:
        sharpened(now, "0.9")
    assert caught.value.code == "epsilon_too_small"
    with pytest.raises(EpsilonError):
        sharpened(rr_engine.direct(3), "2")
    with pytest.raises(DesignError) as caught:
        sharpened(now, "2", bits=32)
    assert caught.value.code == "too_few_bits"
    assert sharpened(now, "2").matrix == pytest.approx(rr_engine.k_rr(3, 2).matrix, abs=1e-6)
