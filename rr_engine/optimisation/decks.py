"""Devices whose report is a card that shows several categories: the minimax devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import combinations
from math import comb, exp

import numpy as np
import numpy.typing as npt

from rr_engine.design import DesignMatrix
from rr_engine.errors import CategoryError, NotIdentifiableError
from rr_engine.optimisation.blocks import Block, block_names, complements, incidence
from rr_engine.optimisation.card_sizes import (
    best_card_size,
    check_card_size,
    minimax_at,
    minimax_value,
)
from rr_engine.optimisation.rotations import MOST_BASES, catalogued, rotated_blocks
from rr_engine.precision import (
    CONDITION_LIMIT,
    check_identifiable,
    condition_number,
    left_inverse,
)
from rr_engine.projection import project_to_simplex
from rr_engine.validation import (
    FloatArray,
    IntArray,
    check_categories,
    check_epsilon,
    check_whole,
)

MOST_SUBSETS = 20_000
# Cards in a deck: so many, or above MANY categories two for each.
MOST_CARDS, MANY = 60, 30
MOST_CATEGORIES = 300
# Card sizes beside the best that are searched where the catalogue has nothing.
NEIGHBOURS = 2
# Decks as near to the best as this are equally good; then the smaller one is taken.
TIE = 1 + 1e-4
SMALL = 1e-9


@dataclass(frozen=True, slots=True)
class Family:
    """Blocks, and how many times the error of balanced ones they have; see :func:`_waste`."""

    blocks: tuple[Block, ...]
    waste: float


@dataclass(frozen=True, slots=True, eq=False, init=False)
class CardDeck(DesignMatrix):
    """A design whose reports are cards.

    Attributes
    ----------
    cards : tuple of tuple of int
        Categories that each report shows, in the order of the reports.
    variance : float
        n times the average variance of the shares, for n respondents, under the proportions that
        are worst for this deck.
    excess : float
        How far that lies above the minimax value, relatively; 0 for a balanced deck of the best
        card size, but for rounding.
    """

    cards: tuple[Block, ...]
    variance: float
    excess: float

    def __init__(
        self,
        matrix: npt.ArrayLike,
        categories: Sequence[str],
        reports: Sequence[str],
        epsilon: Decimal,
        cards: tuple[Block, ...],
        variance: float,
        excess: float,
    ) -> None:
        # A class with slots is made anew, so that `super()` would not find it.
        DesignMatrix.__init__(self, matrix, categories, reports, epsilon)
        self._set("cards", cards)
        self._set("variance", variance)
        self._set("excess", excess)

    @property
    def card_size(self) -> int:
        """Number of categories on each card."""
        return len(self.cards[0])


def subset_selection(
    categories: int | Sequence[str], epsilon: Decimal | str | float, k: int | None = None
) -> CardDeck:
    """Report a random subset of k categories, more often one that holds the truth.

    Parameters
    ----------
    categories : int or sequence of str
        At most 10,000, which take some ten seconds where a subset is a single one.
    epsilon : Decimal, str or float
    k : int, optional
        Categories in a report, from 1 (k-ary randomized response) to one less than all. Left out:
        the best.

    Returns
    -------
    CardDeck
        One report for each of the subsets; a subset with the truth is e**epsilon times as likely
        as one without.

    Raises
    ------
    CategoryError
        When there are more than 20,000 subsets; :func:`card_deck` does with far fewer reports.

    References
    ----------
    .. [1] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation Under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64 (2018), 5662-5676.

    Examples
    --------
    >>> design = subset_selection(4, 1)
    >>> design.card_size, len(design.reports), round(design.excess, 9)
    (1, 4, 0.0)
    """
    labels, budget = check_categories(categories), check_epsilon(epsilon)
    size = len(labels)
    shown = best_card_size(size, budget) if k is None else check_card_size(k, size)
    if comb(size, shown) > MOST_SUBSETS:
        rule = f"have at most {MOST_SUBSETS} subsets of {shown}; card_deck needs fewer reports"
        raise CategoryError("categories", categories, rule, "too_many_subsets")
    return _usable(_deck(labels, budget, list(combinations(range(size), shown))))


def card_deck(
    categories: int | Sequence[str],
    epsilon: Decimal | str | float,
    k: int | None = None,
    most_cards: int | None = None,
) -> CardDeck:
    """Subset selection with a small deck: a few cards instead of all the subsets.

    Parameters
    ----------
    categories : int or sequence of str
    epsilon : Decimal, str or float
    k : int, optional
        Categories on a card. Left out: whatever gives the smallest worst case among decks of at
        most `most_cards`.
    most_cards : int, optional
        At least the number of categories; 60 when left out, or twice the categories above 30.

    Returns
    -------
    CardDeck
        Balanced where such a deck is known: every category, and every pair, on equally many
        cards. Then it is exactly as accurate as all the subsets. Otherwise every category is on
        equally many cards and pairs are as even as was found; `excess` says what that costs.

    Raises
    ------
    CategoryError
        When there are more than 300 categories.
    NotIdentifiableError
        When no deck of `most_cards` with k categories on a card tells all categories apart.

    Notes
    -----
    The device draws a card with the true category with probability ``k e**eps / (k e**eps + n -
    k)``, otherwise one without. Which blocks are best depends on the epsilon through k alone.

    References
    ----------
    .. [1] M. Ye and A. Barg, "Optimal Schemes for Discrete Distribution Estimation under Locally
       Differential Privacy", IEEE Transactions on Information Theory 64, 2018, section III.
    .. [2] C. J. Colbourn and J. H. Dinitz (editors), "Handbook of Combinatorial Designs", second
       edition, CRC 2007, part II (balanced incomplete block designs).

    Examples
    --------
    >>> deck = card_deck(7, 0.5, k=3)
    >>> len(deck.cards), deck.quantized().epsilon_at_most("0.5")
    (7, True)
    """
    labels, budget = check_categories(categories), check_epsilon(epsilon)
    size = len(labels)
    if size > MOST_CATEGORIES:
        rule = f"be at most {MOST_CATEGORIES} for a deck"
        raise CategoryError("categories", categories, rule, "too_many_categories", MOST_CATEGORIES)
    usual = MOST_CARDS if size <= MANY else 2 * size
    limit = usual if most_cards is None else check_whole(most_cards, "most_cards", minimum=size)
    if k is None and limit == usual and catalogued(size):
        families = list(_known(size))
    else:
        # Searches end somewhere, and so do integers that are quick to compare.
        most = min(limit, max(usual, MOST_BASES * size))
        families = _families(size, most, _sizes(size, budget, k))
    if not families:
        rule = f"allow decks that tell {size} categories apart: more cards, or another k"
        raise NotIdentifiableError("most_cards", most_cards, rule, "no_identifying_deck")
    errors = [minimax_at(size, budget, len(f.blocks[0])) * f.waste for f in families]
    near = [f for f, error in zip(families, errors, strict=True) if error <= min(errors) * TIE]
    chosen = min(near, key=lambda family: len(family.blocks))
    return _usable(_deck(labels, budget, list(chosen.blocks)))


def _sizes(size: int, epsilon: Decimal, k: int | None) -> tuple[int, ...]:
    """Return the numbers of categories on a card that are worth a look, the best first."""
    if k is not None:
        return (check_card_size(k, size),)
    wanted = best_card_size(size, epsilon)
    near = sorted(range(1, size), key=lambda some: (abs(some - wanted), some))
    return (*near[: 2 * NEIGHBOURS + 1], 1)


def _families(size: int, limit: int, sizes: tuple[int, ...]) -> list[Family]:
    """Return what the catalogue has of these sizes; where that is uneven, search as well."""
    known = [family for family in _known(size) if len(family.blocks) <= limit]
    turned = [Family(complements(family.blocks, size), family.waste) for family in known]
    found = [family for family in (*known, *turned) if len(family.blocks[0]) in sizes]
    balanced = {len(family.blocks[0]) for family in found if family.waste < TIE}
    for shown in sorted(set(sizes) - balanced):
        blocks = _searched(size, shown, limit)
        found += [Family(blocks, _waste(blocks, size))] if blocks else []
    return found


@lru_cache(maxsize=64)
def _known(size: int) -> tuple[Family, ...]:
    """Return the families of the catalogue and the single categories."""
    single = tuple((point,) for point in range(size))
    return tuple(Family(blocks, _waste(blocks, size)) for blocks in (*catalogued(size), single))


@lru_cache(maxsize=256)
def _searched(size: int, shown: int, limit: int) -> tuple[Block, ...] | None:
    if 2 * shown > size:
        found = _searched(size, size - shown, limit)
        return found and complements(found, size)
    return rotated_blocks(size, shown, limit)


def _waste(blocks: Sequence[Block], size: int) -> float:
    """Return how many times the error of a balanced deck uneven pairs cost, at least 1.

    The error at equal shares is that of balanced blocks with every eigenvalue of the concurrences,
    but for the largest, replaced by their harmonic mean; and here that is the worst case. With B
    the incidence (blocks x points) the concurrences are B'B, and the waste is the arithmetic mean
    of those eigenvalues over their harmonic one.
    """
    held = incidence(list(blocks), size)
    values = np.linalg.eigvalsh((held.T @ held).astype(float))[:-1]
    return float(values.mean() * (1 / np.maximum(values, SMALL)).mean())


def _usable(deck: CardDeck) -> CardDeck:
    """Refuse a deck whose cards say too little at this budget to estimate anything."""
    check_identifiable(deck.matrix)
    return deck


def _deck(labels: tuple[str, ...], epsilon: Decimal, blocks: list[Block]) -> CardDeck:
    size = len(labels)
    held = incidence(blocks, size)
    matrix = _matrix(held, float(epsilon))
    variance = worst_average_variance(matrix)
    least = minimax_value(size, epsilon)
    return CardDeck(
        matrix,
        labels,
        block_names(blocks, labels),
        epsilon,
        cards=tuple(blocks),
        variance=variance,
        excess=variance / least - 1,
    )


def _matrix(held: IntArray, epsilon: float) -> FloatArray:
    """Chances of the cards: e**epsilon to 1 for cards with and without the truth."""
    weights = np.where(held > 0, 1.0, exp(-epsilon))
    return weights / weights.sum(axis=0)


def worst_average_variance(matrix: FloatArray) -> float:
    """Return n times the average variance of the shares under the worst proportions.

    For the linear estimator that weighs reports as equal proportions would have them: its variance
    is ``c . pi - |pi|**2`` with ``c_v = sum_u P[u, v] |g_u|**2``, and the largest value over the
    simplex is at the point nearest to c / 2.
    """
    if not condition_number(matrix) < CONDITION_LIMIT:
        return float("inf")
    scores = left_inverse(matrix)
    costs = (scores**2).sum(axis=0) @ matrix
    worst = project_to_simplex(costs / 2)
    return float(costs @ worst - worst @ worst) / matrix.shape[1]
