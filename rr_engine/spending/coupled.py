"""The best split where pairs of questions matter: cutting planes, with a bound that holds exactly.

The margins are convex in all epsilons together (:mod:`rr_engine.spending.items`), so each is above
its tangents. A linear program over the tangents so far (Kelley 1960) proposes the next point. Its
multipliers make one linear function that lies below the objective everywhere, whose smallest value
over all splits is computed directly: whatever the solver's tolerance, that is a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from rr_engine.spending.items import Item
from rr_engine.validation import FloatArray

# The bound and the split differ by less than this, relatively, or the rounds are over.
CLOSE = 1e-5
MOST_ROUNDS = 60
# Tangents of a question alone before the first round.
FIRST_POINTS = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of each epsilon, and of their sum."""

    low: FloatArray
    high: FloatArray
    total: float

    def smallest(self, slopes: FloatArray) -> float:
        """Return the smallest value of a linear function of the epsilons."""
        spent, rest = self.low.copy(), self.total - float(self.low.sum())
        for index in np.argsort(slopes):
            if slopes[index] >= 0 or rest <= 0:
                break
            more = min(rest, float(self.high[index] - self.low[index]))
            spent[index] += more
            rest -= more
        return float(slopes @ spent)


@dataclass(frozen=True, slots=True)
class Goal:
    """The objective: the logarithm of the largest margin, or a weighted sum of powers.

    `power` is 1 for margins and 2 for their squares; `shares` are the weights, which sum to 1.
    """

    items: Sequence[Item]
    sizes: Sequence[int]
    is_largest: bool
    power: int
    shares: FloatArray

    def with_sizes(self, sizes: Sequence[int]) -> Goal:
        """Return the same goal with other devices."""
        return replace(self, sizes=sizes)

    def terms(self, epsilons: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the value of each item and its slopes, one row for each item."""
        values, slopes = np.empty(len(self.items)), np.zeros((len(self.items), len(epsilons)))
        for row, item in enumerate(self.items):
            values[row], slopes[row, list(item.axes)] = self.term(row, epsilons)
        return values, slopes

    def term(self, row: int, epsilons: FloatArray) -> tuple[float, FloatArray]:
        """Return the value of one item and its slopes along its axes."""
        item = self.items[row]
        variance, slope = item.variance(epsilons, self.sizes)
        if self.is_largest:
            return np.log(item.weight) + np.log(variance) / 2, slope / (2 * variance)
        value = variance ** (self.power / 2)
        return value, slope * (self.power / 2) * value / variance

    def value(self, terms: FloatArray) -> float:
        """Return the objective from the values of the items."""
        return float(np.exp(terms.max())) if self.is_largest else float(self.shares @ terms)


@dataclass(slots=True)
class Cuts:
    """Tangents: of item `rows[c]`, ``constants[c] + slopes[c] @ epsilons``."""

    rows: list[int]
    constants: list[float]
    slopes: list[FloatArray]

    def add(self, goal: Goal, epsilons: FloatArray) -> FloatArray:
        """Add the tangents of all items at a point, and return their values there."""
        values, slopes = goal.terms(epsilons)
        self.rows += range(len(values))
        self.constants += (values - slopes @ epsilons).tolist()
        self.slopes += list(slopes)
        return values


def best_epsilons(goal: Goal, limits: Limits, start: FloatArray) -> tuple[FloatArray, float]:
    """Return the best epsilons found, and a bound that no split is below."""
    cuts = Cuts([], [], [])
    best, value = start, goal.value(cuts.add(goal, start))
    for share in np.geomspace(0.01, 1, FIRST_POINTS):
        cuts.add(goal, limits.low + share * (limits.high - limits.low))
    bound = -np.inf
    for _round in range(MOST_ROUNDS):
        point, weights = _next_point(goal, cuts, limits)
        bound = max(bound, _bound(goal, cuts, weights, limits))
        candidate = goal.value(cuts.add(goal, point))
        if candidate < value:
            best, value = point, candidate
        if value - bound <= CLOSE * value:
            break
    return best, bound


def _next_point(goal: Goal, cuts: Cuts, limits: Limits) -> tuple[FloatArray, FloatArray]:
    """Solve the linear program over the tangents; return its epsilons and its multipliers."""
    size = len(limits.low)
    rows, slopes = np.array(cuts.rows), np.array(cuts.slopes)
    levels = 1 if goal.is_largest else len(goal.items)
    above = np.zeros((len(rows), levels))
    above[np.arange(len(rows)), 0 if goal.is_largest else rows] = -1
    budget = np.concatenate((np.ones(size), np.zeros(levels)))
    result = scipy.optimize.linprog(
        np.concatenate((np.zeros(size), np.ones(1) if goal.is_largest else goal.shares)),
        A_ub=np.vstack((np.hstack((slopes, above)), budget)),
        b_ub=np.append(-np.array(cuts.constants), limits.total),
        bounds=[*zip(limits.low, limits.high, strict=True), *[(None, None)] * levels],
        method="highs",
    )
    point = np.clip(result.x[:size], limits.low, limits.high)
    return point, np.maximum(-result.ineqlin.marginals[:-1], 0)


def _bound(goal: Goal, cuts: Cuts, weights: FloatArray, limits: Limits) -> float:
    """Return the smallest value of one mixture of tangents, which no objective is below."""
    rows, constants, slopes = np.array(cuts.rows), np.array(cuts.constants), np.array(cuts.slopes)
    if goal.is_largest:
        mixture = weights / weights.sum()
        return float(np.exp(mixture @ constants + limits.smallest(mixture @ slopes)))
    sums = np.bincount(rows, weights, minlength=len(goal.items))
    if (sums <= 0).any():
        return 0.0
    mixture = weights * (goal.shares / sums)[rows]
    return float(mixture @ constants + limits.smallest(mixture @ slopes))
