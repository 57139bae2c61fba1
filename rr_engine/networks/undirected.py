"""Triangles and two-paths of an undirected network, with unbiased variances.

docs/methods/networks.md has the formulas. The scores of different ties are independent, so that a
product of them is unbiased; in the square of a sum the terms with the same tie twice are taken out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.networks.pairs import AskedPairs
from rr_engine.networks.triads import Triads, triads_of
from rr_engine.validation import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class TriadCounts:
    """Closed triads (triangles) and open or closed ones (two-paths), with their covariance."""

    closed: float
    paths: float
    closed_variance: float
    paths_variance: float
    covariance: float


@dataclass(frozen=True, slots=True, eq=False)
class UndirectedTriads:
    """Triangles, two-paths, and the triangles of each person, shape (n,)."""

    counts: TriadCounts
    node_triangles: FloatArray
    node_variances: FloatArray


def undirected_triads(pairs: AskedPairs, w: FloatArray, v: FloatArray) -> UndirectedTriads:
    """Return the triads of ties with scores w and variances v, shape (pairs,)."""
    totals, nodes = np.zeros(5), np.zeros((2, pairs.n))
    for triads, chosen in triads_of(pairs):
        of_part, of_nodes = _part(triads, triads.spread(w[chosen]), triads.spread(v[chosen]))
        totals += of_part
        nodes += of_nodes
    return UndirectedTriads(TriadCounts(*totals.tolist()), *nodes)


def _part(
    triads: Triads, w: FloatArray, v: FloatArray
) -> tuple[tuple[float, ...], tuple[FloatArray, FloatArray]]:
    squares = w * w
    # Of a pair: sums of the product of the two other ties of its triads, and of its square.
    closing = triads.both_paths(w, w) / 2
    closing_squares = triads.both_paths(squares, squares) / 2
    products, own = w * closing, squares * closing_squares
    own -= products
    shared = v * (closing**2 - closing_squares)
    closed = triads.pair_sum(products) / 3
    closed_variance = triads.pair_sum(own) / 3 + triads.pair_sum(shared)
    nodes = (
        triads.node_sums(products) / 2,
        triads.node_sums(own) / 2 + triads.node_sums(shared),
    )
    del products, own, shared
    covariance = triads.pair_sum(w * (closing_squares - closing))
    del closing_squares
    adjacent = triads.both_paths(w, triads.ones)
    covariance += triads.pair_sum(v * (closing * adjacent - triads.both_paths(squares, w)))
    del closing
    paths = triads.pair_sum(w * adjacent) / 2
    adjacent_squares = triads.both_paths(squares, triads.ones)
    paths_variance = triads.pair_sum(squares * adjacent_squares - w * adjacent) / 2
    paths_variance += triads.pair_sum(v * (adjacent**2 - adjacent_squares))
    return (closed, paths, closed_variance, paths_variance, covariance), nodes
