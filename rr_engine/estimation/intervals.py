"""Confidence intervals for one proportion at a time, through what was reported."""

from collections.abc import Callable
from functools import partial
from math import sqrt

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.channels.matrix import PlainMatrix
from rr_engine.distributions import beta_isf, beta_ppf, chi2_isf, normal_isf
from rr_engine.errors import ArgumentError
from rr_engine.estimation import score
from rr_engine.estimation.bootstrap import bootstrap
from rr_engine.estimation.common import Curve
from rr_engine.estimation.confidence_sequence import confidence_sequence
from rr_engine.estimation.k_ary import profile_ends
from rr_engine.estimation.likelihood import log_likelihood, maximise
from rr_engine.estimation.moment_guard import guard_scores, guard_shares

# How finely the ends are found.
TOLERANCE = 1e-11
# Replaces an infinite distance to impossible proportions, relative to the target.
FAR = 100.0
# How far rounding may put an end from 0 or from 1.
ROUNDING = 1e-12


def profile(estimate: score.Measured, alpha: float) -> FloatArray:
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


def _share_of_error(estimate: score.Measured) -> FloatArray:
    """Return the ratio of a fixed group's variance to a sample's; 1 for a sample.

    The likelihood is that of a sample; for a fixed group its curvature is corrected by the ratio.
    """
    if estimate.population == "sample":
        return np.ones(len(estimate.proportions))
    x = estimate.projected()
    sample, fixed = (
        c0 + c1 * x + c2 * x**2
        for c0, c1, c2 in (score.variance_curves(estimate, kind) for kind in ("sample", "fixed"))
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


def interval(estimate: score.Measured, level: float, method: str, seed: int) -> FloatArray:
    """Return lower and upper ends, shape (truths, 2); see :meth:`Estimate.interval`."""
    alpha = 1 - check.open_unit(level, "level")
    name = check.choice(method, "method", METHODS)
    chance = check.whole(seed, "seed")
    if estimate.n == 0:
        return np.tile([0.0, 1.0], (len(estimate.proportions), 1))
    return METHODS[name](estimate, alpha, chance)


def possible_interval(estimate: score.Measured, level: float, method: str, seed: int) -> FloatArray:
    """Return the part inside 0 to 1; see :meth:`Estimate.possible_interval`."""
    ends = interval(estimate, level, method, seed)
    beyond = (ends[:, 1] < 0) | (ends[:, 0] > 1)
    if beyond.any():
        ends = np.where(beyond[:, None], _inside(estimate, level, seed, ends), ends)
    return np.clip(ends, 0.0, 1.0)


def _inside(estimate: score.Measured, level: float, seed: int, ends: FloatArray) -> FloatArray:
    """Return intervals that lie inside: by likelihood, or of the same width from the nearest end.

    The latter of channels whose table is too large for a likelihood of each proportion.
    """
    uniform = estimate.design.uniform
    if estimate.design.tabulated or (uniform is not None and uniform[0] > uniform[1]):
        return interval(estimate, level, "profile", seed)
    width = np.minimum(np.ptp(ends, axis=1), 1.0)
    low = np.where(ends[:, 1] < 0, 0.0, 1 - width)
    return np.column_stack([low, low + width])


def _around(estimate: score.Measured, factor: float) -> FloatArray:
    return score.ends_around(estimate.proportions, factor * estimate.standard_errors)


def _wilson(estimate: score.Measured, alpha: float, _seed: int) -> FloatArray:
    """Invert the score test of each proportion.

    The estimate is a mean of scores; at a proportion x its variance is
    ``(c0 + c1 x + c2 x**2) / n``, so ``(estimate - x)**2 <= z**2 variance(x)`` is a quadratic.
    """
    curves = score.variance_curves(estimate, estimate.population)
    several = score.single_shares(estimate) is None
    return score_ends(score.centres(estimate), curves, alpha, estimate.n, several=several)


def score_ends(
    centre: FloatArray, curves: Curve, alpha: float, n: int, *, several: bool
) -> FloatArray:
    """Return the ends of the score interval; `several`: a proportion hangs on several reports."""
    z2, (c0, c1, c2) = float(normal_isf(alpha / 2)) ** 2 / n, curves
    square, linear, constant = 1 - z2 * c2, 2 * centre + z2 * c1, centre**2 - z2 * c0
    root = np.sqrt(np.maximum(linear**2 - 4 * square * constant, 0.0))
    ends = np.stack([linear - root, linear + root], axis=-1) / (2 * square)[..., None]
    if several:
        edge = np.clip(centre, 0.0, 1.0)
        reach = np.sqrt(z2 * np.maximum(c0 + c1 * edge + c2 * edge**2, 0.0))
        # No proportion at all passes the test, and beyond the range the variance curve of a
        # general device means nothing: go out from the estimate by the error at the range's end.
        none = np.abs(centre - edge) > reach
        ends[none] = np.stack([centre - reach, centre + reach], axis=-1)[none]
    # Whoever asks directly, and gets one answer only, gets an interval that ends at nobody or at
    # everybody, and not a rounding before or beyond.
    for bound in (0.0, 1.0):
        ends[np.abs(ends - bound) <= ROUNDING] = bound
    return ends


def _guarded(estimate: score.Measured, alpha: float, _seed: int) -> FloatArray:
    """Widen the score interval where few reports make it miss more often than it says."""
    shares, centre = score.single_shares(estimate), score.centres(estimate)
    curves = score.variance_curves(estimate, estimate.population)
    ends = score_ends(centre, curves, alpha, estimate.n, several=shares is None)
    if shares is not None and estimate.population == "sample":
        reported = np.sort((ends - shares.offset[:, None]) / shares.slope[:, None], axis=1)
        wider = guard_shares(estimate.counts[shares.report], estimate.n, reported, alpha)
        return np.sort(shares.offset[:, None] + shares.slope[:, None] * wider, axis=1)
    least = np.ones(len(centre)) if shares is None else np.abs(shares.slope)
    if estimate.design.pair is None:
        return guard_scores(centre, curves, estimate.n, ends, alpha, least)
    # Where all proportions have one curve, equal estimates have equal ends: each is looked at once.
    _, first, back = np.unique(centre, return_index=True, return_inverse=True)
    constant, slope, square = (part[first] for part in curves)
    curve = constant, slope, square
    return guard_scores(centre[first], curve, estimate.n, ends[first], alpha, least[first])[back]


def _exact(estimate: score.Measured, alpha: float, _seed: int) -> FloatArray:
    """Clopper & Pearson on the reported share, mapped to the proportion."""
    shares = score.single_shares(estimate)
    if shares is None:
        rule = 'be another where a proportion depends on several reports, such as "wilson"'
        raise ArgumentError("method", "exact", rule, "method_needs_one_report")
    count, n = estimate.counts[shares.report], estimate.n
    # The quantiles of beta are undefined at the ends, where the answer is 0 or 1.
    low = np.where(count == 0, 0.0, beta_ppf(alpha / 2, np.maximum(count, 1), n - count + 1))
    high = np.where(count == n, 1.0, beta_isf(alpha / 2, count + 1, np.maximum(n - count, 1)))
    ends = shares.offset[:, None] + shares.slope[:, None] * np.column_stack([low, high])
    return np.sort(ends, axis=1)


METHODS: dict[str, Callable[[score.Measured, float, int], FloatArray]] = {
    "normal": lambda estimate, alpha, _: _around(estimate, float(normal_isf(alpha / 2))),
    "chebyshev": lambda estimate, alpha, _: _around(estimate, alpha**-0.5),
    "wilson": _wilson,
    "guarded": _guarded,
    "exact": _exact,
    "profile": lambda estimate, alpha, _: profile(estimate, alpha),
    "bootstrap": bootstrap,
    "sequence": lambda estimate, alpha, _: confidence_sequence(estimate, alpha),
}
METHODS["default"] = METHODS["guarded"]
