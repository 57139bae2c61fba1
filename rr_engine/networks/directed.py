"""Cycles, transitive triples and two-paths of a directed network, with unbiased variances.

docs/methods/networks.md has the formulas. A count is a sum of products of different ties, so that
its variance is ``sum_S prod_{e in S} v_e (d_S)^2`` over sets S of one to three ties, where ``d_S``
is the derivative by the ties of S (Efron and Stein 1981).
"""

from __future__ import annotations

import numpy as np

from rr_engine.networks.pairs import AskedPairs
from rr_engine.networks.triads import Triads, triads_of
from rr_engine.networks.undirected import TriadCounts
from rr_engine.validation import FloatArray


def directed_triads(
    pairs: AskedPairs, z: FloatArray, v: FloatArray
) -> tuple[TriadCounts, tuple[float, float], float]:
    """Return transitive triples with two-paths, cycles with their variance, the paths' slope.

    Scores z and variances v have the shape (2, pairs).
    """
    totals = np.zeros(9)
    for triads, chosen in triads_of(pairs):
        asked = triads.spread(pairs.asked[:, chosen].astype(np.float64))
        arrays = (triads.spread(z[:, chosen]), triads.spread(v[:, chosen]), asked)
        totals += (
            *_transitive(triads, *arrays),
            *_cycles(triads, *arrays[:2]),
            *_slope(triads, *arrays[1:]),
        )
    counts, cycles = TriadCounts(*totals[:5].tolist()), (float(totals[5]), float(totals[6]))
    return counts, cycles, 2 * float(totals[7]) / max(float(totals[8]), 1.0)


def _slope(triads: Triads, v: FloatArray, asked: FloatArray) -> tuple[float, float]:
    """Return what the variance of two-paths grows by with them: numerator and denominator."""
    back = triads.turned(asked)
    third = triads.paths(asked, back) + triads.paths(back, asked)
    return _sum(v * third**2), _sum(asked * third)


def _transitive(
    triads: Triads, z: FloatArray, v: FloatArray, asked: FloatArray
) -> tuple[float, ...]:
    """Of i -> j -> k with i -> k, and of i -> j -> k where i was asked about k."""
    paths, back = triads.paths, triads.turned(z)
    through, spread = paths(z, z), paths(v, v)
    square = z * z
    back_square = triads.turned(square)
    mutual = z * back
    # Derivative of the triples by each tie: as the first step, the second, or the closing one.
    slope = through + paths(z, back) + paths(back, z)
    repeated = paths(square, square) + paths(square, back_square) + paths(back_square, square)
    repeated += 2 * (paths(square - z, mutual) + paths(mutual, square - z))
    variance = _sum(v * (slope**2 - repeated + slope)) + _sum((z + v) * spread)
    turned = triads.turned(v)
    variance += _sum((paths(turned, v) + paths(v, turned)) * (z + mutual))
    del repeated, mutual
    steps = paths(asked, back) + paths(back, asked)
    steps_square = paths(asked, back_square) + paths(back_square, asked)
    paths_variance = _sum(v * (steps**2 - steps_square + steps)) + _sum(asked * spread)
    rest = back - back_square
    covariance = _sum(v * (slope * steps + paths(z, rest) + paths(rest, z))) + _sum(z * spread)
    counts = _sum(z * through), _sum(asked * through)
    return *counts, variance, paths_variance, covariance


def _cycles(triads: Triads, z: FloatArray, v: FloatArray) -> tuple[float, float]:
    through, square = triads.paths(z, z), z * z
    through_square = triads.paths(square, square)
    closing = _sum(triads.turned(z) * through) / 3
    variance = _sum(triads.turned(square) * through_square) / 3 - closing
    variance += _sum(triads.turned(v) * (through**2 - through_square))
    return closing, variance


def _sum(array: FloatArray) -> float:
    return float(array.sum())
