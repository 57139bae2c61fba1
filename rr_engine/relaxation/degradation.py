"""Degradations: how an earlier report follows from the later one, in exact integers.

A degradation is a channel ``C`` from later to earlier reports with ``C P_next = P_now``: the
earlier report says nothing about the truth that the later one does not say as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from rr_engine.errors import ArgumentError, DesignError
from rr_engine.relaxation.integer_algebra import Integers, as_integers
from rr_engine.validation import FloatArray, as_list, check_whole


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
        total = check_whole(self.denominator, "denominator", minimum=1)
        rows = tuple(
            tuple(check_whole(entry, "rows", maximum=total) for entry in row) for row in self.rows
        )
        if any(sum(column) != total for column in zip(*rows, strict=True)):
            rule = f"have columns that sum to {total}"
            raise DesignError("rows", self.rows, rule, "columns_do_not_sum")
        object.__setattr__(self, "rows", rows)

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
        size = check_whole(self.size, "size", minimum=2)
        kept, other = check_whole(self.kept, "kept"), check_whole(self.other, "other")
        if kept + (size - 1) * other != check_whole(self.denominator, "denominator", minimum=1):
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
class BitDegradation:
    """Each bit of the later report is degraded by itself, all alike.

    Parameters
    ----------
    bits : int
    bit : DenseDegradation
        Of one bit: two earlier values by two later ones, clear before set.
    """

    bits: int
    bit: DenseDegradation


@dataclass(frozen=True, slots=True)
class ProductDegradation:
    """Each part of the later report is degraded by itself.

    Parameters
    ----------
    factors : sequence of degradations
        One for each factor of the two product channels.
    """

    factors: tuple[Degradation, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "factors", tuple(as_list(self.factors) or ()))

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
TableDegradation = DenseDegradation | UniformDegradation
Degradation = TableDegradation | BitDegradation | ProductDegradation


def _table_of(factor: Degradation) -> TableDegradation | ProductDegradation:
    if isinstance(factor, BitDegradation):
        rule = "be degradations of reports that are counted one by one"
        raise ArgumentError("factors", factor, rule, "table_not_available")
    return factor


def dense_degradation(table: Integers, denominator: int) -> DenseDegradation:
    """Return the degradation of a table in lowest terms."""
    return DenseDegradation(tuple(map(tuple, table.tolist())), denominator)
