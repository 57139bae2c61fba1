"""Subset selection and its small decks of cards."""

from itertools import combinations

import numpy as np
import pytest

from rr_engine import estimate, k_rr
from rr_engine.errors import ArgumentError, CategoryError, NotIdentifiableError
from rr_engine.optimisation import block_designs
from rr_engine.optimisation.block_designs import (
    best_subset_size,
    card_deck,
    minimax_value,
    subset_selection,
    worst_average_variance,
)
from rr_engine.optimisation.rotations import catalogue, incidence, rotated_blocks
from rr_engine.projection import project_to_simplex
from tests.engine.block_programs import balanced_blocks
from tests.engine.engine_cases import refusals
from tests.work import calls

# Fewest blocks of a balanced design: Colbourn & Dinitz, Handbook of Combinatorial Designs (2007),
# table II.1.1; (8, 3) needs all 56 subsets.
KNOWN = {(4, 2): 6, (6, 2): 15, (7, 3): 7, (10, 4): 15, (10, 3): 30, (6, 3): 10, (8, 3): 56}
KNOWN |= {(9, 3): 12, (8, 4): 14, (13, 4): 13, (11, 5): 11, (15, 3): 35, (5, 1): 5, (7, 4): 7}
# Excess of k-ary randomized response over the optimum, in percent: OPTIMAL's list, section 2.
WASTE = {(10, 0.5): 91, (10, 1): 40, (10, 2): 0, (6, 0.5): 33, (6, 1): 7, (4, 0.5): 3, (4, 1): 0}


def pair_counts(blocks, points):
    held = incidence(list(blocks), points)
    together = held.T @ held
    return {int(together[pair]) for pair in combinations(range(points), 2)}


@pytest.mark.parametrize(("points", "size"), KNOWN)
def test_smallest_balanced_designs_have_the_known_number_of_blocks(points, size):
    for blocks in (card_deck(points, 1, k=size).subsets, balanced_blocks(points, size, most=60)):
        assert len(blocks) == KNOWN[points, size]
        assert len(pair_counts(blocks, points)) == 1
        assert {len(block) for block in blocks} == {size}


@pytest.mark.parametrize("points", range(4, 51))
def test_catalogued_blocks_hold_every_point_equally_often(points):
    assert catalogue(points)
    for blocks in catalogue(points):
        held = incidence(list(blocks), points)
        assert len(set(held.sum(axis=1))) == 1
        assert len(set(held.sum(axis=0))) == 1
        assert len(blocks) <= (60 if points <= 30 else 2 * points)


def test_classical_families_are_balanced():
    # Planes of 25, 31 and 49 points; difference sets of 31, 36, 37, 40, 43, 45 and 47; a residual.
    classical = {(25, 5): 30, (31, 6): 31, (49, 7): 56, (31, 15): 31, (36, 15): 36, (37, 9): 37}
    classical |= {(40, 13): 40, (43, 21): 43, (45, 12): 45, (47, 23): 47, (28, 7): 36}
    for (points, size), subsets in classical.items():
        deck = card_deck(points, 1, k=size)
        assert len(deck.subsets) == subsets
        assert len(pair_counts(deck.subsets, points)) == 1


@pytest.mark.slow
def test_decks_are_made_at_once_and_cost_little_for_up_to_fifty_options():
    for points in range(4, 51):
        for epsilon, most in ((0.1, 0.021), (0.3, 0.025), (0.5, 0.03), (1, 0.05), (1.5, 0.07)):
            for function in (
                block_designs._catalogue,
                block_designs._search_blocks,
                catalogue,
                rotated_blocks,
            ):
                function.cache_clear()
            # 31,459 at most; a search through subsets takes millions.
            deck, called = calls(card_deck, points, epsilon)
            assert called < 200_000
            assert deck.excess < most
            assert len(deck.subsets) <= (60 if points <= 30 else 2 * points)


def test_fewer_and_more_cards_than_usual():
    assert len(card_deck(50, 0.5, most_cards=50).subsets) == 50
    assert card_deck(50, 0.5, most_cards=50).excess < 0.2
    assert card_deck(20, 1, most_cards=100).excess < card_deck(20, 1).excess
    assert card_deck(60, 0.5).excess < 0.05
    with pytest.raises(NotIdentifiableError, match="most_cards"):
        card_deck(4, 1, k=2, most_cards=4)


@pytest.mark.slow
@pytest.mark.parametrize("points", [2, 3, 8, 17, 30, 31, 50])
def test_any_size_of_card_makes_a_deck(points):
    for size in range(1, points):
        deck = card_deck(points, 0.5, k=size)
        assert deck.subset_size == size
        assert np.isfinite(deck.variance)


def test_a_budget_near_zero_keeps_its_digits_or_is_refused():
    # (n-1)^2 n^2 / (n^2 k (n-k) eps^2) as epsilon goes to zero: k = n/2 is best.
    assert minimax_value(4, "1e-12") == pytest.approx(9 / 4 / 1e-24, rel=1e-9)
    assert best_subset_size(10, "1e-50") == 5
    with pytest.raises(NotIdentifiableError, match="linearly independent"):
        card_deck(4, "1e-20")


@pytest.mark.parametrize(("points", "size"), [(20, 5), (25, 9), (33, 13)])
def test_rotated_blocks_hold_every_point_equally_often(points, size):
    blocks = rotated_blocks(points, size, 66)
    held = incidence(list(blocks), points)
    assert len(set(held.sum(axis=0))) == 1
    assert set(held.sum(axis=1)) == {size}
    assert np.ptp(sorted(pair_counts(blocks, points))) <= 2


@pytest.mark.parametrize(("size", "epsilon"), WASTE)
def test_k_ary_response_wastes_what_is_known(size, epsilon):
    excess = minimax_value(size, epsilon, k=1) / minimax_value(size, epsilon) - 1
    assert round(100 * excess) == WASTE[size, epsilon]
    # The value of k = 1 by the engine's own mean squared error of k-ary randomized response.
    equal = np.full(size, 1 / size)
    assert minimax_value(size, epsilon, k=1) == pytest.approx(k_rr(size, epsilon).mse(equal, 1))


@pytest.mark.parametrize("size", [4, 7, 10])
@pytest.mark.parametrize("epsilon", [0.2, 0.5, 1, 2])
def test_balanced_decks_reach_the_value_of_all_the_subsets(size, epsilon):
    deck, subsets = card_deck(size, epsilon), subset_selection(size, epsilon)
    equal = np.full(size, 1 / size)
    for design in (deck, subsets):
        assert design.mse(equal, 1) == pytest.approx(minimax_value(size, epsilon), rel=1e-9)
        assert design.variance == pytest.approx(minimax_value(size, epsilon), rel=1e-9)
        assert design.excess == pytest.approx(0, abs=1e-9)
    assert deck.subset_size == subsets.subset_size == best_subset_size(size, epsilon)
    assert len(deck.subsets) <= 60


@pytest.mark.parametrize(("size", "epsilon"), [(7, "0.5"), (10, "1"), (20, "1"), (33, "0.7")])
def test_decks_keep_their_epsilon_exactly_when_quantized(size, epsilon):
    deck = card_deck(size, epsilon)
    exact = deck.quantized()
    assert exact.epsilon_at_most(epsilon)
    assert exact.epsilon == pytest.approx(float(epsilon), rel=1e-6)
    assert deck.reports == exact.reports
    assert len(set(deck.reports)) == len(deck.subsets)


def test_a_card_with_the_truth_is_e_to_the_epsilon_times_as_likely():
    deck = card_deck(["a", "b", "c", "d"], 0.5, k=2)
    assert deck.reports[0] == "a | b"
    for card, row in zip(deck.subsets, deck.matrix, strict=True):
        chances = {round(chance, 12) for chance in row[list(card)]}
        others = {round(chance, 12) for chance in np.delete(row, list(card))}
        assert len(chances) == len(others) == 1
        assert chances.pop() / others.pop() == pytest.approx(np.exp(0.5))


@pytest.mark.parametrize(("size", "epsilon"), [(20, 0.5), (14, 0.5)])
def test_the_worst_case_of_a_near_balanced_deck_is_its_largest_variance(size, epsilon):
    deck = card_deck(size, epsilon)
    generator = np.random.default_rng(4)
    trials = generator.dirichlet(np.full(size, 0.7), size=300)
    weights = np.linalg.pinv(deck.matrix / np.sqrt(deck.matrix.mean(axis=1))[:, None])
    scores = weights / np.sqrt(deck.matrix.mean(axis=1))
    for shares in trials:
        reported = deck.matrix @ shares
        covariance = scores @ (np.diag(reported) - np.outer(reported, reported)) @ scores.T
        assert np.trace(covariance) / size <= deck.variance * (1 + 1e-9)
    assert 0 <= deck.excess < 0.02


def test_far_fewer_respondents_than_k_ary_response_with_many_options():
    assert card_deck(50, 0.5).variance < 0.15 * minimax_value(50, 0.5, k=1)


def test_estimates_from_cards_are_unbiased_in_expectation():
    deck = card_deck(7, 1, k=3)
    shares = project_to_simplex(np.array([0.4, 0.25, 0.15, 0.1, 0.05, 0.03, 0.02]))
    counts = np.rint(deck.matrix @ shares * 10**9).astype(np.int64)
    assert estimate(deck, counts).proportions == pytest.approx(shares, abs=1e-8)


def test_worst_case_of_k_ary_response_is_at_equal_shares():
    assert worst_average_variance(k_rr(5, 1).matrix) == pytest.approx(minimax_value(5, 1, k=1))


test_refuses_what_makes_no_deck = refusals(
    "words",
    ("k must", lambda: card_deck(5, 1, k=5), ArgumentError),
    ("k must", lambda: card_deck(5, 1, k=0), ArgumentError),
    ("most_cards must", lambda: card_deck(5, 1, most_cards=4), ArgumentError),
    ("at most 300", lambda: card_deck(301, 1), CategoryError),
    ("card_deck", lambda: subset_selection(40, 0.1), CategoryError),
    ("categories must", lambda: best_subset_size(1, 1), CategoryError),
)
