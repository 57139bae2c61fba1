"""Reports that are strings of bits: how they are counted, and how likely each is."""

from collections.abc import Mapping

import numpy as np

from rr_engine.channels.tallies import check_count
from rr_engine.errors import CountsError
from rr_engine.validation import FloatArray, IntArray, as_array, check_counts


def bits_of(report: object, size: int, argument: str = "counts") -> tuple[int, ...]:
    """Return the bits of a report: a string of 0 and 1, or a tuple of them."""
    rule = f"name reports by {size} bits, as a string or a tuple of 0 and 1"
    if isinstance(report, str) and len(report) == size and set(report) <= {"0", "1"}:
        return tuple(int(bit) for bit in report)
    if not isinstance(report, tuple) or len(report) != size:
        raise CountsError(argument, report, rule, "unknown_report")
    if not all(isinstance(bit, int | np.integer) and bit in (0, 1) for bit in report):
        raise CountsError(argument, report, rule, "unknown_report")
    return tuple(int(bit) for bit in report)


def bit_tally(counts: object, size: int, argument: str = "counts") -> IntArray:
    """Return for each bit how many reports had it clear, and how many had it set, in turn.

    Parameters
    ----------
    counts : mapping of reports to counts, or array_like of int, shape (bits, 2)
        In a table the two numbers of each bit sum to the number of reports.
    size : int
        Number of bits.

    Raises
    ------
    CountsError
    """
    if isinstance(counts, Mapping):
        return check_counts(_bit_sums(counts, size, argument), 2 * size, argument)
    array = as_array(counts)
    flat = array.reshape(-1) if array is not None and array.shape == (size, 2) else counts
    tally = check_counts(flat, 2 * size, argument)
    if np.ptp(tally.reshape(size, 2).sum(axis=1)) > 0:
        rule = "have for each bit two numbers, clear and set, that sum to the number of reports"
        raise CountsError(argument, counts, rule, "bits_do_not_add_up")
    return tally


def _bit_sums(counts: Mapping, size: int, argument: str) -> IntArray:
    table, indices = np.zeros((size, 2), dtype=np.int64), np.arange(size)
    for report, count in counts.items():
        table[indices, bits_of(report, size, argument)] += check_count(count, argument)
    return table.reshape(-1)


def observed_rows(
    counts: Mapping, size: int, set_chance: float, clear_chance: float
) -> tuple[FloatArray, IntArray]:
    """Return, for each report that came in, its chance under each truth, up to a factor.

    Truths set one bit each. With p, q the chances of a 1 from a set and from a clear bit, report y
    is proportional to ``p/q`` under truth v where y_v is 1 and ``(1-p)/(1-q)`` where it is 0; a
    chance that is zero is not divided by, and rules a report out where another bit would need it.

    Returns
    -------
    rows : ndarray of float, shape (reports that came in, bits)
    counted : ndarray of int
    """
    reports = np.array([bits_of(report, size) for report in counts], dtype=np.int64)
    counted = np.array([check_count(count, "counts") for count in counts.values()], dtype=np.int64)
    set_probability = np.where(reports == 1, set_chance, 1 - set_chance)
    other = np.where(reports == 1, clear_chance, 1 - clear_chance)
    impossible = other == 0
    rows = set_probability / np.where(impossible, 1.0, other)
    rows[impossible.sum(axis=1, keepdims=True) - impossible > 0] = 0.0
    return rows, counted
