"""Likelihoods as linear maps, so that a maximiser need not know how a device is stored."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.channels.protocol import Channel, Likelihood
from rr_engine.precision import left_inverse


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


class Observed(Dense):
    """The reports that came in, of a report space too large to list.

    Rows may be scaled, each by a number of its own: that adds a constant to the log-likelihood.
    """

    normalised = False

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        return slope


class Stacked:
    """The product of the likelihoods of several strata: their rows follow each other.

    Attributes
    ----------
    parts : sequence of Likelihood
    shares : sequence of float
        Share of each stratum of all reports, by which its rows are multiplied.
    best : int
        The stratum whose device undoes the information of all of them best.
    """

    def __init__(self, parts: Sequence[Likelihood], shares: Sequence[float], best: int) -> None:
        self.parts, self.shares, self.best = parts, shares, best
        self.shape = sum(part.shape[0] for part in parts), parts[0].shape[1]
        self.cost = sum(part.cost for part in parts)
        self.normalised = all(part.normalised for part in parts)
        self.ends = np.cumsum([part.shape[0] for part in parts])[:-1]

    def apply(self, proportions: FloatArray) -> FloatArray:
        pairs = zip(self.shares, self.parts, strict=True)
        return np.concatenate([share * part.apply(proportions) for share, part in pairs])

    def transposed(self, ratios: FloatArray) -> FloatArray:
        strata = zip(self.shares, self.parts, np.split(ratios, self.ends), strict=True)
        return np.sum([share * part.transposed(own) for share, part, own in strata], axis=0)

    def precondition(self, slope: FloatArray, expected: FloatArray) -> FloatArray:
        share = self.shares[self.best]
        own = np.split(expected, self.ends)[self.best] / share
        return self.parts[self.best].precondition(slope, own) / share

    def dense(self) -> FloatArray:
        pairs = zip(self.shares, self.parts, strict=True)
        return np.vstack([share * part.dense() for share, part in pairs])
