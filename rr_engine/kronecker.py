"""Kronecker products applied one axis at a time, on plain arrays.

A device for several attributes is the Kronecker product of their devices (Wang, Wu & Hu 2016,
Eq. 22). A table with one axis per attribute never needs that product: each factor acts on its own
axis. All functions take tables with leading axes of their own, over which they work alike.
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.precision import left_inverse, uniform_entries


def apply_axes(factors: Sequence[FloatArray], table: FloatArray) -> FloatArray:
    """Return the product of the factors applied to the last ``len(factors)`` axes.

    A factor with one value on and one off the diagonal costs two operations a cell, whatever its
    size.
    """
    return act_along([partial(apply_last, factor) for factor in factors], table)


def solve_axes(factors: Sequence[FloatArray], table: FloatArray) -> FloatArray:
    """Undo :func:`apply_axes` (Wang Eq. 23); least squares where a factor has more rows."""
    return act_along([partial(solve_last, factor) for factor in factors], table)


def outer(vectors: Sequence[FloatArray]) -> FloatArray:
    """Return the table of all products of one entry of each vector."""
    return reduce(np.multiply.outer, vectors)


def act_along(
    actions: Sequence[Callable[[FloatArray], FloatArray]], table: FloatArray
) -> FloatArray:
    """Return the table after each action on its own axis, the last ``len(actions)`` of the table.

    An action takes and returns arrays whose last axis is the one that it works on.
    """
    for axis, act in zip(range(-len(actions), 0), actions, strict=True):
        table = np.moveaxis(act(np.moveaxis(table, axis, -1)), -1, axis)
    return table


def apply_last(factor: FloatArray, table: FloatArray) -> FloatArray:
    """Return P x for every x on the last axis."""
    uniform = uniform_entries(factor)
    if uniform is None:
        return table @ factor.T
    retention, changed = uniform
    return (retention - changed) * table + changed * table.sum(axis=-1, keepdims=True)


def solve_last(factor: FloatArray, table: FloatArray) -> FloatArray:
    """Return the (least-squares) solution of P x = y for every y on the last axis."""
    uniform = uniform_entries(factor)
    if uniform is not None:
        retention, changed = uniform
        return (table - changed * table.sum(axis=-1, keepdims=True)) / (retention - changed)
    if factor.shape[0] == factor.shape[1]:
        flat = table.reshape(-1, table.shape[-1])
        solved = np.asarray(np.linalg.solve(factor, flat.T), dtype=np.float64)
        return solved.T.reshape(table.shape)
    return table @ left_inverse(factor).T
