"""Beliefs of somebody who sees reports, by a table of all of them.

A channel without such a table has the same of its own: `rr_engine.channels.bit_beliefs`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rr_engine.channels.protocol import Channel
from rr_engine.precision import CONDITION_LIMIT
from rr_engine.privacy import loss
from rr_engine.validation import FloatArray, check_size


class TableBeliefs(Channel):
    """The measures of a channel that can be written down; each raises ArgumentError otherwise."""

    __slots__ = ()

    def strongest_beliefs(self, prior: npt.ArrayLike) -> FloatArray:
        """Return, per truth, the largest belief in it that any possible report can lead to."""
        shares, matrix = self.check_shares(prior), self.matrix
        return loss.posterior(matrix, shares)[matrix @ shares > 0].max(axis=0)

    def privacy(self, prior: npt.ArrayLike) -> float:
        """Return how often the best guess of a truth from its report is wrong (OptRR Eq. 8)."""
        return loss.privacy(self.matrix, self.check_shares(prior))

    def worst_posterior(self, prior: npt.ArrayLike) -> float:
        """Return the largest belief about a truth that any report can lead to (OptRR Eq. 9)."""
        return loss.worst_posterior(self.matrix, self.check_shares(prior))

    def recovery_probability(self, prior: npt.ArrayLike) -> FloatArray:
        """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14)."""
        return loss.recovery_probability(self.matrix, self.check_shares(prior))

    def mse(self, prior: npt.ArrayLike, n: int) -> float:
        """Return the mean squared error of a proportion from `n` reports (OptRR Eq. 10).

        The average over truths; inf when the channel does not identify the proportions. With more
        reports than truths, of the best linear estimate at this prior.
        """
        return mean_squared_error(self, prior, n)


def mean_squared_error(channel: Channel, prior: npt.ArrayLike, n: int) -> float:
    """Return the mean variance of a proportion, reports weighed by their shares under the prior."""
    shares, size = channel.check_shares(prior), check_size(n)
    if not channel.condition_number < CONDITION_LIMIT:
        return float("inf")
    fitted = channel.apply(shares)
    return float(channel.variances(shares, fitted, "sample", np.asarray(fitted)).mean() / size)
