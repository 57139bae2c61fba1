"""Orders of items: their numbers, their distances, and the ranks of items in them.

An order is a tuple of items, from 0, the first one first; orders are numbered as they are sorted.
The distance of two is Kendall's: the pairs of items that they put the other way round.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from rr_engine.arrays import FloatArray, IntArray, freeze

# The orders of more items are too many to be scrambled with any use: 5,040 of seven.
MOST_ITEMS = 6


@lru_cache(maxsize=MOST_ITEMS)
def all_orders(items: int) -> tuple[tuple[int, ...], ...]:
    """Return all orders of items 0, 1, ..., by their numbers."""
    return tuple(permutations(range(items)))


def number_of_order(order: Sequence[int]) -> int:
    """Return the number of an order: how many are sorted before it (Lehmer 1960).

    Examples
    --------
    >>> number_of_order([0, 1, 2]), number_of_order([2, 1, 0])
    (0, 5)
    """
    size = len(order)
    return sum(
        sum(later < item for later in order[place + 1 :]) * factorial(size - 1 - place)
        for place, item in enumerate(order)
    )


@lru_cache(maxsize=MOST_ITEMS)
def distance_counts(items: int) -> tuple[int, ...]:
    """Return how many orders are at each distance from any one: 1, items - 1, ... (Mahonian).

    Examples
    --------
    >>> distance_counts(4)
    (1, 3, 5, 6, 5, 3, 1)
    """
    counts = [1]
    for size in range(2, items + 1):
        counts = np.convolve(counts, np.ones(size, dtype=np.int64)).tolist()
    return tuple(map(int, counts))


def rank_pairs(items: int) -> list[tuple[int, int]]:
    """Return the ranks, from 0, that two items can have: those of the first run slowest."""
    return [(a, b) for a in range(items) for b in range(items) if a != b]


def inversions(order: Sequence[int]) -> int:
    """Return the number of pairs that are not in the order of the items."""
    places = range(len(order))
    return sum(order[a] > order[b] for a in places for b in places[a + 1 :])


@lru_cache(maxsize=MOST_ITEMS)
def distances_of_orders(items: int) -> IntArray:
    """Return Kendall's distance of each two orders, shape (orders, orders)."""
    places = np.argsort(np.array(all_orders(items)), axis=1)
    first, second = np.triu_indices(items, 1)
    signs = np.where(places[:, first] < places[:, second], 1, -1)
    return freeze((len(first) - signs @ signs.T) // 2)


@lru_cache(maxsize=MOST_ITEMS)
def rank_counts(items: int) -> IntArray:
    """Return how many exchanges of places with d inversions show, at rank r, what was at rank s.

    Shape (distances, items, items).
    """
    counts = np.zeros((len(distance_counts(items)), items, items), dtype=np.int64)
    for exchange in all_orders(items):
        counts[inversions(exchange), range(items), exchange] += 1
    return freeze(counts)


@lru_cache(maxsize=MOST_ITEMS)
def pair_counts(items: int) -> IntArray:
    """Return the same of the ranks of two items, shape (distances, pairs, pairs)."""
    pairs = rank_pairs(items)
    numbers = {pair: number for number, pair in enumerate(pairs)}
    counts = np.zeros((len(distance_counts(items)), len(pairs), len(pairs)), dtype=np.int64)
    for exchange in all_orders(items):
        origins = [numbers[exchange[a], exchange[b]] for a, b in pairs]
        counts[inversions(exchange), range(len(pairs)), origins] += 1
    return freeze(counts)


def ranks_of_orders(items: int) -> IntArray:
    """Return the rank, from 0, of each item in each order, shape (orders, items)."""
    return freeze(np.argsort(np.array(all_orders(items)), axis=1))


def mean_ranks(shares: FloatArray, items: int) -> FloatArray:
    """Return the mean rank, from 1, of each item from the shares of all orders."""
    return shares @ (ranks_of_orders(items) + 1)
