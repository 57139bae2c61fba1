"""Ends of intervals of a reported share, moved out until their exact coverage has a floor.

The score test of a share calls a count too far away by the normal limit. Where few reports are
expected, the count that is called so may come in often: of 50 reports of which .124 are expected,
a single one is rejected and turns up in 12 surveys of 100. A count is therefore kept, too, unless
counts as far away as it, on both sides, have together a chance of no more than `floored_rate`.
"""

from collections.abc import Callable

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.distributions import binomial_cdf, binomial_sf, smooth_binomial_cdf

# Steps of two values each, which double the digits once they are near.
STEPS = 8
# How much more often than asked an interval may miss: by so much of the rate, and so many points.
RATIO, POINTS = 1.4, 0.02
# Variance of a count from which on the normal limit is as good: one count more or less has a
# chance of .02 at most, and of .003 where the score test stops.
FINE = 400.0


def crossings(
    excess: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return where each function rises above zero between `low` and `high`.

    `high` where it does not, `low` where it is above zero there already. The function is called
    with one place for each, and returns its values.

    References
    ----------
    C. J. F. Ridders, "A New Algorithm for Computing a Single Root of a Real Continuous Function",
    IEEE Transactions on Circuits and Systems 26 (1979), 979-980.
    """
    below, above = excess(low), excess(high)
    fixed = np.where(above <= 0, high, low)
    crossed = (below <= 0) & (above > 0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        value = excess(middle)
        root = np.sqrt(np.maximum(value**2 - below * above, 0.0))
        step = np.divide(value, root, out=np.zeros_like(root), where=root > 0)
        nearer = middle - (middle - low) * step
        there = excess(nearer)
        for place, height in ((middle, value), (nearer, there)):
            within = (place >= low) & (place <= high)
            over = height > 0
            high = np.where(within & over, place, high)
            above = np.where(within & over, height, above)
            low = np.where(within & ~over, place, low)
            below = np.where(within & ~over, height, below)
    return np.where(crossed, np.where(np.abs(below) < above, low, high), fixed)


def floored_rate(alpha: float) -> float:
    """Return the rate at which an interval of the error rate alpha misses at most: .07 for .05."""
    return min(RATIO * alpha, alpha + POINTS)


def guard_shares(counts: IntArray, n: int, ends: FloatArray, alpha: float) -> FloatArray:
    """Return the score interval of each reported share, widened where it misses too often.

    Parameters
    ----------
    counts : ndarray of int, shape (k,)
    n : int
        All reports.
    ends : ndarray of float, shape (k, 2)
        Ends of the score intervals of counts / n.
    alpha : float

    Returns
    -------
    ndarray of float, shape (k, 2)
        Ends whose exact coverage is at least ``1 - floored_rate(alpha)`` at every share.

    References
    ----------
    Ours, docs/methods/intervals.md; after E. L. Crow, "Confidence Intervals for a Proportion",
    Biometrika 43 (1956), who adds counts to what is accepted until it has the chance wanted.
    """
    rate = floored_rate(alpha)
    low = _lower_ends(counts, n, ends[:, 0], rate)
    high = 1 - _lower_ends(n - counts, n, 1 - ends[:, 1], rate)
    return np.column_stack([low, high])


def _lower_ends(counts: IntArray, n: int, ends: FloatArray, rate: float) -> FloatArray:
    """Return the least shares at which the counts are not rejected, at most `ends`.

    Equal counts have equal ends, so that each is looked at once.
    """
    distinct, first, back = np.unique(counts, return_index=True, return_inverse=True)
    found = ends[first].copy()
    coarse = np.flatnonzero((distinct > 0) & (n * found * (1 - found) < FINE))
    wide = coarse[_mirrored_tails(distinct[coarse], n, found[coarse]) > rate]
    if wide.size:
        found[wide] = _exact_ends(distinct[wide], n, found[wide], rate)
    return found[back]


def _exact_ends(counts: IntArray, n: int, ends: FloatArray, rate: float) -> FloatArray:
    """Return the least share at which counts as far away have more than the chance `rate`.

    At the share ``(count + j) / 2n`` the count j on the other side comes to be as far away. There
    the chance is that of :func:`_mirrored_tails`, which rises with the share, so that the first j
    with too large a chance is found by going down. On the way to its share both tails are fixed
    counts: the chance falls and then rises, and crosses the rate once or jumps above it at the end.
    """
    opposite = np.maximum(np.floor(2 * n * ends - counts) + 1, 0.0)
    going = opposite > 0
    while going.any():
        share = (counts + opposite - 1) / (2 * n)
        going &= (opposite > 0) & (_mirrored_tails(counts, n, share) > rate)
        opposite = opposite - going
    low = np.where(opposite > 0, (counts + opposite - 1) / (2 * n), 0.0)
    high = np.minimum((counts + opposite) / (2 * n), ends)

    def excess(shares: FloatArray) -> FloatArray:
        tails = binomial_sf(counts - 1, n, shares) + binomial_cdf(opposite - 1, n, shares)
        return tails - rate

    return crossings(excess, low, high)


def _mirrored_tails(counts: IntArray, n: int, shares: FloatArray) -> FloatArray:
    """Return the chance of a count or more, and of as few as lie as far below what is expected.

    Between whole counts the lower tail is that of the beta distribution, so that it rises without
    a jump as the share does.
    """
    lower = smooth_binomial_cdf(2 * n * shares - counts, n, shares)
    return binomial_sf(counts - 1, n, shares) + lower
