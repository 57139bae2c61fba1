"""Covariates of estimators: numbers in rows, the same columns at each call.

The words of refusals are those that scikit-learn's users, and its checks, know.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from rr_engine.arrays import ArrayLike, FloatArray
from rr_engine.codes import as_numbers
from rr_engine.errors import ArgumentError
from rr_engine.frames.tallies import is_frame
from rr_engine.labelled import column_labels


def numbers_of(X: ArrayLike, argument: str = "X") -> FloatArray:
    """Return rows of finite numbers.

    Raises
    ------
    ArgumentError
    """
    if hasattr(X, "tocsr"):
        rule = "be an array: sparse data is not supported, give X.toarray()"
        raise ArgumentError(argument, type(X).__name__, rule, "not_numbers")
    given = np.asarray(X)
    if given.dtype.kind == "c":
        rule = "be real numbers: Complex data not supported"
        raise ArgumentError(argument, given.shape, rule, "not_numbers")
    found = as_numbers(X)
    if found is None:
        # As scikit-learn, of a column of objects that are numbers in letters or nothing at all.
        try:
            found = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            rule = "be numbers; a formula takes categories of a data frame as C(name): "
            raise ArgumentError(argument, given.dtype, rule + str(error), "not_numbers") from error
    if found.ndim != 2:
        rule = "be rows of columns. Reshape your data, as by X.reshape(-1, 1) for one column"
        raise ArgumentError(argument, found.shape, rule, "not_numbers")
    for size, part in zip(found.shape, ("sample", "feature"), strict=True):
        if not size:
            rule = f"not have 0 {part}(s) (shape={found.shape}) while a minimum of 1 is required."
            raise ArgumentError(argument, found.shape, rule, "not_numbers")
    for wrong, name in ((np.isnan, "NaN"), (np.isinf, "infinity")):
        places = np.argwhere(wrong(found))
        if places.size:
            rule = f"be finite, and contains {name} in row {places[0][0]}: leave it out or fill it"
            raise ArgumentError(argument, found.shape, rule, "not_numbers")
    return found


def names_in(X: object) -> Sequence[str] | None:
    """Return the names of the columns of a data frame, if all of them are texts."""
    names = column_labels(X) if is_frame(X) else None
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return names


def same_columns(X: Any, estimator: Any) -> FloatArray:
    """Return rows with the columns of the fit, by name where both have names.

    Raises
    ------
    ArgumentError
    """
    known, given = getattr(estimator, "feature_names_in_", None), names_in(X)
    name = type(estimator).__name__
    if known is not None and given is not None and list(known) != list(given):
        raise ArgumentError("X", given, _difference(list(known), list(given)), "unknown_column")
    if known is not None and given is None:
        text = f"X does not have valid feature names, but {name} was fitted with feature names"
        warnings.warn(text, UserWarning, stacklevel=3)
    if known is None and given is not None:
        text = f"X has feature names, but {name} was fitted without feature names"
        warnings.warn(text, UserWarning, stacklevel=3)
    columns = estimator._table(X)
    expected = estimator.n_features_in_
    if columns.shape[1] != expected:
        rule = f"have the columns of the fit: X has {columns.shape[1]} features, but {name} is "
        rule += f"expecting {expected} features as input"
        raise ArgumentError("X", columns.shape, rule, "lengths_differ")
    return columns


def _difference(known: list[str], given: list[str]) -> str:
    rule = "have the columns of the fit. "
    rule += "The feature names should match those that were passed during fit.\n"
    unseen, missing = sorted(set(given) - set(known)), sorted(set(known) - set(given))
    parts = {"unseen at fit time": unseen, "seen at fit time, yet now missing": missing}
    for said, names in parts.items():
        if names:
            rule += f"Feature names {said}:\n" + "".join(f"- {name}\n" for name in names[:5])
            rule += "- ...\n" if len(names) > 5 else ""
    if not unseen and not missing:
        rule += "Feature names must be in the same order as they were in fit.\n"
    return rule
