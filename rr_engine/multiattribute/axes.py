"""The devices of several attributes, each of which works on its own axis of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from rr_engine.channels.counting import check_covariance_size
from rr_engine.channels.matrix import MatrixChannel, PlainMatrix
from rr_engine.channels.product import ProductChannel
from rr_engine.channels.protocol import Channel
from rr_engine.kronecker import act_along, apply_axes, outer, solve_axes
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray


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
    def square(self) -> bool:
        """Whether every attribute has as many reports as truths."""

    @property
    def product(self) -> ProductChannel:
        """The same as one channel over flattened tables."""

    def apply(self, table: FloatArray) -> FloatArray:
        """Return the expected shares of the reports, ``P pi``."""

    def solve(self, reported: FloatArray) -> FloatArray:
        """Return the unbiased estimate ``G lam_hat``."""

    def scores(self, margins: Sequence[FloatArray] | None = None) -> AxisScores:
        """Return the left inverses; with more reports than truths weighed at these margins."""

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
    def square(self) -> bool:
        return all(matrix.shape[0] == matrix.shape[1] for matrix in self.matrices)

    @property
    def product(self) -> ProductChannel:
        return ProductChannel(tuple(PlainMatrix(matrix) for matrix in self.matrices))

    def apply(self, table: FloatArray) -> FloatArray:
        return apply_axes(self.matrices, table)

    def solve(self, reported: FloatArray) -> FloatArray:
        return solve_axes(self.matrices, reported)

    def scores(self, margins: Sequence[FloatArray] | None = None) -> MatrixScores:
        if margins is None:
            return MatrixScores(tuple(left_inverse(matrix) for matrix in self.matrices))
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
        return act_along([partial(c.scores, weights=w) for c, w in self._pairs()], contrasts)

    def squares(self, reported: FloatArray) -> FloatArray:
        return act_along([partial(c.score_squares, weights=w) for c, w in self._pairs()], reported)

    def within_rows(self, reported: FloatArray) -> FloatArray:
        (first, first_weights), (second, second_weights) = self._pairs()
        check_covariance_size(second)
        weights = first.score_squares(reported.T, first_weights).T
        scores = second.scores(np.eye(second.truth_size), second_weights)
        return (scores * weights[:, None, :]) @ scores.T

    def margin(self, axes: tuple[int, ...]) -> ChannelScores:
        channels = tuple(self.channels[axis] for axis in axes)
        return ChannelScores(channels, tuple(self.weights[axis] for axis in axes))

    def _pairs(self) -> list[tuple[Channel, FloatArray | None]]:
        return list(zip(self.channels, self.weights, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ChannelAxes:
    """Devices of which some have no matrix."""

    channels: tuple[Channel, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(channel.truth_size for channel in self.channels)

    @property
    def square(self) -> bool:
        return all(channel.saturated for channel in self.channels)

    @property
    def product(self) -> ProductChannel:
        return ProductChannel(self.channels)

    def apply(self, table: FloatArray) -> FloatArray:
        return act_along([channel.apply for channel in self.channels], table)

    def solve(self, reported: FloatArray) -> FloatArray:
        return act_along([channel.solve for channel in self.channels], reported)

    def scores(self, margins: Sequence[FloatArray] | None = None) -> ChannelScores:
        weights: tuple[FloatArray | None, ...] = (None,) * len(self.channels)
        if margins is not None:
            pairs = zip(self.channels, margins, strict=True)
            weights = tuple(channel.apply(margin) for channel, margin in pairs)
        return ChannelScores(self.channels, weights)

    def own_squares(self) -> FloatArray:
        return outer([channel.own_score_squares() for channel in self.channels])
