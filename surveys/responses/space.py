"""The base class of report spaces: checks, counts, labels and cells of reports that look alike.

A thing that is only counted, and never sent, is a `Countable` and less than a space.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

# From this number of counts on, only those above 0 are stored.
SPARSE_FROM = 4_096

# As stored: a list, or for large spaces a mapping from the place of a count as text.
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


class Countable(ABC):
    """A thing that a tally counts, and how tallies are merged, subtracted and estimated from.

    It may be reports that somebody sends, of which a `Space` says more; or what the reports of one
    person are together, which nobody sends.

    `from_members`: whether `count` takes pairs of a sender's place among the members and a report.
    """

    __slots__ = ()
    from_members: ClassVar[bool] = False

    @abstractmethod
    def count(self, reports: Iterable[Any]) -> Counts:
        """The tally of these reports. Its size has a bound, however many there are."""

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

    def people(self, counts: Counts | None) -> int | None:
        """The number of reports, where the channel of the device cannot tell it from the array."""
        return None

    def as_stored(self, counts: list[int]) -> Counts:
        """The tally of counts in the order in which the engine's channel draws them."""
        return counts


class Space(Countable):
    """`crossable`: whether a table can count these reports beside another question's."""

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

    @property
    @abstractmethod
    def longest(self) -> int:
        """How many characters of JSON a report has at most."""

    # -- tables of reports ----------------------------------------------------------------------

    @abstractmethod
    def fields(self, name: str) -> tuple[Field, ...]:
        """The cells of one report, one row for a person; `name` is the device's."""

    @abstractmethod
    def values(self, report: Any) -> tuple[int | str, ...]:
        """Return what a report has in these cells."""

    def entries(self, name: str) -> list[Entry]:
        """The codes of all cells with their labels, for a codebook."""
        return [
            Entry(field.name, code, label)
            for field in self.fields(name)
            for code, label in enumerate(field.labels)
        ]


def list_length(lengths: Iterable[int]) -> int:
    """The characters of a JSON list whose entries have these."""
    return sum((length + 1 for length in lengths), 1)


def check_left(counts: Iterable[int]) -> None:
    if min(counts, default=0) < 0:
        raise ValueError("a tally has no reports to lose that it does not count")
