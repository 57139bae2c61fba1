"""Sums of tables over some of their attributes."""

from typing import TypeVar

import numpy as np

from rr_engine.validation import FloatArray, IntArray

AnyArray = TypeVar("AnyArray", FloatArray, IntArray)


def sum_to(table: AnyArray, axes: tuple[int, ...]) -> AnyArray:
    """Return the margin of a table over these axes, in this order."""
    dropped = tuple(axis for axis in range(table.ndim) if axis not in axes)
    order = np.argsort(np.argsort(axes))
    return np.transpose(table.sum(axis=dropped), order)
