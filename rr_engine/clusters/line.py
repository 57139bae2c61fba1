"""The best clusters of numbers on a line, exactly."""

import numpy as np

from rr_engine.arrays import FloatArray

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
    cost, size = _spreads(points, numbers), len(points)
    best, came = cost[0], np.zeros((k, size + 1), dtype=int)
    for cluster in range(1, k):
        # By where the cluster begins (down) and ends (across).
        sums = np.round(best[:-1, None] + cost, DIGITS)
        came[cluster], best = sums.argmin(axis=0), sums.min(axis=0)
    starts, end = [], size
    for cluster in range(k - 1, -1, -1):
        end = int(came[cluster, end])
        starts.append(end)
    return starts[::-1]


def _spreads(points: FloatArray, numbers: FloatArray) -> FloatArray:
    """Return the sums of squares about the mean of the points from a to b - 1, at [a, b].

    Each point counts several times; infinite for no points.
    """
    moments = np.array([numbers, numbers * points, numbers * points**2])
    sums = np.concatenate([np.zeros((3, 1)), moments.cumsum(axis=1)], axis=1)
    people, total, squares = sums[:, None, :] - sums[:, :-1, None]
    some = people > 0
    means = np.divide(total, people, out=np.zeros_like(total), where=some)
    return np.where(some, np.maximum(squares - means * total, 0.0), np.inf)
