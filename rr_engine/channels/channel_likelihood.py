"""Likelihoods as linear maps, so that a maximiser need not know how a device is stored."""

from functools import cached_property

from rr_engine.channels.protocol import Channel
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray


class Dense:
    """A device given as a matrix, shape (reports, truths)."""

    normalised = True

    def __init__(self, matrix: FloatArray) -> None:
        self.matrix, self.shape, self.cost = matrix, matrix.shape, matrix.size

    def apply(self, proportions: FloatArray) -> FloatArray:
        return self.matrix @ proportions

    def transposed(self, ratios: FloatArray) -> FloatArray:
        return ratios @ self.matrix

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return self._inverse @ (expected * (slope @ self._inverse))

    def dense(self) -> FloatArray:
        return self.matrix

    @cached_property
    def _inverse(self) -> FloatArray:
        return left_inverse(self.matrix)


class Structured:
    """Any channel, by its linear maps."""

    normalised = True

    def __init__(self, channel: Channel) -> None:
        self.channel, self.cost = channel, channel.cost
        self.shape = channel.tally_size, channel.truth_size

    def apply(self, proportions: FloatArray) -> FloatArray:
        return self.channel.apply(proportions)

    def transposed(self, ratios: FloatArray) -> FloatArray:
        return self.channel.adjoint(ratios)

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return self.channel.solve(expected * self.channel.scores(slope))

    def dense(self) -> FloatArray:
        return self.channel.matrix


class Observed:
    """The reports that came in, of a report space too large to list.

    Rows may be scaled, each by a number of its own: that adds a constant to the log-likelihood.
    """

    normalised = False

    def __init__(self, rows: FloatArray) -> None:
        self.rows, self.shape, self.cost = rows, rows.shape, rows.size

    def apply(self, proportions: FloatArray) -> FloatArray:
        return self.rows @ proportions

    def transposed(self, ratios: FloatArray) -> FloatArray:
        return ratios @ self.rows

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return slope

    def dense(self) -> FloatArray:
        return self.rows
