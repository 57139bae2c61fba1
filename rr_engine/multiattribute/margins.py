"""Sums of tables over some of their attributes."""

from typing import TypeVar

from rr_engine.validation import FloatArray, IntArray

AnyArray = TypeVar("AnyArray", FloatArray, IntArray)


def sum_to(table: AnyArray, axes: tuple[int, ...]) -> AnyArray:
    """Return the margin of a table over these axes, in this order."""
    dropped = tuple(axis for axis in range(table.ndim) if axis not in axes)
    kept = sorted(axes)
    return table.sum(axis=dropped).transpose([kept.index(axis) for axis in axes])
