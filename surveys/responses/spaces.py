"""Report spaces: the possible reports of a device, their check, numbers and labels.

A report is a code, a tuple of codes, or a string of bits. Each has a number, its place in the
space, from 0; the tallies count numbers. The inbox, the tallies, exports and the codebook ask the
space of a device and do not depend on the device.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

from surveys.parameters import Bits, Device, Product, Table, names_of

# From this number of possible reports on, only counts of reports that occurred are stored.
SPARSE_FROM = 4_096

# As stored: for small spaces a list of counts, for large ones a mapping from the number as text.
Counts = list[int] | dict[str, int]

# A code for programs and a rule for people.
Problem = tuple[str, str]


class Space(Protocol):
    """`size`: how many different reports there are."""

    @property
    def size(self) -> int: ...

    def problem(self, report: Any) -> Problem | None:
        """The problem of a value that was sent as a report; None if it is valid."""
        ...

    def number(self, report: Any) -> int:
        """The place of a report that has no problem."""
        ...

    def columns(self, name: str) -> list[str]:
        """The columns of a table of reports, one line for a person."""
        ...

    def cells(self, report: Any) -> list[int | str]:
        """The cells of a report in these columns."""
        ...


@dataclass(frozen=True, slots=True)
class Codes:
    """One of `size` codes; `names` are what people see of them."""

    names: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.names)

    def problem(self, report: Any) -> Problem | None:
        if isinstance(report, bool) or not isinstance(report, int):
            return "not_an_integer", "A report must be a JSON integer."
        if not 0 <= report < self.size:
            largest = self.size - 1
            return (
                "out_of_range",
                f"A report to this question is a whole number from 0 to {largest}.",
            )
        return None

    def number(self, report: int) -> int:
        return report

    def columns(self, name: str) -> list[str]:
        return [name]

    def cells(self, report: int) -> list[int | str]:
        return [report]


@dataclass(frozen=True, slots=True)
class Tuples:
    """One code for each part of a device that covers several; the last part runs fastest."""

    parts: tuple[Codes, ...]

    @property
    def size(self) -> int:
        return reduce(lambda size, part: size * part.size, self.parts, 1)

    def problem(self, report: Any) -> Problem | None:
        if not isinstance(report, list) or len(report) != len(self.parts):
            return "not_a_tuple", f"A report must be a JSON list of {len(self.parts)} integers."
        problems = map(Codes.problem, self.parts, report)
        return next(filter(None, problems), None)

    def number(self, report: Sequence[int]) -> int:
        digits = zip(self.parts, report, strict=True)
        return reduce(lambda number, digit: number * digit[0].size + digit[1], digits, 0)

    def columns(self, name: str) -> list[str]:
        return [f"{name}_{index}" for index in range(1, len(self.parts) + 1)]

    def cells(self, report: Sequence[int]) -> list[int | str]:
        return list(report)


@dataclass(frozen=True, slots=True)
class BitStrings:
    """A string of zeros and ones; the first bit counts least in its number."""

    bits: int

    @property
    def size(self) -> int:
        return 2**self.bits

    def problem(self, report: Any) -> Problem | None:
        if not isinstance(report, str) or len(report) != self.bits or set(report) - {"0", "1"}:
            return "not_bits", f"A report must be a string of {self.bits} zeros and ones."
        return None

    def number(self, report: str) -> int:
        return int(report[::-1], 2)

    def columns(self, name: str) -> list[str]:
        return [name]

    def cells(self, report: str) -> list[int | str]:
        return [report]


def space_of(device: Device) -> Space:
    """The report space of this device."""
    return _space(device.table)


def _space(table: Table) -> Space:
    if isinstance(table, Product):
        return Tuples(tuple(Codes(names_of(part)) for part in table.parts))
    if isinstance(table, Bits):
        return BitStrings(table.bits)
    return Codes(table.reports)


def add_counts(stored_counts: Counts | None, increments: Mapping[int, int], size: int) -> Counts:
    """The stored counts of a space of this size plus `increments`, by number."""
    total = Counter(counts_by_number(stored_counts))
    total.update(increments)
    if size < SPARSE_FROM:
        return [total.get(number, 0) for number in range(size)]
    return {str(number): count for number, count in sorted(total.items()) if count}


def counts_by_number(stored_counts: Counts | None) -> dict[int, int]:
    """Stored counts as a mapping from the number of a report."""
    if isinstance(stored_counts, dict):
        return {int(number): count for number, count in stored_counts.items()}
    return {number: count for number, count in enumerate(stored_counts or ()) if count}
