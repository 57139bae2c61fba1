"""Degradations: how an earlier report follows from the later one, in exact integers.

A degradation is a channel ``C`` from later to earlier reports with ``C P_next = P_now``: the
earlier report says nothing about the truth that the later one does not say as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import mul

import numpy as np

from rr_engine import check
from rr_engine.arrays import FloatArray, IntArray, as_list, keep
from rr_engine.channels.bits import MOST_BITS
from rr_engine.channels.tallies import LARGEST_TALLY, check_sizes
from rr_engine.errors import ArgumentError, DesignError
from rr_engine.relaxation.integer_algebra import Integers, as_integers


@dataclass(frozen=True, slots=True)
class DenseDegradation:
    """A degradation by its table.

    Parameters
    ----------
    rows : sequence of sequence of int, shape (previous, next)
        ``rows[y1][y2] / denominator`` is the chance of the earlier report y1 given the later y2;
        columns sum to the denominator.
    denominator : int
        Of any size.

    Raises
    ------
    DesignError, ArgumentError

    Examples
    --------
    >>> DenseDegradation([[3, 1], [1, 3]], 4).column(0)
    [3, 1]
    """

    rows: tuple[tuple[int, ...], ...]
    denominator: int

    def __post_init__(self) -> None:
        total = check.whole(self.denominator, "denominator", minimum=1)
        rows = _check_rows(self.rows)
        if any(sum(column) != total for column in zip(*rows, strict=True)):
            rule = "have columns that sum to the denominator"
            raise DesignError("rows", self.rows, rule, "columns_do_not_sum")
        keep(self, rows=rows)

    @property
    def previous_size(self) -> int:
        """Number of earlier reports."""
        return len(self.rows)

    @property
    def next_size(self) -> int:
        """Number of later reports."""
        return len(self.rows[0])

    def row(self, previous: int) -> list[int]:
        """Return the chances of an earlier report for each later one, times the denominator."""
        return list(self.rows[previous])

    def column(self, later: int) -> list[int]:
        """Return the chances of the earlier reports for a later one, times the denominator."""
        return [row[later] for row in self.rows]

    @property
    def integers(self) -> Integers:
        """The table as integers of any size, shape (previous, next)."""
        return as_integers(np.array(self.rows, dtype=object))

    @property
    def matrix(self) -> FloatArray:
        """The table as floats, shape (previous, next)."""
        return np.array([[entry / self.denominator for entry in row] for row in self.rows])


def _check_rows(value: object) -> tuple[tuple[int, ...], ...]:
    rule = "be a table of whole numbers, one row for each earlier report"
    rows = [as_list(row) or () for row in as_list(value) or ()]
    if not rows or not all(rows) or len(set(map(len, rows))) > 1:
        raise DesignError("rows", value, rule, "not_a_table")
    return tuple(tuple(check.whole(entry, "rows") for entry in row) for row in rows)


@dataclass(frozen=True, slots=True)
class UniformDegradation:
    """The later report is kept with one chance, else replaced by any other one alike.

    Parameters
    ----------
    size : int
        Number of reports, the same before and after.
    kept, other : int
        Chances of the same report and of each other one, times the denominator.
    denominator : int
        ``kept + (size - 1) other``; of any size.

    Raises
    ------
    DesignError, ArgumentError

    Examples
    --------
    >>> UniformDegradation(3, kept=4, other=1, denominator=6).column(1)
    [1, 4, 1]
    """

    size: int
    kept: int
    other: int
    denominator: int

    def __post_init__(self) -> None:
        size = check.whole(self.size, "size", minimum=2, maximum=LARGEST_TALLY)
        kept, other = check.whole(self.kept, "kept"), check.whole(self.other, "other")
        if kept + (size - 1) * other != check.whole(self.denominator, "denominator", minimum=1):
            rule = f"be kept + {size - 1} * other"
            raise DesignError("denominator", self.denominator, rule, "columns_do_not_sum")

    @property
    def previous_size(self) -> int:
        """Number of earlier reports."""
        return self.size

    @property
    def next_size(self) -> int:
        """Number of later reports."""
        return self.size

    def row(self, previous: int) -> list[int]:
        """Return the chances of an earlier report for each later one, times the denominator."""
        chances = [self.other] * self.size
        chances[previous] = self.kept
        return chances

    def column(self, later: int) -> list[int]:
        """Return the same: the table is symmetric."""
        return self.row(later)

    @property
    def integers(self) -> Integers:
        """The table as integers of any size, shape (previous, next)."""
        table = np.full((self.size, self.size), self.other, dtype=object)
        np.fill_diagonal(table, self.kept)
        return table

    @property
    def matrix(self) -> FloatArray:
        """The table as floats, shape (previous, next)."""
        table = np.full((self.size, self.size), self.other / self.denominator)
        np.fill_diagonal(table, self.kept / self.denominator)
        return table


@dataclass(frozen=True, slots=True)
class JointDegradation:
    """Degradation of combinations of answers, by chances that depend on which are changed.

    Parameters
    ----------
    shape : sequence of int
        Number of answers to each question.
    entries : sequence of int, 2**questions
        Chances of one report that differs in a set of answers, times the denominator. The sets are
        in the order of the binary numbers that name them, the first question as the highest bit.
    denominator : int
        Of any size.

    Raises
    ------
    DesignError, ArgumentError

    Examples
    --------
    >>> JointDegradation((2, 2), (5, 1, 1, 1), 8).column(3)
    [1, 1, 1, 5]
    """

    shape: tuple[int, ...]
    entries: tuple[int, ...]
    denominator: int

    def __post_init__(self) -> None:
        sizes = check_sizes(self.shape, "shape")
        total = check.whole(self.denominator, "denominator", minimum=1)
        given = as_list(self.entries) or ()
        numbers = [prod(others) for others in product(*((1, size - 1) for size in sizes))]
        rule = f"have {len(numbers)} entries, and columns that sum to the denominator"
        if len(given) != len(numbers):
            raise DesignError("entries", self.entries, rule, "columns_do_not_sum")
        entries = tuple(check.whole(entry, "entries") for entry in given)
        if sum(map(mul, entries, numbers)) != total:
            raise DesignError("entries", self.entries, rule, "columns_do_not_sum")
        keep(self, shape=sizes, entries=entries)

    @property
    def previous_size(self) -> int:
        """Number of earlier reports."""
        return prod(self.shape)

    @property
    def next_size(self) -> int:
        """Number of later reports."""
        return prod(self.shape)

    def row(self, previous: int) -> list[int]:
        """Return the chances of an earlier report for each later one, times the denominator."""
        codes = changed_answers(self.shape, previous).tolist()
        return [self.entries[code] for code in codes]

    def column(self, later: int) -> list[int]:
        """Return the same: the table is symmetric."""
        return self.row(later)

    @property
    def integers(self) -> Integers:
        """The table as integers of any size, shape (previous, next)."""
        return np.array([self.row(index) for index in range(self.previous_size)], dtype=object)

    @property
    def matrix(self) -> FloatArray:
        """The table as floats, shape (previous, next)."""
        chances = np.array([entry / self.denominator for entry in self.entries])
        indices = range(self.previous_size)
        return np.array([chances[changed_answers(self.shape, index)] for index in indices])


def changed_answers(shape: Sequence[int], index: int) -> IntArray:
    """Return, for each combination, the binary number of the answers that differ from a given one.

    The first question has the highest bit.
    """
    one = np.unravel_index(index, shape)
    codes = np.zeros((1,), dtype=np.int64)
    for size, answer in zip(shape, one, strict=True):
        codes = (2 * codes[:, None] + (np.arange(size) != answer)).ravel()
    return codes


@dataclass(frozen=True, slots=True)
class BitDegradation:
    """Each bit of the later report is degraded by itself, all alike.

    Parameters
    ----------
    bits : int
    bit : DenseDegradation
        Of one bit: two earlier values by two later ones, clear before set.

    Examples
    --------
    >>> from rr_engine.relaxation import BitDegradation, DenseDegradation
    >>> each_bit = BitDegradation(8, DenseDegradation([[3, 1], [1, 3]], 4))
    >>> each_bit.bits, each_bit.bit.column(1)
    (8, [1, 3])
    """

    bits: int
    bit: DenseDegradation

    def __post_init__(self) -> None:
        check.whole(self.bits, "bits", minimum=2, maximum=MOST_BITS)
        rule = "be a DenseDegradation"
        check.instance(self.bit, "bit", DenseDegradation, rule, "not_a_degradation")


@dataclass(frozen=True, slots=True)
class ProductDegradation:
    """Each part of the later report is degraded by itself.

    Parameters
    ----------
    factors : sequence of degradations
        One for each factor of the two product channels.

    Examples
    --------
    >>> from rr_engine.relaxation import DenseDegradation, ProductDegradation
    >>> coin, die = DenseDegradation([[3, 1], [1, 3]], 4), DenseDegradation([[5, 1], [1, 5]], 6)
    >>> [factor.column(0) for factor in ProductDegradation((coin, die)).factors]
    [[3, 1], [5, 1]]
    """

    factors: tuple[Degradation, ...]

    def __post_init__(self) -> None:
        rule = "be a list of one or more degradations"
        factors = check.entries(self.factors, "factors", None, rule, "not_a_degradation")
        keep(self, factors=factors)
        for factor in factors:
            _table_of(check_degradation(factor, "factors"))

    @property
    def tables(self) -> tuple[TableDegradation | ProductDegradation, ...]:
        """The factors; devices of bits are no factors of a product."""
        return tuple(_table_of(factor) for factor in self.factors)

    @property
    def previous_size(self) -> int:
        """Number of earlier reports."""
        return prod(table.previous_size for table in self.tables)

    @property
    def next_size(self) -> int:
        """Number of later reports."""
        return prod(table.next_size for table in self.tables)


# Over reports that are counted one by one.
TableDegradation = DenseDegradation | UniformDegradation | JointDegradation
Degradation = TableDegradation | BitDegradation | ProductDegradation


def check_degradation(value: object, argument: str = "degradation") -> Degradation:
    """Return a degradation."""
    if not isinstance(value, Degradation):
        raise ArgumentError(argument, value, "be a degradation", "not_a_degradation")
    return value


def _table_of(factor: Degradation) -> TableDegradation | ProductDegradation:
    if isinstance(factor, BitDegradation):
        rule = "be degradations of reports that are counted one by one"
        raise ArgumentError("factors", factor, rule, "table_not_available")
    return factor


def dense_degradation(table: Integers, denominator: int) -> DenseDegradation:
    """Return the degradation of a table in lowest terms."""
    return DenseDegradation(tuple(map(tuple, table.tolist())), denominator)
