"""Exact power of the test for cheaters, for two groups of yes/no reports, on plain arrays.

Shares of yes of the two groups are points of a plane: types of respondents are corners of a
triangle, and its side between the honest types is the null hypothesis.
"""

import numpy as np
from scipy.special import xlogy

from rr_engine.arrays import BoolArray, FloatArray
from rr_engine.distributions import binomial_pmf, normal_isf

HALVINGS = 60
# Counts less likely than this change no power in its tenth digit.
NEGLIGIBLE = 1e-14
ROUNDING = 1e-9
TINY = 1e-300


def exact_rejection(
    corners: FloatArray, true: FloatArray, sizes: tuple[int, int], alpha: float
) -> float:
    """Sum the chances of all pairs of counts at which the likelihood-ratio test rejects.

    `corners` are the chances of "yes", one row for each group, the cheaters' last; `true` the true
    shares of yes.
    """
    counts, chances = zip(*map(_likely, sizes, true.tolist()), strict=True)
    first, second = np.meshgrid(*counts, indexing="ij")
    observed = np.stack([first.ravel(), second.ravel()])
    statistics = likelihood_ratios(corners, observed, sizes)
    rejects = np.sqrt(np.maximum(statistics, 0)) > float(normal_isf(alpha))
    return float(chances[0] @ rejects.reshape(first.shape) @ chances[1])


def _likely(n: int, share: float) -> tuple[FloatArray, FloatArray]:
    """Return the counts that are at all likely, with their chances."""
    counts = np.arange(n + 1)
    chances = binomial_pmf(counts, n, share)
    likely = chances > NEGLIGIBLE
    return counts[likely].astype(np.float64), chances[likely]


def likelihood_ratios(
    corners: FloatArray, observed: FloatArray, sizes: tuple[int, int]
) -> FloatArray:
    """Return twice the gain in log-likelihood by cheaters, for pairs of counts of yes."""
    n = np.array(sizes, dtype=np.float64)[:, None]
    shares = observed / n
    null = _best_on_side(corners[:, 0], corners[:, 1], shares, n)
    sides = [_best_on_side(corners[:, 2], corners[:, other], shares, n) for other in (0, 1)]
    # A concave function whose top is outside a triangle is largest on one of its sides.
    best = np.maximum(null, np.maximum(*sides))
    top = _log_likelihood(shares, shares, n)
    return 2 * (np.where(_inside(corners, shares), top, best) - null)


def _inside(corners: FloatArray, shares: FloatArray) -> BoolArray:
    weights = np.linalg.solve(
        np.vstack([corners, np.ones(3)]), np.vstack([shares, np.ones(shares.shape[1])])
    )
    return np.asarray((weights >= -ROUNDING).all(axis=0))


def _log_likelihood(shares: FloatArray, chances: FloatArray, n: FloatArray) -> FloatArray:
    parts = xlogy(shares, chances) + xlogy(1 - shares, 1 - chances)
    return np.asarray((n * parts).sum(axis=0))


def _best_on_side(
    start: FloatArray, end: FloatArray, shares: FloatArray, n: FloatArray
) -> FloatArray:
    """Return the largest log-likelihood on the line from one corner to another, by halving."""
    step = (end - start)[:, None]
    low, high = np.zeros(shares.shape[1]), np.ones(shares.shape[1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        chances = start[:, None] + middle * step
        slopes = shares / np.maximum(chances, TINY) - (1 - shares) / np.maximum(1 - chances, TINY)
        rises = (n * step * slopes).sum(axis=0) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    # Halving never ends at an end itself, where a report that nobody makes has chance zero.
    ends = [np.broadcast_to(end_[:, None], shares.shape) for end_ in (start, end)]
    inner = start[:, None] + (low + high) / 2 * step
    return np.max([_log_likelihood(shares, at, n) for at in (inner, *ends)], axis=0)
