"""The devices of several attributes, each of which works on its own axes of a table.

A device of one attribute has one axis, one over several questions an axis for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Protocol, TypeVar

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.matrix import MatrixChannel, PlainMatrix
from rr_engine.channels.product import ProductChannel, margin_of_device, parts_by_device
from rr_engine.channels.protocol import Channel, check_covariance_size
from rr_engine.kronecker import act_along, apply_axes, outer, solve_axes
from rr_engine.precision import left_inverse

AnyArray = TypeVar("AnyArray", FloatArray, IntArray)


def sum_to(table: AnyArray, axes: tuple[int, ...]) -> AnyArray:
    """Return the margin of a table over these axes, in this order."""
    dropped = tuple(axis for axis in range(table.ndim) if axis not in axes)
    kept = sorted(axes)
    return table.sum(axis=dropped).transpose([kept.index(axis) for axis in axes])


class AxisScores(Protocol):
    """The left inverses ``G`` of all axes; tables may have leading axes of their own."""

    def transposed(self, contrasts: FloatArray) -> FloatArray:
        """Return ``G'a``: the report functions whose means are these contrasts of cells."""

    def squares(self, reported: FloatArray) -> FloatArray:
        """Return for every cell ``sum_u G[v, u]**2 lam[u]``."""

    def within_rows(self, reported: FloatArray) -> FloatArray:
        """Return, of two axes, ``sum_u G[(r, c), u] G[(r, d), u] lam[u]`` at [r, c, d]."""

    def margin(self, axes: tuple[int, ...]) -> AxisScores:
        """Return those of some of the axes, in this order."""


class Axes(Protocol):
    """The device of a whole table: the Kronecker product of those of its attributes."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of truths of each attribute."""

    @property
    def report_shape(self) -> tuple[int, ...]:
        """Number of reports of each attribute."""

    @property
    def square(self) -> bool:
        """Whether every attribute has as many reports as truths."""

    @property
    def product(self) -> ProductChannel:
        """The same as one channel over flattened tables."""

    def apply(self, table: FloatArray) -> FloatArray:
        """Return the expected shares of the reports, ``P pi``."""

    def solve(self, reported: FloatArray) -> FloatArray:
        """Return the unbiased estimate ``G lam_hat``."""

    def scores(self, proportions: FloatArray | None = None) -> AxisScores:
        """Return the left inverses; more reports than truths weighed at the margins of a table."""

    def own_squares(self) -> FloatArray:
        """Return for every cell ``sum_u G[v, u]**2 P[u, v]``."""


def axes_of(designs: Sequence[Channel]) -> Axes:
    """Return the axes of these devices; tables are multiplied as tables, others never formed."""
    if all(isinstance(design, MatrixChannel) for design in designs):
        return MatrixAxes(tuple(design.matrix for design in designs))
    return ChannelAxes(tuple(designs))


@dataclass(frozen=True, slots=True, eq=False)
class MatrixScores:
    """Left inverses as matrices, each of shape (truths, reports)."""

    inverses: tuple[FloatArray, ...]

    def transposed(self, contrasts: FloatArray) -> FloatArray:
        return apply_axes([inverse.T for inverse in self.inverses], contrasts)

    def squares(self, reported: FloatArray) -> FloatArray:
        return apply_axes([inverse**2 for inverse in self.inverses], reported)

    def within_rows(self, reported: FloatArray) -> FloatArray:
        first, second = self.inverses
        # The row factor of the scores is common to the cells of a row and summed out here.
        weights = first**2 @ reported
        return (second * weights[:, None, :]) @ second.T

    def margin(self, axes: tuple[int, ...]) -> MatrixScores:
        return MatrixScores(tuple(self.inverses[axis] for axis in axes))


@dataclass(frozen=True, slots=True, eq=False)
class MatrixAxes:
    """Devices that are all given as matrices, shape (reports, truths)."""

    matrices: tuple[FloatArray, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(matrix.shape[1] for matrix in self.matrices)

    @property
    def report_shape(self) -> tuple[int, ...]:
        return tuple(matrix.shape[0] for matrix in self.matrices)

    @property
    def square(self) -> bool:
        return all(matrix.shape[0] == matrix.shape[1] for matrix in self.matrices)

    @property
    def product(self) -> ProductChannel:
        return ProductChannel(tuple(PlainMatrix(matrix) for matrix in self.matrices))

    def apply(self, table: FloatArray) -> FloatArray:
        return apply_axes(self.matrices, table)

    def solve(self, reported: FloatArray) -> FloatArray:
        return solve_axes(self.matrices, reported)

    def scores(self, proportions: FloatArray | None = None) -> MatrixScores:
        if proportions is None:
            return MatrixScores(tuple(left_inverse(matrix) for matrix in self.matrices))
        margins = [sum_to(proportions, (axis,)) for axis in range(proportions.ndim)]
        pairs = zip(self.matrices, margins, strict=True)
        return MatrixScores(tuple(left_inverse(m, m @ margin) for m, margin in pairs))

    def own_squares(self) -> FloatArray:
        squares = [left_inverse(matrix) ** 2 for matrix in self.matrices]
        pairs = zip(squares, self.matrices, strict=True)
        return outer([np.einsum("vu,uv->v", square, matrix) for square, matrix in pairs])


@dataclass(frozen=True, slots=True, eq=False)
class ChannelScores:
    """Left inverses by the channels' own maps; `weights` as in `left_inverse`, one for each."""

    channels: tuple[Channel, ...]
    weights: tuple[FloatArray | None, ...]

    def transposed(self, contrasts: FloatArray) -> FloatArray:
        actions = [partial(c.scores, weights=w) for c, w in self._pairs()]
        return _act_by_device(actions, contrasts, *_sides(self.channels))

    def squares(self, reported: FloatArray) -> FloatArray:
        actions = [partial(c.score_squares, weights=w) for c, w in self._pairs()]
        return _act_by_device(actions, reported, *reversed(_sides(self.channels)))

    def within_rows(self, reported: FloatArray) -> FloatArray:
        if len(self.channels) == 1:
            return self._within_shared_rows(reported)
        (first, first_weights), (second, second_weights) = self._pairs()
        check_covariance_size(second)
        weights = first.score_squares(reported.T, first_weights).T
        scores = second.scores(np.eye(second.truth_size), second_weights)
        return (scores * weights[:, None, :]) @ scores.T

    def _within_shared_rows(self, reported: FloatArray) -> FloatArray:
        """Return the same of two questions that one device covers: by its scores, row by row."""
        ((channel, weights),) = self._pairs()
        check_covariance_size(channel)
        rows, columns = channel.truth_shape
        blocks = np.empty((rows, columns, columns))
        for row in range(rows):
            cells = np.eye(columns, rows * columns, row * columns)
            scores = channel.scores(cells, weights)
            blocks[row] = (scores * reported.ravel()) @ scores.T
        return blocks

    def margin(self, axes: tuple[int, ...]) -> ChannelScores:
        groups = parts_by_device([channel.truth_shape for channel in self.channels], axes)
        parts = [
            (margin_of_device(self.channels[position], inner), self._weights_of(position, inner))
            for position, inner in groups
        ]
        channels, weights = zip(*parts, strict=True)
        return ChannelScores(channels, weights)

    def _weights_of(self, position: int, inner: tuple[int, ...]) -> FloatArray | None:
        weights = self.weights[position]
        if weights is None:
            return None
        return sum_to(weights.reshape(self.channels[position].report_shape), inner).ravel()

    def _pairs(self) -> list[tuple[Channel, FloatArray | None]]:
        return list(zip(self.channels, self.weights, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ChannelAxes:
    """Devices of which some have no matrix, or cover several questions."""

    channels: tuple[Channel, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return truth_axes(self.channels)

    @property
    def report_shape(self) -> tuple[int, ...]:
        return report_axes(self.channels)

    @property
    def square(self) -> bool:
        return all(channel.saturated for channel in self.channels)

    @property
    def product(self) -> ProductChannel:
        return ProductChannel(self.channels)

    def apply(self, table: FloatArray) -> FloatArray:
        actions = [channel.apply for channel in self.channels]
        return _act_by_device(actions, table, *_sides(self.channels))

    def solve(self, reported: FloatArray) -> FloatArray:
        actions = [channel.solve for channel in self.channels]
        return _act_by_device(actions, reported, *reversed(_sides(self.channels)))

    def scores(self, proportions: FloatArray | None = None) -> ChannelScores:
        if proportions is None:
            return ChannelScores(self.channels, (None,) * len(self.channels))
        return ChannelScores(self.channels, tuple(self._expected(proportions)))

    def _expected(self, proportions: FloatArray) -> Iterator[FloatArray]:
        """Yield the shares of each device's reports."""
        start = 0
        for channel in self.channels:
            end = start + len(channel.truth_shape)
            yield channel.apply(sum_to(proportions, tuple(range(start, end))).ravel())
            start = end

    def own_squares(self) -> FloatArray:
        squares = [channel.own_score_squares() for channel in self.channels]
        return outer(squares).reshape(self.shape)


def truth_axes(channels: Sequence[Channel]) -> tuple[int, ...]:
    """Return the number of truths of each attribute that these devices cover."""
    return tuple(size for channel in channels for size in channel.truth_shape)


def report_axes(channels: Sequence[Channel]) -> tuple[int, ...]:
    """Return the number of reports on each of them."""
    return tuple(size for channel in channels for size in channel.report_shape)


def _sides(channels: Sequence[Channel]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    return [c.truth_shape for c in channels], [c.report_shape for c in channels]


def _act_by_device(
    actions: Sequence[Callable[[FloatArray], FloatArray]],
    table: FloatArray,
    given: Sequence[tuple[int, ...]],
    wanted: Sequence[tuple[int, ...]],
) -> FloatArray:
    """Return the table after each device's action; `given` and `wanted` are shapes by device."""
    leading = table.shape[: table.ndim - sum(map(len, given))]
    flat = table.reshape(*leading, *map(prod, given))
    acted = np.ascontiguousarray(act_along(actions, flat))
    return acted.reshape(*leading, *(size for shape in wanted for size in shape))
