"""A-optimal weights of given rays by a primal-dual interior-point method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.validation import FloatArray

MAX_ITERATIONS = 80
# How far towards the middle of the path a step aims, and how near to the border it may end: bold
# first, and more carefully where that stalls.
PACES = ((0.2, 0.99), (0.5, 0.9), (0.8, 0.7))
SHORT = 0.2
# How nearly the equations hold at the end.
PRIMAL = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Minimise tr (sum_u s_u a_u a_u')^-1 over s >= 0 with C s = d.

    Attributes
    ----------
    vectors : ndarray, shape (rays, m)
        a_u; a ray of zeros is a slack variable.
    equations : ndarray, shape (rows, rays)
        C, of full rank.
    totals : ndarray, shape (rows,)
        d.
    """

    vectors: FloatArray
    equations: FloatArray
    totals: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Optimum:
    """Weights s, multipliers y of the equations, the information sum_u s_u a_u a_u'."""

    weights: FloatArray
    multipliers: FloatArray
    information: FloatArray
    iterations: int
    converged: bool


def minimise(program: Program, tolerance: float) -> Optimum:
    """Solve a program to a relative duality gap.

    The objective depends on s through the m (m + 1) / 2 entries of the information matrix alone, so
    a Newton step costs one small system, however many rays there are.
    """
    for pace in PACES:
        optimum = _followed(program, tolerance, *pace)
        if optimum.converged:
            break
    return optimum


def _followed(program: Program, tolerance: float, centring: float, boundary: float) -> Optimum:
    outer = _half_vectors(program.vectors)
    s = np.full(len(program.vectors), 1.0 / len(program.vectors))
    y = np.zeros(len(program.totals))
    z = np.ones_like(s)
    aim = centring
    for iteration in range(1, MAX_ITERATIONS + 1):
        found = _full(outer.T @ s)
        inverse = _inverted(found, first=iteration == 1)
        if inverse is None:
            break
        information = found
        gradient = -((program.vectors @ inverse) ** 2).sum(axis=1)
        dual_rest = gradient - program.equations.T @ y - z
        primal_rest = program.totals - program.equations @ s
        if _settled(s @ z, inverse, primal_rest, dual_rest, gradient, tolerance):
            return Optimum(s, y, information, iteration, True)
        centre = aim * float(s @ z) / len(s)
        step = _newton(program, outer, inverse, s, z, dual_rest, primal_rest, centre)
        share = min(1.0, _reach(s, step[0], boundary), _reach(z, step[2], boundary))
        # A short step says that the path was left: go back to its middle before going on.
        aim = centring if share > SHORT else 1.0 - (1.0 - aim) / 2
        s, y, z = s + share * step[0], y + share * step[1], z + share * step[2]
    return Optimum(s, y, information, iteration, False)


def _inverted(information: FloatArray, *, first: bool) -> FloatArray | None:
    """Return the inverse; None where a step went astray, which another pace may not."""
    try:
        return np.linalg.inv(information)
    except np.linalg.LinAlgError:
        if first:
            raise
        return None


def _settled(
    complementarity: float,
    inverse: FloatArray,
    primal_rest: FloatArray,
    dual_rest: FloatArray,
    gradient: FloatArray,
    tolerance: float,
) -> bool:
    return bool(
        complementarity <= tolerance * np.trace(inverse)
        and np.abs(primal_rest).max() <= PRIMAL
        and np.abs(dual_rest).max() <= tolerance * np.abs(gradient).max()
    )


def _newton(
    program: Program,
    outer: FloatArray,
    inverse: FloatArray,
    s: FloatArray,
    z: FloatArray,
    dual_rest: FloatArray,
    primal_rest: FloatArray,
    centre: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Solve for (ds, dy, dz) through dX = B ds, of m (m + 1) / 2 entries, and dy."""
    curvature = _curvature(inverse)
    scale = s / z
    rest = centre / s - z - dual_rest
    scaled = outer * scale[:, None]
    within = outer.T @ scaled
    across = program.equations @ scaled
    entries, rows = len(curvature), len(program.totals)
    system = np.empty((entries + rows, entries + rows))
    system[:entries, :entries] = np.eye(entries) + within @ curvature
    system[:entries, entries:] = -across.T
    system[entries:, :entries] = -across @ curvature
    system[entries:, entries:] = (program.equations * scale) @ program.equations.T
    right = np.concatenate([scaled.T @ rest, primal_rest - (program.equations * scale) @ rest])
    solved = _solve(system, right)
    dx, dy = solved[:entries], solved[entries:]
    ds = scale * (program.equations.T @ dy - outer @ (curvature @ dx) + rest)
    dz = centre / s - z - z / s * ds
    return ds, dy, dz


def _solve(system: FloatArray, right: FloatArray) -> FloatArray:
    try:
        return np.linalg.solve(system, right)
    except np.linalg.LinAlgError:
        # At a degenerate optimum fewer rays are left than there are equations.
        return np.linalg.lstsq(system, right)[0]


def _reach(values: FloatArray, step: FloatArray, boundary: float) -> float:
    falling = step < 0
    if not falling.any():
        return 1.0
    return boundary * float((-values[falling] / step[falling]).min())


def _half_vectors(vectors: FloatArray) -> FloatArray:
    """Return a a' of each vector as its upper triangle, scaled so that products are traces."""
    rows, columns = np.triu_indices(vectors.shape[1])
    scale = np.where(rows == columns, 1.0, np.sqrt(2))
    return vectors[:, rows] * vectors[:, columns] * scale


def _full(half: FloatArray) -> FloatArray:
    size = int((np.sqrt(8 * len(half) + 1) - 1) / 2)
    rows, columns = np.triu_indices(size)
    matrix = np.zeros((size, size))
    matrix[rows, columns] = half / np.where(rows == columns, 1.0, np.sqrt(2))
    return matrix + np.triu(matrix, 1).T


def _curvature(inverse: FloatArray) -> FloatArray:
    """Return the Hessian of tr X^-1 on upper triangles: dX -> X^-1 dX X^-2 + X^-2 dX X^-1."""
    size = len(inverse)
    rows, columns = np.triu_indices(size)
    scale = np.where(rows == columns, 1.0, np.sqrt(2))
    square = inverse @ inverse

    def mixed(first: FloatArray, second: FloatArray) -> FloatArray:
        return (
            first[np.ix_(rows, rows)] * second[np.ix_(columns, columns)]
            + first[np.ix_(rows, columns)] * second[np.ix_(columns, rows)]
        )

    half = mixed(inverse, square) + mixed(square, inverse)
    half = half + mixed(inverse, square).T + mixed(square, inverse).T
    return half / 4 * np.outer(scale, scale)
