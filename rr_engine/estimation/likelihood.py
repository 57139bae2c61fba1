"""Maximum likelihood on the simplex: proportions that are never negative."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from rr_engine.arrays import FloatArray
from rr_engine.channels.protocol import Channel, Likelihood
from rr_engine.estimation.conjugate import ConjugateSteps
from rr_engine.estimation.k_ary import maximise_k_ary
from rr_engine.precision import WEIGHT_FLOOR


@dataclass(frozen=True, slots=True)
class Solution:
    """Proportions found by a method.

    Attributes
    ----------
    proportions : ndarray of float, shape (truths,)
    fitted : ndarray of float, shape (reports,)
        Shares of the reports under them: those that came in, wherever these are met exactly.
    weights : ndarray of float or None, shape (reports,)
        Reported shares at which :func:`rr_engine.precision.left_inverse` weighs the reports. Of a
        likelihood: None where inversion is its maximum, and nothing is held at zero.
    converged : bool
    iterations : int
        0 for a closed form.
    """

    proportions: FloatArray
    fitted: FloatArray
    weights: FloatArray | None = None
    converged: bool = True
    iterations: int = 0


def invert(channel: Channel, reported: FloatArray, weights: FloatArray | None = None) -> Solution:
    """Return the solution of P pi = lam (Wang Eq. 17); entries may leave the range 0 to 1.

    With more reports than truths it is the weighted least-squares solution of
    :func:`rr_engine.precision.left_inverse`, which is unbiased as well, for weights that do not
    depend on the reports.
    """
    proportions = channel.solve(reported, weights)
    if channel.saturated:
        return Solution(proportions, reported)
    return Solution(proportions, channel.apply(proportions), weights)


MAX_ITERATIONS = 500
STEP_TOLERANCE = 1e-12
GAP_TOLERANCE = 1e-10
# Below this gap a large table has converged to more digits than a step can improve.
GAP_SETTLED = 1e-13
# Entries of a device up to which its equations are solved directly.
DIRECT_ENTRIES = 1_000_000
SMALLEST_STEP = 2.0**-40
RIDGE = 1e-12
# Weight of the row that makes proportions sum to one, relative to the largest other entry.
SUM_WEIGHT = 1e4
# Relative rounding error of a log-likelihood; a smaller decrease does not shorten a step.
ROUNDING = 1e-15

Step = Callable[[FloatArray], FloatArray]


def maximise(channel: Channel, reported: FloatArray, counts: object = None) -> Solution:
    """Return the proportions under which the reports were most likely.

    Where inversion lands inside the simplex of a square device it is the maximum and is returned;
    the k-ary family has a closed form; bits of sets are estimated one by one. For others see
    :func:`iterate_to_maximum`. `counts` are the reports as they were given, for a channel whose
    tally says less than they do.
    """
    if not channel.exclusive:
        proportions = channel.project(channel.solve(reported))
        return Solution(proportions, channel.apply(proportions))
    if channel.truth_size == channel.tally_size:
        solved = channel.solve(reported)
        if (solved >= 0).all():
            return Solution(solved, reported)
    uniform = channel.uniform
    if uniform is not None and uniform[0] != uniform[1]:
        proportions = maximise_k_ary(reported, *uniform)
        fitted = uniform[1] + (uniform[0] - uniform[1]) * proportions
        return Solution(proportions, fitted, fitted)
    likelihood, shares = channel.likelihood(counts, reported)
    solution = iterate_to_maximum(likelihood, shares)
    if likelihood.normalised:
        return solution
    fitted = channel.apply(solution.proportions)
    return replace(solution, fitted=fitted, weights=fitted)


def iterate_to_maximum(
    device: Likelihood, reported: FloatArray, *, enough: float | None = None
) -> Solution:
    """Return the maximum-likelihood proportions of any device by iteration.

    Two steps in turn, from equal proportions: Fisher scoring finds which proportions are zero,
    Newton's method refines the others. The likelihood never falls, and concavity bounds what is
    still to be gained, which is what `converged` reports. Where reports came in that no truth
    makes, all proportions are equally bad, and equal ones are returned.

    With `enough` it ends where at most so much is still to be gained, and each turn ends with a
    step towards the one proportion that gains most, which gets it away from where a report has lost
    all proportions that make it and the other steps are lost in rounding.
    """
    proportions = np.full(device.shape[1], 1 / device.shape[1])
    if log_likelihood_of(device.apply(proportions), reported) == -np.inf:
        return Solution(proportions, device.apply(proportions), None)
    if device.shape[0] * device.shape[1] > DIRECT_ENTRIES and device.normalised:
        return _iterate_large(device, reported, proportions)
    matrix = device.dense()
    first = _scoring_target if device.normalised else _observed_target
    steps = (
        lambda start: first(matrix, reported, start),
        lambda start: _newton_target(matrix, reported, start),
    )
    iteration, moved = 0, np.inf
    while iteration < MAX_ITERATIONS and moved > STEP_TOLERANCE:
        proportions, moved = _take_steps(device, reported, proportions, steps)
        iteration += 1
        if enough is None:
            continue
        gains = _gains(device, reported, proportions)
        if gains.max() - 1 <= enough:
            break
        best = np.zeros(len(proportions))
        best[gains.argmax()] = 1.0
        start, proportions = proportions, _line_search(device, reported, proportions, best)
        moved = max(moved, float(np.abs(proportions - start).max()))
    return _solution(device, reported, proportions, iteration)


def _iterate_large(device: Likelihood, reported: FloatArray, proportions: FloatArray) -> Solution:
    steps = ConjugateSteps(device, reported)
    iteration, moved, gap = 0, np.inf, np.inf
    turn = (steps.scoring, steps.newton)
    while not steps.spent and moved > STEP_TOLERANCE and gap > GAP_SETTLED:
        proportions, moved = _take_steps(device, reported, proportions, turn)
        iteration, gap = iteration + 1, likelihood_gap(device, reported, proportions)
    return _solution(device, reported, proportions, iteration)


def _take_steps(
    device: Likelihood, reported: FloatArray, start: FloatArray, steps: tuple[Step, Step]
) -> tuple[FloatArray, float]:
    """Take the steps in turn; return the point reached and its distance from the start."""
    reached = start
    for step in steps:
        reached = _line_search(device, reported, reached, step(reached))
    return reached, float(np.abs(reached - start).max())


def _solution(
    device: Likelihood, reported: FloatArray, proportions: FloatArray, iterations: int
) -> Solution:
    settled = likelihood_gap(device, reported, proportions) <= GAP_TOLERANCE
    fitted = device.apply(proportions)
    return Solution(proportions, fitted, fitted, settled, iterations)


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


def _observed_target(
    matrix: FloatArray, reported: FloatArray, proportions: FloatArray
) -> FloatArray:
    """Maximise the quadratic model with observed information over pi >= 0 that sum to one.

    With ``A = diag(sqrt(r) / lam) P`` the slope is ``A' sqrt(r)``, and also ``A'A pi`` at the
    start, so that the model is ``-|A pi - 2 sqrt(r)|**2 / 2`` and a constant. The sum is a row of
    its own with a large weight. Needs the rows of the reports that came in only, up to factors.
    """
    root = np.sqrt(reported)
    scaled = matrix * (root / (matrix @ proportions))[:, None]
    weight = SUM_WEIGHT * float(np.abs(scaled).max())
    system = np.vstack([scaled, np.full(scaled.shape[1], weight)])
    target = np.append(2 * root, weight)
    if system.shape[0] > system.shape[1]:
        orthogonal, system = np.linalg.qr(system)
        target = orthogonal.T @ target
    solution, _ = scipy.optimize.nnls(system, target)
    return solution / solution.sum()


def _newton_target(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> FloatArray:
    """Take a Newton step among the positive proportions, as far as the simplex goes."""
    free, observed = np.flatnonzero(proportions > 0), reported > 0
    part, expected = matrix[np.ix_(observed, free)], (matrix @ proportions)[observed]
    gradient = part.T @ (reported[observed] / expected)
    scaled = part * (np.sqrt(reported[observed]) / expected)[:, None]
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


def _line_search(
    device: Likelihood, reported: FloatArray, start: FloatArray, target: FloatArray
) -> FloatArray:
    """Search towards the target, halving the step until the likelihood does not decrease."""
    value = log_likelihood_of(device.apply(start), reported)
    slack, share = ROUNDING * abs(value), 1.0
    while share > SMALLEST_STEP:
        reached = start + share * (target - start) if share < 1 else target
        if log_likelihood_of(device.apply(reached), reported) >= value - slack:
            return reached
        share /= 2
    return start


def log_likelihood(matrix: FloatArray, reported: FloatArray, proportions: FloatArray) -> float:
    """Return the mean log-likelihood of a report; -inf when a seen report is impossible."""
    return log_likelihood_of(matrix @ proportions, reported)


def log_likelihood_of(expected: FloatArray, reported: FloatArray) -> float:
    """Return the same of the expected shares of the reports."""
    observed = reported > 0
    if (expected[observed] <= 0).any():
        return float("-inf")
    return float(reported[observed] @ np.log(expected[observed]))


def likelihood_gap(device: Likelihood, reported: FloatArray, proportions: FloatArray) -> float:
    """Return a bound on the gain in mean log-likelihood of any other proportions.

    ``max_v (P' (lam_hat / lam))_v - 1``: ln x <= x - 1 applied to the ratio of the two likelihoods.
    """
    return float(_gains(device, reported, proportions).max() - 1)


def _gains(device: Likelihood, reported: FloatArray, proportions: FloatArray) -> FloatArray:
    """Return the slope of the mean log-likelihood by each proportion."""
    expected = device.apply(proportions)
    ratio = np.divide(reported, expected, out=np.zeros_like(reported), where=reported > 0)
    return device.transposed(ratio)
