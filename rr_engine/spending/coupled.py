"""The best split where pairs of questions matter: cutting planes, with a bound that holds exactly.

The margins are convex in all epsilons together (:class:`Item`), so each is above its tangents. A
linear program over the tangents so far (Kelley 1960) proposes the next point. Its multipliers make
one linear function that lies below the objective everywhere, whose smallest value over all splits
is computed directly: whatever the solver's tolerance, that is a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy

from rr_engine.arrays import FloatArray
from rr_engine.spending.curves import Noise, odds


class Item(Protocol):
    """A margin that matters: which epsilons it depends on, its weight, its variance."""

    @property
    def axes(self) -> tuple[int, ...]:
        """The places of its questions."""

    @property
    def weight(self) -> float:
        """Weight of its margin in the objective, above 0."""

    def variance(self, epsilons: FloatArray, sizes: Sequence[int]) -> tuple[float, FloatArray]:
        """Return the variance of one report and its slope along each of the axes."""


@dataclass(frozen=True, slots=True)
class QuestionItem:
    """The least certain share of one question."""

    axes: tuple[int, ...]
    weight: float
    categories: int
    options: int
    shares: FloatArray

    def variance(self, epsilons: FloatArray, sizes: Sequence[int]) -> tuple[float, FloatArray]:
        """Return the variance of one report and its slope."""
        index = self.axes[0]
        noise = Noise(self.categories, sizes[index])
        u = odds(epsilons[index] / self.options)
        variances = noise.variances(self.shares, u)
        share = float(self.shares[int(np.argmax(variances))])
        above, below = noise.slopes
        by_u = above * (1 - share + noise.below(u)) + below * (share + noise.above(u))
        slope = -u * (1 + u) * by_u / self.options
        return float(variances.max()), np.atleast_1d(slope)


@dataclass(frozen=True, slots=True)
class PairItem:
    """The least certain cell of the joint table of two questions.

    The unbiased estimate of a cell multiplies the standardized reports of both questions. Of one
    question their second moment is ``1 + (1 + A) B`` for somebody in the category and ``A (1 + B)``
    for somebody else.
    """

    axes: tuple[int, ...]
    weight: float
    table: FloatArray

    def variance(self, epsilons: FloatArray, sizes: Sequence[int]) -> tuple[float, FloatArray]:
        """Return the variance of one report and its slopes."""
        inside, outside, inside_slope, outside_slope = np.array(
            [
                _moments(Noise(self.table.shape[axis], sizes[index]), odds(epsilons[index]))
                for axis, index in enumerate(self.axes)
            ]
        ).T
        cells = self._sums(inside, outside) - self.table**2
        worst = np.unravel_index(int(np.argmax(cells)), cells.shape)
        first = self._sums([inside_slope[0], inside[1]], [outside_slope[0], outside[1]])[worst]
        second = self._sums([inside[0], inside_slope[1]], [outside[0], outside_slope[1]])[worst]
        return float(cells[worst]), np.array([first, second])

    def _sums(self, inside: Sequence[float], outside: Sequence[float]) -> FloatArray:
        """Return the sum over everybody, in the cell, in its row, in its column and elsewhere."""
        cell = self.table
        row, column = cell.sum(axis=1)[:, None], cell.sum(axis=0)[None, :]
        return (
            cell * inside[0] * inside[1]
            + (row - cell) * inside[0] * outside[1]
            + (column - cell) * outside[0] * inside[1]
            + (1 - row - column + cell) * outside[0] * outside[1]
        )


def _moments(noise: Noise, u: FloatArray) -> tuple[FloatArray, ...]:
    """Return the second moments in a category and outside it, and their slopes along epsilon."""
    above, below = noise.above(u), noise.below(u)
    above_slope, below_slope = noise.slopes
    turn = -u * (1 + u)
    inside_slope = above_slope * below + (1 + above) * below_slope
    outside_slope = above_slope * (1 + below) + above * below_slope
    return 1 + (1 + above) * below, above * (1 + below), turn * inside_slope, turn * outside_slope


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
