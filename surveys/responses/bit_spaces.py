"""Report spaces of which a report is a string of bits, of which each is counted by itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

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

    @property
    def longest(self) -> int:
        return self.bits + len('""')

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
        check_left([*left.tolist(), *(left[0] - left).tolist()])
        return left.tolist()

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """How many have each bit clear, and how many set, in turn."""
        flat = self._flat(counts)
        return np.stack([flat[0] - flat[1:], flat[1:]], axis=1).reshape(-1)

    def as_stored(self, counts: list[int]) -> Counts:
        return [sum(counts[:2]), *counts[1::2]]

    def _flat(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        return np.array(cast("list[int]", counts) or [0] * (1 + self.bits), dtype=np.int64)

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(name),)

    def values(self, report: str) -> tuple[int | str, ...]:
        return (report,)

    def entries(self, name: str) -> list[Entry]:
        """A line for each bit, which is numbered by its place in the string."""
        return [Entry(name, place, f"b{place}") for place in range(self.bits)]


@dataclass(frozen=True, slots=True)
class Filters(Space):
    """A cohort and a string of zeros and ones: a Bloom filter after its noise.

    Its tally is that of `BitStrings` for each cohort, one after the other.
    """

    cohorts: int
    bits: int

    @property
    def size(self) -> int:
        """The numbers of a tally."""
        return self.cohorts * (1 + self.bits)

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

    @property
    def _cohort_names(self) -> tuple[str, ...]:
        return tuple(map(str, range(self.cohorts)))

    def number(self, report: Any) -> None:
        return None

    @property
    def longest(self) -> int:
        return list_length([len(str(self.cohorts - 1)), BitStrings(self.bits).longest])

    def label(self, report: Sequence[Any]) -> str:
        cohort, bits = report
        return f"{cohort} {bits}"

    def count(self, reports: Iterable[Sequence[Any]]) -> Counts:
        counts = self._table(None)
        for cohort, bits in reports:
            counts[cohort, 0] += 1
            counts[cohort, 1:] += np.frombuffer(bits.encode("ascii"), dtype=np.uint8) == ord("1")
        return self._stored(counts)

    def add(self, counts: Counts | None, others: Counts) -> Counts:
        return self._stored(self._table(counts) + self._table(others))

    def subtract(self, counts: Counts, others: Counts) -> Counts:
        left = self._table(counts) - self._table(others)
        # Neither set nor clear bits may be fewer than none.
        check_left([int(left.min()), int((left[:, :1] - left).min())])
        return self._stored(left)

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """How many have each bit of each cohort clear, and how many set, in turn."""
        table = self._table(counts)
        return np.stack([table[:, :1] - table[:, 1:], table[:, 1:]], axis=2).reshape(-1)

    def people(self, counts: Counts | None) -> int:
        return int(self._table(counts)[:, 0].sum())

    def _table(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """A row for each cohort: its reports, and then how many have set each bit."""
        table = np.zeros(self.size, dtype=np.int64)
        if isinstance(counts, dict):
            table[list(map(int, counts))] = list(counts.values())
        elif counts:
            table[:] = counts
        return table.reshape(self.cohorts, 1 + self.bits)

    def _stored(self, table: npt.NDArray[np.int64]) -> Counts:
        """A list; of many numbers of which few are above 0, these under their places."""
        flat = table.reshape(-1)
        places = np.flatnonzero(flat)
        # An entry of a mapping is some twice as long as one of a list.
        if self.size < SPARSE_FROM or 2 * len(places) >= self.size:
            return flat.tolist()
        return {str(place): int(flat[place]) for place in places.tolist()}

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(f"{name}_cohort", self._cohort_names), Field(name))

    def values(self, report: Sequence[Any]) -> tuple[int | str, ...]:
        return tuple(report)

    def entries(self, name: str) -> list[Entry]:
        """A line for each bit, numbered by its place in the string; cohorts are numbers."""
        return [Entry(name, place, f"b{place}") for place in range(self.bits)]
