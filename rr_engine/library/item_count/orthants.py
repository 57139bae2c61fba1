"""Chances of orthants of normal vectors, and the weights of chi-bar-square, on plain arrays."""

from itertools import combinations
from math import asin, pi

import numpy as np
import scipy

from rr_engine.distributions import normal_cdf
from rr_engine.validation import FloatArray

# Points of the lattice for four and more dimensions; a prime.
POINTS = 8191
ROOTS = np.sqrt(np.array([2, 3, 5, 7, 11, 13, 17, 19], dtype=np.float64))
# Keeps the quantile of a normal finite.
EDGE = 1e-15
RIDGE = 1e-9


def projection(values: FloatArray, covariance: FloatArray) -> float:
    """Return the squared distance to the nearest vector without a negative entry."""
    lower = np.linalg.cholesky(covariance)
    scaled = np.linalg.solve(lower, np.column_stack([np.eye(len(values)), values]))
    return float(scipy.optimize.nnls(scaled[:, :-1], scaled[:, -1])[1] ** 2)


def as_correlations(covariance: FloatArray) -> FloatArray:
    """Return the correlations, moved off singularity by as little as rounding needs."""
    deviations = np.sqrt(np.diag(covariance))
    return covariance / np.outer(deviations, deviations) + RIDGE * np.eye(len(covariance))


def level_weights(covariance: FloatArray) -> FloatArray:
    """Return how likely the projection onto the orthant has 0, 1, ... entries above zero."""
    size = len(covariance)
    weights = np.zeros(size + 1)
    for count in range(size + 1):
        for kept in combinations(range(size), count):
            zero = [index for index in range(size) if index not in kept]
            weights[count] += _pattern(covariance, list(kept), zero)
    return weights / weights.sum()


def _pattern(covariance: FloatArray, kept: list[int], zero: list[int]) -> float:
    """Return the chance that exactly these entries of the projection are above zero (Kudo)."""
    within = covariance[np.ix_(kept, kept)]
    if not zero:
        return orthant(within)
    rest: FloatArray = np.asarray(np.linalg.inv(covariance[np.ix_(zero, zero)]), dtype=np.float64)
    across = covariance[np.ix_(kept, zero)]
    return orthant(rest) * orthant(within - across @ rest @ across.T)


def orthant(covariance: FloatArray) -> float:
    """Return the chance that all entries of a centred normal vector are above zero."""
    size = len(covariance)
    if size <= 1:
        return 1.0 if size == 0 else 0.5
    deviations = np.sqrt(np.diag(covariance))
    correlations = np.clip(covariance / np.outer(deviations, deviations), -1, 1)
    if size <= 3:
        angles = sum(asin(correlations[i, j]) for i, j in combinations(range(size), 2))
        return max(2.0**-size + angles / (2 ** (size - 1) * pi), 0.0)
    return _by_lattice(correlations)


def _by_lattice(correlations: FloatArray) -> float:
    """Return the same by a fixed lattice: entries one by one, each given those before (Genz)."""
    lower = np.linalg.cholesky(correlations + RIDGE * np.eye(len(correlations)))
    steps = np.outer(np.arange(1, POINTS + 1), ROOTS[: len(lower) - 1])
    points = np.abs(2 * (steps % 1) - 1)
    drawn = np.zeros((POINTS, len(lower) - 1))
    chance = np.ones(POINTS)
    for row in range(len(lower)):
        reached = drawn[:, :row] @ lower[row, :row]
        below = normal_cdf(-reached / lower[row, row])
        chance *= 1 - below
        if row < len(lower) - 1:
            share = below + points[:, row] * (1 - below)
            drawn[:, row] = scipy.special.ndtri(np.clip(share, EDGE, 1 - EDGE))
    return float(chance.mean())


def chi_bar_square_sf(statistic: float, covariance: FloatArray) -> float:
    """Return the p-value of a distance to the orthant when all entries are truly zero."""
    weights = level_weights(covariance)
    free = len(covariance) - np.arange(len(weights))
    # With no entry at zero the distance is zero for certain.
    tails = np.where(free > 0, scipy.special.chdtrc(np.maximum(free, 1), statistic), 0.0)
    return float(weights @ np.where((free == 0) & (statistic <= 0), 1.0, tails))


def chi_bar_square_bound(statistic: float, size: int) -> float:
    """Return an upper bound of the same that holds for every covariance (Perlman)."""
    tails = [scipy.special.chdtrc(free, statistic) for free in (max(size - 1, 1), size)]
    return float(sum(tails) / 2)
