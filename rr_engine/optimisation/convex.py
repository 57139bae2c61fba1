"""A-optimal weights of given rays by a primal-dual interior-point method."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from rr_engine.arrays import FloatArray, IntArray

MAX_ITERATIONS = 80
# Steps without progress after which double precision is exhausted.
PATIENCE = 25
# How far towards the middle of the path a step aims, and how near to the border it may end: bold
# first, and more carefully where that stalls.
PACES = ((0.2, 0.99), (0.5, 0.9), (0.8, 0.7))
SHORT = 0.2
# Tolerance of the equations at the end, and the relative duality gap that is aimed at.
PRIMAL, GAP = 1e-11, 1e-7


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
    """Weights s, multipliers y of the equations, the information sum_u s_u a_u a_u'.

    `distance` is how far it is from optimal, in units of what counts as optimal.
    """

    weights: FloatArray
    multipliers: FloatArray
    information: FloatArray
    iterations: int
    distance: float

    @property
    def converged(self) -> bool:
        return self.distance <= 1


def minimise(program: Program) -> Optimum:
    """Solve a program to a relative duality gap, or as nearly as double precision allows.

    The objective depends on s through the m (m + 1) / 2 entries of the information matrix alone, so
    a Newton step costs one small system, however many rays there are.
    """
    optima = []
    # A diverging path may overflow; it is judged by the point that it reached.
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        for pace in PACES:
            optima.append(_follow_central_path(program, *pace))
            if optima[-1].converged:
                break
    return min(optima, key=lambda optimum: optimum.distance)


def _follow_central_path(program: Program, centring: float, boundary: float) -> Optimum:
    """Follow the central path: weights s, multipliers y of the equations, z of s >= 0.

    With ``X = sum_i s_i a_i a_i'`` the conditions of the minimum of ``tr X^-1`` are

        E s = t        -|X^-1 a_i|**2 - (E'y)_i - z_i = 0        s_i z_i = centre -> 0

    whose left sides less their right ones are `primal_rest` (negated) and `dual_rest`.
    """
    s = np.full(len(program.vectors), 1.0 / len(program.vectors))
    y = np.zeros(len(program.totals))
    z = np.ones_like(s)
    aim, least, idle = centring, np.inf, 0
    information = program.vectors.T @ program.vectors
    reached = Optimum(s, y, information, 0, np.inf)
    for iteration in range(1, MAX_ITERATIONS + 1):
        information = (program.vectors * s[:, None]).T @ program.vectors
        root = _root(information, first=iteration == 1)
        if root is None:
            break
        # X^-1 = R R', so that |X^-1 a| = |R (R'a)|.
        scaled = program.vectors @ root
        gradient = -((scaled @ root.T) ** 2).sum(axis=1)
        dual_rest = gradient - program.equations.T @ y - z
        primal_rest = program.totals - program.equations @ s
        # The largest violation of the optimality conditions, relative to its tolerance.
        distance = float(
            max(
                float(s @ z) / (GAP * (root**2).sum()),
                np.abs(primal_rest).max() / PRIMAL,
                np.abs(dual_rest).max() / (GAP * np.abs(gradient).max()),
            )
        )
        reached = Optimum(s, y, information, iteration, distance)
        least, idle = (distance, 0) if distance < least else (least, idle + 1)
        if reached.converged or idle == PATIENCE:
            break
        centre = aim * float(s @ z) / len(s)
        step = _newton(program, scaled, root, s, z, dual_rest, primal_rest, centre)
        if not all(np.isfinite(part).all() for part in step):
            break
        share = min(1.0, _reach(s, step[0], boundary), _reach(z, step[2], boundary))
        # After a short step the iteration returns to the central path before it goes on.
        aim = centring if share > SHORT else 1.0 - (1.0 - aim) / 2
        s, y, z = s + share * step[0], y + share * step[1], z + share * step[2]
    return reached


def _root(information: FloatArray, *, first: bool) -> FloatArray | None:
    """Return R with R R' the inverse; None where the matrix is not positive definite."""
    try:
        lower = np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        if first:
            raise
        return None
    identity = np.eye(len(lower))
    return scipy.linalg.solve_triangular(lower, identity, lower=True, check_finite=False).T


def _newton(
    program: Program,
    vectors: FloatArray,
    root: FloatArray,
    s: FloatArray,
    z: FloatArray,
    dual_rest: FloatArray,
    primal_rest: FloatArray,
    centre: float,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Solve for (ds, dy, dz) through dX = B ds, of m (m + 1) / 2 entries, and dy.

    In coordinates in which the information is the identity: its own inverse, squared and cubed,
    would leave no digits where it is uneven. With B the outer products of the vectors as rows, C
    the Hessian, D = diag(s/z) and r = centre/s - z - dual_rest, Newton's equations are

        ds = D (E'dy - B C dx + r)        dx = B'ds        E ds = primal_rest

    and the first of them in the others is the system

        [ I + B'D B C    -B'D E' ] [dx]   [ B'D r               ]
        [   -E D B C      E D E' ] [dy] = [ primal_rest - E D r ]
    """
    outer, curvature = _half_vectors(vectors), _curvature(root.T @ root)
    scale = s / z
    rest = centre / s - z - dual_rest
    scaled, weighted = outer * scale[:, None], program.equations * scale
    within = outer.T @ scaled
    across = program.equations @ scaled
    entries, rows = len(curvature), len(program.totals)
    system = np.empty((entries + rows, entries + rows))
    system[:entries, :entries] = np.eye(entries) + within @ curvature
    system[:entries, entries:] = -across.T
    system[entries:, :entries] = -across @ curvature
    system[entries:, entries:] = weighted @ program.equations.T
    right = np.concatenate([scaled.T @ rest, primal_rest - weighted @ rest])
    solution = _solve(system, right)
    dx, dy = solution[:entries], solution[entries:]
    ds = scale * (program.equations.T @ dy - outer @ (curvature @ dx) + rest)
    dz = centre / s - z - z / s * ds
    return ds, dy, dz


def _solve(system: FloatArray, right: FloatArray) -> FloatArray:
    """Solve the equations, by least squares where they are dependent."""
    try:
        return np.asarray(np.linalg.solve(system, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        # At a degenerate optimum fewer rays than equations remain.
        return np.asarray(np.linalg.lstsq(system, right)[0], dtype=np.float64)


def _reach(values: FloatArray, step: FloatArray, boundary: float) -> float:
    falling = step < 0
    if not falling.any():
        return 1.0
    return boundary * float((-values[falling] / step[falling]).min())


def _half_vectors(vectors: FloatArray) -> FloatArray:
    """Return a a' of each vector as its upper triangle, scaled so that products are traces."""
    rows, columns, scale = _upper(vectors.shape[1])
    entries = vectors.T.take(rows, axis=0)
    entries *= vectors.T.take(columns, axis=0)
    entries *= scale[:, None]
    return entries.T


def _curvature(weights: FloatArray) -> FloatArray:
    """Return the Hessian of tr X^-1 M at X = I on upper triangles: dX -> dX M + M dX.

    In entries ``(dX M + M dX)_ij = sum_kl (d_ik m_jl + m_ik d_jl) dX_kl`` (d the identity); of a
    symmetric dX the entries kl and lk are one number, so that both orders are averaged.
    """
    parts, scales = _meetings(len(weights))
    one, two, three, four = (weights.take(places) * among for places, among in parts)
    half = (one + two) + (three + four)
    half = half + half.T
    half /= 4
    half *= scales
    return half


@cache
def _meetings(size: int) -> tuple[list[tuple[IntArray, FloatArray]], FloatArray]:
    """Return what the Hessian is made of, and the products of the scales of two places.

    For two places of an upper triangle: places in the matrix of one index of each, and where the
    other two are the same; in the four ways in which the two are chosen.
    """
    rows, columns, scale = _upper(size)
    same = np.eye(size).ravel()

    def meeting(first: IntArray, second: IntArray) -> IntArray:
        return first[:, None] * size + second

    ways = [
        (meeting(columns, columns), meeting(rows, rows)),
        (meeting(columns, rows), meeting(rows, columns)),
        (meeting(rows, rows), meeting(columns, columns)),
        (meeting(rows, columns), meeting(columns, rows)),
    ]
    return [(places, same[others]) for places, others in ways], np.outer(scale, scale)


@cache
def _upper(size: int) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the places of an upper triangle, and the scale that makes its products traces."""
    rows, columns = np.triu_indices(size)
    return rows, columns, np.where(rows == columns, 1.0, np.sqrt(2))
