"""Beliefs of somebody who sees reports: by a table of all of them, or of bits without one.

Strings of bits are too many for a table. With p and q the chances of a set and of a clear bit to be
reported as 1, truth v gives a report the chance that it would have if no bit were set, times ``w``:
p/q where bit v came in as 1, and (1 - p)/(1 - q) where it did not. Bits are drawn independently, so
that sums over all reports are products over the bits. docs/methods/channels.md has the formulas.
"""

from abc import abstractmethod

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.channels.protocol import Channel
from rr_engine.errors import ArgumentError
from rr_engine.privacy import loss

# The integral over t in equal steps of log t: what is left out at either end, and between the
# steps, is below the precision of a float.
STEP, LOWEST, LARGEST_EXPONENT = 0.2, -38.0, 745.0


class TableBeliefs(Channel):
    """The measures of a channel that can be written down; each raises ArgumentError otherwise."""

    __slots__ = ()

    def strongest_beliefs(self, prior: ArrayLike) -> FloatArray:
        """Return, per truth, the largest belief in it that any possible report can lead to."""
        shares, matrix = self.check_shares(prior), self.matrix
        return loss.posterior(matrix, shares)[matrix @ shares > 0].max(axis=0)

    def privacy(self, prior: ArrayLike) -> float:
        """Return how often the best guess of a truth from its report is wrong (OptRR Eq. 8)."""
        return loss.privacy(self.matrix, self.check_shares(prior))

    def worst_posterior(self, prior: ArrayLike) -> float:
        """Return the largest belief about a truth that any report can lead to (OptRR Eq. 9)."""
        return loss.worst_posterior(self.matrix, self.check_shares(prior))

    def recovery_probability(self, prior: ArrayLike) -> FloatArray:
        """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14)."""
        return loss.recovery_probability(self.matrix, self.check_shares(prior))


class BitBeliefs(Channel):
    """The measures of a device of bits of which exactly one is set.

    Raises
    ------
    ArgumentError
        "table_not_available" of sets: the share of each bit says nothing of sets of them.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def pair(self) -> tuple[float, float]:
        """Chances of a 1 from a set and from a clear bit."""

    def strongest_beliefs(self, prior: ArrayLike) -> FloatArray:
        """Return, per truth, the largest belief in it that any possible report can lead to.

        It is that of the report in which this bit speaks for its truth, and no other one does.
        """
        shares, (p, q) = self._categories(prior), self.pair
        if q in (0, 1):
            return np.where(shares > 0, 1.0, 0.0) if p != q else shares
        low, high, _, _ = self._weights()
        joint = shares * high
        rest = joint + (1 - shares) * low
        return np.divide(joint, rest, out=np.zeros(len(shares)), where=rest > 0)

    def worst_posterior(self, prior: ArrayLike) -> float:
        """Return the largest belief about a truth that any report can lead to (OptRR Eq. 9)."""
        return float(self.strongest_beliefs(prior).max())

    def privacy(self, prior: ArrayLike) -> float:
        """Return how often the best guess of a truth from its report is wrong (OptRR Eq. 8).

        The best guess is the most common truth whose bit speaks for it; or the most common one of
        all, where none that is common enough does.
        """
        shares, (p, q) = np.sort(self._categories(prior))[::-1], self.pair
        if q in (0, 1):
            return float((1 - abs(p - q)) * (1 - shares[0]))
        low, high, _, for_it = self._weights()
        speaking = shares[shares * high > shares[0] * low] * high
        none_before = (1 - for_it) ** np.arange(len(speaking) + 1)
        right = for_it * (speaking @ none_before[:-1]) + shares[0] * low * none_before[-1]
        return float(1 - right)

    def recovery_probability(self, prior: ArrayLike) -> FloatArray:
        """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14).

        By ``1/S = integral of exp(-t S)``, with S the chance of a report over all truths.
        """
        shares, (p, q) = self._categories(prior), self.pair
        if q in (0, 1):
            return np.where(shares > 0, abs(p - q) + (1 - abs(p - q)) * shares, 0.0)
        low, high, own, other = self._weights()
        least = low if low > 0 else high * shares[shares > 0].min()
        logs = np.arange(LOWEST, np.log(LARGEST_EXPONENT / least), STEP)
        t = np.exp(logs)[:, None]
        fallen = np.exp(-t * shares * (high - low))
        # Factors of a bit that is clear, and of the truth's own, without exp(-t share low).
        clear = (1 - other) + other * fallen
        set_ = (1 - own) * low + own * high * fallen
        together = np.exp(np.log(clear).sum(axis=1, keepdims=True) - t * low)
        return np.asarray(STEP * shares * (t * together * set_ / clear).sum(axis=0))

    def _weights(self) -> tuple[float, float, float, float]:
        """Return the smaller and the larger w, and the chance of the larger from a set bit, and
        from a clear one.
        """
        p, q = self.pair
        if p >= q:
            return (1 - p) / (1 - q), p / q, p, q
        return p / q, (1 - p) / (1 - q), 1 - p, 1 - q

    def _categories(self, prior: ArrayLike) -> FloatArray:
        if not self.exclusive:
            rule = "have exactly one truth for everybody"
            raise ArgumentError("channel", self, rule, "table_not_available")
        return self.check_shares(prior)
