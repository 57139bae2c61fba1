"""Maximum likelihood on the simplex: proportions that are never negative."""

import numpy as np
import scipy

from rr_engine.estimation.solution import Solution
from rr_engine.precision import WEIGHT_FLOOR, solve_proportions
from rr_engine.validation import FloatArray

MAX_ITERATIONS = 500
STEP_TOLERANCE = 1e-12
GAP_TOLERANCE = 1e-10
SMALLEST_STEP = 2.0**-40
RIDGE = 1e-12
# Relative error of a computed log-likelihood, so that rounding does not halve the last steps.
ROUNDING = 1e-15


def maximise(matrix: FloatArray, reported: FloatArray) -> Solution:
    """Return the proportions under which the reports were most likely.

    Where inversion lands inside the simplex of a square design it is the maximum and is returned.
    Otherwise two steps in turn, from equal proportions: Fisher scoring finds which proportions are
    zero, Newton's method refines the others. The likelihood never falls, and concavity bounds what
    is still to be gained, which is what `converged` reports.
    """
    if matrix.shape[0] == matrix.shape[1]:
        solved = solve_proportions(matrix, reported)
        if (solved >= 0).all():
            return Solution(solved)
    return _iterate(matrix, reported)


def _iterate(matrix: FloatArray, reported: FloatArray) -> Solution:
    proportions = np.full(matrix.shape[1], 1 / matrix.shape[1])
    iteration, moved = 0, np.inf
    while iteration < MAX_ITERATIONS and moved > STEP_TOLERANCE:
        before = proportions
        for step in (_scoring_target, _newton_target):
            target = step(matrix, reported, proportions)
            proportions = _uphill(matrix, reported, proportions, target)
        moved, iteration = float(np.abs(proportions - before).max()), iteration + 1
    settled = bool(likelihood_gap(matrix, reported, proportions) <= GAP_TOLERANCE)
    return Solution(proportions, matrix @ proportions, settled, iteration)


def _scoring_target(
    matrix: FloatArray, reported: FloatArray, proportions: FloatArray
) -> FloatArray:
    """Minimise ``sum_u (lam_hat - P pi)_u**2 / lam_u`` over pi >= 0.

    The quadratic model of the likelihood with expected information; the sum of pi needs no
    constraint of its own because columns of P sum to one.
    """
    scale = 1 / np.sqrt(np.maximum(matrix @ proportions, WEIGHT_FLOOR))
    solution, _ = scipy.optimize.nnls(matrix * scale[:, None], reported * scale)
    return solution / solution.sum()


def _newton_target(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> FloatArray:
    """Take a Newton step among the positive proportions, as far as the simplex goes."""
    free, seen = np.flatnonzero(proportions > 0), reported > 0
    part, expected = matrix[np.ix_(seen, free)], (matrix @ proportions)[seen]
    gradient = part.T @ (reported[seen] / expected)
    scaled = part * (np.sqrt(reported[seen]) / expected)[:, None]
    direction = _along_simplex(scaled.T @ scaled, gradient)
    target, falling = proportions.copy(), direction < 0
    reach = -proportions[free][falling] / direction[falling]
    share = min(1.0, reach.min(initial=1.0))
    target[free] += share * direction
    # The proportion that stops the step is zero by construction, not by subtraction.
    target[free[falling][reach <= share]] = 0.0
    return np.maximum(target, 0.0) / np.maximum(target, 0.0).sum()


def _along_simplex(hessian: FloatArray, gradient: FloatArray) -> FloatArray:
    """Solve the Newton equations for a direction whose entries sum to zero.

    Reports never seen leave directions without curvature; the ridge turns those into long steps.
    """
    size = len(gradient)
    system = np.ones((size + 1, size + 1))
    system[:size, :size] = hessian + RIDGE * np.trace(hessian) * np.eye(size)
    system[size, size] = 0.0
    return np.linalg.solve(system, np.append(gradient, 0.0))[:size]


def _uphill(
    matrix: FloatArray, reported: FloatArray, start: FloatArray, target: FloatArray
) -> FloatArray:
    """Go towards the target, halving the way until the likelihood does not fall."""
    here = log_likelihood(matrix, reported, start)
    slack, share = ROUNDING * abs(here), 1.0
    while share > SMALLEST_STEP:
        reached = start + share * (target - start) if share < 1 else target
        if log_likelihood(matrix, reported, reached) >= here - slack:
            return reached
        share /= 2
    return start


def log_likelihood(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> float:
    """Return the mean log-likelihood of a report; -inf when a seen report is impossible."""
    seen = reported > 0
    expected = (matrix @ proportions)[seen]
    if (expected <= 0).any():
        return float("-inf")
    return float(reported[seen] @ np.log(expected))


def likelihood_gap(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> float:
    """Return a bound on the mean log-likelihood that any other proportions could gain.

    ``max_v (P' (lam_hat / lam))_v - 1``: ln x <= x - 1 applied to the ratio of the two likelihoods.
    """
    seen = reported > 0
    ratio = reported[seen] / (matrix @ proportions)[seen]
    return float((ratio @ matrix[seen]).max() - 1)
