"""Matrices over tuples whose entries depend only on which parts of two tuples differ.

They commute and share their eigenspaces (the product Hamming scheme: Delsarte 1973). Over m parts
with r_1..r_m values such a matrix is given by 2**m numbers, in either of two forms, as arrays of
shape (2,) * m:

    entries[T]    the entry of two tuples that differ in exactly the parts T
    spectrum[S]   the eigenvalue on tables that sum to zero over each part in S and are constant
                  over the others

The parts are changed from one form into the other one at a time, by

    spectrum  = [[1, r - 1], [1, -1]] entries        constant: 1 + (r - 1);  sum zero: 1 - 1
    entries   = [[1/r, 1 - 1/r], [1/r, -1/r]] spectrum

since J/r and I - J/r project on the two spaces.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rr_engine.validation import FloatArray

Values = TypeVar("Values", FloatArray, npt.NDArray[np.object_])


def spectrum_of(entries: Values, sizes: Sequence[int]) -> Values:
    """Return the eigenvalues; entries may be integers of any size (dtype object)."""
    return _difference_counts(entries, [[[1, size - 1], [1, -1]] for size in sizes])


def entries_of(spectrum: FloatArray, sizes: Sequence[int]) -> FloatArray:
    """Return the entries."""
    return _difference_counts(spectrum, [[[1 / r, 1 - 1 / r], [1 / r, -1 / r]] for r in sizes])


def _difference_counts(values: Values, changes: Sequence[list[list[float]]]) -> Values:
    for axis, ((a, b), (c, d)) in enumerate(changes):
        same, differs = np.moveaxis(values, axis, 0)
        values = np.moveaxis(np.array([a * same + b * differs, c * same + d * differs]), 0, axis)
    return values


def act(spectrum: FloatArray, sizes: Sequence[int], table: FloatArray) -> FloatArray:
    """Return the matrix with these eigenvalues times the table, on its last ``len(sizes)`` axes.

    The table is split along one part after the other into its mean, which has one cell there, and
    the deviations from it: 2**m pieces with ``prod(r + 1)`` cells together.
    """
    if not sizes:
        return spectrum * table
    axis = -len(sizes)
    mean = table.mean(axis=axis, keepdims=True)
    constant = act(spectrum[0], sizes[1:], np.squeeze(mean, axis))
    # The part that is done moves to the front, among the axes that the action leaves alone.
    varying = act(spectrum[1], sizes[1:], np.moveaxis(table - mean, axis, 0))
    return np.expand_dims(constant, axis) + np.moveaxis(varying, 0, axis)
