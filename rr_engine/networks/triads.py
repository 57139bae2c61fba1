"""Sums over the third person of a triad: products of matrices that are wanted at asked pairs only.

Three people form an asked triad where each pair was asked about. For matrices `A` and `B` with
zeros at pairs that were not asked, ``paths(A, B)`` is ``sum_k A_ik B_kj`` at asked pairs (i, j).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import scipy

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.networks.scores import AskedPairs

# Positions of the pairs (i, j), (i, k) and (j, k) of the triads i, j, k.
Found = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]
# A part of the group is a table where at least this share of its pairs was asked about: its
# products then take less time than going through its triads.
DENSE_SHARE = 0.05
# A table of fewer people does not pay.
LEAST_TABLE = 24
# Triads held at a time, and in all: 12 bytes each.
TRIADS_AT_A_TIME, MOST_KEPT = 2**20, 10_000_000


class Triads(ABC):
    """The asked triads of a part of the group. Arrays have the shape that `spread` gives them.

    Attributes
    ----------
    pairs : AskedPairs
        Those of the part that are in a triad, and maybe others.
    """

    __slots__ = ("pairs",)

    pairs: AskedPairs

    @abstractmethod
    def spread(self, values: FloatArray) -> FloatArray:
        """Lay out a number for each of `pairs` (pairs,), or each direction of it (2, pairs)."""

    @property
    @abstractmethod
    def ones(self) -> FloatArray:
        """A 1 for each asked pair."""

    @abstractmethod
    def turned(self, array: FloatArray) -> FloatArray:
        """Return the transposed matrix."""

    @abstractmethod
    def paths(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return the product of two matrices at the asked pairs."""

    @abstractmethod
    def both_paths(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Return ``AB + BA`` of two symmetric matrices at the asked pairs."""

    @abstractmethod
    def pair_sum(self, array: FloatArray) -> float:
        """Sum a symmetric matrix over pairs."""

    @abstractmethod
    def node_sums(self, array: FloatArray) -> FloatArray:
        """Sum a symmetric matrix over the pairs of each of the n people."""


class TableTriads(Triads):
    """A part of the group as tables of all its pairs."""

    __slots__ = ("_first", "_n", "_nodes", "_pattern", "_second")

    def __init__(self, pairs: AskedPairs, nodes: npt.NDArray) -> None:
        self.pairs, self._n, self._nodes = pairs, pairs.n, nodes
        self._first = np.searchsorted(nodes, pairs.first)
        self._second = np.searchsorted(nodes, pairs.second)
        self._pattern = self.spread(np.ones(len(pairs)))

    def spread(self, values: FloatArray) -> FloatArray:
        table = np.zeros((len(self._nodes),) * 2)
        forth, back = values if values.ndim == 2 else (values, values)
        table[self._first, self._second] = forth
        table[self._second, self._first] = back
        return table

    @property
    def ones(self) -> FloatArray:
        return self._pattern

    def turned(self, array: FloatArray) -> FloatArray:
        return array.T

    def paths(self, first: FloatArray, second: FloatArray) -> FloatArray:
        product = first @ second
        product *= self._pattern
        return product

    def both_paths(self, first: FloatArray, second: FloatArray) -> FloatArray:
        product = self.paths(first, second)
        return product + product.T

    def pair_sum(self, array: FloatArray) -> float:
        return float(array.sum()) / 2

    def node_sums(self, array: FloatArray) -> FloatArray:
        sums = np.zeros(self._n)
        sums[self._nodes] = array.sum(axis=1)
        return sums


class ListedTriads(Triads):
    """A part of the group as a list of its asked triads, which are found once or, if many, anew.

    Each pair points from the person with fewer pairs to the one with more, which keeps the lists of
    those with the most short (Chiba and Nishizeki 1985).
    """

    __slots__ = ("_flipped", "_head", "_kept", "_n", "_starts", "_tail")

    def __init__(self, pairs: AskedPairs) -> None:
        first, second, self._n = pairs.first, pairs.second, pairs.n
        counts = np.bincount(first, minlength=self._n) + np.bincount(second, minlength=self._n)
        rank = np.empty(self._n, dtype=np.int32)
        rank[np.argsort(counts, kind="stable")] = np.arange(self._n, dtype=np.int32)
        flipped = rank[first] > rank[second]
        tail = np.where(flipped, second, first)
        order = np.argsort(tail, kind="stable").astype(np.int32)
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(tail, minlength=self._n))])
        self._tail, self._flipped = tail[order], flipped[order]
        self._head = np.where(flipped, first, second)[order]
        self._kept: list[Found] | None = self._found_once()
        if self._kept is not None:
            order = order[self._leave_out()]
        self.pairs = pairs.chosen(order)

    def spread(self, values: FloatArray) -> FloatArray:
        if values.ndim == 1:
            return values
        return np.where(self._flipped, values[::-1], values)

    @property
    def ones(self) -> FloatArray:
        return np.ones(len(self._tail))

    def turned(self, array: FloatArray) -> FloatArray:
        return array[::-1]

    def paths(self, first: FloatArray, second: FloatArray) -> FloatArray:
        out, (a, b) = np.zeros(first.shape), (first, second)
        # For people i, j, k row 0 of an array points from i to j and k, and from j to k.
        for ij, ik, jk in self._triads():
            np.add.at(out[0], ij, a[0, ik] * b[1, jk])
            np.add.at(out[1], ij, a[0, jk] * b[1, ik])
            np.add.at(out[0], ik, a[0, ij] * b[0, jk])
            np.add.at(out[1], ik, a[1, jk] * b[1, ij])
            np.add.at(out[0], jk, a[1, ij] * b[0, ik])
            np.add.at(out[1], jk, a[1, ik] * b[0, ij])
        return out

    def both_paths(self, first: FloatArray, second: FloatArray) -> FloatArray:
        out, same = np.zeros(first.shape), first is second
        for triad in self._triads():
            a = [first[edge] for edge in triad]
            b = a if same else [second[edge] for edge in triad]
            for at, edge in enumerate(triad):
                e, f = (at + 1) % 3, (at + 2) % 3
                np.add.at(out, edge, 2 * a[e] * a[f] if same else a[e] * b[f] + a[f] * b[e])
        return out

    def pair_sum(self, array: FloatArray) -> float:
        return float(array.sum())

    def node_sums(self, array: FloatArray) -> FloatArray:
        sums = np.zeros(self._n)
        for people in (self._tail, self._head):
            sums += np.bincount(people, array, minlength=self._n)
        return sums

    def _triads(self) -> Iterator[Found]:
        yield from self._in_chunks() if self._kept is None else self._kept

    def _found_once(self) -> list[Found] | None:
        """Find all triads, if they are few enough to be kept."""
        kept: list[Found] = []
        for triads in self._in_chunks():
            kept.append(triads)
            if sum(len(each[0]) for each in kept) > MOST_KEPT:
                return None
        return kept

    def _leave_out(self) -> npt.NDArray:
        """Leave out pairs in no triad, most where rosters are drawn at random; say which stay."""
        used = np.zeros(len(self._tail), dtype=np.bool_)
        for triads in self._kept or ():
            for edges in triads:
                used[edges] = True
        number = np.cumsum(used, dtype=np.int32) - 1
        self._kept = [(number[ij], number[ik], number[jk]) for ij, ik, jk in self._kept or ()]
        self._tail, self._head = self._tail[used], self._head[used]
        self._flipped = self._flipped[used]
        return used

    def _in_chunks(self) -> Iterator[Found]:
        waiting: list[Found] = []
        held = 0
        for found in self._of_each_tail():
            waiting.append(found)
            held += len(found[0])
            if held >= TRIADS_AT_A_TIME:
                yield _joined(waiting)
                waiting, held = [], 0
        if waiting:
            yield _joined(waiting)

    def _of_each_tail(self) -> Iterator[Found]:
        """Find the triads of each person i: j and k to which i points, and where j points to k."""
        starts, lengths = self._starts, np.diff(self._starts)
        # Position of the pair (i, k), by k.
        to = np.full(self._n, -1, dtype=np.int32)
        for i in np.flatnonzero(lengths > 1).tolist():
            mine = np.arange(starts[i], starts[i + 1], dtype=np.int32)
            neighbours = self._head[mine]
            to[neighbours] = mine
            sizes = lengths[neighbours]
            ends = np.cumsum(sizes)
            jk = np.repeat(starts[neighbours] - ends + sizes, sizes) + np.arange(ends[-1])
            ik = to[self._head[jk]]
            hit = np.flatnonzero(ik >= 0)
            if len(hit):
                ij = mine[np.searchsorted(ends, hit, side="right")]
                yield ij, ik[hit], jk[hit].astype(np.int32)
            to[neighbours] = -1


def _joined(parts: list[Found]) -> Found:
    ij, ik, jk = (np.concatenate(each) for each in zip(*parts, strict=True))
    return ij, ik, jk


def triads_of(pairs: AskedPairs) -> Iterator[Triads]:
    """Yield the triads of the parts of the group that no pair connects.

    Parts of which most pairs were asked about are tables; all others are listed together.
    """
    links = scipy.sparse.coo_array(
        (np.ones(len(pairs), dtype=np.int8), (pairs.first, pairs.second)), (pairs.n,) * 2
    )
    count, part = scipy.sparse.csgraph.connected_components(links, directed=False)
    sizes = np.bincount(part, minlength=count)
    of_pair = part[pairs.first]
    asked = np.bincount(of_pair, minlength=count)
    tables = (sizes >= LEAST_TABLE) & (asked >= DENSE_SHARE * sizes * (sizes - 1) / 2)
    yield from _tables(pairs, part, of_pair, tables)
    rest = np.flatnonzero(~tables[of_pair])
    if len(rest):
        yield ListedTriads(pairs if len(rest) == len(pairs) else pairs.chosen(rest))


def _tables(
    pairs: AskedPairs, part: npt.NDArray, of_pair: npt.NDArray, tables: BoolArray
) -> Iterator[Triads]:
    by_pair, by_node = (np.argsort(each, kind="stable") for each in (of_pair, part))
    pair_ends = np.searchsorted(of_pair[by_pair], np.arange(len(tables) + 1))
    node_ends = np.searchsorted(part[by_node], np.arange(len(tables) + 1))
    for number in np.flatnonzero(tables).tolist():
        chosen = by_pair[pair_ends[number] : pair_ends[number + 1]]
        nodes = by_node[node_ends[number] : node_ends[number + 1]]
        yield TableTriads(pairs.chosen(chosen), nodes)
