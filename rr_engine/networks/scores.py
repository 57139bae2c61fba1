"""Pairs of people of which one or both were asked about the other: scores of their ties."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_design
from rr_engine.arrays import FloatArray
from rr_engine.errors import DesignError
from rr_engine.networks.reports import NetworkReports

# A device below this difference of its chances tells nothing that could be averaged out.
LEAST_GAP = 1e-9


def check_bit_device(value: object) -> tuple[float, float]:
    """Return the chances p and q of a reported tie where there is one, and where there is none."""
    design = check_design(value)
    if design.matrix.shape != (2, 2):
        rule = "have two categories and two reports: no tie, and a tie"
        raise DesignError("design", value, rule, "not_a_tie_device")
    p, q = float(design.matrix[1, 1]), float(design.matrix[1, 0])
    if p - q < LEAST_GAP:
        rule = "report a tie more often where there is one"
        raise DesignError("design", value, rule, "not_a_tie_device")
    return p, q


@dataclass(frozen=True, slots=True, eq=False)
class TieScores:
    """Scores whose mean is 1 for a tie and 0 for none.

    `values[m, s]` is the score of a tie of which s out of m reports, at most two, say that there
    is one; `base[m]` and `slope[m]` its variance without a tie, and what a tie adds to it. All
    are 0 for m = 0. A tie is 0 or 1, so that ``base + slope score`` is an unbiased estimate of the
    variance, and the square of a score one of variance plus tie. `chances[a, m, s]` is the chance
    of these reports without and with a tie.
    """

    values: FloatArray
    base: FloatArray
    slope: FloatArray
    chances: FloatArray

    def variances(self, score: FloatArray, times: npt.NDArray) -> FloatArray:
        """Return unbiased estimates of the variances of scores."""
        return self.base[times] + self.slope[times] * score

    @property
    def value_variances(self) -> FloatArray:
        """The estimated variance of each score, shape (3, 3)."""
        return self.base[:, None] + self.slope[:, None] * self.values

    def probable(self, density: float) -> FloatArray:
        """Return the chance of a tie by its reports, shape (3, 3), if a share of all is tied."""
        tie, none = density * self.chances[1], (1 - density) * self.chances[0]
        return np.divide(tie, tie + none, out=np.zeros((3, 3)), where=tie + none > 0)


def tie_scores(p: float, q: float, density: float | None = None) -> TieScores:
    """Return the scores of one report, and of two reports of the same tie.

    One report has one unbiased score, ``(y - q) / (p - q)``. Of two, ``a f + b`` with ``f`` the
    ratio of the chance of the reports where there is a tie and their chance at the density that is
    expected has the smallest variance at that density, and no bias at any. Without an expected
    density the mean of the two, the best of those that are linear in the number of ones.
    """
    values, moments, both = np.zeros((3, 3)), np.zeros((2, 3)), np.zeros((2, 3, 3))
    for m in (1, 2):
        chances = np.array([_binomial(m, p), _binomial(m, q)])
        slopes = np.arange(m + 1.0)
        if m == 2 and density is not None:
            expected = density * chances[0] + (1 - density) * chances[1]
            slopes = np.divide(chances[0], expected, out=np.zeros(3), where=expected > 0)
        means = chances @ slopes
        values[m, : m + 1] = (slopes - means[1]) / (means[0] - means[1])
        both[:, m, : m + 1] = chances[::-1]
        moments[:, m] = chances @ values[m, : m + 1] ** 2
    rise = moments[0] - 1 - moments[1]
    # A tie that nobody was asked about has no score, whose variance could grow with it.
    rise[0] = 0.0
    return TieScores(values, moments[1], rise, both)


def _binomial(m: int, chance: float) -> FloatArray:
    ones = np.arange(m + 1)
    ways = np.array([comb(m, k) for k in ones], dtype=np.float64)
    return ways * chance**ones * (1 - chance) ** (m - ones)


Bits = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class AskedPairs:
    """Each pair once, with ``first < second``.

    Row 0 of `bits` and `asked`, shape (2, pairs), is what the first said of the second, row 1
    what the second said of the first.
    """

    n: int
    first: npt.NDArray[np.int32]
    second: npt.NDArray[np.int32]
    bits: Bits
    asked: Bits

    def __len__(self) -> int:
        return len(self.first)

    def chosen(self, places: npt.NDArray) -> AskedPairs:
        """Return some of the pairs."""
        ends = self.first[places], self.second[places]
        return AskedPairs(self.n, *ends, self.bits[:, places], self.asked[:, places])

    def node_sums(self, of_first: npt.NDArray, of_second: npt.NDArray) -> FloatArray:
        """Sum over the pairs of each person what is theirs as the first or as the second."""
        sums = np.zeros(self.n)
        for people, values in ((self.first, of_first), (self.second, of_second)):
            sums += np.bincount(people, values, minlength=self.n)
        return sums

    def of_ties(self, table: FloatArray) -> FloatArray:
        """Look up each undirected tie by how often it was reported and how many ones came in."""
        return _look_up(table, self.asked.sum(axis=0), self.bits.sum(axis=0))

    def of_arcs(self, table: FloatArray) -> FloatArray:
        """Look up each directed tie by whether it was reported, and its bit, shape (2, pairs)."""
        out = np.empty(self.asked.shape)
        for row, (asked, bits) in enumerate(zip(self.asked, self.bits, strict=True)):
            out[row] = _look_up(table, asked, bits)
        return out

    def tie_scores(self, scores: TieScores) -> tuple[FloatArray, FloatArray]:
        """Return of each undirected tie the score and its estimated variance, shape (pairs,)."""
        return self.of_ties(scores.values), self.of_ties(scores.value_variances)

    def arc_scores(self, scores: TieScores) -> tuple[FloatArray, FloatArray]:
        """Return the same of directed ties, shape (2, pairs); zeros where nobody was asked."""
        return self.of_arcs(scores.values), self.of_arcs(scores.value_variances)


def _look_up(table: FloatArray, times: npt.NDArray, ones: npt.NDArray) -> FloatArray:
    return table.ravel()[3 * times.astype(np.uint8) + ones.astype(np.uint8)]


def asked_pairs(reports: NetworkReports) -> AskedPairs:
    """Return the pairs that were asked about."""
    senders = reports.senders
    first, second = np.minimum(senders, reports.alters), np.maximum(senders, reports.alters)
    keys = first.astype(np.int64) * reports.n + second
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    new = np.concatenate([[True], keys[1:] != keys[:-1]])
    place = np.cumsum(new) - 1
    del keys
    side = (senders > reports.alters)[order].astype(np.intp)
    bits, asked = (np.zeros((2, int(place[-1]) + 1), dtype=np.uint8) for _ in range(2))
    bits[side, place] = reports.bits[order]
    asked[side, place] = 1
    leaders = order[new]
    return AskedPairs(reports.n, first[leaders], second[leaders], bits, asked)
