"""Covariates of a model: checked, named, scaled, and refused where they say the same twice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, as_array, as_list
from rr_engine.codes import as_numbers
from rr_engine.errors import ArgumentError
from rr_engine.frames.rows import leaving_out, person
from rr_engine.labelled import column_labels

INTERCEPT = "intercept"
# The part of a column's variance that the earlier columns leave, below which it is theirs.
COLLINEAR = 1e-9
# Squares of larger numbers, summed, could leave the range of a double.
LARGEST_NUMBER = 1e100


@dataclass(frozen=True, slots=True, eq=False)
class Covariates(FrozenArrays):
    """Columns of a model, the intercept's included, as they came.

    Attributes
    ----------
    columns : ndarray of float, shape (n, p)
    names : tuple of str
    intercept : bool
        Whether the first column is a constant that was added.
    """

    columns: FloatArray
    names: tuple[str, ...]
    intercept: bool


def check_covariates(
    value: ArrayLike | None, n: int, names: Sequence[str] | None, *, intercept: bool
) -> Covariates:
    """Return the columns of a model for n respondents.

    `value`: shape (n, covariates), or (n,) for one, or None for none. Names default to those of a
    data frame's columns, or to x1, x2, ...

    Raises
    ------
    ArgumentError
    """
    check.switch(intercept, "intercept")
    array = np.empty((n, 0)) if value is None else _check_columns(value, n)
    size = array.shape[1]
    labels = _column_names(value, names, size)
    if intercept:
        array, labels = np.column_stack([np.ones(n), array]), (INTERCEPT, *labels)
    if not labels:
        rule = "have at least one column, or an intercept"
        raise ArgumentError("X", value, rule, "no_columns")
    return Covariates(array, labels, bool(intercept))


def _column_names(value: object, names: Sequence[str] | None, size: int) -> tuple[str, ...]:
    """Return the names of columns: those given, those of a data frame, or x1, x2, ..."""
    own = column_labels(value)
    name = getattr(value, "name", None)
    if own is None and size == 1 and isinstance(name, str) and name:
        own = (name,)
    if own is None or not all(isinstance(label, str) for label in own):
        plain = tuple(f"x{index + 1}" for index in range(size))
        return plain if names is None else _check_names(names, size)
    if names is None:
        return _check_names(own, size)
    given = _check_names(names, size)
    if given != own and set(given) == set(own):
        rule = f"be in the order of the columns of the table, {', '.join(own)}"
        raise ArgumentError("names", names, rule, "labels_do_not_fit")
    return given


def _check_names(value: Sequence[str], size: int) -> tuple[str, ...]:
    labels = as_list(value)
    rule = f"be {size} different texts, one for each column, none of them {INTERCEPT!r}"
    if labels is None or not all(isinstance(label, str) and label for label in labels):
        raise ArgumentError("names", value, rule, "not_labels")
    if len(labels) != size or len({*labels, INTERCEPT}) <= size:
        raise ArgumentError("names", value, rule, "labels_do_not_fit")
    return labels


def _check_columns(value: ArrayLike, n: int) -> FloatArray:
    columns = as_numbers(value)
    rule = f"be numbers of at most {LARGEST_NUMBER:g} in size, one row for each of the {n}"
    rule += " respondents"
    if columns is None or columns.ndim not in (1, 2):
        rule += _texts_among(value)
        raise ArgumentError("X", value, rule, "not_numbers")
    columns = columns[:, None] if columns.ndim == 1 else columns
    if len(columns) != n:
        raise ArgumentError("X", value, rule, "lengths_differ")
    # NaN fails the comparison.
    wrong = np.argwhere(~(np.abs(columns) <= LARGEST_NUMBER))
    if wrong.size:
        row, column = wrong[0].tolist()
        named = column_labels(value)
        name = None if named is None else named[column]
        rule += f": leave {person(value, row)} out{leaving_out(value, name)}, whose number in "
        rule += f"column {column if name is None else name} is {columns[row, column]:g}, or "
        rule += "fill it in"
        raise ArgumentError("X", value, rule, "not_numbers")
    return columns


def _texts_among(value: object) -> str:
    """Return which columns of a data frame hold no numbers, and what to do about them."""
    names: Any = column_labels(value) or ()
    frame: Any = value
    texts = [name for name in names if as_numbers(frame[name]) is None]
    if not texts:
        return ""
    some = " + ".join(f"C({name})" for name in texts)
    return f": {', '.join(map(str, texts))} hold other things; a formula takes them as {some}"


def columns_in_order(X: ArrayLike, names: Sequence[str]) -> ArrayLike:
    """Return a table whose columns have names in the order of the model's columns."""
    own = column_labels(X)
    array = None if own is None else as_array(X)
    if own is None or array is None or not all(isinstance(label, str) for label in own):
        return X
    if set(own) != set(names) or len(own) != len(names):
        rule = f"have the columns of the model: {', '.join(names)}"
        raise ArgumentError("X", own, rule, "unknown_column")
    return array[:, [own.index(name) for name in names]]


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """Columns brought to mean 0 and standard deviation 1, so that no unit spoils the arithmetic.

    ``coefficients of the columns = transform @ coefficients of the scaled columns``.
    """

    transform: FloatArray
    shift: FloatArray
    scale: FloatArray

    def apply(self, columns: FloatArray) -> FloatArray:
        """Return the scaled columns."""
        return (columns - self.shift) / self.scale


def scale_columns(
    columns: FloatArray, weights: FloatArray, names: Sequence[str], *, intercept: bool
) -> Scaling:
    """Return the scaling of columns, with weights; refuses columns that depend on each other.

    Raises
    ------
    ArgumentError
        Naming the column, and those that already say what it says.
    """
    total = weights.sum()
    mean = weights @ columns / total
    shift = mean if intercept else np.zeros_like(mean)
    scale = np.sqrt(np.maximum(weights @ (columns - shift) ** 2 / total, 0.0))
    if intercept:
        shift[0], scale[0] = 0.0, 1.0
    # Only rounding is left of a column that does not vary.
    size = np.sqrt(weights @ columns**2 / total)
    constant = scale <= 1e-12 * np.maximum(size, 1e-300)
    if constant.any():
        place = int(np.flatnonzero(constant)[0])
        others = ["the intercept"] if intercept and size[place] > 0 else []
        raise _collinear(names, place, others)
    scaled = (columns - shift) / scale
    _check_independent((scaled * weights[:, None]).T @ scaled / total, names)
    transform = np.diag(1 / scale)
    if intercept:
        transform[0] -= shift / scale
    return Scaling(transform, shift, scale)


def _check_independent(gram: FloatArray, names: Sequence[str]) -> None:
    """Refuse the first column that the columns before it explain."""
    for place in range(1, len(gram)):
        before = gram[:place, :place]
        slopes = np.linalg.lstsq(before, gram[:place, place], rcond=1e-12)[0]
        rest = gram[place, place] - gram[:place, place] @ slopes
        if rest <= COLLINEAR * gram[place, place]:
            others = [names[index] for index in np.flatnonzero(np.abs(slopes) > 1e-6).tolist()]
            raise _collinear(names, place, others)


def _collinear(names: Sequence[str], place: int, others: Sequence[str]) -> ArgumentError:
    if others:
        rule = f"not have a column that others determine: leave {names[place]} out, which follows "
        rule += f"from {', '.join(others)}"
    else:
        rule = f"have no column of zeros: leave {names[place]} out"
    return ArgumentError("X", names[place], rule, "collinear")
