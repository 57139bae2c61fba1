"""Report spaces of which a report is a string of bits, of which each is counted by itself."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from surveys.responses.space import (
    SPARSE_FROM,
    Counts,
    Entry,
    Field,
    Problem,
    Space,
    check_left,
    list_length,
)


class CountedBits(Space):
    """Strings of zeros and ones, each from one of the cohorts, of which there may be only one.

    A tally is the number of reports of a cohort, and then for each bit how many have set it: all
    that the engine's channels estimate from. Cohorts follow one after the other.
    """

    __slots__ = ()
    bits: int

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """The rows of a tally, one for each cohort, and their numbers."""

    @abstractmethod
    def split(self, report: Any) -> tuple[int, str]:
        """Return the cohort of a report, and its bits."""

    def number(self, report: Any) -> None:
        return None

    def count(self, reports: Iterable[Any]) -> Counts:
        counts = self.table(None)
        for cohort, bits in map(self.split, reports):
            counts[cohort, 0] += 1
            counts[cohort, 1:] += np.frombuffer(bits.encode("ascii"), dtype=np.uint8) == ord("1")
        return self.stored(counts)

    def add(self, counts: Counts | None, others: Counts) -> Counts:
        return self.stored(self.table(counts) + self.table(others))

    def subtract(self, counts: Counts, others: Counts) -> Counts:
        left = self.table(counts) - self.table(others)
        # Neither set nor clear bits may be fewer than none.
        check_left([int(left.min()), int((left[:, :1] - left).min())])
        return self.stored(left)

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """How many have each bit of each cohort clear, and how many set, in turn."""
        table = self.table(counts)
        return np.stack([table[:, :1] - table[:, 1:], table[:, 1:]], axis=2).reshape(-1)

    def table(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """A row for each cohort: its reports, and then how many have set each bit."""
        table = np.zeros(prod(self.shape), dtype=np.int64)
        if isinstance(counts, dict):
            table[list(map(int, counts))] = list(counts.values())
        elif counts:
            table[:] = counts
        return table.reshape(self.shape)

    def stored(self, table: npt.NDArray[np.int64]) -> Counts:
        return table.reshape(-1).tolist()

    def entries(self, name: str) -> list[Entry]:
        """A line for each bit, numbered by its place in the string; cohorts are numbers."""
        return [Entry(name, place, f"b{place}") for place in range(self.bits)]


@dataclass(frozen=True, slots=True)
class BitStrings(CountedBits):
    """A string of zeros and ones, for the engine's `BitChannel`."""

    bits: int

    @property
    def shape(self) -> tuple[int, int]:
        return 1, 1 + self.bits

    def check(self, report: Any) -> Problem | None:
        if not isinstance(report, str) or len(report) != self.bits or set(report) - {"0", "1"}:
            return "not_bits", f"A report must be a string of {self.bits} zeros and ones."
        return None

    def split(self, report: str) -> tuple[int, str]:
        return 0, report

    @property
    def longest(self) -> int:
        return self.bits + len('""')

    def label(self, report: str) -> str:
        return report

    def as_stored(self, counts: list[int]) -> Counts:
        return [sum(counts[:2]), *counts[1::2]]

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(name),)

    def values(self, report: str) -> tuple[int | str, ...]:
        return (report,)


@dataclass(frozen=True, slots=True)
class Filters(CountedBits):
    """A cohort and a string of zeros and ones: a Bloom filter after its noise."""

    cohorts: int
    bits: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.cohorts, 1 + self.bits

    def check(self, report: Any) -> Problem | None:
        if not isinstance(report, list) or len(report) != 2:
            return "not_a_filter", "A report must be a JSON list of a cohort and a string of bits."
        cohort, bits = report
        if isinstance(cohort, bool) or not isinstance(cohort, int):
            return "not_an_integer", "A report's cohort must be a JSON integer."
        if not 0 <= cohort < self.cohorts:
            last = self.cohorts - 1
            return "out_of_range", f"A report's cohort is a whole number from 0 to {last}."
        return BitStrings(self.bits).check(bits)

    def split(self, report: Sequence[Any]) -> tuple[int, str]:
        cohort, bits = report
        return cohort, bits

    @property
    def longest(self) -> int:
        return list_length([len(str(self.cohorts - 1)), BitStrings(self.bits).longest])

    def label(self, report: Sequence[Any]) -> str:
        cohort, bits = report
        return f"{cohort} {bits}"

    def people(self, counts: Counts | None) -> int:
        return int(self.table(counts)[:, 0].sum())

    def stored(self, table: npt.NDArray[np.int64]) -> Counts:
        """A list; of many numbers of which few are above 0, these under their places."""
        flat = table.reshape(-1)
        places = np.flatnonzero(flat)
        # An entry of a mapping is some twice as long as one of a list.
        if len(flat) < SPARSE_FROM or 2 * len(places) >= len(flat):
            return flat.tolist()
        return {str(place): int(flat[place]) for place in places.tolist()}

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(f"{name}_cohort", tuple(map(str, range(self.cohorts)))), Field(name))

    def values(self, report: Sequence[Any]) -> tuple[int | str, ...]:
        return tuple(report)
