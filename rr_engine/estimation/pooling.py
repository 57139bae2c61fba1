"""Several devices behind one set of proportions, on plain arrays.

Device s made n_s of the n reports. Stacking the matrices, each times its share n_s/n, gives one
matrix whose rows are (device, report) and whose columns sum to one.
"""

from collections.abc import Sequence

import numpy as np

from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray, IntArray

# Rounds and relative size of a step after which the covariance counts as settled.
MAX_ROUNDS = 1000
SETTLED = 1e-14


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
