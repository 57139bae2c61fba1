"""Margins of questions and of cells of pairs as functions of the epsilons, with their slopes.

For named devices with given subset sizes the logarithm of each is convex in the epsilons together:
a variance is a sum, with coefficients that are not negative, of products of log-convex functions of
one epsilon each (see :mod:`rr_engine.spending.curves`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rr_engine.spending.curves import Noise, odds
from rr_engine.validation import FloatArray


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
