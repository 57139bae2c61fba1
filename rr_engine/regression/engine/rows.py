"""Rows of a model: sorted, and equal ones put together, so that their order cannot matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.validation import FloatArray, IntArray

# Rows in which a column of different numbers must not repeat one.
A_FEW = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class GroupedRows:
    """Respondents with equal columns and equal codes, as one row each.

    Attributes
    ----------
    columns : ndarray of float, shape (groups, p)
    codes : ndarray of int, shape (groups, codes)
        Such as the row of each report in the table of its devices.
    weights, squares : ndarray of float, shape (groups,)
        Sums of the respondents' weights and of their squares.
    group_of : ndarray of int, shape (n,)
        The group of each respondent; -1 of those whose weight is zero.
    """

    columns: FloatArray
    codes: IntArray
    weights: FloatArray
    squares: FloatArray
    group_of: IntArray


def group_rows(columns: FloatArray, codes: IntArray, weights: FloatArray) -> GroupedRows:
    """Return the groups in an order that does not depend on that of the rows.

    `columns`: shape (n, p); `codes`: shape (n, codes); `weights`: shape (n,), not negative.
    """
    used = np.flatnonzero(weights > 0)
    chosen, kinds, amounts = columns[used], codes[used], weights[used]
    order = _order(chosen, kinds, amounts)
    sorted_columns, sorted_codes = chosen[order], kinds[order]
    starts = np.concatenate(
        [
            [True],
            (sorted_codes[1:] != sorted_codes[:-1]).any(axis=1)
            | (sorted_columns[1:] != sorted_columns[:-1]).any(axis=1),
        ]
    )[: len(order)]
    first = np.flatnonzero(starts)
    group_of = np.full(len(weights), -1, np.int64)
    group_of[used[order]] = np.cumsum(starts) - 1
    sorted_weights = amounts[order]
    return GroupedRows(
        columns=sorted_columns[first],
        codes=sorted_codes[first],
        weights=np.add.reduceat(sorted_weights, first),
        squares=np.add.reduceat(sorted_weights**2, first),
        group_of=group_of,
    )


def _order(columns: FloatArray, codes: IntArray, weights: FloatArray) -> IntArray:
    """Return an order of the rows that is the same whatever order they came in."""
    varying = [column for column in columns.T if column.size and np.ptp(column) > 0]
    for column in varying:
        # A column of different numbers decides all by itself, and far more quickly: always the
        # first there is. The first rows only rule a column out, so that they do not choose it.
        if len(np.unique(column[:A_FEW])) == len(column[:A_FEW]):
            order = np.argsort(column)
            if (np.diff(column[order]) > 0).all():
                return order
    # The last key decides first. Weights are a key too: sums of floats depend on their order.
    keys = [] if weights.size and np.ptp(weights) == 0 else [weights]
    return np.lexsort([*keys, *varying, *codes.T])


def mean_one(weights: FloatArray) -> FloatArray:
    """Return weights with a mean of 1 over those above zero."""
    used = np.count_nonzero(weights)
    # Over the largest, as one over the sum of the smallest doubles is none.
    shares = weights / weights.max()
    # In sorted order, so that the sum does not depend on the order of the rows.
    return shares * (used / np.sort(shares).sum())
