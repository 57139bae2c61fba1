"""Several devices behind one set of proportions, by their linear maps alone.

Device s made n_s of the n reports. Stacking the matrices, each times its share n_s/n, gives one
matrix whose rows are (device, report) and whose columns sum to one.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from rr_engine.arguments import check_invertible
from rr_engine.arrays import FloatArray, IntArray
from rr_engine.channels.pooled import PooledChannel
from rr_engine.estimation.covariance import (
    CovarianceOperator,
    UnknownCovariance,
    channel_covariance,
)
from rr_engine.estimation.estimate import solved, without_reports
from rr_engine.estimation.likelihood import Solution, invert, iterate_to_maximum
from rr_engine.estimation.notes import Note, note, strata_notes
from rr_engine.estimation.result import DeviceStratum, Estimate
from rr_engine.precision import left_inverse

# Halvings of the range 0 to 1 in which a bit's likeliest share lies.
HALVINGS = 60
# Rounds and relative size of a step after which the covariance counts as settled.
MAX_ROUNDS = 1000
SETTLED = 1e-14


def estimate_pooled(
    strata: Sequence[DeviceStratum],
    reports: Sequence[IntArray | Mapping],
    method: str,
    population: str,
) -> Estimate:
    """Return the estimate of two or more different devices; see :func:`estimate_strata`."""
    # Without any reports the strata count as equal; the errors are infinite anyway.
    sizes = tuple(stratum.n or 1 for stratum in strata)
    channel = PooledChannel(tuple(stratum.design for stratum in strata), sizes)
    check_invertible(channel)
    counts = np.concatenate([stratum.counts for stratum in strata])
    notes = strata_notes([(s.design, s.counts) for s in strata], channel.condition_number)
    blank = without_reports(channel, counts, method, population, strata, notes)
    if not counts.any():
        return blank
    reported = counts / channel.n
    if method == "inversion":
        solution = invert(channel, reported)
    elif channel.exclusive:
        likelihood, rows = channel.likelihood(reports, reported)
        maximum = iterate_to_maximum(likelihood, rows)
        fitted = channel.apply(maximum.proportions)
        solution = Solution(
            maximum.proportions, fitted, fitted, maximum.converged, maximum.iterations
        )
    else:
        solution = _likeliest_bits(channel, reported)
    errors, remarks = _errors(channel, solution, reported, method, population)
    return solved(blank, solution, errors, remarks)


def _errors(
    channel: PooledChannel, solution: Solution, reported: FloatArray, method: str, population: str
) -> tuple[CovarianceOperator, list[Note]]:
    """Return the covariance: unbiased at the reported shares, of a likelihood at the fitted."""
    if min(channel.sizes) == 1:
        return UnknownCovariance(channel.truth_size), [note("one_report")]
    fitted = reported if method == "inversion" else solution.fitted
    return channel_covariance(channel, solution, fitted, population, channel.n)


def _likeliest_bits(channel: PooledChannel, reported: FloatArray) -> Solution:
    """Return each bit's most likely share: the slope of its likelihood falls, and is halved."""
    low, high = np.zeros(channel.truth_size), np.ones(channel.truth_size)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        expected = channel.apply(middle)
        seen = np.divide(reported, expected, out=np.zeros_like(reported), where=reported > 0)
        rises = channel.adjoint(seen) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    proportions = (low + high) / 2
    fitted = channel.apply(proportions)
    return Solution(proportions, fitted, fitted)


def stack(matrices: Sequence[FloatArray], sizes: IntArray) -> FloatArray:
    """Return the stacked matrix, shape (all reports, truths); sizes are the reports per device."""
    shares = np.asarray(sizes) / np.sum(sizes)
    return np.vstack([share * matrix for share, matrix in zip(shares, matrices, strict=True)])


def pooled_covariance(
    stacked: FloatArray,
    blocks: Sequence[IntArray],
    sizes: Sequence[int],
    proportions: FloatArray,
    weights: FloatArray | None = None,
) -> FloatArray | None:
    """Return the covariance for a sample, given the numbers of reports per device.

    `blocks` holds the rows of the stacked matrix that belong to each device, `sizes` its reports.
    With G the left inverse of the stacked matrix A, M_s = G_s A_s (they sum to the identity) and
    ``L(X) = sum_s M_s X M_s' / n_s`` it is ``G diag(A pi) G'/n - L(pi pi')``. The expected product
    of estimated proportions is pi pi' + V, so ``V = G diag(A pi) G'/n - L(pi pi' - V)`` is
    unbiased at unbiased proportions; for one device that is the divisor n - 1. None where strata
    of one report leave no solution.
    """
    inverse = left_inverse(stacked, weights)
    raw = (inverse * (stacked @ proportions)) @ inverse.T / sum(sizes)
    parts = [inverse[:, rows] @ stacked[rows] for rows in blocks]
    start = raw - _estimator_covariance(np.outer(proportions, proportions), parts, sizes)
    return _fixed_point(start, parts, sizes)


def _estimator_covariance(
    square: FloatArray, parts: Sequence[FloatArray], sizes: Sequence[float]
) -> FloatArray:
    """Return L(X) = sum_s M_s X M_s' / n_s."""
    terms = (part @ square @ part.T / size for part, size in zip(parts, sizes, strict=True))
    return sum(terms, start=np.zeros((len(parts[0]), len(parts[0]))))


def _fixed_point(
    start: FloatArray, parts: Sequence[FloatArray], sizes: Sequence[float]
) -> FloatArray | None:
    covariance = start
    for _ in range(MAX_ROUNDS):
        following = start + _estimator_covariance(covariance, parts, sizes)
        moved = float(np.abs(following - covariance).max())
        covariance = following
        if moved <= SETTLED * float(np.abs(covariance).max()):
            return (covariance + covariance.T) / 2
    return None


def fixed_part(covariance: FloatArray, proportions: FloatArray, n: int) -> FloatArray:
    """Return the covariance for a fixed group, from that for a sample.

    Chance assigns the respondents to the devices, so that beside the devices' noise the composition
    of each stratum varies; a sample has the variance of drawing the whole group, Sigma/n, on top.
    """
    sampling = np.diag(proportions) - np.outer(proportions, proportions) + covariance
    return covariance - sampling / n
