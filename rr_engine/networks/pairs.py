"""Pairs of people of which one or both were asked about the other, and their unbiased scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.networks.reports import NetworkReports
from rr_engine.networks.scores import TieScores
from rr_engine.validation import FloatArray

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
