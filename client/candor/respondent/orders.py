"""Rankings: reports that are orders of things (section 18 of the protocol)."""

import functools
import itertools
from collections.abc import Sequence

from candor.respondent.chance import uniform_below
from candor.respondent.rules import require
from candor.respondent.values import Json, RandomBytes


def distances_of(items: int) -> range:
    return range(items * (items - 1) // 2 + 1)


@functools.cache
def orders_with(items: int, inversions: int) -> list[tuple[int, ...]]:
    """The orders with so many inversions, as they are sorted."""
    return [
        order
        for order in itertools.permutations(range(items))
        if sum(a > b for a, b in itertools.combinations(order, 2)) == inversions
    ]


def number_of(order: Sequence[int]) -> int:
    """The number of an order among all, as they are sorted."""
    return list(itertools.permutations(range(len(order)))).index(tuple(order))


def draw_order(table: Json, truth: int, random_bytes: RandomBytes) -> int:
    """The number of an order, or of the refusal after them, by one integer (section 18)."""
    orders = list(itertools.permutations(range(table["items"])))
    left, refusal = uniform_below(table["denominator"], random_bytes), table["refusal"]
    require(0 <= truth < len(orders) + bool(refusal), "the answer is an order or a refusal")
    if truth == len(orders):
        each = refusal[2]
        return left // each if left < each * len(orders) else truth
    for distance, weight in enumerate(table["weights"]):
        exchanges = orders_with(table["items"], distance)
        if left < weight * len(exchanges):
            exchange = exchanges[left // weight]
            return number_of([orders[truth][place] for place in exchange])
        left -= weight * len(exchanges)
    return len(orders)
