"""The best clusters of numbers on a line, exactly."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from rr_engine.validation import FloatArray

# Digits in which two values or two costs are the same on every processor.
DIGITS = 10


def clusters_on_line(values: FloatArray, k: int) -> list[int]:
    """Return the number of the cluster of each value, with the least sum of squares within.

    Clusters of an optimum are intervals of the sorted values, so that dynamic programming finds it
    (Fisher 1958). Equal values stay together, so that there may be fewer clusters than k. Of
    clusters that are as good those with the larger last one are taken.
    """
    rounded = _rounded(values)
    points, places, numbers = np.unique(rounded, return_inverse=True, return_counts=True)
    starts = _starts(points, numbers.astype(np.float64), min(k, len(points)))
    labels = np.searchsorted(starts, np.arange(len(points)), side="right") - 1
    return labels[places].tolist()


def _rounded(values: FloatArray) -> FloatArray:
    """Return the values from 0 to 1, in ten digits; zeros where they are all the same."""
    spread = float(np.ptp(values))
    if spread <= 10.0**-DIGITS * float(np.abs(values).max()):
        return np.zeros(len(values))
    return np.round((values - values.min()) / spread, DIGITS)


def _starts(points: FloatArray, numbers: FloatArray, k: int) -> list[int]:
    """Return where each of k clusters of the sorted points begins."""
    size = len(points)
    cost = np.zeros((size, size + 1))
    for first, end in combinations(range(size + 1), 2):
        cost[first, end] = _spread(points[first:end], numbers[first:end])
    best, came = cost[0].copy(), np.zeros((k, size + 1), dtype=int)
    for cluster in range(1, k):
        further = np.full(size + 1, np.inf)
        for end in range(cluster + 1, size + 1):
            sums = np.round(best[cluster:end] + cost[cluster:end, end], DIGITS)
            came[cluster, end] = cluster + int(np.argmin(sums))
            further[end] = sums.min()
        best = further
    starts, end = [], size
    for cluster in range(k - 1, -1, -1):
        end = int(came[cluster, end])
        starts.append(end)
    return starts[::-1]


def _spread(points: FloatArray, numbers: FloatArray) -> float:
    """Return the sum of squares about the mean of points that each count several times."""
    if len(points) < 2:
        return 0.0
    mean = float(points @ numbers / numbers.sum())
    return float((points - mean) ** 2 @ numbers)
