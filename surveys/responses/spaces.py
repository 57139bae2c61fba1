"""Report spaces: the possible reports of a device, and all that depends on what they look like.

A report is a code, a tuple of codes (one for each part of an answer, or for each step of a chain),
a string of bits, or one of a cohort. A space checks a report, counts reports, merges counts, lists
the cells of a report in a table and names its values. The inbox, the tallies, tables, exports
and the form without JavaScript ask the space of a device; they do not look into its table.
static/js/rr/ has the check of each space beside the draw.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import permutations
from math import prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from surveys.parameters import (
    Bits,
    Bloom,
    Chain,
    Device,
    Joint,
    Product,
    Ranking,
    Table,
    Ties,
    names_of,
)
from surveys.parameters.exact import report_codes
from surveys.responses.bit_spaces import BitStrings, Filters
from surveys.responses.space import (
    SPARSE_FROM,
    Countable,
    Counts,
    Entry,
    Field,
    Problem,
    Space,
    check_left,
    list_length,
)
from surveys.responses.ties_space import TieBits

__all__ = [
    "MOST_IN_AN_ARRAY",
    "SPARSE_FROM",
    "BitStrings",
    "ByNumber",
    "Chained",
    "Codes",
    "Countable",
    "Counts",
    "Entry",
    "Field",
    "Filters",
    "Joined",
    "Numbered",
    "Orders",
    "Problem",
    "Space",
    "TieBits",
    "Tuples",
    "crossed",
    "space_of",
]


# A larger array is never made, here or in the engine: of so many reports there are margins only.
MOST_IN_AN_ARRAY = 2**25


class ByNumber(Countable):
    """A countable whose possible values have numbers from 0, each of them counted by itself."""

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """How many different numbers there are."""

    def stored(self, counts: Mapping[int, int]) -> Counts:
        """Counts by number, as they are stored."""
        if self.size < SPARSE_FROM:
            return [counts.get(number, 0) for number in range(self.size)]
        return {str(number): count for number, count in sorted(counts.items()) if count}

    def by_number(self, counts: Counts | None) -> Counter[int]:
        """Stored counts as a mapping from a number."""
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
        check_left(left.values())
        return self.stored(left)

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        if self.size > MOST_IN_AN_ARRAY:
            raise ValueError(f"of {self.size} possible reports only margins can be estimated")
        dense = np.zeros(self.size, dtype=np.int64)
        for number, count in self.by_number(counts).items():
            dense[number] = count
        return dense


class Numbered(ByNumber, Space):
    """A space whose reports are counted one by one, under their numbers."""

    __slots__ = ()

    @abstractmethod
    def number(self, report: Any) -> int: ...

    def count(self, reports: Iterable[Any]) -> Counts:
        return self.stored(Counter(map(self.number, reports)))


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

    @property
    def longest(self) -> int:
        return len(str(self.size - 1))

    def label(self, report: int) -> str:
        return self.names[report]

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(name, self.names),)

    def values(self, report: int) -> tuple[int | str, ...]:
        return (report,)


@dataclass(frozen=True, slots=True)
class Orders(Codes):
    """The number of an order, spelled with a letter for each item; the refusal is the last one."""

    crossable: ClassVar[bool] = False

    @property
    def letters(self) -> tuple[str, ...]:
        """Nobody is asked to name one of so many."""
        return ()


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

    @property
    def longest(self) -> int:
        return list_length(part.longest for part in self.parts)

    def label(self, report: Sequence[int]) -> str:
        return " ".join(map(Codes.label, self.parts, report))

    def fields(self, name: str) -> tuple[Field, ...]:
        parts = enumerate(self.parts, 1)
        return tuple(Field(f"{name}_{place}", part.names) for place, part in parts)

    def values(self, report: Sequence[int]) -> tuple[int | str, ...]:
        return tuple(report)


class Chained(Tuples):
    """One code for each step, the lowest first."""

    __slots__ = ()

    def fields(self, name: str) -> tuple[Field, ...]:
        steps = enumerate(self.parts, 1)
        return tuple(Field(f"{name}_step_{step}", part.names) for step, part in steps)


@dataclass(frozen=True, slots=True)
class Joined(Tuples):
    """One code for each question of a joint device, under the name of the question."""

    questions: tuple[str, ...]

    def fields(self, name: str) -> tuple[Field, ...]:
        return tuple(map(Field, self.questions, [part.names for part in self.parts]))


def space_of(device: Device) -> Space:
    """The report space of this device."""
    if isinstance(device.table, Joint):
        return Joined(tuple(map(Codes, device.table.parts)), device.questions)
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
    if isinstance(table, Bloom):
        return Filters(table.cohorts, table.bits)
    if isinstance(table, Ties):
        return TieBits(table.bits)
    if isinstance(table, Ranking):
        return Orders(_spelled(table.items, refusal=table.refusal is not None))
    return Codes(names_of(table))


@lru_cache(maxsize=16)
def _spelled(items: int, *, refusal: bool) -> tuple[str, ...]:
    """The orders of A, B, ... by their numbers, and after them the refusal."""
    letters = report_codes(items)
    orders = (" ".join(letters[item] for item in order) for order in permutations(range(items)))
    return (*orders, *("–",) * refusal)
