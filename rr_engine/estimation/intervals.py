"""Confidence intervals for one proportion at a time, through what was reported."""

from collections.abc import Callable
from math import sqrt
from typing import Protocol

import numpy as np
from scipy.stats import beta, norm

from rr_engine.errors import ArgumentError
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray, IntArray, check_choice, check_open_unit

# Relative size below which two weights of a report count as one and the same number.
SAME_WEIGHT = 1e-9


class Measured(Protocol):
    """What an interval needs to know of an estimate."""

    counts: IntArray
    proportions: FloatArray
    standard_errors: FloatArray
    n: int
    population: str
    matrix: FloatArray
    weights: FloatArray | None

    def projected(self) -> FloatArray: ...


def interval(estimate: Measured, level: float, method: str) -> FloatArray:
    """Return lower and upper ends, shape (truths, 2); see :meth:`Estimate.interval`."""
    alpha = 1 - check_open_unit(level, "level")
    name = check_choice(method, "method", METHODS)
    if estimate.n == 0:
        return np.tile([0.0, 1.0], (len(estimate.proportions), 1))
    return METHODS[name](estimate, alpha)


def _normal(estimate: Measured, alpha: float) -> FloatArray:
    return _around(estimate, norm.isf(alpha / 2))


def _chebyshev(estimate: Measured, alpha: float) -> FloatArray:
    return _around(estimate, alpha**-0.5)


def _around(estimate: Measured, factor: float) -> FloatArray:
    half = factor * estimate.standard_errors
    ends = np.column_stack([estimate.proportions - half, estimate.proportions + half])
    # A standard error that one report cannot give leaves the whole range of a proportion.
    ends[np.isinf(half)] = [0.0, 1.0]
    return ends


def _wilson(estimate: Measured, alpha: float) -> FloatArray:
    """Invert the score test of each proportion.

    The estimate is a mean of scores g[report]; at a proportion x its variance is
    ``(c0 + c1 x + c2 x**2) / n``, so ``(estimate - x)**2 <= z**2 variance(x)`` is a quadratic.
    """
    scores = left_inverse(estimate.matrix, estimate.weights)
    z2 = norm.isf(alpha / 2) ** 2 / estimate.n
    rows = [_score_ends(estimate, scores, truth, z2) for truth in range(len(scores))]
    return np.array(rows)


def _score_ends(
    estimate: Measured, scores: FloatArray, truth: int, z2: float
) -> tuple[float, float]:
    centre = float(scores[truth] @ estimate.counts) / estimate.n
    c0, c1, c2 = _variance_curve(estimate, scores[truth], truth)
    edge = min(max(centre, 0.0), 1.0)
    reach = sqrt(z2 * max(c0 + c1 * edge + c2 * edge**2, 0.0))
    if abs(centre - edge) > reach and _one_share(scores[truth], truth) is None:
        # No proportion at all passes the test, and beyond the range the variance curve of a
        # general device means nothing: go out from the estimate by the error at the range's end.
        return centre - reach, centre + reach
    square, linear, constant = 1 - z2 * c2, 2 * centre + z2 * c1, centre**2 - z2 * c0
    root = sqrt(max(linear**2 - 4 * square * constant, 0.0))
    return (linear - root) / (2 * square), (linear + root) / (2 * square)


def _variance_curve(
    estimate: Measured, scores: FloatArray, truth: int
) -> tuple[float, float, float]:
    """Return c0, c1, c2 of the variance of one score when the proportion of `truth` is x.

    The other proportions keep their ratios to each other. For a device in which the proportion
    depends on one reported share (every binary one, the k-ary family) they do not matter at all.
    """
    rest = np.delete(estimate.projected(), truth)
    total = rest.sum()
    rest = rest / total if total > 0 else np.full(len(rest), 1 / len(rest))
    means, squares = scores @ estimate.matrix, scores**2 @ estimate.matrix
    per_truth = squares - means**2 if estimate.population == "fixed" else squares
    low, high = float(rest @ np.delete(per_truth, truth)), float(per_truth[truth])
    return low, high - low, 0.0 if estimate.population == "fixed" else -1.0


def _exact(estimate: Measured, alpha: float) -> FloatArray:
    """Clopper & Pearson on the reported share, mapped to the proportion."""
    return _through_share(estimate, lambda count: _clopper_pearson(count, estimate.n, alpha))


def _clopper_pearson(count: int, n: int, alpha: float) -> tuple[float, float]:
    low = 0.0 if count == 0 else float(beta.ppf(alpha / 2, count, n - count + 1))
    high = 1.0 if count == n else float(beta.isf(alpha / 2, count + 1, n - count))
    return low, high


def _through_share(
    estimate: Measured, share_interval: Callable[[int], tuple[float, float]]
) -> FloatArray:
    ends = []
    for truth, scores in enumerate(left_inverse(estimate.matrix, estimate.weights)):
        share = _one_share(scores, truth)
        if share is None:
            rule = 'be another where a proportion depends on several reports, such as "wilson"'
            raise ArgumentError("method", "exact", rule)
        report, offset, slope = share
        mapped = offset + slope * np.array(share_interval(int(estimate.counts[report])))
        ends.append(np.sort(mapped))
    return np.array(ends)


def _one_share(scores: FloatArray, truth: int) -> tuple[int, float, float] | None:
    """Return u, offset, slope with proportion = offset + slope * (reported share of u).

    None where the proportion depends on the shares of several reports.
    """
    for report in (truth % len(scores), *range(len(scores))):
        others = np.delete(scores, report)
        if np.ptp(others) <= SAME_WEIGHT * np.ptp(scores):
            return report, float(others[0]), float(scores[report] - others[0])
    return None


METHODS: dict[str, Callable[[Measured, float], FloatArray]] = {
    "normal": _normal,
    "chebyshev": _chebyshev,
    "wilson": _wilson,
    "exact": _exact,
}
METHODS["default"] = METHODS["wilson"]
