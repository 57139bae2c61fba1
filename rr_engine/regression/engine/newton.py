"""Newton's method for likelihoods that need not be concave: deterministic, and never downhill.

Where there may be several maxima, walks from starts in all corners of the coefficients find them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.arrays import FloatArray

# Value, gradient and information (minus the second derivatives) at a point.
Objective = Callable[[FloatArray], tuple[float, FloatArray, FloatArray]]

MOST_ITERATIONS = 200
# The gain that one more step promises, in units of the log-likelihood, below which it is settled.
SETTLED = 1e-10
# Share of the promised gain that a step has to bring.
SUFFICIENT = 1e-4
MOST_HALVINGS = 40
# Eigenvalues of the information below this share of the largest are as good as zero.
FLAT = 1e-13
POLISHING_STEPS = 4
# A promised gain below this share of the value is rounding.
EXACT = 1e-18
# Lengths of effects of scaled columns: hardly any, usual ones, and some that decide an answer.
SPREADS = (0.5, 1.5, 4.0)
SEED = 26
# Steps of the first part of every walk, and the walks beside those that have ended already which
# are walked to their ends.
FIRST_STEPS, FINISHED = 6, 8
# Difference of two values of a log-likelihood, relatively, that is rounding.
ALIKE = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class Maximum:
    """Where an ascent ended.

    Attributes
    ----------
    theta : ndarray of float, shape (p,)
    value : float
    gradient : ndarray of float, shape (p,)
    information : ndarray of float, shape (p, p)
        Minus the second derivatives at `theta`, or what the objective gives in their place.
    iterations : int
    converged : bool
        Whether another step would gain less than 1e-10, at a point that is no saddle.
    """

    theta: FloatArray
    value: float
    gradient: FloatArray
    information: FloatArray
    iterations: int
    converged: bool


def of_blocks(rows: Sequence[Sequence[FloatArray]]) -> FloatArray:
    """Return a table from its blocks, row by row: `np.block` takes longer than a whole step."""
    return np.concatenate([np.concatenate(row, axis=1) for row in rows])


def maximise(
    objective: Objective, start: FloatArray, most_iterations: int = MOST_ITERATIONS
) -> Maximum:
    """Return the local maximum that an ascent from `start` reaches.

    Each step is Newton's where the function is concave. Where it is not, directions of positive
    curvature are walked uphill by as much as their curvature says (Dauphin et al. 2014), and a
    stationary point that is no maximum is left along its direction of largest curvature. Steps are
    halved until they bring what they promise.

    Parameters
    ----------
    objective : callable
        Takes `theta` and returns value, gradient and information; a value that is not finite marks
        a point outside of the range.
    start : ndarray of float, shape (p,)
        Inside the range.
    most_iterations : int, default 200

    Returns
    -------
    Maximum

    References
    ----------
    .. [1] Y. Dauphin et al., "Identifying and Attacking the Saddle Point Problem in
       High-Dimensional Non-Convex Optimization", NeurIPS 27, 2014.

    Examples
    --------
    >>> import numpy as np
    >>> def quadratic(theta):
    ...     return -float(theta @ theta), -2 * theta, 2 * np.eye(2)
    >>> maximise(quadratic, np.array([1.0, 2.0])).theta.tolist()
    [0.0, 0.0]
    """
    theta = np.array(start, dtype=np.float64)
    value, gradient, information = objective(theta)
    for iteration in range(most_iterations):
        step, gain, saddle = _ascent(gradient, information)
        if gain <= SETTLED and not saddle:
            here = Maximum(theta, value, gradient, information, iteration, True)
            return _polish(objective, here, step, gain)
        moved = _line_search(objective, theta, value, step, gain)
        if moved is None:
            settled = bool(gain <= SETTLED * max(1.0, abs(value)) and not saddle)
            return Maximum(theta, value, gradient, information, iteration, settled)
        theta, (value, gradient, information) = moved
    return Maximum(theta, value, gradient, information, most_iterations, False)


def _ascent(gradient: FloatArray, information: FloatArray) -> tuple[FloatArray, float, bool]:
    """Return an uphill step, the gain that it promises, and whether the point is a saddle."""
    # A diagonal of ones makes the eigenvalues of coefficients of different units comparable.
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-300))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    slopes = vectors.T @ (gradient / scale)
    curvature = np.maximum(np.abs(values), FLAT * largest)
    step = slopes / curvature
    gain = float((slopes * step).sum() / 2)
    saddle = bool(values.min(initial=0.0) < -1e-8 * largest)
    if saddle and gain <= SETTLED:
        # Downhill and uphill are alike here: the sign is that of the largest entry.
        direction = vectors[:, 0]
        step[0] = np.sign(direction[np.argmax(np.abs(direction))]) * 0.1 / np.sqrt(largest)
        gain = float(-values[0] * step[0] ** 2 / 2)
    return (vectors @ step) / scale, gain, saddle


def _line_search(
    objective: Objective, theta: FloatArray, value: float, step: FloatArray, gain: float
) -> tuple[FloatArray, tuple[float, FloatArray, FloatArray]] | None:
    """Return the first of the halved steps that brings enough; None if none does."""
    for halving in range(MOST_HALVINGS):
        fraction = 0.5**halving
        candidate = theta + fraction * step
        found = objective(candidate)
        if (
            np.isfinite(found[0])
            and np.isfinite(found[2]).all()
            and found[0] >= value + SUFFICIENT * fraction * gain
        ):
            return candidate, found
    return None


def _polish(objective: Objective, here: Maximum, step: FloatArray, gain: float) -> Maximum:
    """Return the maximum after full steps for as long as they make the promised gain smaller."""
    for _ in range(POLISHING_STEPS):
        if gain <= EXACT * max(1.0, abs(here.value)):
            break
        candidate = here.theta + step
        value, gradient, information = objective(candidate)
        if not np.isfinite(value):
            break
        step, next_gain, _ = _ascent(gradient, information)
        if not next_gain < gain / 4:
            break
        here = Maximum(candidate, value, gradient, information, here.iterations, True)
        gain = next_gain
    return here


def wide_points(middle: FloatArray, count: int, seed: int = SEED) -> list[FloatArray]:
    """Return points around a middle in directions of a fixed pseudorandom source, near and far.

    They depend on the number of coefficients alone, so that a fit can be repeated.
    """
    rng = np.random.default_rng([seed, len(middle)])
    directions = rng.standard_normal((count, len(middle)))
    scales = np.resize(SPREADS, count)
    return [middle + scale * one for scale, one in zip(scales, directions, strict=True)]


def maxima_from(objective: Objective, starts: Sequence[FloatArray]) -> list[Maximum]:
    """Return the different maxima that walks from these starts reach, the highest first.

    All are walked a part. Of those that have not ended by then the highest few are walked to their
    ends: the others are far below, on a way on which the likelihood hardly rises.
    """
    inside = (start for start in starts if _is_inside(objective, start))
    walked = different([maximise(objective, start, FIRST_STEPS) for start in inside])
    going = [point for point in walked if not point.converged][:FINISHED]
    ended = [point for point in walked if point.converged]
    return different([*ended, *(_to_the_end(objective, point) for point in going)])


def different(maxima: Sequence[Maximum], alike: float = ALIKE) -> list[Maximum]:
    """Return the maxima with values of their own, the highest first.

    Of those that are alike the first, whatever the last digit says, or the first that has ended.
    """
    found: list[Maximum] = []
    for maximum in sorted(maxima, key=lambda each: not each.converged):
        if all(abs(maximum.value - other.value) > rounding(other, alike) for other in found):
            found.append(maximum)
    return sorted(found, key=lambda each: -each.value)


def rounding(maximum: Maximum, alike: float = ALIKE) -> float:
    """Return a difference from this value that is none."""
    return alike * max(1.0, abs(maximum.value))


def _is_inside(objective: Callable, start: FloatArray) -> bool:
    # Far out a link rounds probabilities to 0, which a direct answer may contradict.
    return all(bool(np.isfinite(part).all()) for part in objective(start))


def _to_the_end(objective: Objective, point: Maximum) -> Maximum:
    further = maximise(objective, point.theta)
    return replace(further, iterations=point.iterations + further.iterations)
