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

since J/r and I - J/r project on the two spaces. A matrix is applied in a basis of all the spaces
together, which a reflection along each part leads to and from (Householder 1958).
"""

from collections.abc import Sequence
from math import sqrt
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rr_engine.validation import FloatArray, IntArray

Values = TypeVar("Values", FloatArray, IntArray, npt.NDArray[np.object_])


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

    Two passes over the table for each part, and one for the eigenvalues.
    """
    turned = np.array(table, dtype=np.float64)
    _reflect(turned, sizes)
    for axis, size in zip(range(-len(sizes), 0), sizes, strict=True):
        spectrum = np.repeat(spectrum, [1, size - 1], axis=axis)
    turned *= spectrum
    _reflect(turned, sizes)
    return turned


def _reflect(table: FloatArray, sizes: Sequence[int]) -> None:
    """Reflect the table along each part, in place, so that first places hold what is constant.

    Householder's reflection that exchanges ``1 / sqrt(r)`` in all places and 1 in the first one: it
    is orthogonal, and its own inverse.
    """
    for axis, size in zip(range(-len(sizes), 0), sizes, strict=True):
        fibres, root = np.moveaxis(table, axis, 0), sqrt(size)
        constant = fibres.sum(axis=0) / root
        fibres += (fibres[0] - constant) / (root - 1)
        fibres[0] = constant
