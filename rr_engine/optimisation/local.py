"""Gradient search for square matrices along the whole front."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import scipy

from rr_engine.arrays import FloatArray
from rr_engine.optimisation.front import evaluate, make_stochastic, mix_within_bounds
from rr_engine.optimisation.mechanisms import optimal_mechanism
from rr_engine.optimisation.proving import BoundSolution

# Descents from merged optima at each coarse level.
STARTS = 3
COARSE_STEPS, FINE_STEPS = 120, 60
FTOL = 1e-7
# Added to every probability of a start: a zero column of the information has no gradient.
STIR = 1e-3
# Mixtures of neighbours that are added at the end.
SHARES = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True, eq=False)
class FeasibleSet:
    """The constraints on a matrix and the maxima of its rows, as linear inequalities.

    Variables are the rows of the matrix one after the other, the largest joint probability of each
    row, and, with an epsilon, the least probability of each row. ``inequalities @ v + room >= 0``
    with the guessing value added to the first entry of the room.
    """

    prior: FloatArray
    delta: float
    epsilon: float | None
    inequalities: FloatArray
    columns: FloatArray


@dataclass(slots=True, eq=False)
class LocalSearch:
    """The best matrix of each privacy level, its error, and its predecessors.

    `improvements` holds every matrix that was the best of its level when it was found.
    """

    privacy: FloatArray
    matrices: list[FloatArray | None]
    errors: FloatArray
    descents: int = 0
    improvements: list[FloatArray] = field(default_factory=list)


def feasible_set(prior: FloatArray, delta: float, epsilon: float | None) -> FeasibleSet:
    """Build the constraints of all matrices of one prior."""
    size = len(prior)
    identity = np.eye(size)
    every = np.eye(size * size)
    # Below: sum of the maxima <= A; maxima are maxima; none above delta of its report's share.
    largest = np.repeat(identity, size, axis=0)
    parts: list[list[FloatArray]] = [
        [np.zeros((1, size * size)), -np.ones((1, size))],
        [-np.tile(prior, size)[:, None] * every, largest],
        [np.asarray(delta * np.kron(identity, prior), dtype=np.float64), -identity],
    ]
    if epsilon is not None:
        nothing = np.zeros((size * size, size))
        parts = [[*part, np.zeros((len(part[0]), size))] for part in parts]
        parts += [[every, nothing, -largest], [-every, nothing, np.exp(epsilon) * largest]]
    inequalities = np.block(parts)
    columns = np.zeros((size, inequalities.shape[1]))
    columns[:, : size * size] = np.kron(np.ones(size), identity)
    return FeasibleSet(prior, delta, epsilon, inequalities, columns)


def search_locally(
    bounds: FeasibleSet, optima: list[BoundSolution], levels: int, rng: np.random.Generator
) -> Iterator[tuple[float, LocalSearch]]:
    """Search along the front; yields the progress and the search after each descent.

    Parameters
    ----------
    bounds : FeasibleSet
    optima : list of BoundSolution
        Certified optima of some levels: merged at random to as many reports as there are truths,
        they are the starts.
    levels : int
        Privacy levels of the fine grid.
    rng : Generator
    """
    grid = np.linspace(1 - bounds.delta, 1 - float(bounds.prior.max()), levels, endpoint=False)
    search = LocalSearch(grid, [None] * levels, np.full(levels, np.inf))
    levels_of = [solution.certificate.privacy or 0.0 for solution in optima]
    nearest_levels = [int(np.abs(grid - privacy).argmin()) for privacy in levels_of]
    sweeps = [*range(1, levels), *range(levels - 2, -1, -1)]
    total = len(optima) * STARTS + len(sweeps)
    for level, solution in zip(nearest_levels, optima, strict=True):
        device = optimal_mechanism(solution).matrix
        for _ in range(STARTS):
            _descend(search, level, _merge_reports(device, bounds.prior, rng), bounds, COARSE_STEPS)
            yield search.descents / total, search
    for index, level in enumerate(sweeps):
        neighbour = level - 1 if index < levels - 1 else level + 1
        if search.matrices[neighbour] is not None:
            _descend(search, level, search.matrices[neighbour], bounds, FINE_STEPS)
        else:
            search.descents += 1
        if index == len(sweeps) - 1:
            search.improvements += [
                (1 - share) * first + share * second
                for first, second in pairwise(search.matrices)
                if first is not None and second is not None
                for share in SHARES
            ]
        yield search.descents / total, search


def _merge_reports(device: FloatArray, prior: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Merge the reports with the nearest of a few chosen at random, more often the frequent."""
    size = len(prior)
    reported = device @ prior
    posteriors = device * prior / reported[:, None]
    chosen = rng.choice(len(device), size, replace=False, p=reported / reported.sum())
    distances = ((posteriors[:, None] - posteriors[chosen]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    nearest[chosen] = np.arange(size)
    merged = np.zeros((size, size))
    np.add.at(merged, nearest, device)
    return make_stochastic(merged + STIR * rng.random(merged.shape))


def _descend(
    search: LocalSearch, level: int, start: FloatArray, bounds: FeasibleSet, steps: int
) -> None:
    """Improve one level from one start."""
    matrix = descend(start, 1 - search.privacy[level], bounds, steps)
    search.descents += 1
    privacy, error, _ = evaluate(matrix[None], bounds.prior)
    if privacy[0] >= search.privacy[level] - 1e-6 and error[0] < search.errors[level]:
        search.matrices[level], search.errors[level] = matrix, error[0]
        search.improvements.append(matrix)


def descend(start: FloatArray, guessing: float, bounds: FeasibleSet, steps: int) -> FloatArray:
    """Return a matrix of locally minimal error under a bound on guessing.

    Sequential quadratic programming on ``log tr J^-1``, with its gradient.
    """
    size = len(bounds.prior)
    extra = [start.ravel(), (start * bounds.prior).max(axis=1)]
    if bounds.epsilon is not None:
        extra.append(start.min(axis=1))
    first = np.concatenate(extra)
    room = np.zeros(len(bounds.inequalities))
    room[0] = guessing
    result = scipy.optimize.minimize(
        _log_trace,
        first,
        args=(bounds.prior,),
        jac=True,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * len(first),
        constraints=[
            {
                "type": "eq",
                "fun": lambda values: bounds.columns @ values - 1,
                "jac": lambda values: bounds.columns,
            },
            {
                "type": "ineq",
                "fun": lambda values: bounds.inequalities @ values + room,
                "jac": lambda values: bounds.inequalities,
            },
        ],
        options={"maxiter": steps, "ftol": FTOL},
    )
    matrix = result.x[: size * size].reshape(size, size)
    safe = make_stochastic(np.where(np.isfinite(matrix), matrix, start))
    return mix_within_bounds(safe[None], bounds.prior, bounds.delta, bounds.epsilon)[0]


def _log_trace(values: FloatArray, prior: FloatArray) -> tuple[float, FloatArray]:
    """``log tr J^-1`` and its gradient: ``-2 J^-2 r / lam + (r J^-2 r) pi / lam**2`` per row."""
    size = len(prior)
    matrix = values[: size * size].reshape(size, size)
    # J = P' diag(1/lam) P with lam = P pi, and of f = ln tr J^-1
    #     df = -tr(J^-2 dJ) / tr J^-1,   dJ = 2 P' diag(1/lam) dP - P' diag(dP pi / lam^2) P,
    # so that the slope in P[u, v] is -(2 (P J^-2)_uv / lam_u - pi_v (P J^-2 P')_uu / lam_u^2) / tr.
    reported = np.maximum(matrix @ prior, 1e-12)
    information = (matrix / reported[:, None]).T @ matrix
    gradient = np.zeros_like(values)
    inverse = _inverse(information)
    if inverse is None:
        return 50.0, gradient
    trace = float(np.trace(inverse))
    product = matrix @ (inverse @ inverse)
    square = (product * matrix).sum(axis=1) / reported**2
    slopes = 2 * product / reported[:, None] - square[:, None] * prior
    gradient[: size * size] = -slopes.ravel() / trace
    return float(np.log(trace)), gradient


def _inverse(information: FloatArray) -> FloatArray | None:
    """Return J^-1; None where J is singular, or rounding makes the trace negative."""
    try:
        inverse = np.asarray(np.linalg.inv(information), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return inverse if np.trace(inverse) > 0 else None
