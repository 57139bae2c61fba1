"""Report spaces: the possible reports of a device, and all that depends on what they look like.

A report is a code, a tuple of codes (one for each part of an answer, or for each tier of readers),
or a string of bits. A space checks a report, counts reports,
merges counts, lists the cells of a report in a table and names its values. The inbox, the tallies,
cross-tables, exports and the form without JavaScript ask the space of a device; they do not look
into its table. static/js/rr/ has the check of each space beside the draw.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from surveys.parameters import Bits, Chain, Device, Product, Table, names_of

# From this number of possible reports on, only counts of reports that occurred are stored.
SPARSE_FROM = 4_096
# A larger array is never made, here or in the engine: of so many reports there are margins only.
MOST_IN_AN_ARRAY = 2**25

# As stored: a list, or for large spaces a mapping from the number of a report as text.
Counts = list[int] | dict[str, int]
# A code for programs and a rule for people.
Problem = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """One cell of a report in a table: a code from 0 with its label, or a text without labels."""

    name: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a codebook: a code of a variable and its label."""

    variable: str
    code: int
    label: str


class Space(ABC):
    """`crossable`: whether a cross-table can count these reports beside another question's."""

    __slots__ = ()
    crossable: ClassVar[bool] = False

    @property
    def letters(self) -> tuple[str, ...]:
        """The labels of all reports in their order, where a person can be asked for one of them."""
        return ()

    # -- reports --------------------------------------------------------------------------------

    @abstractmethod
    def check(self, report: Any) -> Problem | None:
        """The problem of a value that was sent as a report; None if it is valid.

        All other methods take valid reports.
        """

    @abstractmethod
    def number(self, report: Any) -> int | None:
        """The place of a report in the space, from 0; None where reports have no numbers."""

    @abstractmethod
    def label(self, report: Any) -> str:
        """The neutral name of a report, such as a letter; never an answer."""

    # -- counts ---------------------------------------------------------------------------------

    @abstractmethod
    def count(self, reports: Iterable[Any]) -> Counts:
        """The tally of these reports. Its size is bounded by the space, not by the reports."""

    @abstractmethod
    def add(self, counts: Counts | None, others: Counts) -> Counts:
        """The tally of the reports of both; None is a tally of none."""

    @abstractmethod
    def subtract(self, counts: Counts, others: Counts) -> Counts:
        """The tally without the reports of the other; ValueError if a count were below none."""

    @abstractmethod
    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """The tally as the engine's channel of the device takes it, flat.

        ValueError for a space of which only margins can be estimated.
        """

    # -- tables of reports ----------------------------------------------------------------------

    @abstractmethod
    def fields(self, name: str) -> tuple[Field, ...]:
        """The cells of one report, one row for a person; `name` is the device's."""

    @abstractmethod
    def values(self, report: Any) -> tuple[int | str, ...]:
        """What a report has in these cells."""

    def entries(self, name: str) -> list[Entry]:
        """The codes of all cells with their labels, for a codebook."""
        return [
            Entry(field.name, code, label)
            for field in self.fields(name)
            for code, label in enumerate(field.labels)
        ]


class Numbered(Space):
    """A space whose reports are counted one by one, under their numbers."""

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of different reports."""

    @abstractmethod
    def number(self, report: Any) -> int: ...

    def count(self, reports: Iterable[Any]) -> Counts:
        return self.stored(Counter(map(self.number, reports)))

    def stored(self, counts: Mapping[int, int]) -> Counts:
        """Counts by number, as they are stored."""
        if self.size < SPARSE_FROM:
            return [counts.get(number, 0) for number in range(self.size)]
        return {str(number): count for number, count in sorted(counts.items()) if count}

    def by_number(self, counts: Counts | None) -> Counter[int]:
        """Stored counts as a mapping from the number of a report."""
        if isinstance(counts, dict):
            return Counter({int(number): count for number, count in counts.items()})
        return Counter({number: count for number, count in enumerate(counts or ()) if count})

    def add(self, counts: Counts | None, others: Counts) -> Counts:
        total = self.by_number(counts)
        total.update(self.by_number(others))
        return self.stored(total)

    def subtract(self, counts: Counts, others: Counts) -> Counts:
        left = self.by_number(counts)
        left.subtract(self.by_number(others))
        _check_left(left.values())
        return self.stored(left)

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        if self.size > MOST_IN_AN_ARRAY:
            raise ValueError(f"of {self.size} possible reports only margins can be estimated")
        dense = np.zeros(self.size, dtype=np.int64)
        for number, count in self.by_number(counts).items():
            dense[number] = count
        return dense


@dataclass(frozen=True, slots=True)
class Codes(Numbered):
    """One of several codes; `names` are what people see of them."""

    names: tuple[str, ...]

    crossable: ClassVar[bool] = True

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def letters(self) -> tuple[str, ...]:
        return self.names

    def check(self, report: Any) -> Problem | None:
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

    def label(self, report: int) -> str:
        return self.names[report]

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(name, self.names),)

    def values(self, report: int) -> tuple[int | str, ...]:
        return (report,)


@dataclass(frozen=True, slots=True)
class Tuples(Numbered):
    """One code for each part of a device that covers several; the last part runs fastest."""

    parts: tuple[Codes, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of codes of each part."""
        return tuple(part.size for part in self.parts)

    @property
    def size(self) -> int:
        return prod(self.shape)

    def check(self, report: Any) -> Problem | None:
        if not isinstance(report, list) or len(report) != len(self.parts):
            return "not_a_tuple", f"A report must be a JSON list of {len(self.parts)} integers."
        problems = map(Codes.check, self.parts, report)
        return next(filter(None, problems), None)

    def number(self, report: Sequence[int]) -> int:
        digits = zip(self.shape, report, strict=True)
        return reduce(lambda number, digit: number * digit[0] + digit[1], digits, 0)

    def label(self, report: Sequence[int]) -> str:
        return " ".join(map(Codes.label, self.parts, report))

    def fields(self, name: str) -> tuple[Field, ...]:
        parts = enumerate(self.parts, 1)
        return tuple(Field(f"{name}_{place}", part.names) for place, part in parts)

    def values(self, report: Sequence[int]) -> tuple[int | str, ...]:
        return tuple(report)


class Chained(Tuples):
    """One code for each tier of readers, the lowest first."""

    __slots__ = ()

    def fields(self, name: str) -> tuple[Field, ...]:
        tiers = enumerate(self.parts, 1)
        return tuple(Field(f"{name}_tier_{tier}", part.names) for tier, part in tiers)


@dataclass(frozen=True, slots=True)
class BitStrings(Space):
    """A string of zeros and ones.

    Its tally is the number of reports, and then for each bit how many have set it: all that the
    engine's `BitChannel` estimates from.
    """

    bits: int

    def check(self, report: Any) -> Problem | None:
        if not isinstance(report, str) or len(report) != self.bits or set(report) - {"0", "1"}:
            return "not_bits", f"A report must be a string of {self.bits} zeros and ones."
        return None

    def number(self, report: str) -> None:
        return None

    def label(self, report: str) -> str:
        return report

    def count(self, reports: Iterable[str]) -> Counts:
        counts = np.zeros(1 + self.bits, dtype=np.int64)
        for report in reports:
            counts[0] += 1
            counts[1:] += np.frombuffer(report.encode("ascii"), dtype=np.uint8) == ord("1")
        return counts.tolist()

    def add(self, counts: Counts | None, others: Counts) -> Counts:
        return (self._flat(counts) + self._flat(others)).tolist()

    def subtract(self, counts: Counts, others: Counts) -> Counts:
        left = self._flat(counts) - self._flat(others)
        # Neither set nor clear bits may be fewer than none.
        _check_left([*left.tolist(), *(left[0] - left).tolist()])
        return left.tolist()

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """How many have each bit clear, and how many set, in turn."""
        flat = self._flat(counts)
        return np.stack([flat[0] - flat[1:], flat[1:]], axis=1).reshape(-1)

    def _flat(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        return np.array(cast("list[int]", counts) or [0] * (1 + self.bits), dtype=np.int64)

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(name),)

    def values(self, report: str) -> tuple[int | str, ...]:
        return (report,)

    def entries(self, name: str) -> list[Entry]:
        """A line for each bit, which is numbered by its place in the string."""
        return [Entry(name, place, f"b{place}") for place in range(self.bits)]


def _check_left(counts: Iterable[int]) -> None:
    if min(counts, default=0) < 0:
        raise ValueError("a tally has no reports to lose that it does not count")


def space_of(device: Device) -> Space:
    """The report space of this device."""
    return _space(device.table)


def crossed(spaces: Iterable[Space]) -> Tuples:
    """The space of the reports of one person to several devices, whose spaces are crossable."""
    return Tuples(tuple(Codes(space.letters) for space in spaces))


def _space(table: Table) -> Space:
    if isinstance(table, Product):
        return Tuples(tuple(Codes(names_of(part)) for part in table.parts))
    if isinstance(table, Chain):
        return Chained(tuple(Codes(names_of(step)) for step in table.steps))
    if isinstance(table, Bits):
        return BitStrings(table.bits)
    return Codes(names_of(table))
