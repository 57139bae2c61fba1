"""The score of each report for each proportion, and its variance as the proportion varies."""

from dataclasses import dataclass

import numpy as np

from rr_engine.estimation.measured import Measured
from rr_engine.precision import left_inverse, solve_proportions, uniform_entries
from rr_engine.validation import FloatArray, IntArray

# Relative size below which two weights of a report count as one and the same number.
SAME_WEIGHT = 1e-9


def centres(estimate: Measured) -> FloatArray:
    """Return the unbiased estimate of each proportion, a mean of scores of the reports."""
    shares = estimate.counts / estimate.n
    if estimate.matrix.shape[0] == estimate.matrix.shape[1]:
        return solve_proportions(estimate.matrix, shares)
    return left_inverse(estimate.matrix, estimate.weights) @ shares


def variance_curves(
    estimate: Measured, population: str
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return c0, c1, c2 of n times the variance of each estimate when its proportion is x.

    The other proportions keep their ratios to each other. For a device in which the proportion
    depends on one reported share (every binary one, the k-ary family) they do not matter at all.
    """
    uniform = uniform_entries(estimate.matrix)
    size = len(estimate.proportions)
    base, slope, square = (
        _general_curves(estimate) if uniform is None else _uniform_curves(uniform, size)
    )
    # Without the sampling of people, x - x**2 less.
    return (base, slope - 1.0, square + 1.0) if population == "fixed" else (base, slope, square)


def _uniform_curves(
    entries: tuple[float, float], size: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    kept, lied = entries
    own, other = (1 - lied) / (kept - lied), -lied / (kept - lied)
    low = lied * own**2 + (1 - lied) * other**2
    slope = kept * own**2 + (1 - kept) * other**2 - low
    return np.full(size, low), np.full(size, slope), np.full(size, -1.0)


def _general_curves(estimate: Measured) -> tuple[FloatArray, FloatArray, FloatArray]:
    scores = left_inverse(estimate.matrix, estimate.weights)
    rest = _other_proportions(estimate.projected())
    squares = scores**2 @ estimate.matrix
    low, own = (squares * rest).sum(axis=1), np.diag(squares)
    base, slope, square = low, own - low, np.zeros(len(low))
    for rows in estimate.blocks:
        part, share = estimate.matrix[rows], estimate.counts[rows].sum() / estimate.n
        means = scores[:, rows] @ part
        start = (means * rest).sum(axis=1)
        rise = np.diag(means) - start
        base = base - start**2 / share
        slope = slope - 2 * start * rise / share
        square = square - rise**2 / share
    return base, slope, square


def _other_proportions(projected: FloatArray) -> FloatArray:
    """Return at [v, w] the share of w among all truths but v."""
    size = len(projected)
    rest = np.where(np.eye(size, dtype=bool), 0.0, projected)
    totals = rest.sum(axis=1, keepdims=True)
    equal = (1 - np.eye(size)) / (size - 1)
    return np.where(totals > 0, rest / np.where(totals > 0, totals, 1), equal)


@dataclass(frozen=True, slots=True)
class Shares:
    """For each truth the one report it hangs on: proportion = offset + slope * its share."""

    report: IntArray
    offset: FloatArray
    slope: FloatArray


def single_shares(estimate: Measured) -> Shares | None:
    """Return the reports that the proportions hang on; None where one needs several reports."""
    if len(estimate.blocks) > 1:
        return None
    uniform = uniform_entries(estimate.matrix)
    if uniform is not None:
        size, gap = len(estimate.proportions), uniform[0] - uniform[1]
        return Shares(np.arange(size), np.full(size, -uniform[1] / gap), np.full(size, 1 / gap))
    scores = left_inverse(estimate.matrix, estimate.weights)
    found = [_single_share(row, truth) for truth, row in enumerate(scores)]
    if None in found:
        return None
    report, offset, slope = zip(*found, strict=True)
    return Shares(np.array(report), np.array(offset), np.array(slope))


def _single_share(scores: FloatArray, truth: int) -> tuple[int, float, float] | None:
    # Where the others are all alike the one report has the largest or the smallest weight.
    for report in (truth % len(scores), int(scores.argmax()), int(scores.argmin())):
        others = np.delete(scores, report)
        if np.ptp(others) <= SAME_WEIGHT * np.ptp(scores):
            return report, float(others[0]), float(scores[report] - others[0])
    return None
