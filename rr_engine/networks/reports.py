"""The pairs of people that were asked about, and the bits that came in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, IntArray, as_array, as_list, freeze, keep
from rr_engine.errors import ArgumentError
from rr_engine.frames.tallies import counted
from rr_engine.labelled import column_labels, row_labels

# Positions of pairs of so many people are exact, and their bits are counted in 32 bits.
MOST_NODES = 2**24
BITS = "hold only 0 and 1, one for each alter"
ROWS = "be one or more rows of a reporter, a list of alters, and as many bits"


@dataclass(frozen=True, slots=True, eq=False)
class NetworkReports:
    """The reports of a closed group on the ties of its members.

    Parameters
    ----------
    n : int
        People of the group, at least 2; they are numbered 0 to n - 1.
    reporters : array_like of int, shape (r,)
        Who reported, each once. The others are missing: what they would have said is unknown.
    indptr : array_like of int, shape (r + 1,)
        Reporter ``reporters[k]`` was asked about ``alters[indptr[k]:indptr[k + 1]]``.
    alters : array_like of int, shape (m,)
        Whom they were asked about; nobody about themselves, and about nobody twice.
    bits : array_like of int or bool, shape (m,)
        What came in through the device, 1 for a tie.
    groups : array_like of int, shape (n,), optional
        The number of each one's group, from 0.

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> NetworkReports(3, [0, 2], [0, 2, 3], [1, 2, 0], [1, 0, 1]).asked
    3
    """

    n: int
    reporters: IntArray
    indptr: IntArray
    alters: npt.NDArray[np.int32]
    bits: npt.NDArray[np.uint8]
    groups: IntArray | None = None

    def __post_init__(self) -> None:
        n = check.whole(self.n, "n", minimum=2, maximum=MOST_NODES)
        reporters = _check_reporters(self.reporters, n, "reporters")
        alters = _check_numbers(self.alters, "alters", n).astype(np.int32)
        indptr = _check_indptr(self.indptr, len(reporters), len(alters))
        _check_alters((reporters, indptr, alters), n, "alters")
        bits = _check_bits(self.bits, "bits")
        if len(bits) != len(alters):
            raise ArgumentError("bits", self.bits, BITS, "not_bits")
        keep(
            self,
            n=n,
            reporters=freeze(reporters),
            indptr=freeze(indptr),
            alters=freeze(alters),
            bits=freeze(bits),
            groups=None if self.groups is None else freeze(_check_groups(self.groups, n)),
        )

    @classmethod
    def from_matrix(
        cls, matrix: ArrayLike, reported: ArrayLike | None = None, groups: IntArray | None = None
    ) -> NetworkReports:
        """Return reports of a group where each was asked about all others.

        Parameters
        ----------
        matrix : array_like of int or bool, shape (n, n)
            Row i holds the bits that i sent; the diagonal is not read.
        reported : array_like of bool, shape (n,), optional
            Who reported; everybody when left out. The other rows are not read.
        groups : array_like of int, shape (n,), optional

        Returns
        -------
        NetworkReports

        Raises
        ------
        ArgumentError

        Examples
        --------
        >>> bits = [[0, 1, 0], [1, 0, 1], [0, 0, 0]]
        >>> reports = NetworkReports.from_matrix(bits, [True, True, False])
        >>> reports.alters.tolist(), reports.bits.tolist()
        ([1, 2, 0, 2], [1, 0, 1, 1])
        """
        # A frame without an index has the people in its first column.
        given = counted(matrix)
        table = as_array(given)
        if table is None or table.ndim != 2 or table.shape[0] != table.shape[1] or len(table) < 2:
            rule = "be a square table of the bits of two or more people"
            raise ArgumentError("matrix", matrix, rule, "not_a_roster")
        if column_labels(given) is not None and row_labels(given) != column_labels(given):
            rule = "have the same people as rows and columns, in one order"
            raise ArgumentError("matrix", column_labels(given), rule, "not_a_roster")
        n = len(table)
        who = np.arange(n) if reported is None else np.flatnonzero(_check_mask(reported, n))
        if len(who) == 0:
            raise ArgumentError("reported", reported, "name one or more people", "too_few_reports")
        asked = np.arange(n) != who[:, None]
        bits = table[who][asked]
        if bits.dtype.kind not in "biu" or bits.min() < 0 or bits.max() > 1:
            raise ArgumentError("matrix", matrix, "hold only 0 and 1", "not_bits")
        alters = np.nonzero(asked)[1].astype(np.int32)
        return cls(n, who, np.arange(len(who) + 1) * (n - 1), alters, bits, groups)

    @classmethod
    def from_rows(
        cls,
        n: int,
        rows: Iterable[tuple[int, Sequence[int], Sequence[int]]],
        groups: IntArray | None = None,
    ) -> NetworkReports:
        """Return reports given one by one.

        Parameters
        ----------
        n : int
            People of the group.
        rows : iterable of (int, sequence of int, sequence of int)
            The reporter, whom they were asked about, and the bits.
        groups : array_like of int, shape (n,), optional

        Returns
        -------
        NetworkReports

        Raises
        ------
        ArgumentError

        Examples
        --------
        >>> NetworkReports.from_rows(3, [(0, [1, 2], [1, 0]), (2, [0], [1])]).reporters.tolist()
        [0, 2]
        """
        size = check.whole(n, "n", minimum=2, maximum=MOST_NODES)
        parts = [as_list(row) for row in as_list(rows) or ()]
        if not parts or any(part is None or len(part) != 3 for part in parts):
            raise ArgumentError("rows", rows, ROWS, "not_roster_rows")
        asked, sent = ([as_array(part[at]) for part in parts if part] for at in (1, 2))
        alters = [array for array in asked if array is not None and array.ndim == 1]
        bits = [array for array in sent if array is not None and array.ndim == 1]
        if len(parts) != len(alters) or list(map(len, bits)) != list(map(len, alters)):
            raise ArgumentError("rows", rows, ROWS, "not_roster_rows")
        reporters = _check_reporters([part[0] for part in parts if part], size, "rows")
        indptr = np.cumsum([0, *map(len, alters)])
        whole = _check_numbers(_row_of(alters), "rows", size).astype(np.int32)
        _check_alters((reporters, indptr, whole), size, "rows")
        return cls(size, reporters, indptr, whole, _check_bits(_row_of(bits), "rows"), groups)

    @property
    def asked(self) -> int:
        """Number of bits that came in."""
        return len(self.bits)

    @property
    def senders(self) -> npt.NDArray[np.int32]:
        """The person who sent each bit, shape (m,)."""
        return np.repeat(self.reporters.astype(np.int32), np.diff(self.indptr))


def _check_numbers(value: object, argument: str, limit: int) -> IntArray:
    """Return whole numbers from 0 to limit - 1."""
    array = as_array(value)
    if array is None or array.ndim != 1 or array.dtype.kind not in "iu":
        raise ArgumentError(argument, value, "be a list of whole numbers", "not_nodes")
    if array.size and (array.min() < 0 or array.max() >= limit):
        raise ArgumentError(argument, value, f"hold numbers from 0 to {limit - 1}", "not_nodes")
    return array.astype(np.int64)


def _row_of(arrays: list[npt.NDArray]) -> npt.NDArray:
    """Return lists of numbers in a row; empty ones have no type that could be wrong."""
    filled = [array for array in arrays if array.size]
    if len({array.dtype.kind in "biu" for array in filled}) > 1:
        return np.zeros(0)
    return np.concatenate(filled) if filled else np.zeros(0, dtype=np.int64)


def _check_reporters(value: object, n: int, argument: str) -> IntArray:
    if (given := as_array(value)) is not None and given.size == 0:
        raise ArgumentError(argument, value, "name one or more people", "too_few_reports")
    reporters = _check_numbers(value, argument, n)
    if len(np.unique(reporters)) < len(reporters):
        raise ArgumentError(argument, value, "have each reporter once", "asked_twice")
    return reporters


def _check_indptr(value: object, reporters: int, asked: int) -> IntArray:
    indptr = _check_numbers(value, "indptr", asked + 1)
    fits = len(indptr) == reporters + 1 and indptr[0] == 0 and indptr[-1] == asked
    if not fits or (np.diff(indptr) < 0).any():
        rule = f"rise from 0 to the {asked} alters, with one entry more than there are reporters"
        raise ArgumentError("indptr", value, rule, "rosters_do_not_fit")
    return indptr


def _check_alters(
    rosters: tuple[IntArray, IntArray, npt.NDArray[np.int32]], n: int, argument: str
) -> None:
    reporters, indptr, alters = rosters
    if len(alters) == 0:
        raise ArgumentError(argument, alters, "name one or more people", "too_few_reports")
    senders = np.repeat(reporters, np.diff(indptr))
    if (senders == alters).any():
        rule = "name others: nobody is asked about themselves"
        raise ArgumentError(argument, alters, rule, "asked_about_oneself")
    keys = np.sort(senders * n + alters)
    if (keys[1:] == keys[:-1]).any():
        rule = "name nobody twice in one roster"
        raise ArgumentError(argument, alters, rule, "asked_twice")


def _check_bits(value: object, argument: str) -> npt.NDArray[np.uint8]:
    bits = as_array(value)
    fits = bits is not None and bits.ndim == 1 and bits.dtype.kind in "biu"
    if bits is None or not fits or not np.isin(bits, (0, 1)).all():
        raise ArgumentError(argument, value, BITS, "not_bits")
    return bits.astype(np.uint8)


def _check_mask(value: object, n: int) -> BoolArray:
    mask = as_array(value)
    if mask is None or mask.dtype.kind != "b" or mask.shape != (n,):
        raise ArgumentError("reported", value, f"be {n} of True and False", "not_a_mask")
    return mask


def _check_groups(value: object, n: int) -> IntArray:
    groups = _check_numbers(value, "groups", n)
    if len(groups) != n:
        rule = f"have one number for each of the {n} people"
        raise ArgumentError("groups", value, rule, "groups_do_not_fit")
    return groups
