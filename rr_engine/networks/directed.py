"""Cycles, transitive triples and two-paths of a directed network, with unbiased variances.

docs/methods/networks.md has the formulas. A count is a sum of products of different ties, so that
its variance is ``sum_S prod_{e in S} v_e (d_S)^2`` over sets S of one to three ties, where ``d_S``
is the derivative by the ties of S (Efron and Stein 1981).
"""

from __future__ import annotations

import numpy as np

from rr_engine.networks.pairs import AskedPairs
from rr_engine.networks.scores import TieScores
from rr_engine.networks.triads import Triads, triads_of
from rr_engine.networks.undirected import TriadCounts
from rr_engine.validation import FloatArray


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
