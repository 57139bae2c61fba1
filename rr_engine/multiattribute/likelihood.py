"""Maximum likelihood for tables, with the devices applied one axis at a time.

Maximises ``sum_u lam_hat_u ln (P pi)_u - sum_v pi_v`` over ``pi >= 0``. The columns of P sum to
one, so the maximum has ``sum pi = 1`` by itself and only the signs remain as constraints.
"""

from collections.abc import Callable, Sequence

import numpy as np

from rr_engine.estimation.likelihood import GAP_TOLERANCE
from rr_engine.estimation.solution import Solution
from rr_engine.kronecker import apply_axes, solve_axes
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray

MAX_ITERATIONS = 200
# Cells times iterations: a table of 30,000 cells gets 10 iterations, some ten seconds, and a note.
WORK = 300_000
STEP_TOLERANCE = 1e-13
SMALLEST_STEP = 2.0**-30
CONJUGATE_STEPS = 60
CONJUGATE_TOLERANCE = 1e-8
RIDGE = 1e-13
ARMIJO = 1e-4
# Relative error of a computed log-likelihood, so that rounding does not refuse the last steps.
ROUNDING = 1e-15

Operator = Callable[[FloatArray], FloatArray]


def maximise_axes(matrices: Sequence[FloatArray], reported: FloatArray) -> Solution:
    """Return the table under which the reports were most likely.

    Where inversion lands inside the simplex of square designs it is the maximum. Otherwise, from
    equal proportions, an EM step (which keeps every cell positive that is) and a Newton step among
    the cells that are not held at zero (Bertsekas, SIAM J. Control and Optimization 20 (1982),
    221-246), its equations solved by conjugate gradients, take turns. The likelihood never falls;
    `converged` reports whether any other table could gain more than 1e-10 per report.
    """
    if all(matrix.shape[0] == matrix.shape[1] for matrix in matrices):
        solved = solve_axes(matrices, reported)
        if (solved >= 0).all():
            return Solution(solved)
    return _iterate(matrices, reported)


def _iterate(matrices: Sequence[FloatArray], reported: FloatArray) -> Solution:
    shape = [matrix.shape[1] for matrix in matrices]
    proportions = np.full(shape, 1 / np.prod(shape))
    preconditioners = [left_inverse(matrix) for matrix in matrices]
    iteration, moved = 0, np.inf
    while iteration < min(MAX_ITERATIONS, WORK // proportions.size + 1) and moved > STEP_TOLERANCE:
        before = proportions
        proportions = proportions * (1 + gradient(matrices, reported, proportions))
        proportions = _newton(matrices, preconditioners, reported, proportions)
        moved, iteration = float(np.abs(proportions - before).max()), iteration + 1
    proportions = proportions / proportions.sum()
    gap = gradient(matrices, reported, proportions).max()
    return Solution(proportions, None, bool(gap <= GAP_TOLERANCE), iteration)


def gradient(
    matrices: Sequence[FloatArray], reported: FloatArray, proportions: FloatArray
) -> FloatArray:
    """Return the gradient; its largest entry bounds what any other table could gain."""
    expected = apply_axes(matrices, proportions)
    ratio = np.divide(reported, expected, out=np.zeros_like(reported), where=reported > 0)
    return apply_axes([matrix.T for matrix in matrices], ratio) - 1


def _newton(
    matrices: Sequence[FloatArray],
    inverses: Sequence[FloatArray],
    reported: FloatArray,
    proportions: FloatArray,
) -> FloatArray:
    slope = gradient(matrices, reported, proportions)
    near_zero = min(1e-6, float(np.abs(proportions - np.maximum(proportions + slope, 0)).max()))
    held = (proportions <= near_zero / proportions.size) & (slope < 0)
    expected = apply_axes(matrices, proportions)
    weights = np.divide(reported, expected**2, out=np.zeros_like(reported), where=reported > 0)
    transposed = [matrix.T for matrix in matrices]

    def curvature(step: FloatArray) -> FloatArray:
        bent = apply_axes(transposed, weights * apply_axes(matrices, step))
        return np.where(held, 0.0, bent + RIDGE * weights.max() * step)

    def approximate_inverse(residual: FloatArray) -> FloatArray:
        spread = apply_axes([inverse.T for inverse in inverses], residual)
        return np.where(held, 0.0, apply_axes(inverses, expected * spread))

    direction = _conjugate(curvature, approximate_inverse, np.where(held, 0.0, slope))
    direction = np.where(held, proportions * slope, direction)
    return _uphill(matrices, reported, proportions, direction, slope)


def _conjugate(curvature: Operator, precondition: Operator, target: FloatArray) -> FloatArray:
    """Solve the Newton equations by preconditioned conjugate gradients."""
    found, residual = np.zeros_like(target), target.copy()
    scaled = precondition(residual)
    search, size = scaled.copy(), float((residual * scaled).sum())
    limit = CONJUGATE_TOLERANCE**2 * size
    for _ in range(CONJUGATE_STEPS):
        bent = curvature(search)
        bend = float((search * bent).sum())
        if size <= limit or bend <= 0:
            break
        share = size / bend
        found, residual = found + share * search, residual - share * bent
        scaled = precondition(residual)
        size, before = float((residual * scaled).sum()), size
        search = scaled + size / before * search
    return found


def _uphill(
    matrices: Sequence[FloatArray],
    reported: FloatArray,
    start: FloatArray,
    direction: FloatArray,
    slope: FloatArray,
) -> FloatArray:
    """Go along the direction, bent at zero, halving until the likelihood rises enough."""
    here = _objective(matrices, reported, start)
    slack, share = ROUNDING * abs(here), 1.0
    while share > SMALLEST_STEP:
        reached = np.maximum(start + share * direction, 0)
        gain = ARMIJO * float((slope * (reached - start)).sum())
        if _objective(matrices, reported, reached) >= here + gain - slack:
            return reached
        share /= 2
    return start


def _objective(
    matrices: Sequence[FloatArray], reported: FloatArray, proportions: FloatArray
) -> float:
    expected, seen = apply_axes(matrices, proportions), reported > 0
    if (expected[seen] <= 0).any():
        return -np.inf
    return float(reported[seen] @ np.log(expected[seen]) - proportions.sum())
