"""Exact power of a test of the difference between two groups, from the chances of their counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray, IntArray
from rr_engine.channels.protocol import Channel, ReportedShare
from rr_engine.distributions import binomial_pmf, normal_isf
from rr_engine.errors import ArgumentError
from rr_engine.estimation.common import Curve, null_error
from rr_engine.roots import halve_whole

# Counts less likely than this change no power in its tenth digit.
NEGLIGIBLE = 1e-16


@dataclass(frozen=True, slots=True)
class Pair:
    """Two groups and the difference to detect; a curve is the variance of one report's estimate."""

    designs: tuple[Channel, Channel]
    alternative: str
    category: int
    variance: str
    curves: tuple[Curve, Curve]


def exact_power(pair: Pair, shares: list[float], sizes: list[int], alpha: float) -> float:
    """Sum the chances of all pairs of counts at which the test rejects.

    At a count of the first group those of the second that reject are the lowest and the highest.
    With separate variances the square of the difference less z^2 times its variance is a convex
    parabola in the second's share, and not above zero where the two are equal; with the variance of
    no difference the statistic rises with the distance.
    """
    first, second = (
        _counts(_one_share(design, pair.category), share, n)
        for design, share, n in zip(pair.designs, shares, sizes, strict=True)
    )
    z = float(normal_isf(alpha / 2 if pair.alternative == "two-sided" else alpha))
    low, high = _ends(first, second, _reach(pair, first, second, sizes, z))
    below = np.append(0.0, np.cumsum(second.chances))
    above = np.append(np.cumsum(second.chances[::-1])[::-1], 0.0)
    powers = {"greater": below[low], "less": above[high], "two-sided": below[low] + above[high]}
    return min(float(first.chances @ powers[pair.alternative]), 1.0)


def _reach(
    pair: Pair, first: _Counts, second: _Counts, sizes: list[int], z: float
) -> Callable[[IntArray], FloatArray]:
    """Return the critical difference of estimates, for one of the second at each of the first."""
    if pair.variance == "separate":
        return lambda indices: z * np.sqrt(first.variances + second.variances[indices])
    return lambda indices: (
        z * null_error([first.values, second.values[indices]], pair.curves, sizes)
    )


def _ends(
    first: _Counts, second: _Counts, reach: Callable[[IntArray], FloatArray]
) -> tuple[IntArray, IntArray]:
    """Return at each count of the first group how many of the second's lie clearly below it.

    And from which of them on they lie clearly above; the estimates of both rise.
    """

    def not_below(indices: IntArray) -> BoolArray:
        return first.values - second.values[indices] <= reach(indices)

    def above(indices: IntArray) -> BoolArray:
        return second.values[indices] - first.values > reach(indices)

    size, shape = len(second.values), len(first.values)
    return _first_of(not_below, size, shape), _first_of(above, size, shape)


def _first_of(holds: Callable[[IntArray], BoolArray], size: int, shape: int) -> IntArray:
    """Return, for each of `shape` conditions, the first index from which it holds, or `size`."""
    ends = np.full(shape, -1), np.full(shape, size)
    return halve_whole(lambda indices: ~holds(indices), *ends)[1]


def _one_share(design: Channel, category: int) -> ReportedShare:
    share = design.reported_share(category)
    if share is None:
        rule = 'be "normal" where a proportion shows through several reports'
        raise ArgumentError("method", "exact", rule, "method_needs_one_report")
    return share


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Chance, estimate and estimated variance of each count that is at all likely.

    In the order of the estimates.
    """

    chances: FloatArray
    values: FloatArray
    variances: FloatArray


def _counts(share: ReportedShare, prevalence: float, n: int) -> _Counts:
    likely = _likely(n, share.at(prevalence))
    chances = binomial_pmf(likely, n, share.at(prevalence))
    likely, chances = likely[chances > NEGLIGIBLE], chances[chances > NEGLIGIBLE]
    reported, slope = likely / n, share.within - share.without
    values = (reported - share.without) / slope
    variances = reported * (1 - reported) / (max(n - 1, 1) * slope**2)
    order = slice(None, None, -1 if slope < 0 else 1)
    return _Counts(chances[order], values[order], variances[order])


def _likely(n: int, chance: float) -> IntArray:
    """Return all counts but those that are negligible together by Bernstein's inequality."""
    rest = -log(NEGLIGIBLE)
    away = ceil(rest / 3 + sqrt(rest**2 / 9 + 2 * rest * n * chance * (1 - chance)))
    middle = round(n * chance)
    return np.arange(max(0, middle - away), min(n, middle + away) + 1)
