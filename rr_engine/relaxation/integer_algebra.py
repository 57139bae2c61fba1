"""Linear equations in Python's integers, solved without rounding."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import ArrayLike

# Integers of any size (dtype object).
Integers = npt.NDArray[np.object_]


def as_integers(table: ArrayLike) -> Integers:
    """Return a table as Python's integers."""
    # NumPy would round the numbers of a list with one entry from 2**63 on and one below.
    array = table if isinstance(table, np.ndarray) else np.array(table, dtype=object)
    entries = np.empty(array.shape, dtype=object)
    entries[...] = array.tolist()
    return entries


def exact_solution(
    table: Integers, values: Integers, *, unique: bool = False
) -> tuple[Integers, int] | None:
    """Return integers X and d > 0 with ``table X = d values``; None when there are none.

    Parameters
    ----------
    table : ndarray of object, shape (equations, unknowns)
    values : ndarray of object, shape (equations, right-hand sides)
    unique : bool, default False
        Whether the equations must leave no unknown open; otherwise open ones are zero.

    References
    ----------
    .. [1] E. H. Bareiss, "Sylvester's Identity and Multistep Integer-Preserving Gaussian
       Elimination", Mathematics of Computation 22, 1968.
    """
    unknowns = table.shape[1]
    work = np.concatenate([table, values], axis=1)
    divisor = 1
    columns: list[int] = []
    for column in range(unknowns):
        rank = len(columns)
        below = [row for row in range(rank, len(work)) if work[row, column] != 0]
        if not below:
            continue
        work[[rank, below[0]]] = work[[below[0], rank]]
        divisor = _eliminate(work, rank, column, divisor)
        columns.append(column)
    if (unique and len(columns) < unknowns) or (work[len(columns) :, unknowns:] != 0).any():
        return None
    solution = np.zeros((unknowns, values.shape[1]), dtype=object)
    solution[columns] = work[: len(columns), unknowns:]
    return (-solution, -divisor) if divisor < 0 else (solution, divisor)


def _eliminate(work: Integers, row: int, column: int, divisor: int) -> int:
    """Clear a column in all rows but one; every pivot becomes the new one, which is returned."""
    pivot = work[row, column]
    others = np.arange(len(work)) != row
    # The quotient is exact: all entries are minors of the table (Bareiss 1968).
    work[others] = (pivot * work[others] - np.outer(work[others, column], work[row])) // divisor
    return int(pivot)


def lowest_terms(table: Integers, denominator: int) -> tuple[Integers, int]:
    """Divide integers and their denominator by what they have in common."""
    common = gcd(denominator, *table.ravel().tolist())
    return table // common, denominator // common


def rounded_fractions(column: Iterable[float], bits: int) -> list[int]:
    """Return shares as integers that sum to 2**bits; the largest takes up what rounding leaves."""
    integers = [int(Fraction(share) * 2**bits) for share in column]
    integers[integers.index(max(integers))] += 2**bits - sum(integers)
    return integers
