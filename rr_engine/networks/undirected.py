"""Triangles, cycles, transitive triples and two-paths, with unbiased variances."""

from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.networks.scores import AskedPairs, TieScores
from rr_engine.networks.triads import Triads, triads_of


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
    """Triangles, two-paths, and the triangles of each person, shape (n,).

    `expected_variance` and `node_expected` are the variances of triangles and of each person's if
    ties were as probable as the reports say; `paths_slope` is what the variance of two-paths
    grows by with their number.
    """

    counts: TriadCounts
    expected_variance: float
    paths_slope: float
    node_triangles: FloatArray
    node_variances: FloatArray
    node_expected: FloatArray


def undirected_triads(pairs: AskedPairs, scores: TieScores, density: float) -> UndirectedTriads:
    """Return the triads of pairs of which a share `density` may be tied."""
    totals, expected, slope, nodes = np.zeros(5), 0.0, np.zeros(2), np.zeros((3, pairs.n))
    for triads in triads_of(pairs):
        w, v = map(triads.spread, triads.pairs.tie_scores(scores))
        of_part, of_nodes = _part(triads, w, v)
        third = triads.both_paths(triads.ones, triads.ones)
        slope += triads.pair_sum(v * third**2), triads.pair_sum(third)
        del w, v, third
        of_all, of_each = _expected(triads, scores, density)
        totals += of_part
        expected += of_all
        nodes += (*of_nodes, of_each)
    counts = TriadCounts(*totals.tolist())
    return UndirectedTriads(counts, expected, 2 * slope[0] / max(slope[1], 1.0), *nodes)


def _expected(triads: Triads, scores: TieScores, density: float) -> tuple[float, FloatArray]:
    """Return the mean of the variances of triangles, if ties are independent and so probable."""
    times, ones = triads.pairs.asked.sum(axis=0), triads.pairs.bits.sum(axis=0)
    probable = scores.probable(density)[times, ones]
    a, v = triads.spread(probable), triads.spread(scores.variances(probable, times))
    squares = a * a
    closing = triads.both_paths(a, a) / 2
    shared = closing**2 - triads.both_paths(squares, squares) / 2
    shared *= v
    moment = a + v
    own = moment * triads.both_paths(moment, moment) / 2 - a * closing
    total = triads.pair_sum(own) / 3 + triads.pair_sum(shared)
    return total, triads.node_sums(own) / 2 + triads.node_sums(shared)


def _part(
    triads: Triads, w: FloatArray, v: FloatArray
) -> tuple[tuple[float, ...], tuple[FloatArray, FloatArray]]:
    squares = w * w
    # For each pair the sums of the product of the two other ties of its triads, and of its square.
    closing = triads.both_paths(w, w) / 2
    closing_squares = triads.both_paths(squares, squares) / 2
    products, own = w * closing, squares * closing_squares
    own -= products
    shared = v * (closing**2 - closing_squares)
    closed = triads.pair_sum(products) / 3
    closed_variance = triads.pair_sum(own) / 3 + triads.pair_sum(shared)
    nodes = (triads.node_sums(products) / 2, triads.node_sums(own) / 2 + triads.node_sums(shared))
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


def directed_triads(
    pairs: AskedPairs, scores: TieScores
) -> tuple[TriadCounts, tuple[float, float], float]:
    """Return transitive triples with two-paths, cycles with their variance, the paths' slope."""
    totals = np.zeros(9)
    for triads in triads_of(pairs):
        asked = triads.spread(triads.pairs.asked.astype(np.float64))
        z, v = map(triads.spread, triads.pairs.arc_scores(scores))
        totals += (
            *_transitive(triads, z, v, asked),
            *_cycles(triads, z, v),
            *_slope(triads, v, asked),
        )
    counts, cycles = TriadCounts(*totals[:5].tolist()), (float(totals[5]), float(totals[6]))
    return counts, cycles, 2 * float(totals[7]) / max(float(totals[8]), 1.0)


def _slope(triads: Triads, v: FloatArray, asked: FloatArray) -> tuple[float, float]:
    """Return what the variance of two-paths grows by with them: numerator and denominator."""
    back = triads.turned(asked)
    third = triads.paths(asked, back)
    third += triads.paths(back, asked)
    return _dot(v, third**2), _dot(asked, third)


def _transitive(
    triads: Triads, z: FloatArray, v: FloatArray, asked: FloatArray
) -> tuple[float, ...]:
    """Return the counts of i -> j -> k with i -> k, and of i -> j -> k where i was asked about k.

    Products are summed as soon as they are there: a large network has no room for all of them.
    """
    paths, back = triads.paths, triads.turned(z)
    product = paths(v, v)
    own, paths_own, both_own = _dot(z + v, product), _dot(asked, product), _dot(z, product)
    product = z + z * back
    own += _dot(paths(triads.turned(v), v), product) + _dot(paths(v, triads.turned(v)), product)
    # Derivative of the triples by each tie: as the first step, the second, or the closing one.
    slope = paths(z, z)
    counts = _dot(z, slope), _dot(asked, slope)
    slope += paths(z, back)
    slope += paths(back, z)
    square = z * z
    back_square = triads.turned(square)
    variance = own + _dot(v, slope**2 + slope) - _repeated(triads, z, v)
    steps = paths(asked, back)
    steps += paths(back, asked)
    paths_variance = paths_own + _dot(v, steps**2 + steps)
    covariance = both_own + _dot(v, slope * steps)
    del slope, steps
    for first, second in ((asked, back_square), (back_square, asked)):
        paths_variance -= _dot(v, paths(first, second))
    del square
    back = back - back_square
    covariance += _dot(v, paths(z, back)) + _dot(v, paths(back, z))
    return *counts, variance, paths_variance, covariance


def _repeated(triads: Triads, z: FloatArray, v: FloatArray) -> float:
    """Return what the square of the derivative has too much, from triads taken twice."""
    square = z * z
    back, mutual = triads.turned(square), z * triads.turned(z)
    found = sum(
        _dot(v, triads.paths(*each)) for each in ((square, square), (square, back), (back, square))
    )
    square -= z
    return found + 2 * sum(
        _dot(v, triads.paths(*each)) for each in ((square, mutual), (mutual, square))
    )


def _cycles(triads: Triads, z: FloatArray, v: FloatArray) -> tuple[float, float]:
    through, square = triads.paths(z, z), z * z
    through_square = triads.paths(square, square)
    closing = _dot(triads.turned(z), through) / 3
    variance = _dot(triads.turned(square), through_square) / 3 - closing
    variance += _dot(triads.turned(v), through**2 - through_square)
    return closing, variance


def _dot(first: FloatArray, second: FloatArray) -> float:
    return float(np.vdot(first, second))
