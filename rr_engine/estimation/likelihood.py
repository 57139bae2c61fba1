"""Maximum likelihood on the simplex: proportions that are never negative."""

import numpy as np
from scipy.optimize import nnls

from rr_engine.estimation.solution import Solution
from rr_engine.precision import WEIGHT_FLOOR, solve_proportions
from rr_engine.validation import FloatArray

MAX_ITERATIONS = 500
STEP_TOLERANCE = 1e-12
# Bound on the mean log-likelihood still to be gained: max_v (P' (lam_hat / lam))_v - 1.
GAP_TOLERANCE = 1e-8
SMALLEST_STEP = 2.0**-40


def maximise(matrix: FloatArray, reported: FloatArray) -> Solution:
    """Return the proportions under which the reports were most likely.

    Where inversion lands inside the simplex of a square design it is the maximum and is returned.
    Otherwise Fisher scoring: each step minimises ``sum_u (lam_hat - P pi)_u**2 / lam_u`` over
    ``pi >= 0`` (a non-negative least-squares problem, whose solution needs no separate constraint
    on the sum because columns of P sum to one), halved until the likelihood rises.
    """
    if matrix.shape[0] == matrix.shape[1]:
        direct = solve_proportions(matrix, reported)
        if (direct >= 0).all():
            return Solution(direct)
    return _score(matrix, reported)


def _score(matrix: FloatArray, reported: FloatArray) -> Solution:
    proportions = np.full(matrix.shape[1], 1 / matrix.shape[1])
    iteration = 0
    for iteration in range(1, MAX_ITERATIONS + 1):  # noqa: B007 (reported below)
        step = _uphill(matrix, reported, proportions, _target(matrix, reported, proportions))
        proportions = proportions + step
        if np.abs(step).max() <= STEP_TOLERANCE:
            break
    settled = _gap(matrix, reported, proportions) <= GAP_TOLERANCE
    return Solution(proportions, matrix @ proportions, bool(settled), iteration)


def _target(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> FloatArray:
    scale = 1 / np.sqrt(np.maximum(matrix @ proportions, WEIGHT_FLOOR))
    solution, _ = nnls(matrix * scale[:, None], reported * scale)
    return solution / solution.sum()


def _uphill(
    matrix: FloatArray, reported: FloatArray, start: FloatArray, target: FloatArray
) -> FloatArray:
    """Return the longest halving of the step that does not lower the likelihood, or none."""
    here, share = log_likelihood(matrix, reported, start), 1.0
    while share > SMALLEST_STEP:
        step = share * (target - start)
        if log_likelihood(matrix, reported, start + step) >= here:
            return step
        share /= 2
    return np.zeros_like(start)


def log_likelihood(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> float:
    """Return the mean log-likelihood of a report; -inf when a seen report is impossible."""
    seen = reported > 0
    expected = (matrix @ proportions)[seen]
    if (expected <= 0).any():
        return float("-inf")
    return float(reported[seen] @ np.log(expected))


def _gap(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> float:
    seen = reported > 0
    ratio = reported[seen] / (matrix @ proportions)[seen]
    return float((ratio @ matrix[seen]).max() - 1)
