"""Counts and shares as data frames hold them: each entry with the label that it is about.

The `value_counts` of pandas are a series with an index; those of polars, which has no index, are a
frame with a column of values and one of counts. A cross table of polars has the labels of its rows
in its first column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

# What packages call the column of a frame that holds counts or shares, beside the values.
COUNT_NAMES = frozenset(
    {"count", "counts", "len", "n", "size", "freq", "frequency", "proportion", "share"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A list or table with labels, as a series or frame with an index has them.

    Attributes
    ----------
    entries : ndarray
    index : tuple
        Labels of the rows.
    columns : tuple or None
        Labels of the columns; None for a list.
    """

    entries: npt.NDArray
    index: tuple
    columns: tuple | None = None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray:
        return self.entries if dtype is None else self.entries.astype(dtype)

    def __len__(self) -> int:
        return len(self.entries)


def labels_at(value: object, name: str) -> tuple | None:
    """Return the labels at an attribute; None for plain lists, whose method has that name."""
    # A lazy frame has its labels only after its query has run.
    found: Any = None if type(value).__name__ == "LazyFrame" else getattr(value, name, None)
    return None if found is None or callable(found) else tuple(found)


def is_frame(value: object) -> bool:
    """Tell a frame, which has named columns, from series, lists and arrays."""
    return labels_at(value, "columns") is not None and hasattr(value, "__getitem__")


def counted(value: object) -> object:
    """Return counts or shares of a data frame with their labels; anything else as it is.

    A frame of values and counts becomes a list with labels, one of several columns of values and
    counts a list with a tuple of labels for each entry, and a table that has the labels of its rows
    in its first column a table with labels.
    """
    if isinstance(value, np.ndarray | Mapping | Labelled | list | tuple):
        return value
    if not is_frame(value):
        return _single_level(value)
    columns = labels_at(value, "columns") or ()
    indexed = labels_at(value, "index")
    # An index that somebody made are the labels; the numbers that a frame has by itself are none.
    if indexed is not None and indexed != tuple(range(len(indexed))):
        return value
    amounts = [name for name in columns[1:] if name in COUNT_NAMES]
    if len(columns) > 1 and columns[-1] in amounts and len(amounts) == 1:
        return _long(value, columns[:-1], columns[-1])
    numeric = [_column(value, name).dtype.kind in "iuf" for name in columns]
    if len(columns) == 2 and numeric == [False, True]:
        return _long(value, columns[:1], columns[1])
    if len(columns) > 2 and not numeric[0] and all(numeric[1:]):
        body = np.column_stack([_column(value, name) for name in columns[1:]])
        return Labelled(body, _entries(value, columns[0]), columns[1:])
    return value


def _single_level(value: object) -> object:
    """Return a series whose labels are tuples of one with the labels themselves."""
    index = getattr(value, "index", None)
    if getattr(index, "nlevels", None) != 1 or not hasattr(index, "levels"):
        return value
    return Labelled(np.asarray(value), tuple(label[0] for label in labels_at(value, "index") or ()))


def _long(frame: Any, values: Sequence[object], amount: object) -> Labelled:
    labels: tuple = _entries(frame, values[0])
    if len(values) > 1:
        labels = tuple(zip(*(_entries(frame, name) for name in values), strict=True))
    return Labelled(_column(frame, amount), labels)


def _column(frame: Any, name: object) -> npt.NDArray:
    return np.asarray(frame[name])


def _entries(frame: Any, name: object) -> tuple:
    return tuple(_column(frame, name).tolist())


def body_of(value: object) -> object:
    """Return a labelled table's entries alone, for what asks for an array of them."""
    return value.entries if isinstance(value, Labelled) else value
