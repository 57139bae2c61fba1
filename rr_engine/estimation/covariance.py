"""Covariance operators: variances, covariances of contrasts, and the matrix on demand."""

from functools import cached_property
from typing import Protocol

import numpy as np

from rr_engine.arrays import FloatArray, freeze
from rr_engine.channels.protocol import Channel
from rr_engine.estimation.likelihood import Solution
from rr_engine.estimation.notes import Note, note


class CovarianceOperator(Protocol):
    """The covariance of estimated proportions, which need not be formed."""

    @property
    def matrix(self) -> FloatArray:
        """Return it in full, shape (truths, truths); infinite on the diagonal where not known."""

    @property
    def variances(self) -> FloatArray:
        """Return its diagonal, none below zero."""

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the covariances, shape (p, q), of p and q weighted sums of proportions."""


class KnownCovariance:
    """A covariance that was computed in full."""

    def __init__(self, matrix: FloatArray) -> None:
        self.matrix = freeze(matrix)

    @property
    def variances(self) -> FloatArray:
        return np.maximum(np.diag(self.matrix), 0)

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        if not np.isfinite(self.matrix).all():
            return np.full((len(first), len(second)), np.inf)
        return first @ self.matrix @ second.T


class UnknownCovariance:
    """No report, or one that tells nothing of a sample: all errors are infinite."""

    def __init__(self, size: int) -> None:
        self.size = size

    @cached_property
    def matrix(self) -> FloatArray:
        return freeze(np.diag(np.full(self.size, np.inf)))

    @property
    def variances(self) -> FloatArray:
        return np.full(self.size, np.inf)

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        return np.full((len(first), len(second)), np.inf)


class ChannelCovariance:
    """The covariance that follows from a channel, computed as far as it is asked for.

    Attributes
    ----------
    channel : Channel
    shares : ndarray of float
        ``pi``.
    fitted : ndarray of float
        Shares of the tally, ``lam``.
    population : str
    divisor : int
        n - 1 or n, at least 1.
    weights : ndarray of float or None
        At which more reports than truths are weighed.
    """

    def __init__(
        self,
        channel: Channel,
        shares: FloatArray,
        fitted: FloatArray,
        population: str,
        divisor: int,
        weights: FloatArray | None,
    ) -> None:
        self.channel, self.shares, self.fitted = channel, shares, fitted
        self.population, self.divisor, self.weights = population, divisor, weights

    @cached_property
    def matrix(self) -> FloatArray:
        covariance = self.channel.covariance(*self._at, self.weights)
        # In place: of 10,000 categories it takes 800 MB.
        covariance /= self.divisor
        return freeze(covariance)

    @cached_property
    def variances(self) -> FloatArray:
        if "matrix" in self.__dict__:
            return np.maximum(np.diag(self.matrix), 0)
        return np.maximum(self.channel.variances(*self._at, self.weights) / self.divisor, 0)

    def between(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the covariances by the scores whose means the sums are, one pass for each."""
        first_scores = self.channel.scores(first, self.weights)
        # Variances ask for the same sums twice.
        second_scores = (
            first_scores if second is first else self.channel.scores(second, self.weights)
        )
        return self.channel.report_covariance(first_scores, second_scores, *self._at) / self.divisor

    @property
    def impossible(self) -> bool:
        """Whether proportions outside the possible range make a variance negative."""
        return self.channel.has_negative_variance(*self._at, self.weights)

    @property
    def _at(self) -> tuple[FloatArray, FloatArray, str]:
        return self.shares, self.fitted, self.population


def channel_covariance(
    channel: Channel, solution: Solution, fitted: FloatArray, population: str, divisor: int
) -> tuple[ChannelCovariance, list[Note]]:
    """Return the covariance, at the nearest possible proportions if it cannot be where it is."""
    weights = solution.weights
    found = ChannelCovariance(channel, solution.proportions, fitted, population, divisor, weights)
    if not found.impossible:
        return found, []
    nearest = channel.project(solution.proportions)
    found = ChannelCovariance(
        channel, nearest, channel.apply(nearest), population, divisor, weights
    )
    return found, [note("covariance_at_projection")]
