"""Counts and columns as pandas and polars hold them, in an order that is not the design's."""

import dataclasses
from numbers import Real

import numpy as np
import pandas as pd
import polars as pl


def plain_counts(counts, labels):
    return list(counts)


def pandas_counts(counts, labels):
    """As of `value_counts`: the largest first, over categories in another order."""
    order = np.argsort(counts)[::-1]
    index = pd.CategoricalIndex([labels[i] for i in order], categories=labels[::-1])
    return pd.Series(np.asarray(counts)[order], index)


def pandas_frame(counts, labels):
    return pandas_counts(counts, labels).rename_axis("report").reset_index(name="count")


def polars_counts(counts, labels):
    order = np.argsort(counts)[::-1]
    values = [labels[i] for i in order]
    return pl.DataFrame({"report": values, "count": np.asarray(counts)[order]})


COUNTS = {"pandas": pandas_counts, "pandas frame": pandas_frame, "polars": polars_counts}


def plain_column(codes, labels=("No", "Yes")):
    return np.asarray(codes)


def texts(codes, labels):
    return [labels[code] for code in codes]


COLUMNS = {
    "pandas categorical": lambda codes, labels: pd.Series(
        pd.Categorical(texts(codes, labels), categories=labels[::-1])
    ),
    "pandas nullable": lambda codes, labels: pd.Series(codes, dtype="Int64"),
    "pandas boolean": lambda codes, labels: pd.Series(np.asarray(codes) == 1, dtype="boolean"),
    "pandas float": lambda codes, labels: pd.Series(codes, dtype="float64"),
    "pandas arrow texts": lambda codes, labels: pd.Series(
        texts(codes, labels), dtype="string[pyarrow]"
    ),
    "pandas arrow": lambda codes, labels: pd.Series(codes, dtype="int64[pyarrow]"),
    "polars": lambda codes, labels: pl.Series("reported", codes),
    "polars boolean": lambda codes, labels: pl.Series("reported", np.asarray(codes) == 1),
    "polars enum": lambda codes, labels: pl.Series(
        "reported", texts(codes, labels), pl.Enum(list(labels[::-1]))
    ),
}


def numbers_of(result):
    """Return every number that a result has, in order."""
    if isinstance(result, bool | Real | np.bool_):
        return [float(result)]
    if isinstance(result, np.ndarray):
        return result.astype(float).ravel().tolist() if result.dtype.kind in "iufb" else []
    if isinstance(result, tuple | list):
        return [number for part in result for number in numbers_of(part)]
    if dataclasses.is_dataclass(result):
        fields = [getattr(result, field.name) for field in dataclasses.fields(result)]
        return numbers_of(fields)
    return []
