"""Privacy of a channel's report against those who know the proportions of the truths."""

from __future__ import annotations

from typing import Protocol

import numpy.typing as npt

from rr_engine.validation import FloatArray


class Telling(Protocol):
    """Privacy of every channel; those that cannot list their reports have formulas of their own.

    ArgumentError "table_too_large" or "table_not_available" where there is neither.
    """

    __slots__ = ()

    def strongest_beliefs(self, prior: npt.ArrayLike) -> FloatArray:
        """Return, per truth, the largest belief in it that any possible report can lead to."""

    def worst_posterior(self, prior: npt.ArrayLike) -> float:
        """Return the largest of them (OptRR Eq. 9)."""

    def privacy(self, prior: npt.ArrayLike) -> float:
        """Return how often the best guess of a truth from its report is wrong (OptRR Eq. 8)."""

    def recovery_probability(self, prior: npt.ArrayLike) -> FloatArray:
        """Return, per truth, how often a guess drawn from the posterior hits it (Wang Eq. 14)."""

    def mse(self, prior: npt.ArrayLike, n: int) -> float:
        """Return the mean squared error of a proportion from `n` reports (OptRR Eq. 10)."""
