"""Counts of reports as they are given: a list, a table, or a mapping for large report spaces."""

from collections.abc import Mapping, Sequence
from math import prod
from numbers import Integral

import numpy as np

from rr_engine import check
from rr_engine.arrays import IntArray, as_array, as_list
from rr_engine.errors import ArgumentError, CountsError, DesignError
from rr_engine.frames.rows import uncounted
from rr_engine.frames.tallies import counted
from rr_engine.labelled import (
    column_labels,
    entries_of,
    is_labelled,
    is_missing,
    place_of,
    row_labels,
    whole,
)

# Counts, proportions and intermediate arrays then take some gigabytes.
LARGEST_TALLY = 2**25


def check_shape(value: object, argument: str) -> tuple[int, ...]:
    """Return the number of answers to each of one or more questions, each at least 2."""
    parts = as_list(value)
    sizes = tuple(
        check.whole(part, argument, minimum=2, maximum=LARGEST_TALLY)
        for part in ((value,) if parts is None else parts)
    )
    if not sizes:
        rule = "name the number of answers to one or more questions"
        raise ArgumentError(argument, value, rule, "sizes_missing")
    return sizes


def check_sizes(value: object, argument: str) -> tuple[int, ...]:
    """Return the same where all combinations can be counted."""
    sizes = check_shape(value, argument)
    if prod(sizes) > LARGEST_TALLY:
        rule = f"have at most {LARGEST_TALLY} combinations"
        raise DesignError(argument, value, rule, "too_many_cells")
    return sizes


def check_denominator(value: object) -> int:
    """Return a denominator whose multiples are exact in double precision."""
    return check.whole(value, "denominator", minimum=1, maximum=2**check.MAX_BITS)


def check_axes(value: int | Sequence[int], axes: int) -> tuple[int, ...]:
    """Return one or more different parts of a tuple."""
    parts = as_list(value)
    entries = (value,) if parts is None else parts
    chosen = tuple(check.whole(axis, "axes", maximum=axes - 1) for axis in entries)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ArgumentError("axes", value, "name one or more parts, each once", "axes_not_distinct")
    return chosen


def dense_tally(
    counts: object, shape: tuple[int, ...], argument: str = "counts", labels: Sequence[str] = ()
) -> IntArray:
    """Return one count for each report, flat.

    Parameters
    ----------
    counts : array_like of int, of `shape` or flat; or mapping or series of reports to counts
        A report is its number, a tuple with one number for each part, or its label. What is not
        there was not reported. A table with labels has them for the parts of a report.
    shape : tuple of int
    labels : sequence of str
        Texts by which reports may be named.

    Raises
    ------
    CountsError
        Also for more reports than 2**25: of so many, only margins can be estimated.
    """
    size = prod(shape)
    if size > LARGEST_TALLY:
        rule = f"be about at most {LARGEST_TALLY} reports; estimate margins of {shape}"
        raise CountsError(argument, type(counts).__name__, rule, "too_many_cells")
    counts = counted(counts)
    if isinstance(counts, Mapping) or (is_labelled(counts) and column_labels(counts) is None):
        flat = np.zeros(size, dtype=np.int64)
        for report, number in entries_of(counts):
            flat[_place(report, shape, argument, labels)] += check_count(number, argument)
        return check.counts(flat, size, argument)
    array = as_array(counts) if column_labels(counts) is None else labelled_table(counts, shape)
    if array is None or array.shape != shape:
        return check.counts(counts, size, argument)
    return check.counts(array.reshape(-1), size, argument)


def labelled_table(
    counts: object,
    shape: tuple[int, ...],
    argument: str = "counts",
    axes: Sequence[Sequence[str]] = ((), ()),
) -> IntArray | None:
    """Return a table with labels of rows and columns in the order of two axes of reports.

    None where there are not two axes.
    """
    counts = counted(counts)
    table = as_array(counts)
    if len(shape) != 2 or table is None:
        return table
    rows, columns = (
        [
            place_of(label, names or check.number_labels(size), argument, error=CountsError)
            for label in found or ()
        ]
        for found, names, size in zip(
            (row_labels(counts), column_labels(counts)), axes, shape, strict=True
        )
    )
    result = np.zeros(shape, table.dtype)
    # Added up, so that no row or column that is there twice is lost.
    np.add.at(result, np.ix_(rows, columns), table)
    return result


def labelled_cells(
    counts: object, shape: tuple[int, ...], axes: Sequence[Sequence[str]]
) -> IntArray:
    """Return the table of a series whose labels are tuples: a report to each question."""
    table = np.zeros(shape, np.int64)
    for report, number in entries_of(counts):
        parts = report if isinstance(report, tuple) else (report,)
        if len(parts) != len(shape):
            rule = f"name a report to each of the {len(shape)} questions, as (first, second, ...)"
            raise CountsError("counts", report, rule, "unknown_report")
        cell = tuple(
            place_of(part, names or check.number_labels(size), "counts", error=CountsError)
            for part, names, size in zip(parts, axes, shape, strict=True)
        )
        table[cell] += check_count(number, "counts")
    return table


def _place(report: object, shape: tuple[int, ...], argument: str, labels: Sequence[str]) -> int:
    if labels and not isinstance(report, tuple):
        return place_of(report, labels, argument, error=CountsError)
    number = None
    if len(shape) == 1 and isinstance(report, str) and report.isdecimal():
        number = int(report)
    elif not isinstance(report, bool) or shape == (2,):
        number = whole(report)
    return index_of(report if number is None else number, shape, argument)


def check_count(count: object, argument: str) -> int:
    """Return the count of one report in a mapping."""
    number = None if isinstance(count, bool) else whole(count)
    if number is None or not 0 <= number < 2**53:
        rule = f"hold whole numbers from 0 to 2**53{uncounted(count)}"
        raise CountsError(argument, count, rule, "not_counts")
    return number


def index_of(report: object, shape: tuple[int, ...], argument: str = "counts") -> int:
    """Return the place of a report in the flat tally."""
    if isinstance(report, Integral) and not isinstance(report, bool):
        if not 0 <= int(report) < prod(shape):
            rule = f"name reports from 0 to {prod(shape) - 1}"
            raise CountsError(argument, report, rule, "unknown_report")
        return int(report)
    return int(np.ravel_multi_index(report_parts(report, shape, argument), shape))


def report_parts(report: object, shape: tuple[int, ...], argument: str) -> tuple[int, ...]:
    """Return the parts of a report that is a tuple."""
    rule = f"name reports by a number or by {len(shape)} numbers below {shape}"
    parts = report if isinstance(report, tuple) else ()
    if len(parts) != len(shape) or not all(
        isinstance(part, Integral) and not isinstance(part, bool) and 0 <= int(part) < size
        for part, size in zip(parts, shape, strict=True)
    ):
        if is_missing(report):
            rule += ": leave out those whose report is missing"
        raise CountsError(argument, report, rule, "unknown_report")
    return tuple(int(part) for part in parts)


def margin_of(
    counts: Mapping | Sequence | np.ndarray, shape: tuple[int, ...], axes: Sequence[int]
) -> dict[tuple[int, ...], int]:
    """Return the counts of some parts of the reports, as a mapping; never a whole table.

    Parameters
    ----------
    counts : mapping of tuples to counts, or a table of counts
    shape : tuple of int
        Of the reports.
    axes : sequence of int
        Which parts, in which order.

    References
    ----------
    Ours: sums of counts.

    Examples
    --------
    >>> from rr_engine.channels import margin_of
    >>> margin_of([[40, 20, 10], [5, 15, 30]], (2, 3), [1])
    {(0,): 45, (1,): 35, (2,): 40}
    """
    sizes = check_shape(shape, "shape")
    positions = check_axes(axes, len(sizes))
    counts_of_parts: dict[tuple[int, ...], int] = {}
    for report, count in _entries(counts, sizes):
        part = tuple(report[axis] for axis in positions)
        counts_of_parts[part] = counts_of_parts.get(part, 0) + count
    return counts_of_parts


def _entries(
    counts: Mapping | Sequence | np.ndarray, shape: tuple[int, ...]
) -> list[tuple[tuple[int, ...], int]]:
    if isinstance(counts, Mapping):
        return [
            (_parts_of(report, shape), check_count(count, "counts"))
            for report, count in counts.items()
        ]
    table = dense_tally(counts, shape).reshape(shape)
    return [(tuple(cell), int(table[tuple(cell)])) for cell in np.argwhere(table).tolist()]


def _parts_of(report: object, shape: tuple[int, ...]) -> tuple[int, ...]:
    if not isinstance(report, Integral) or isinstance(report, bool):
        return report_parts(report, shape, "counts")
    # Python's own integers: numbers of reports may lie beyond 64 bits.
    left, parts = int(report), []
    if not 0 <= left < prod(shape):
        rule = f"name reports from 0 to {prod(shape) - 1}"
        raise CountsError("counts", report, rule, "unknown_report")
    for size in reversed(shape):
        left, part = divmod(left, size)
        parts.append(part)
    return tuple(reversed(parts))
