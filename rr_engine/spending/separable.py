"""The best split where only the margins of single questions count: exact on the grid of epsilons.

Nothing here needs the margins to be convex: a question with several devices has the lower envelope
of theirs, which is not.
"""

import heapq
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.spending.curves import Table

# Second differences of convex margins may be below 0 by rounding.
ROUNDING = 1e-12
# A gap between value and bound that is rounding, relatively.
NEGLIGIBLE = 1e-9
# Sums compared by dynamic programming; beyond, the hulls have to do.
MOST_WORK = 30_000_000


@dataclass(frozen=True, slots=True)
class Places:
    """A place in each table, and what certifies the choice.

    `bound`: no split has a smaller value. `needed`: the steps that a smaller largest margin takes,
    None where no budget reaches one. `price`: what one more step would lower the value by.
    """

    places: list[int]
    bound: float
    needed: int | None = None
    price: float | None = None


def smallest_largest(tables: Sequence[Table], weights: FloatArray, total: int) -> Places:
    """Return the places with the smallest largest weighted margin, and of those the next smallest.

    The largest margin at which the questions still fit into the budget is found by bisection over
    all margins that occur; what is left goes step by step to the largest margin that can be
    lowered.
    """
    scaled = [
        table.margins * weight for table, weight in zip(tables, weights, strict=True) if weight > 0
    ]
    levels = np.unique(np.concatenate(scaled))

    def places_at(level: float, *, strictly: bool = False) -> list[int]:
        return [
            table.reach(level / weight, strictly=strictly) if weight > 0 else 0
            for table, weight in zip(tables, weights, strict=True)
        ]

    def capped(places: list[int]) -> list[int]:
        return [min(place, len(t.points) - 1) for place, t in zip(places, tables, strict=True)]

    def fits(level: float) -> bool:
        return _steps(tables, capped(places_at(_above(level)))) <= total

    places = capped(places_at(_above(levels[bisect_left(levels[:-1], True, key=fits)])))
    _spend_rest(tables, weights, places, total - _steps(tables, places))
    value = max(
        float(weight * table.margins[place])
        for table, weight, place in zip(tables, weights, places, strict=True)
    )
    below = places_at(value * (1 - ROUNDING), strictly=True)
    reachable = all(place < len(t.points) for place, t in zip(below, tables, strict=True))
    return Places(places, value, needed=_steps(tables, below) if reachable else None)


def _above(level: float) -> float:
    """Return the level with room for the rounding of a product with the weight."""
    return level * (1 + ROUNDING)


def _steps(tables: Sequence[Table], places: Sequence[int]) -> int:
    return sum(int(table.points[place]) for table, place in zip(tables, places, strict=True))


def _spend_rest(tables: Sequence[Table], weights: FloatArray, places: list[int], rest: int) -> None:
    """Lower the largest margins as long as something is left, in `places` itself."""
    heap = [
        (-weights[index] * float(tables[index].margins[place]), index)
        for index, place in enumerate(places)
    ]
    heapq.heapify(heap)
    while heap and rest > 0:
        _margin, index = heapq.heappop(heap)
        table, place = tables[index], places[index]
        if place + 1 >= len(table.points):
            continue
        price = int(table.points[place + 1] - table.points[place])
        if price <= rest:
            rest, places[index] = rest - price, place + 1
            heapq.heappush(heap, (-weights[index] * float(table.margins[place + 1]), index))


def smallest_sum(tables: Sequence[Table], values: Sequence[FloatArray], total: int) -> Places:
    """Return the places with the smallest sum of values, which fall along each table.

    Segments of the lower convex hulls are taken by their gain for each step, the largest first
    (for convex values the marginal allocation of Fox, 1966, which is optimal). Filled up with a
    part of the segment that no longer fits, they bound every split from below. Where value and
    bound differ, dynamic programming decides, as long as it is not too much work.
    """
    hulls = [_hull(table.points, value) for table, value in zip(tables, values, strict=True)]
    gains, lengths, owners = _segments(tables, values, hulls)
    order = np.lexsort((owners, -gains))
    rest = total - sum(int(table.points[0]) for table in tables)
    cumulative = np.cumsum(lengths[order])
    fits = int(np.searchsorted(cumulative, rest, "right"))
    taken, spent = order[:fits], int(cumulative[fits - 1]) if fits else 0
    bound = sum(float(value[0]) for value in values) - float(gains[taken] @ lengths[taken])
    price = 0.0
    if fits < len(order):
        price = float(gains[order[fits]])
        bound -= price * (rest - spent)
    counts = np.bincount(owners[taken], minlength=len(tables))
    places = [int(hull[count]) for hull, count in zip(hulls, counts, strict=True)]
    _improve(tables, values, places, rest - spent)
    value = _sum(values, places)
    work = (rest + 1) * sum(len(table.points) for table in tables)
    if value - bound > NEGLIGIBLE * value and work <= MOST_WORK:
        places = _by_programming(tables, values, rest)
        bound = _sum(values, places)
    return Places(places, bound, price=price)


def _sum(values: Sequence[FloatArray], places: Sequence[int]) -> float:
    return sum(float(value[place]) for value, place in zip(values, places, strict=True))


def _by_programming(tables: Sequence[Table], values: Sequence[FloatArray], rest: int) -> list[int]:
    """Return the places with the smallest sum by dynamic programming over what is left to spend.

    `least[r]` is the smallest sum of the questions so far with at most r steps above their least
    epsilons (Bellman's principle).
    """
    least = np.zeros(rest + 1)
    choices = []
    for table, value in zip(tables, values, strict=True):
        sums, chosen = np.full(rest + 1, np.inf), np.zeros(rest + 1, dtype=np.int64)
        for place, steps in enumerate((table.points - table.points[0]).tolist()):
            if steps > rest:
                break
            tried = least[: rest + 1 - steps] + value[place]
            better = tried < sums[steps:]
            sums[steps:][better] = tried[better]
            chosen[steps:][better] = place
        least = sums
        choices.append(chosen)
    places: list[int] = []
    for table, chosen in zip(reversed(tables), reversed(choices), strict=True):
        place = int(chosen[rest])
        rest -= int(table.points[place] - table.points[0])
        places.append(place)
    return places[::-1]


def _segments(
    tables: Sequence[Table], values: Sequence[FloatArray], hulls: Sequence[IntArray]
) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the gain for each step, the length and the question of every segment of the hulls."""
    lengths = [np.diff(t.points[hull]) for t, hull in zip(tables, hulls, strict=True)]
    gains = [
        -np.diff(value[hull]) / length
        for value, hull, length in zip(values, hulls, lengths, strict=True)
    ]
    # Along a hull the gains fall; what rounding adds would change the order of its segments.
    gains = [np.minimum.accumulate(gain) for gain in gains]
    owners = [np.full(len(length), index) for index, length in enumerate(lengths)]
    return np.concatenate(gains), np.concatenate(lengths), np.concatenate(owners)


def _hull(points: IntArray, values: FloatArray) -> IntArray:
    """Return the places of the corners of the lower convex hull."""
    slopes = np.diff(values) / np.diff(points)
    if (np.diff(slopes) >= -ROUNDING * np.abs(slopes[1:])).all():
        return np.arange(len(points))
    corners: list[int] = []
    x, y = points.tolist(), values.tolist()
    for place in range(len(x)):
        while len(corners) > 1:
            first, last = corners[-2], corners[-1]
            rise = (y[last] - y[first]) * (x[place] - x[first])
            if rise < (y[place] - y[first]) * (x[last] - x[first]):
                break
            corners.pop()
        corners.append(place)
    return np.array(corners)


def _improve(
    tables: Sequence[Table], values: Sequence[FloatArray], places: list[int], rest: int
) -> None:
    """Spend what no whole segment fitted into where it gains most, in `places` itself."""
    while True:
        best, gain = None, 0.0
        for index, table in enumerate(tables):
            place = table.at_most(int(table.points[places[index]]) + rest)
            more = float(values[index][places[index]] - values[index][place])
            if more > gain:
                best, gain = (index, place), more
        if best is None:
            return
        index, place = best
        rest -= int(tables[index].points[place] - tables[index].points[places[index]])
        places[index] = place
