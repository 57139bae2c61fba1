"""The parts of every export: columns with their descriptions, and rows that are read once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import IO

Cell = str | int | float | None
Row = Sequence[Cell]


class Type(StrEnum):
    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a cell and its meaning; a `code` of None is the empty cell.

    `labels`: the meaning in other languages, where the author wrote it.
    """

    code: str | int | float | None
    label: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """`values` are all values of a cell if they can be listed; `missing` are those of them,
    or besides them, that stand for no value. `of_author`: its cells are words of the author.
    `labels`: what it is in other languages, where the author wrote it.
    """

    name: str
    type: Type
    label: str
    values: tuple[Value, ...] = ()
    missing: tuple[Value, ...] = ()
    of_author: bool = False
    labels: Mapping[str, str] = field(default_factory=dict)


def _close_nothing() -> None:
    pass


def _name(column: Column) -> str:
    return column.name


@dataclass(frozen=True, slots=True)
class Table:
    """`rows` have a cell for each column and come in constant memory; `close` ends what feeds them.

    No two columns have one name: a program that reads rows by names would see one of them only.
    What could clash is refused before launch (`surveys.authoring.checks.files`).

    If it is left to the garbage collector, a PostgreSQL cursor may be closed within another query
    of the same connection: a deadlock.

    `notes`: what the table is of, each with a name, such as the survey, for formats with a place
    for it. `beside`: further tables, for formats that hold several.
    """

    name: str
    label: str
    columns: tuple[Column, ...]
    rows: Iterator[Row]
    close: Callable[[], None] = _close_nothing
    notes: tuple[tuple[str, str], ...] = ()
    beside: tuple["Table", ...] = ()

    def __post_init__(self) -> None:
        repeated = [name for name, count in Counter(map(_name, self.columns)).items() if count > 1]
        if repeated:
            raise ValueError(f"table {self.name}: several columns are called {repeated}")


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a table: the end of the file's name, its type, and who writes it.

    `write` gets a file that is empty and can be sought in, and leaves it open. `several`: whether
    it has a place for `notes` and `beside`. `has_rows`: whether it says more than what the columns
    are.
    """

    ending: str
    content_type: str
    write: Callable[[Table, IO[bytes]], None]
    several: bool = False
    has_rows: bool = True


def text_format(
    ending: str,
    content_type: str,
    pieces: Callable[[Table], Iterator[str]],
    *,
    has_rows: bool = True,
) -> Format:
    """Return the format of a text that comes in pieces, in UTF-8."""

    def write(table: Table, file: IO[bytes]) -> None:
        for piece in pieces(table):
            file.write(piece.encode())

    return Format(ending, f"{content_type}; charset=utf-8", write, has_rows=has_rows)
