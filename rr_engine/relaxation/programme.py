"""The degradation between two tables of floats, by a linear programme."""

from typing import NamedTuple

import numpy as np
import scipy

from rr_engine.arrays import BoolArray, FloatArray, IntArray

FEASIBILITY = 1e-10
# Relative size of the smallest pivot of a table whose columns count as independent.
RANK = 1e-11


class Solution(NamedTuple):
    """A table C with ``C P_next = P_now`` and columns that sum to one, and its smallest entry.

    Entries that must be zero do not count.
    """

    matrix: FloatArray
    smallest: float


def possible_entries(now: FloatArray, later: FloatArray) -> BoolArray:
    """Tell which earlier reports can follow from which later ones, shape (previous, next).

    One that is impossible for a truth cannot follow from one that is possible for it.
    """
    forbidden = (now == 0).astype(float) @ (later > 0).astype(float).T
    return forbidden == 0


def most_even(now: FloatArray, later: FloatArray, possible: BoolArray) -> Solution | None:
    """Return the solution with the largest smallest entry; None where the equations have none.

    With ``C = C' + z``, C' >= 0, on the possible entries: ``C'P_next + z = P_now``, and columns
    of C' sum to ``1 - previous z``; z is the largest possible, or the least negative.
    """
    equations = _equations(later, possible)
    shift = equations @ np.ones(equations.shape[1])
    program = scipy.optimize.linprog(
        np.append(np.zeros(equations.shape[1]), -1.0),
        A_eq=scipy.sparse.hstack([equations, shift[:, None]], format="csc"),
        b_eq=_values(now, later),
        bounds=[(0, None)] * equations.shape[1] + [(None, 1)],
        method="highs",
        options={"primal_feasibility_tolerance": FEASIBILITY},
    )
    if program.x is None:
        return None
    matrix = np.zeros(possible.shape)
    matrix[possible] = program.x[:-1] + program.x[-1]
    return Solution(matrix, float(program.x[-1]))


def basic_solution(now: FloatArray, later: FloatArray, possible: BoolArray) -> FloatArray | None:
    """Return a vertex of the degradations, with as many zeros as that has; None without one."""
    equations = _equations(later, possible)
    program = scipy.optimize.linprog(
        np.zeros(equations.shape[1]), A_eq=equations, b_eq=_values(now, later), method="highs-ds"
    )
    if program.x is None:
        return None
    matrix = np.zeros(possible.shape)
    matrix[possible] = program.x
    return matrix


def _equations(later: FloatArray, possible: BoolArray) -> scipy.sparse.csc_array:
    """Return one equation for each earlier report and truth, and one for each later report."""
    previous, following = possible.shape
    products = scipy.sparse.kron(scipy.sparse.eye_array(previous), later.T)
    sums = scipy.sparse.kron(np.ones((1, previous)), scipy.sparse.eye_array(following))
    return scipy.sparse.vstack([products, sums], format="csc")[:, np.flatnonzero(possible)]


def _values(now: FloatArray, later: FloatArray) -> FloatArray:
    return np.concatenate([now.ravel(), np.ones(len(later))])


def independent_rows(matrix: FloatArray) -> IntArray | None:
    """Return as many rows as there are columns, independent; None when there are too few."""
    if matrix.shape[0] < matrix.shape[1]:
        return None
    _, triangle, order = scipy.linalg.qr(matrix.T, mode="economic", pivoting=True)
    pivots = np.abs(np.diag(triangle))
    if pivots[-1] <= RANK * pivots[0]:
        return None
    return np.sort(order[: matrix.shape[1]])


def corrected(solution: FloatArray, now: FloatArray, later: FloatArray) -> FloatArray:
    """Return the solution with what it misses of the equations put right, up to floats.

    The residual ``R = P_now - C P_next`` has columns that sum to zero, and is taken up by the
    columns of independent later reports: ``R S^-1`` with S their rows of P_next.
    """
    rows = independent_rows(later)
    if rows is None:
        return solution
    fixed = solution.copy()
    fixed[:, rows] += np.linalg.solve(later[rows].T, (now - solution @ later).T).T
    return fixed
