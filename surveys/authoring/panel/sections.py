"""A table of a panel with what is to be said about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """`marked`: what the question does."""

    cells: list[str]
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A table with what is to be said about it; `folded`: it opens when it is wanted."""

    heading: str
    columns: list[str]
    rows: list[Row]
    sentences: list[str]
    folded: bool = False
