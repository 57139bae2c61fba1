"""Answers and reports of respondents as numbers, from the types of columns that files have."""

from collections.abc import Sequence
from numbers import Real

import numpy as np

from rr_engine.arrays import FloatArray, IntArray, as_array
from rr_engine.errors import CategoryError, CountsError, EngineError, shorten
from rr_engine.frames.rows import leaving_out, person
from rr_engine.labelled import is_missing, place_of, whole

LARGEST = np.iinfo(np.int64).max
NO_REPORT = "give -1 where somebody gave no report"


def check_codes(
    value: object,
    argument: str,
    labels: Sequence[Sequence[str]] = (),
    device_of: IntArray | None = None,
    *,
    error: type[EngineError] = CountsError,
    code: str = "not_codes",
    remedy: str = NO_REPORT,
    rule: str = "be a list of whole numbers, one for each respondent",
) -> IntArray:
    """Return one whole number for each respondent.

    Whole floats, truth values and texts that are labels are taken; so is what holds these as
    objects, such as a data frame's column of integers with missing values. A missing value is
    refused by its row.

    Parameters
    ----------
    value : array_like, shape (n,)
    argument : str
    labels : sequence of sequences of str
        The labels of each device's reports, or one such list.
    device_of : ndarray of int, shape (n,), optional
        Which of these lists is about each respondent; the first when left out.
    error, code
        Of the error of a list that is none of these.
    remedy : str
        What to do about somebody without a value.
    rule : str

    Raises
    ------
    EngineError
    """
    array = as_array(value)
    if isinstance(value, np.ma.MaskedArray):
        # Hidden entries come as None.
        array = np.asarray(value.tolist(), dtype=object)
    if array is None or array.ndim != 1 or not array.size or array.dtype.kind not in "iubfUO":
        raise error(argument, value, rule, code)
    if array.dtype.kind in "iub":
        if array.dtype.kind == "u" and array.max() > LARGEST:
            raise CountsError(argument, value, "hold numbers of 64 bits", "not_codes")
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        wrong = np.flatnonzero(~(np.isfinite(array) & (np.trunc(array) == array)))
        if not wrong.size and (np.abs(array) < 2.0**62).all():
            return array.astype(np.int64)
    entries = array.tolist()
    lists = labels or [()]
    codes = np.empty(len(entries), dtype=np.int64)
    for row, entry in enumerate(entries):
        own = lists[0 if device_of is None else int(device_of[row])]
        codes[row] = _code(entry, own, argument, rule, (value, row, error, code, remedy))
    return codes


def _code(
    entry: object,
    labels: Sequence[str],
    argument: str,
    rule: str,
    about: tuple[object, int, type[EngineError], str, str],
) -> int:
    given, row, error, code, remedy = about
    if isinstance(entry, str) and entry in labels:
        return place_of(entry, labels, argument)
    number = None if isinstance(entry, str) or is_missing(entry) else whole(entry)
    if number is not None and abs(number) < 2**62:
        return number
    if not isinstance(entry, str) and is_missing(entry):
        rule += f": {person(given, row)} has none; leave them out{leaving_out(given)}, or {remedy}"
    else:
        rule += f", or of the labels of reports, unlike {shorten(entry)} of "
        rule += person(given, row)
    raise error(argument, entry, rule, code)


def check_code_table(
    value: object, argument: str, rule: str, *, error: type[EngineError], code: str
) -> IntArray:
    """Return whole numbers in an array of any shape; whole floats and truth values are taken.

    Raises
    ------
    EngineError
        Of the class `error`; a missing value is named with its row.
    """
    array = as_array(value)
    if array is None or array.dtype.kind not in ("iubfO" if array.size else "iub"):
        raise error(argument, value, rule, code)
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    for place, entry in zip(np.ndindex(array.shape), array.ravel().tolist(), strict=True):
        if is_missing(entry):
            rule += f": {_row(value, place)} has a missing value; leave it out"
            raise error(argument, entry, rule, code)
        number = whole(entry)
        if number is None or abs(number) >= 2**62:
            raise error(argument, value, rule, code)
    return array.astype(np.int64)


def _row(table: object, place: tuple[int, ...]) -> str:
    return person(table, place[0] if place else 0).replace("respondent", "row")


def as_numbers(value: object) -> FloatArray | None:
    """Return numbers of any shape, NaN for missing ones; None for what holds anything else.

    Columns of several types come as objects from a data frame.
    """
    array = as_array(value)
    if array is None or array.dtype.kind not in "iufbO":
        return None
    if array.dtype.kind != "O":
        return array.astype(np.float64)
    entries = [np.nan if is_missing(entry) else entry for entry in array.ravel().tolist()]
    if not all(isinstance(entry, Real | np.bool_) for entry in entries):
        return None
    try:
        return np.array(entries, dtype=np.float64).reshape(array.shape)
    except OverflowError:
        return None


def check_truths(
    value: object, truths: int, argument: str = "truths", labels: Sequence[str] = ()
) -> IntArray:
    """Return true answers as indices of categories; anything else is refused.

    `labels`: of the categories, in whose place they are taken.
    """
    array = as_array(value)
    if array is not None and array.ndim == 1 and not array.size:
        return np.empty(0, dtype=np.int64)
    if array is not None and array.dtype.kind == "b" and truths != 2:
        raise CategoryError(argument, value, "be a list of category indices", "not_truths")
    codes = check_codes(
        value,
        argument,
        [labels],
        error=CategoryError,
        code="not_truths",
        remedy="fill in what is true of them",
    )
    if codes.min() < 0 or codes.max() >= truths:
        rule = f"hold indices from 0 to {truths - 1}"
        raise CategoryError(argument, value, rule, "not_truths")
    return codes
