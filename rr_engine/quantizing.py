"""Quantization of a device to exact integers over a power of two, never less private."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rr_engine.arrays import BoolArray, FloatArray, IntArray
from rr_engine.errors import DesignError
from rr_engine.precision import uniform_entries
from rr_engine.privacy.loss import delta_at_most, likelihood_ratio_bound

GUARD_BITS = 64
# So that sums of 2**23 of them fit 64 bits.
LIMB_BITS = 40
# Relative difference of entries that are equal up to rounding.
TWO_VALUES = 1e-12
TOO_FEW = "be enough to give every possible report a positive integer within the guarantee"


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
    for closed_form in (_uniform_table, _subset_table):
        table = closed_form(matrix, ratio, bits)
        if table is not None and _acceptable(table, ratio):
            return table
    return closest(matrix, lambda table: _acceptable(table, ratio), bits, mixing=True)


def _acceptable(table: IntArray, ratio: Fraction | None) -> bool:
    if ratio is None:
        return True
    reached = likelihood_ratio_bound(table)
    return reached is not None and reached <= ratio


def _uniform_table(matrix: FloatArray, ratio: Fraction | None, bits: int) -> IntArray | None:
    uniform = uniform_entries(matrix)
    if uniform is None:
        return None
    size, total = len(matrix), 2**bits
    retention, changed = uniform
    if retention >= changed:
        if changed == 0 or ratio is None:
            diagonal, rest = total, 0
        else:
            diagonal, rest = uniform_integers(size, ratio, total)
    else:
        # Answer-reversing: b / a <= R with b = (D - a)/(k-1) needs a >= D / (R (k-1) + 1).
        low = 0 if retention == 0 or ratio is None else ceil(total / (ratio * (size - 1) + 1))
        diagonal = low + (total - low) % (size - 1)
        rest = (total - diagonal) // (size - 1)
    if (diagonal > 0, rest > 0) != (retention > 0, changed > 0):
        return None
    table = np.full((size, size), rest, dtype=np.int64)
    np.fill_diagonal(table, diagonal)
    return table


def uniform_integers(size: int, ratio: Fraction, total: int) -> tuple[int, int]:
    """Return the integers a on and b off the diagonal, a + (k-1) b = D, with a / b <= R.

    ``(D - (k-1) b) / b <= R`` exactly when ``b >= D / (R + k - 1)``: b is rounded up.
    """
    low = ceil(total / (ratio + size - 1))
    return total - (size - 1) * low, low


def _subset_table(matrix: FloatArray, ratio: Fraction | None, bits: int) -> IntArray | None:
    """Round a block design: one chance for blocks with the answer, another for those without."""
    incidence = None if ratio is None else _incidence(matrix)
    if incidence is None or ratio is None:
        return None
    size, total = int(incidence[:, 0].sum()), 2**bits
    others = len(matrix) - size
    low = ceil(total / (size * ratio + others))
    high, left = divmod(total - low * others, size)
    if high + (left > 0) > ratio * low:
        # A unit more on each of the others leaves room for those that take up what is left.
        low += 1
        high, left = divmod(total - low * others, size)
    table = np.where(incidence, high, low)
    table[incidence & (incidence.cumsum(axis=0) <= left)] += 1
    return table if high > low else None


def _incidence(matrix: FloatArray) -> BoolArray | None:
    """Return the incidence of answers in reports; None where this is no block design."""
    high, low = matrix.max(), matrix.min()
    incidence = matrix > (high + low) / 2
    sizes = incidence.sum(axis=0)
    alike = low > 0 and (sizes == sizes[0]).all()
    return (
        incidence
        if alike and np.allclose(matrix, np.where(incidence, high, low), TWO_VALUES, 0)
        else None
    )


def closest(
    matrix: FloatArray, keeps: Callable[[IntArray], bool], bits: int, *, mixing: bool
) -> IntArray:
    """Return the table over 2**bits nearest to the matrix of which `keeps` is true.

    With `mixing`, as little of the row means as brings that about is mixed in.
    """
    entries = _distinct(matrix, bits + GUARD_BITS)
    # Share of the row mean mixed in: none, then 2**-bits doubling up to all of it, where the
    # columns are equal and the ratio is 1. The first table that passes is the closest one.
    # Not where a zero must stay one.
    for shift in (None, *range(bits, -1, -1)) if mixing else (None,):
        table = _round(entries, shift, bits)
        if table is not None and keeps(table):
            return table
    raise DesignError("bits", bits, TOO_FEW, "too_few_bits")


class _Distinct(NamedTuple):
    """A table by its entries that differ, or whose rows do: tables of a device have few of them.

    `units` and `sums` are the entries and the row sums that differ, in Python's integers, as
    2**-(bits + GUARD_BITS) does not fit NumPy's. A pair is an entry and the sum of its row, by
    their places in these lists; `at` says which pair stands where, by column.
    """

    units: list[int]
    sums: list[int]
    pairs: tuple[IntArray, IntArray]
    at: IntArray


def _distinct(matrix: FloatArray, bits: int) -> _Distinct:
    """Return the table in units of 2**-bits."""
    units, at = _fixed_point(matrix, bits)
    sums = _sums(units, at.T)
    rows = {value: index for index, value in enumerate(dict.fromkeys(sums))}
    coded = at + len(units) * np.array([rows[value] for value in sums])
    values, indices = np.unique(coded, return_inverse=True)
    pairs = (values % len(units), values // len(units))
    return _Distinct(units, list(rows), pairs, indices.reshape(at.shape))


def _fixed_point(matrix: FloatArray, bits: int) -> tuple[list[int], IntArray]:
    """Return the entries that differ, in units of 2**-bits, and which stands where, by column."""
    entries, indices = np.unique(matrix.T, return_inverse=True)
    ratios = [entry.as_integer_ratio() for entry in entries.tolist()]
    units = [(above << bits) // below for above, below in ratios]
    at = indices.reshape(matrix.T.shape)
    # Columns of floats sum to one only nearly: the largest entry takes up what is missing.
    for column, largest, total in zip(at, at.argmax(axis=1), _sums(units, at), strict=True):
        units.append(units[column[largest]] + 2**bits - total)
        column[largest] = len(units) - 1
    return units, at


def _sums(units: Sequence[int], at: IntArray) -> list[int]:
    """Return the sum of each row of entries, exactly: by limbs, which NumPy adds."""
    parts = [limb[at].sum(axis=1).tolist() for limb in _limbs(units, max(units))]
    return [
        sum(part << LIMB_BITS * limb for limb, part in enumerate(row))
        for row in zip(*parts, strict=True)
    ]


def _limbs(values: Sequence[int], largest: int) -> list[IntArray]:
    """Return integers from 0 to `largest` as arrays of LIMB_BITS bits each, the lowest first."""
    width, mask = largest.bit_length() // LIMB_BITS + 1, 2**LIMB_BITS - 1
    return [
        np.array([value >> LIMB_BITS * limb & mask for value in values], dtype=np.int64)
        for limb in range(width)
    ]


class _Quotients(NamedTuple):
    """Whole units of each pair's entry, the rest of one, and whether the entry is above 0.

    What is left is in limbs, the lowest first.
    """

    floors: IntArray
    remainders: list[IntArray]
    positive: BoolArray


def _quotients(entries: _Distinct, shift: int | None, bits: int) -> _Quotients:
    """Divide the entries, with 2**-shift of the row mean mixed in, into units of 2**-bits.

    A mixed entry is a multiple of the entry plus one of its row sum. The two are divided by
    themselves, of which there are few; for the pairs, of which a device on a scale has half as
    many as cells, their quotients and remainders are added in NumPy.
    """
    truths, weight, share, scale = len(entries.at), 1, 0, 2 ** (bits + GUARD_BITS)
    if shift is not None:
        weight, share = truths * (2**shift - 1), 1
        scale = truths * 2 ** (shift + bits + GUARD_BITS)
    parts = (entries.units, weight), (entries.sums, share)
    shape = entries.pairs[0].shape
    floors, positive = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool)
    limbs: list[IntArray] = []
    for (values, factor), indices in zip(parts, entries.pairs, strict=True):
        divided = [divmod(value * factor << bits, scale) for value in values]
        floors = floors + np.array([floor for floor, _ in divided], dtype=np.int64)[indices]
        positive = positive | np.array([value * factor > 0 for value in values])[indices]
        own_limbs = [limb[indices] for limb in _limbs([left for _, left in divided], 2 * scale)]
        limbs = (
            [low + more for low, more in zip(limbs, own_limbs, strict=True)] if limbs else own_limbs
        )
    over = _subtract_where_reached(limbs, scale)
    return _Quotients(floors + over, limbs, positive)


def _subtract_where_reached(limbs: list[IntArray], total: int) -> BoolArray:
    """Take `total` off sums of limbs that are not below it, in place, and tell which they were."""
    _carry(limbs)
    over, same = np.zeros(limbs[0].shape, dtype=bool), True
    units = [int(limb[0]) for limb in _limbs([total], 2 * total)]
    for limb, unit in zip(reversed(limbs), reversed(units), strict=True):
        over |= same & (limb > unit)
        same = same & (limb == unit)
    over |= same
    for limb, unit in zip(limbs, units, strict=True):
        limb[over] -= unit
    _carry(limbs)
    return over


def _carry(limbs: list[IntArray]) -> None:
    """Bring all limbs but the highest within 0 and 2**LIMB_BITS, borrowing where one is below."""
    for low, high in pairwise(limbs):
        high += low >> LIMB_BITS
        low &= 2**LIMB_BITS - 1


def _round(entries: _Distinct, shift: int | None, bits: int) -> IntArray | None:
    """Round to integers whose columns sum to 2**bits, by largest remainders."""
    floors, remainders, positive = _quotients(entries, shift, bits)
    columns = np.maximum(floors, positive)[entries.at]
    # The first of equal remainders in the column goes up.
    order = np.argsort(_ranks(remainders)[entries.at], axis=1, kind="stable")
    short = 2**bits - columns.sum(axis=1)
    np.put_along_axis(
        columns,
        order,
        np.take_along_axis(columns, order, axis=1) + (np.arange(order.shape[1]) < short[:, None]),
        axis=1,
    )
    columns[np.arange(len(columns)), columns.argmax(axis=1)] += np.minimum(short, 0)
    table = np.ascontiguousarray(columns.T)
    return table if (table[positive[entries.at.T]] > 0).all() else None


def _ranks(limbs: Sequence[IntArray]) -> npt.NDArray[np.unsignedinteger]:
    """Return 0 for the largest, 1 for the next; in few bits, which NumPy sorts fastest."""
    order = np.lexsort(limbs)[::-1]
    changes = np.any([np.diff(limb[order]) != 0 for limb in limbs], axis=0)
    ranks = np.concatenate([[0], np.cumsum(changes)])
    ranking = np.empty(len(order), dtype=np.min_scalar_type(int(ranks[-1]) + 1))
    ranking[order] = ranks
    return ranking


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
    mixed with its row means while it is short of the guarantee, as in :func:`quantize`. Verified in
    exact arithmetic.
    """
    total = 2**bits

    def keeps(table: IntArray) -> bool:
        return _acceptable(table, ratio) and delta_at_most(table, total, epsilon, delta)

    if matrix.shape == (2, 2) and np.trace(matrix) >= 1:
        return _round_binary_down(matrix, keeps, total)
    return closest(matrix, keeps, bits, mixing=ratio is not None)


def _round_binary_down(
    matrix: FloatArray, keeps: Callable[[IntArray], bool], total: int
) -> IntArray:
    # A possible changed report stays possible, even when a float rounds the retention to 1.
    most = [total if lie == 0 else total - 1 for lie in (matrix[1, 0], matrix[0, 1])]
    diagonal = [floor(Fraction(entry) * total) for entry in np.diag(matrix).tolist()]
    diagonal = [min(pair) for pair in zip(diagonal, most, strict=True)]
    while all(entry > 0 for entry in diagonal):
        no, yes = diagonal
        table = np.array([[no, total - yes], [total - no, yes]], dtype=np.int64)
        if not np.array_equal(table > 0, matrix > 0):
            break
        if keeps(table):
            return table
        # Floats may lie slightly above the guarantee, at most a unit or two of a table.
        diagonal = [entry if entry == total else entry - 1 for entry in diagonal]
    raise DesignError("bits", total.bit_length() - 1, TOO_FEW, "too_few_bits")
