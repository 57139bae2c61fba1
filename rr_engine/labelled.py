"""Input whose entries carry labels: matched with what they are about, never read by position.

A mapping, or a series or table of a data frame: anything with an `index`, and with `columns`. No
package of data frames is needed for it.
"""

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ParamSpec, TypeVar

import numpy as np

from rr_engine.errors import ArgumentError, CountsError, EngineError
from rr_engine.frames.tallies import counted, labels_at

# These types carry no labels; long lists of respondents hold nothing else.
PLAIN = frozenset({int, float, bool, str, type(None)})

P = ParamSpec("P")
R = TypeVar("R")


def row_labels(value: object) -> tuple | None:
    """Return the labels of the rows of a series or table; None for plain lists and arrays."""
    return labels_at(value, "index")


def column_labels(value: object) -> tuple | None:
    """Return the labels of the columns of a table; None for plain lists and arrays."""
    return labels_at(value, "columns")


def is_labelled(value: object) -> bool:
    """Tell whether the entries of a list say which of them is which."""
    return isinstance(value, Mapping) or row_labels(counted(value)) is not None


def entries_of(value: object) -> list[tuple[object, object]]:
    """Return labels and entries of a mapping, of a series, or of a frame of values and counts."""
    if isinstance(value, Mapping):
        return list(value.items())
    given = counted(value)
    labels = row_labels(given) or ()
    return list(zip(labels, np.asarray(given).tolist(), strict=True))


def in_order(
    value: object,
    labels: Sequence[str],
    argument: str,
    *,
    error: type[EngineError] = ArgumentError,
    absent: float | None = None,
) -> list[Any]:
    """Return the entries of labelled input in the order of these labels.

    `absent`: what stands for a label that is not there; None to refuse that.

    Raises
    ------
    EngineError
        Of the class `error`, for a label that is unknown, twice there, or not there.
    """
    found: dict[int, Any] = {}
    for label, entry in entries_of(value):
        place = place_of(label, labels, argument, error=error)
        if place in found:
            rule = f"have each label once, unlike {label!r}"
            raise error(argument, value, rule, "repeated_label")
        found[place] = entry
    missing = [label for place, label in enumerate(labels) if place not in found]
    if missing and absent is None:
        rule = f"have an entry for each of {_few(labels)}, unlike for {missing[0]!r}"
        raise error(argument, value, rule, "labels_do_not_fit")
    return [found.get(place, absent) for place in range(len(labels))]


def place_of(
    label: object, labels: Sequence[str], argument: str, *, error: type[EngineError] = ArgumentError
) -> int:
    """Return which of the labels it is: a text is one of them, a number is its place.

    A number that another label is written like is refused, as it may mean either.

    Raises
    ------
    EngineError
        Of the class `error`.
    """
    rule = f"name {_few(labels)}, or their places from 0 to {len(labels) - 1}"
    if isinstance(label, str):
        if label in labels:
            return labels.index(label)
        raise _unknown(argument, label, rule, error)
    place = whole(label)
    if place is None or not 0 <= place < len(labels):
        raise _unknown(argument, label, rule, error)
    written = str(place)
    if labels[place] != written and written in labels:
        rule += f": {place} may be the label or the place, so give labels as texts"
        raise _unknown(argument, label, rule, error)
    return place


def _unknown(argument: str, label: object, rule: str, error: type[EngineError]) -> EngineError:
    if not isinstance(label, str) and is_missing(label):
        rule += ": leave out those whose label is missing"
    if issubclass(error, CountsError):
        return CountsError(argument, label, rule, "unknown_report")
    return ArgumentError(argument, label, rule, "unknown_label")


def whole(entry: object) -> int | None:
    """Return a whole number, a whole float or a truth value as an integer; None for the rest."""
    if isinstance(entry, Integral | np.bool_):
        return int(entry)
    try:
        number = float(entry) if isinstance(entry, Real) else math.nan
        # A fraction of integers may have more digits than a double.
        return int(number) if number.is_integer() and number == entry else None
    except OverflowError:
        return None


def is_missing(entry: object) -> bool:
    """Tell whether an entry stands for nothing: None, not a number, or a data frame's missing."""
    if entry is None or entry is np.ma.masked:
        return True
    try:
        return bool(entry != entry)
    except (TypeError, ArithmeticError):
        # A data frame's missing value is neither equal nor unequal to itself, a signalling NaN of
        # decimals cannot be asked.
        return True
    except ValueError:
        return False


def _few(labels: Sequence[str]) -> str:
    shown = ", ".join(map(repr, labels[:5]))
    return shown if len(labels) <= 5 else f"{shown}, ... {labels[-1]!r}"


def same_people(*names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse arguments with a row for each respondent whose row labels differ.

    `names`: of these arguments, each of them one list or several. Those without labels go by
    position, as there is nothing else.
    """

    def checking(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            # Wrong calls get the error of the function itself.
            if any(hasattr(each, "index") for each in (*args, *kwargs.values())):
                try:
                    given = signature.bind(*args, **kwargs).arguments
                except TypeError:
                    return function(*args, **kwargs)
                check_same_people({name: given[name] for name in names if name in given})
            return function(*args, **kwargs)

        return checked

    return checking


def check_same_people(given: Mapping[str, object]) -> None:
    """Refuse lists of respondents, by argument, whose row labels differ.

    Raises
    ------
    ArgumentError
    """
    first: tuple[str, tuple] | None = None
    for name, value in given.items():
        parts = value if isinstance(value, list | tuple) else [value]
        if {type(one) for one in parts} <= PLAIN:
            continue
        for one in parts:
            labels = row_labels(one)
            if labels is None:
                continue
            if first is None:
                first = name, labels
            elif len(labels) == len(first[1]) and labels != first[1]:
                rule = f"have the row labels of {first[0]}, in their order: sort both alike, or "
                rule += "give arrays without labels if the rows are the same people"
                raise ArgumentError(name, labels, rule, "rows_differ")


def also_named(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Take arguments by another name, too: one that they had, or that others like them have.

    `names`: the other name, and the argument's own.
    """

    def renaming(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def renamed(*args: P.args, **kwargs: P.kwargs) -> R:
            used = {own: other for other, own in names.items() if other in kwargs}
            for own, other in used.items():
                if own not in kwargs:
                    kwargs[own] = kwargs.pop(other)
            try:
                return function(*args, **kwargs)
            except EngineError as error:
                # Errors have the name that the caller used.
                name = used.get(error.argument, error.argument)
                if name == error.argument:
                    raise
                raise type(error)(name, error.value, error.rule, error.code, error.limit) from error

        return renamed

    return renaming
