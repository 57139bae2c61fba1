"""Confidence sequences: intervals that hold at every look at a growing survey together."""

from dataclasses import dataclass
from math import log

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.protocol import SingleShares
from rr_engine.estimation.score import Measured, single_shares
from rr_engine.precision import CONDITION_LIMIT, condition_number, left_inverse
from rr_engine.roots import halve

# Tilts of the mixture, relative to the range of the scores: the first suits a dozen reports, the
# last some 100 million. Any choice is valid; this one costs little width in between.
TILTS = 8 * 2.0 ** (-np.arange(28) / 2)
# Ends are found to 12 digits.
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of one device's reports against small proportions, per tilt and truth.

    Attributes
    ----------
    gained : ndarray of float, shape (tilts, truths)
        Sum of the tilted scores of the reports.
    least, most : ndarray of float, shape (tilts, truths)
        Logarithm of the mean of exp(tilted score) at the proportions 0 and 1, bounded from above.
    n : int
        Number of reports.
    """

    gained: FloatArray
    least: FloatArray
    most: FloatArray
    n: int


def confidence_sequence(estimate: Measured, alpha: float) -> FloatArray:
    """Return intervals that hold at all numbers of reports at once (Robbins 1970).

    If T is a bounded score of a report and phi(x) bounds its mean of exp(c T) from above while the
    proportion is at most x, ``exp(c sum T) / phi(x)**n`` is a supermartingale that starts at 1,
    and so is its mean over tilts c > 0. It ever reaches 2/alpha with chance alpha/2 at most
    (Ville), so that every x for which it is below stays in. Negative tilts bound from above.
    """
    shares = single_shares(estimate)
    if shares is not None:
        return _bound_shares(estimate, shares, alpha)
    devices = device_scores(estimate)
    if not devices:
        return np.tile([0.0, 1.0], (len(estimate.proportions), 1))
    low = _least_possible([evidence_of(*device, TILTS) for device in devices], alpha)
    high = 1 - _least_possible([mirror(evidence_of(*device, -TILTS)) for device in devices], alpha)
    # Out of order only if the reports contradict the device at every proportion.
    return np.sort(np.column_stack([low, high]), axis=1)


def _bound_shares(estimate: Measured, shares: SingleShares, alpha: float) -> FloatArray:
    """Bound the reported shares and map them: the score is 1 for the report and 0 otherwise."""
    rising, falling = share_evidence(estimate.counts[shares.report], estimate.n)
    ends = np.column_stack(
        [_least_possible([rising], alpha), 1 - _least_possible([falling], alpha)]
    )
    return np.sort(shares.offset[:, None] + shares.slope[:, None] * ends, axis=1)


def share_evidence(counts: IntArray, n: int) -> tuple[Evidence, Evidence]:
    """Return the evidence about reported shares with these counts, and about one minus them."""
    tilts, zero = TILTS[:, None], np.zeros((len(TILTS), len(counts)))
    rising = Evidence(tilts * counts, zero, zero + tilts, n)
    return rising, mirror(Evidence(-tilts * counts, zero, zero - tilts, n))


def mirror(evidence: Evidence) -> Evidence:
    """Return the evidence about one minus the proportion."""
    return Evidence(evidence.gained, evidence.most, evidence.least, evidence.n)


def _least_possible(evidence: list[Evidence], alpha: float) -> FloatArray:
    """Return for each truth the smallest proportion that is not excluded, 1 if all are."""
    limit = log(2 / alpha)
    low, high = np.zeros(evidence[0].gained.shape[1]), np.ones(evidence[0].gained.shape[1])
    high = np.where(log_mixture(evidence, low) < limit, 0.0, high)
    return halve(lambda x: log_mixture(evidence, x) >= limit, low, high, HALVINGS)[0]


def log_mixture(evidence: list[Evidence], x: FloatArray) -> FloatArray:
    """Return the logarithm of the mean over tilts, never rising with x."""
    exponent: FloatArray = np.zeros(())
    for part in evidence:
        exponent = exponent + part.gained - part.n * growth_bound(part, x)
    return np.logaddexp.reduce(exponent, axis=0) - log(len(TILTS))


def growth_bound(evidence: Evidence, x: FloatArray) -> FloatArray:
    """Bound the log-mean of exp(tilted score) of a report while the proportion is at most x.

    The mean is linear in the proportions, so that all other truths are no worse than the worst.
    """
    rise = np.maximum(np.expm1(evidence.most - evidence.least), 0.0)
    return evidence.least + np.log1p(x * rise)


def device_scores(estimate: Measured) -> list[tuple[FloatArray, FloatArray, IntArray]]:
    """Return (matrix, scores, counts) of every device that identifies the proportions by itself.

    The scores may depend on nothing that grows with the survey. They are those of the unbiased
    estimate, each device's divided by its variance at equal proportions, so that reports count for
    what they are worth; the longest range is one.
    """
    devices = []
    for rows in estimate.blocks:
        counts = estimate.counts[rows]
        matrix = estimate.matrix[rows] * (estimate.n / counts.sum())
        if condition_number(matrix) < CONDITION_LIMIT:
            devices.append((matrix, left_inverse(matrix), counts))
    if not devices:
        return []
    # One over the variance of a score where all truths are equally common.
    spreads = [each**2 @ table.mean(axis=1) - (1 / len(each)) ** 2 for table, each, _ in devices]
    worth = [1 / spread for spread in spreads]
    ranges = [np.ptp(scores, axis=1) * w for (_, scores, _), w in zip(devices, worth, strict=True)]
    scale = np.max(ranges, axis=0)
    return [
        (matrix, scores * (w / scale)[:, None], counts)
        for (matrix, scores, counts), w in zip(devices, worth, strict=True)
    ]


def evidence_of(
    matrix: FloatArray, scores: FloatArray, counts: IntArray, tilts: FloatArray
) -> Evidence:
    """Return the evidence of one device's reports at the given tilts."""
    gained = tilts[:, None] * (scores @ counts)
    # [tilt, truth of the score, truth of the respondent]
    means = np.log(np.exp(tilts[:, None, None] * scores) @ matrix)
    own = np.diagonal(means, axis1=1, axis2=2)
    others = np.where(np.eye(len(scores), dtype=bool), -np.inf, means)
    return Evidence(gained, others.max(axis=2), own, int(counts.sum()))
