"""What there is to show of a result: facts, tables and notes, whatever shows them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

# Rows of a table beyond which a text or a page shows the first ones alone.
MOST_ROWS = 30


class Table(NamedTuple):
    """Columns of equal length, the labels of the rows first; their keys are names for programs."""

    columns: Mapping[str, Sequence[object]]
    title: str = ""

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def rows(self) -> list[tuple[object, ...]]:
        """Return the rows that a text or a page shows."""
        shown = [tuple(column)[:MOST_ROWS] for column in self.columns.values()]
        return list(zip(*shown, strict=True))


class Description(NamedTuple):
    """A result in parts.

    Attributes
    ----------
    name : str
        Of its class.
    says : str
        In a sentence, what it is.
    facts : mapping of str to object
        Single numbers and words.
    tables : sequence of Table
        The first is the result's data frame.
    notes : sequence of str
    """

    name: str
    says: str
    facts: Mapping[str, object]
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()


def known(
    label: str,
    labels: Sequence[object],
    value: str,
    values: tuple[np.ndarray, np.ndarray],
    ends: np.ndarray | None = None,
) -> Table:
    """Return a table of values with standard errors and, where they are given, intervals.

    `label`, `value`: names of the columns; `values`: those and their errors, shape (k,); `ends`:
    shape (k, 2).
    """
    columns: dict[str, Sequence[object]] = {
        label: list(labels),
        value: values[0].tolist(),
        "standard_error": values[1].tolist(),
    }
    if ends is not None:
        columns["lower"], columns["upper"] = ends.T.tolist()
    return Table(columns)


def words(name: str) -> str:
    """Return the name of a field in words."""
    return name.replace("_", " ").strip()


def written(value: object) -> str:
    """Return a number or word of a table as it is read: numbers with four digits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "" if value is None else str(value)
    if isinstance(value, int):
        return str(value)
    return f"{value:.4g}" if value != 0 else "0"


def written_p(value: object) -> str:
    """Return a p-value as it is read."""
    number = float(value) if isinstance(value, int | float) else float("nan")
    return "<0.001" if number < 0.001 else f"{number:.3f}"


def cell(column: str, value: object) -> str:
    """Return an entry of a column as it is read."""
    return written_p(value) if column.endswith(("p_value", "p_values")) else written(value)
