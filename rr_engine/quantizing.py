"""Turning a device into an exact table of integers over a power of two, never less private."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

import numpy as np
import numpy.typing as npt

from rr_engine.errors import DesignError
from rr_engine.precision import uniform_entries
from rr_engine.privacy.loss import delta_at_most, loss_ratio
from rr_engine.validation import FloatArray, IntArray

GUARD_BITS = 64
TOO_FEW = "be enough to give every possible report a positive integer within the promise"


def quantize(matrix: FloatArray, ratio: Fraction | None, bits: int) -> IntArray:
    """Return integers over 2**bits whose largest row ratio is at most `ratio`.

    Parameters
    ----------
    matrix : ndarray of float, shape (reports, truths)
    ratio : Fraction or None
        Largest row ratio allowed; None when the device has no finite one.
    bits : int
        The columns of the result sum to 2**bits.

    Notes
    -----
    Zeros stay zeros and nothing else becomes one, so the table reveals outright only what the
    device did. The result is verified in exact arithmetic before it is returned.
    """
    table = _uniform_table(matrix, ratio, bits)
    if table is not None and _acceptable(table, ratio):
        return table
    return _general_table(matrix, ratio, bits)


def _acceptable(table: IntArray, ratio: Fraction | None) -> bool:
    if ratio is None:
        return True
    reached = loss_ratio(table)
    return reached is not None and reached <= ratio


def _uniform_table(matrix: FloatArray, ratio: Fraction | None, bits: int) -> IntArray | None:
    uniform = uniform_entries(matrix)
    if uniform is None:
        return None
    size, total = len(matrix), 2**bits
    kept, lied = uniform
    if kept >= lied:
        # (D - (k-1) b) / b <= R  exactly when  b >= D / (R + k - 1): round up.
        low = 0 if lied == 0 else ceil(total / (ratio + size - 1))
        diagonal, rest = total - (size - 1) * low, low
    else:
        # Mostly lying: b / a <= R with b = (D - a)/(k-1) needs a >= D / (R (k-1) + 1).
        low = 0 if kept == 0 else ceil(total / (ratio * (size - 1) + 1))
        diagonal = low + (total - low) % (size - 1)
        rest = (total - diagonal) // (size - 1)
    if (diagonal > 0, rest > 0) != (kept > 0, lied > 0):
        return None
    table = np.full((size, size), rest, dtype=np.int64)
    np.fill_diagonal(table, diagonal)
    return table


def _general_table(matrix: FloatArray, ratio: Fraction | None, bits: int) -> IntArray:
    return closest(matrix, lambda table: _acceptable(table, ratio), bits, mixing=True)


def closest(
    matrix: FloatArray, keeps: Callable[[IntArray], bool], bits: int, *, mixing: bool
) -> IntArray:
    """Return the table over 2**bits nearest to the matrix of which `keeps` is true.

    With `mixing`, as little of the row means as brings that about is mixed in.
    """
    exact = _fixed_point(matrix, bits + GUARD_BITS)
    # Share of the row mean mixed in: none, then 2**-bits doubling up to all of it, where the
    # columns are equal and the ratio is 1. The first table that passes is the closest one.
    # Not where a zero must stay one.
    for shift in (None, *range(bits, -1, -1)) if mixing else (None,):
        table = _rounded(*_mixed(exact, shift, bits + GUARD_BITS), bits)
        if table is not None and keeps(table):
            return table
    raise DesignError("bits", bits, TOO_FEW)


def _fixed_point(matrix: FloatArray, bits: int) -> npt.NDArray[np.object_]:
    scale = 2**bits
    exact = np.array(
        [[int(Fraction(entry) * scale) for entry in row] for row in matrix.tolist()], dtype=object
    )
    # Columns of floats sum to one only nearly: the largest entry takes up what is missing.
    for column in exact.T:
        column[int(np.argmax(column))] += scale - sum(column)
    return exact


def _mixed(
    exact: npt.NDArray[np.object_], shift: int | None, bits: int
) -> tuple[npt.NDArray[np.object_], int]:
    """Return numerators and their common column total after mixing in 2**-shift of the mean."""
    if shift is None:
        return exact, 2**bits
    truths = exact.shape[1]
    mixed = exact * (truths * (2**shift - 1)) + exact.sum(axis=1)[:, None]
    return mixed, truths * 2 ** (shift + bits)


def _rounded(numerators: npt.NDArray[np.object_], whole: int, bits: int) -> IntArray | None:
    columns = [_rounded_column(column.tolist(), whole, 2**bits) for column in numerators.T]
    table = np.array(columns, dtype=np.int64).T
    positive = table[numerators > 0]
    return np.ascontiguousarray(table) if (positive > 0).all() else None


def _rounded_column(numerators: list[int], whole: int, total: int) -> list[int]:
    """Round to integers that sum to `total`: floors, then the largest remainders up."""
    parts = [divmod(entry * total, whole) for entry in numerators]
    rounded = [
        max(floor, int(entry > 0)) for (floor, _), entry in zip(parts, numerators, strict=True)
    ]
    short = total - sum(rounded)
    order = sorted(range(len(parts)), key=lambda index: -parts[index][1])
    for index in order[: max(short, 0)]:
        rounded[index] += 1
    if short < 0:
        rounded[rounded.index(max(rounded))] += short
    return rounded


def quantize_relaxed(
    matrix: FloatArray, ratio: Fraction | None, epsilon: Decimal, delta: Decimal, bits: int
) -> IntArray:
    """Return integers over 2**bits that are (epsilon, delta) private, row ratios at most `ratio`.

    Parameters
    ----------
    matrix : ndarray of float, shape (reports, truths)
        (epsilon, delta) private up to floating point.
    ratio : Fraction or None
        Largest row ratio allowed; None when the device has no finite one.
    epsilon, delta : Decimal
    bits : int

    Notes
    -----
    A binary device that tells the truth more often than not needs ``p00 + E p11`` and
    ``E p00 + p11`` to be at most ``E + delta``, so rounding both kept entries down keeps it so,
    and makes no row more telling. What is certain stays certain. Any other table is rounded, and
    mixed with its row means while it is short of the promise, as in :func:`quantize`. Verified in
    exact arithmetic.
    """
    total = 2**bits

    def keeps(table: IntArray) -> bool:
        return _acceptable(table, ratio) and delta_at_most(table, total, epsilon, delta)

    if matrix.shape == (2, 2) and np.trace(matrix) >= 1:
        return _binary_rounded_down(matrix, keeps, total)
    return closest(matrix, keeps, bits, mixing=ratio is not None)


def _binary_rounded_down(
    matrix: FloatArray, keeps: Callable[[IntArray], bool], total: int
) -> IntArray:
    # Where a lie is possible it stays so, even when a float rounds the truth to 1.
    most = [total if lie == 0 else total - 1 for lie in (matrix[1, 0], matrix[0, 1])]
    kept = [floor(Fraction(entry) * total) for entry in np.diag(matrix).tolist()]
    kept = [min(pair) for pair in zip(kept, most, strict=True)]
    while all(entry > 0 for entry in kept):
        no, yes = kept
        table = np.array([[no, total - yes], [total - no, yes]], dtype=np.int64)
        if not np.array_equal(table > 0, matrix > 0):
            break
        if keeps(table):
            return table
        # Floats may lie a hair above the promise, at most a unit or two of a table.
        kept = [entry if entry == total else entry - 1 for entry in kept]
    raise DesignError("bits", total.bit_length() - 1, TOO_FEW)
