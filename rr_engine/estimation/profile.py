"""Profile likelihood: all proportions that make the reports nearly as likely as the best do."""

from collections.abc import Callable
from functools import partial
from math import sqrt

import numpy as np
import scipy

from rr_engine.channels.matrix import PlainMatrix
from rr_engine.distributions import chi2_isf
from rr_engine.estimation.k_ary import profile_ends
from rr_engine.estimation.likelihood import log_likelihood, maximise
from rr_engine.estimation.measured import Measured
from rr_engine.estimation.score import variance_curves
from rr_engine.validation import FloatArray

# How finely the ends are found.
TOLERANCE = 1e-11
# Replaces an infinite distance to impossible proportions, relative to the target.
FAR = 100.0


def profile(estimate: Measured, alpha: float) -> FloatArray:
    """Return for each proportion all values x with 2 (max l - max l at x) <= chi-square quantile.

    Both maxima are over proportions that can exist, so the ends lie within 0 to 1 and enclose the
    maximum-likelihood estimate.
    """
    reported, uniform = estimate.counts / estimate.n, estimate.design.uniform
    drops = chi2_isf(alpha, 1) / (2 * estimate.n) * _share_of_error(estimate)
    if uniform is not None and uniform[0] > uniform[1]:
        retention, changed = uniform
        best = maximise(estimate.design, reported).proportions
        return profile_ends(estimate.counts, retention, changed, best, drops)
    matrix = estimate.matrix
    best = maximise(estimate.design, reported).proportions
    top = log_likelihood(matrix, reported, best)
    rows = [
        _ends(partial(_likelihood_at, matrix, reported, truth), float(best[truth]), top, drop)
        for truth, drop in enumerate(drops.tolist())
    ]
    return np.array(rows)


def _share_of_error(estimate: Measured) -> FloatArray:
    """Return the ratio of a fixed group's variance to a sample's; 1 for a sample.

    The likelihood is that of a sample; for a fixed group its curvature is corrected by the ratio.
    """
    if estimate.population == "sample":
        return np.ones(len(estimate.proportions))
    x = estimate.projected()
    sample, fixed = (
        c0 + c1 * x + c2 * x**2
        for c0, c1, c2 in (variance_curves(estimate, kind) for kind in ("sample", "fixed"))
    )
    return np.where(sample > 0, np.clip(fixed, 0, sample) / np.where(sample > 0, sample, 1), 0.0)


def _ends(
    likelihood: Callable[[float], float], best: float, top: float, drop: float
) -> tuple[float, float]:
    """Return both values at which the likelihood is lower by `drop`, or the ends of the range."""
    if drop <= 0:
        return best, best
    target = sqrt(drop)

    def excess(x: float) -> float:
        # The square root of the decrease is nearly linear, which suits the root finder.
        fall = max(top - likelihood(x), 0.0)
        return min(sqrt(fall), FAR * target) - target

    return _crossing(excess, best, 0.0), _crossing(excess, best, 1.0)


def _crossing(excess: Callable[[float], float], best: float, end: float) -> float:
    if best == end or excess(end) <= 0:
        return end
    # With very many reports rounding can put the maximum slightly above the target.
    if excess(best) >= 0:
        return best
    return float(scipy.optimize.brentq(excess, best, end, xtol=TOLERANCE, rtol=TOLERANCE))


def _likelihood_at(matrix: FloatArray, reported: FloatArray, truth: int, x: float) -> float:
    """Return the largest mean log-likelihood with the proportion of this truth at x.

    Of the other proportions only the ratios are free: a device with one truth less.
    """
    others = np.delete(matrix, truth, axis=1)
    reduced = x * matrix[:, [truth]] + (1 - x) * others
    best = np.ones(1)
    if others.shape[1] > 1:
        best = maximise(PlainMatrix(reduced), reported).proportions
    return log_likelihood(reduced, reported, best)
