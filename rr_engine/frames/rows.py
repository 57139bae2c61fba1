"""Rows of a data frame in messages: named as its own user knows them, with what to do about one."""

from typing import Any

import numpy as np


def person(value: object, row: int) -> str:
    """Return what to call the respondent in a row: by number, and by the label of an index."""
    index: Any = getattr(value, "index", None)
    if index is None or callable(index):
        return f"respondent {row}"
    label = tuple(index)[row]
    return f"respondent {row}" if label == row else f"respondent {row} (row {label!r})"


def leaving_out(value: object, column: object = None) -> str:
    """Return how to leave out the rows in which a column of a data frame is missing.

    `column`: its name, which a series knows by itself.
    """
    name = getattr(value, "name", None) if column is None else column
    if not isinstance(name, str) or not name:
        return ""
    remedies = {"polars": f"drop_nulls({name!r})", "pandas": f"dropna(subset=[{name!r}])"}
    remedy = remedies.get(package_of(value))
    return "" if remedy is None else f" (frame.{remedy})"


def lazily(value: object) -> str:
    """Return what to do about a lazy frame, whose query has not run yet."""
    return ": collect() the lazy frame first" if type(value).__name__ == "LazyFrame" else ""


def uncounted(entry: object) -> str:
    """Return what to do about an entry that is a report or a share, where counts are wanted."""
    if isinstance(entry, str | bool | np.bool_):
        return ": count the reports first, as value_counts() of a data frame does"
    if isinstance(entry, float) and 0 < entry < 1:
        return ": counts, and no shares (value_counts() without normalize=True)"
    return ""


def package_of(value: object) -> str:
    """Return the package that a series or frame is of."""
    return type(value).__module__.split(".")[0]
