"""Rejection regions of binomial tests and their exact probabilities, on plain arrays."""

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.distributions import binomial_sf, normal_cdf, normal_isf
from rr_engine.roots import halve_whole


def exact_threshold(n: IntArray, null: float, tail: float) -> IntArray:
    """Return the smallest c with Pr(X >= c) <= tail for X binomial (n, null)."""
    if null <= 0:
        return np.ones_like(n)
    if null >= 1:
        return n + 1
    lowest = np.zeros_like(n)
    return halve_whole(lambda c: binomial_sf(c - 1, n, null) > tail, lowest, n + 1)[1]


def score_threshold(n: IntArray, null: float, tail: float) -> IntArray:
    """Return the smallest c whose score statistic exceeds the normal quantile of `tail`."""
    spread = np.sqrt(n * null * (1 - null))
    return np.floor(n * null + normal_isf(tail) * spread).astype(np.int64) + 1


THRESHOLDS = {"exact": exact_threshold, "score": score_threshold}


def binomial_power(
    n: IntArray, null: float, true: float, alpha: float, alternative: str, test: str
) -> FloatArray:
    """Return the probability that the test of a reported share rejects, for each n.

    A two-sided test spends half of `alpha` on either side. A lower tail is an upper tail of the
    reports that are not this one.
    """
    tail = alpha / 2 if alternative == "two-sided" else alpha
    threshold, total = THRESHOLDS[test], np.zeros(len(n))
    if alternative != "less":
        total += binomial_sf(threshold(n, null, tail) - 1, n, true)
    if alternative != "greater":
        total += binomial_sf(threshold(n, 1 - null, tail) - 1, n, 1 - true)
    return np.minimum(total, 1.0)


def normal_power(
    n: float, gap: float, null_sd: float, true_sd: float, alpha: float, alternative: str
) -> float:
    """Return the power of a z test by normal approximation.

    `gap` is the true value less that of the null hypothesis; the standard deviations are those of
    one report, under the null hypothesis and in truth.
    """
    z = float(normal_isf(alpha / 2 if alternative == "two-sided" else alpha))
    total = 0.0
    if alternative != "less":
        total += _beyond(gap * n**0.5 - z * null_sd, true_sd)
    if alternative != "greater":
        total += _beyond(-gap * n**0.5 - z * null_sd, true_sd)
    return min(total, 1.0)


def _beyond(distance: float, spread: float) -> float:
    if spread <= 0:
        return 1.0 if distance > 0 else 0.0
    return float(normal_cdf(distance / spread))
