"""The rows of a pooled estimate's inverse, one truth each, as far as variances need them.

With ``G_s = N^-1 P_s' R_s^-1`` the part of stratum s (:mod:`rr_engine.channels.normal_equations`),
for every truth v

    squares      sum_u G_s[v, u]**2 y[u]
    own          sum_u G_s[v, u]**2 P_s[u, v]  and  (G_s P_s)[v, v]: mean square and mean of the
                 scores of those who have the truth
    others       the same of all others, when their truths keep their ratios to each other
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.channels.normal_equations import BitEquations, NormalEquations, UniformEquations

# Numbers held at a time where rows have to be formed: 32 MB.
BLOCK_ENTRIES = 2**22
# Largest remainder beside a share that is one up to rounding.
ALONE = 1e-12

# Mean squares and means of the scores, by truth.
Moments = tuple[FloatArray, FloatArray]


class OwnScores(ABC):
    """Scores as variances need them; lists have one entry for each stratum."""

    @abstractmethod
    def squares(self, tallies: Sequence[FloatArray]) -> list[FloatArray]:
        """Return the sums of squared scores over each stratum's tally."""

    @abstractmethod
    def own(self) -> list[Moments]:
        """Return the moments of the scores of those who have the truth."""

    @abstractmethod
    def others(self, shares: FloatArray) -> list[Moments]:
        """Return the moments of the scores of those who have not, at these proportions."""


class CountedScores(OwnScores):
    """Scores of channels whose reports are counted one by one."""

    def __init__(self, equations: NormalEquations) -> None:
        self.equations = equations

    def others(self, shares: FloatArray) -> list[Moments]:
        """Return ``(sum_w pi_w m_w - pi_v m_v) / (1 - pi_v)`` of the moments m."""
        ones, rest = np.ones(len(shares)), 1 - shares
        # If one truth has share one, the others have ratios 0 / 0 and are taken as equal.
        alone = rest <= ALONE
        moments = zip(self.own(), self._at(shares), self._at(ones), strict=True)

        def without(own: FloatArray, mixed: FloatArray, even: FloatArray) -> FloatArray:
            others = (mixed - own * shares) / np.where(alone, 1, rest)
            return np.where(alone, (even - own) / (len(shares) - 1), others)

        return [
            (without(own[0], mixed[0], even[0]), without(own[1], mixed[1], even[1]))
            for own, mixed, even in moments
        ]

    def _at(self, shares: FloatArray) -> list[Moments]:
        equations = self.equations
        tallies = [channel.apply(shares) for channel in equations.channels]
        means = [
            equations.solve(equations.pull_one(stratum, tally))
            for stratum, tally in enumerate(tallies)
        ]
        return list(zip(self.squares(tallies), means, strict=True))


class UniformScores(CountedScores):
    """Return the scores of uniform channels, in a few passes: ``G_s = diag(h) + L F'``.

    From Woodbury's identity, ``h = g e r``, ``L = (-g E K, b N^-1 1)`` and ``F = diag(r) (E, 1)``.
    """

    equations: UniformEquations

    def __init__(self, equations: UniformEquations) -> None:
        super().__init__(equations)
        size = len(equations.reciprocal)
        constant = equations.solve(np.ones(size))
        self.diagonals, self.lefts, self.rights = [], [], []
        for (kept, other), inverse in zip(equations.pairs, equations.inverses, strict=True):
            gap = kept - other
            self.diagonals.append(gap * equations.reciprocal * inverse)
            left = np.column_stack([-gap * equations.factor @ equations.core, other * constant])
            self.lefts.append(left)
            right = np.column_stack([equations.factor, np.ones(size)])
            self.rights.append(inverse[:, None] * right)

    def squares(self, tallies: Sequence[FloatArray]) -> list[FloatArray]:
        strata = zip(self.diagonals, self.lefts, self.rights, tallies, strict=True)
        return [
            tally * diagonal * (diagonal + 2 * (left * right).sum(axis=1))
            + np.einsum("vi,ij,vj->v", left, (right.T * tally) @ right, left)
            for diagonal, left, right, tally in strata
        ]

    def own(self) -> list[Moments]:
        ones = [np.ones(len(diagonal)) for diagonal in self.diagonals]
        strata = zip(
            self.equations.pairs,
            self.diagonals,
            self.lefts,
            self.rights,
            self.squares(ones),
            strict=True,
        )
        moments = []
        for (kept, other), diagonal, left, right, squares in strata:
            entry = diagonal + (left * right).sum(axis=1)
            row_sum = diagonal + left @ right.sum(axis=0)
            gap = kept - other
            moments.append((other * squares + gap * entry**2, other * row_sum + gap * entry))
        return moments


class BlockScores(CountedScores):
    """Return the scores of any channels, by as many rows at a time as memory allows."""

    def _blocks(self) -> Iterator[tuple[slice, FloatArray, list[FloatArray]]]:
        size = self.equations.channels[0].truth_size
        widest = sum(channel.tally_size for channel in self.equations.channels)
        rows = max(1, BLOCK_ENTRIES // max(widest, size))
        for start in range(0, size, rows):
            block = slice(start, min(start + rows, size))
            units = np.zeros((block.stop - start, size))
            units[np.arange(len(units)), np.arange(start, block.stop)] = 1.0
            yield block, units, self.equations.push(self.equations.solve(units))

    def squares(self, tallies: Sequence[FloatArray]) -> list[FloatArray]:
        size = self.equations.channels[0].truth_size
        sums = [np.empty(size) for _ in tallies]
        for block, _, scores in self._blocks():
            for result, part, tally in zip(sums, scores, tallies, strict=True):
                result[block] = part**2 @ tally
        return sums

    def own(self) -> list[Moments]:
        channels = self.equations.channels
        moments = [(np.empty(c.truth_size), np.empty(c.truth_size)) for c in channels]
        for block, units, scores in self._blocks():
            for channel, part, (squares, means) in zip(channels, scores, moments, strict=True):
                chances = channel.apply(units)
                squares[block] = (part**2 * chances).sum(axis=1)
                means[block] = (part * chances).sum(axis=1)
        return moments


class BitScores(OwnScores):
    """Return bits' scores: each estimate is a weighted mean of those by each stratum's own bit."""

    def __init__(self, equations: BitEquations) -> None:
        self.channels = equations.channels
        self.parts = [part / equations.diagonal for part in equations.information]

    def squares(self, tallies: Sequence[FloatArray]) -> list[FloatArray]:
        strata = zip(self.channels, self.parts, tallies, strict=True)
        return [part**2 * channel.score_squares(tally) for channel, part, tally in strata]

    def own(self) -> list[Moments]:
        strata = zip(self.channels, self.parts, strict=True)
        return [(part**2 * channel.own_score_squares(), part) for channel, part in strata]

    def others(self, shares: FloatArray) -> list[Moments]:
        """Return ``q (1 - q) / (p - q)**2``, whatever the other bits are, and zero."""
        moments = []
        for channel, part in zip(self.channels, self.parts, strict=True):
            p, q = channel.pair or (0.0, 0.0)
            moments.append((part**2 * (q * (1 - q) / (p - q) ** 2), np.zeros(len(shares))))
        return moments


def own_scores(equations: NormalEquations) -> OwnScores:
    """Return the scores in the form that the equations have."""
    if isinstance(equations, BitEquations):
        return BitScores(equations)
    if isinstance(equations, UniformEquations):
        return UniformScores(equations)
    return BlockScores(equations)
