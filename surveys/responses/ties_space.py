"""The report space of members: a string of bits, one for each of the other members.

Who sent a report matters, so its tally keeps each one under the place of its sender.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from surveys.responses.bit_spaces import BitStrings
from surveys.responses.space import Counts, Entry, Field, Problem, Space


@dataclass(frozen=True, slots=True)
class TieBits(Space):
    """A string of zeros and ones, from a member whose place among the members is known.

    `count` takes pairs of a place and a report. The tally has the bits of each report as one
    number, the first bit the most significant, under the place of its sender as text.
    """

    bits: int

    from_members: ClassVar[bool] = True

    def check(self, report: Any) -> Problem | None:
        return BitStrings(self.bits).check(report)

    def number(self, report: str) -> None:
        return None

    @property
    def longest(self) -> int:
        return BitStrings(self.bits).longest

    def label(self, report: str) -> str:
        return report

    def count(self, reports: Iterable[tuple[int, str]]) -> Counts:
        """ValueError where a member reports twice, which `senders` lets nobody do."""
        return self._united({}, ((place, int(report, 2)) for place, report in reports))

    def add(self, counts: Counts | None, others: Counts) -> Counts:
        """ValueError where a member has reported to both."""
        return self._united(self._by_place(counts), self._by_place(others).items())

    def _united(self, rows: dict[int, int], others: Iterable[tuple[int, int]]) -> Counts:
        for place, row in others:
            if place in rows:
                raise ValueError(f"the member at place {place} has reported before")
            rows[place] = row
        return {str(place): rows[place] for place in sorted(rows)}

    def subtract(self, counts: Counts, others: Counts) -> Counts:
        left, gone = self._by_place(counts), self._by_place(others)
        if not gone.items() <= left.items():
            raise ValueError("a tally has no reports to lose that it does not count")
        return {str(place): row for place, row in left.items() if place not in gone}

    def rows(self, counts: Counts | None) -> dict[int, npt.NDArray[np.uint8]]:
        """The bits of each member who has reported, by place; each of shape (bits,)."""
        return {
            place: np.frombuffer(f"{row:0{self.bits}b}".encode("ascii"), dtype=np.uint8) - ord("0")
            for place, row in self._by_place(counts).items()
        }

    def array(self, counts: Counts | None) -> npt.NDArray[np.int64]:
        """How many bits of all reports are clear, and how many set: those of one tie's channel.

        Who reported on whom is in `rows`.
        """
        by_place = self._by_place(counts)
        ones = sum(row.bit_count() for row in by_place.values())
        return np.array([len(by_place) * self.bits - ones, ones], dtype=np.int64)

    def people(self, counts: Counts | None) -> int:
        return len(self._by_place(counts))

    def _by_place(self, counts: Counts | None) -> dict[int, int]:
        return (
            {int(place): row for place, row in counts.items()} if isinstance(counts, dict) else {}
        )

    def fields(self, name: str) -> tuple[Field, ...]:
        return (Field(name),)

    def values(self, report: str) -> tuple[int | str, ...]:
        return (report,)

    def entries(self, name: str) -> list[Entry]:
        """The cells of a report are named after the members, which the space does not know."""
        return []
