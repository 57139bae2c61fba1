"""Checks of public arguments: each returns the cleaned value or raises an EngineError."""

import math
import numbers
import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

import numpy as np

from rr_engine.arrays import FloatArray, IntArray, as_array, as_list, freeze
from rr_engine.errors import (
    ArgumentError,
    CategoryError,
    CountsError,
    DistributionError,
    EngineError,
    EpsilonError,
)
from rr_engine.frames.rows import lazily, uncounted
from rr_engine.labelled import in_order, is_labelled

# exp(-700) is still a normal double; beyond it a matrix of floats would round to the identity.
EPSILON_LIMIT = Decimal(700)
EPSILON_PLACES = 50
# The largest power of two whose multiples up to itself are exact in a double and in JavaScript.
MAX_BITS = 52
# A table of more could not be held in memory.
MAX_CATEGORIES = 10_000
# A count of more people would not be exact in double precision.
MAX_PEOPLE = 2**53 - 1
SUM_TOLERANCE = 1e-9
# Chances in single precision sum to one up to so many of its units in the last place, for each.
COARSE = 4
DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,4})?")


Kind = TypeVar("Kind")


def instance(value: object, argument: str, kind: type[Kind], rule: str, code: str) -> Kind:
    """Return a value of a class."""
    error = ArgumentError
    if not isinstance(value, kind):
        raise error(argument, value, rule, code)
    return value


def instances(value: object, argument: str, kind: type, rule: str, code: str) -> tuple[Any, ...]:
    """Return a list of one or more values of a class."""
    values, error = as_list(value), ArgumentError
    if not values or not all(isinstance(each, kind) for each in values):
        raise error(argument, value, rule, code)
    return values


def entries(
    value: object,
    argument: str,
    size: int | None,
    rule: str,
    code: str,
    error: type[EngineError] = ArgumentError,
) -> tuple[Any, ...]:
    """Return the entries of a list: so many of them, or one or more for None."""
    entries = as_list(value)
    if entries is None or not (entries if size is None else len(entries) == size):
        raise error(argument, value, rule, code)
    return entries


def switch(value: object, argument: str) -> bool:
    """Return True or False."""
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(argument, value, "be True or False", "not_a_bool")
    return bool(value)


def epsilon(value: object, argument: str = "epsilon") -> Decimal:
    """Return a privacy budget as the decimal number it was written as.

    A float counts as the shortest decimal that prints it: 1.1 is eleven tenths.
    """
    rule = f"be a decimal number above 0 and at most {EPSILON_LIMIT}"
    epsilon = decimal_of(value)
    if epsilon is None or not 0 < epsilon <= EPSILON_LIMIT:
        raise EpsilonError(argument, value, rule, "not_an_epsilon")
    if -int(epsilon.as_tuple().exponent) > EPSILON_PLACES:
        rule = f"have at most {EPSILON_PLACES} decimal places"
        raise EpsilonError(argument, value, rule, "too_many_places")
    return epsilon


def decimal_of(value: object) -> Decimal | None:
    """Return a finite decimal number of at least 0 as it was written; None for anything else."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | Decimal | numbers.Real):
        return None
    text = _shortest(value)
    return Decimal(text) if DECIMAL.fullmatch(text) else None


def _shortest(value: str | Decimal | numbers.Real) -> str:
    """Return the digits of a number, or nothing for one that is too large to write out."""
    try:
        if isinstance(value, str | Decimal | numbers.Integral):
            return str(value)
        return repr(float(value))
    except (OverflowError, ValueError):
        return ""


def real(value: object, argument: str, rule: str = "be a finite number") -> float:
    """Return a finite float; a bool or a string is not a number here."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise ArgumentError(argument, value, rule, "not_a_number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ArgumentError(argument, value, rule, "not_a_number")
    return number


def positive(value: object, argument: str, rule: str | None = None) -> float:
    """Return a finite float above 0."""
    number = real(value, argument, rule or "be a finite number")
    if number <= 0:
        raise ArgumentError(argument, value, rule or "be above 0", "not_positive")
    return number


def bound(value: object, argument: str = "epsilon") -> float:
    """Return a privacy loss to compare with: a float from 0 to infinity."""
    rule = "be a number of at least 0, or infinite"
    infinite = isinstance(value, float) and value == math.inf
    number = math.inf if infinite else real(value, argument, rule)
    if number < 0:
        raise EpsilonError(argument, value, rule, "not_a_bound")
    return number


def probability(value: object, argument: str) -> float:
    """Return a float in [0, 1]."""
    rule = "be a probability from 0 to 1"
    number = real(value, argument, rule)
    if not 0 <= number <= 1:
        raise ArgumentError(argument, value, rule, "not_a_probability")
    return number


def open_unit(value: object, argument: str) -> float:
    """Return a float strictly between 0 and 1."""
    rule = "lie strictly between 0 and 1"
    number = real(value, argument, rule)
    if not 0 < number < 1:
        raise ArgumentError(argument, value, rule, "not_between_0_and_1")
    return number


def whole(value: object, argument: str, *, minimum: int = 0, maximum: int | None = None) -> int:
    """Return an int in [minimum, maximum]; a float is refused even when it is whole."""
    ceiling = "" if maximum is None else f" and at most {maximum}"
    rule = f"be a whole number of at least {minimum}{ceiling}"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise ArgumentError(argument, value, rule, "not_a_whole_number")
    number = int(value)
    if number < minimum or (maximum is not None and number > maximum):
        raise ArgumentError(argument, value, rule, "out_of_range")
    return number


def size(value: object, argument: str = "n", *, minimum: int = 1) -> int:
    """Return a number of respondents that a count can hold."""
    return whole(value, argument, minimum=minimum, maximum=MAX_PEOPLE)


def choice(value: object, argument: str, choices: Collection[str]) -> str:
    """Return one of the named choices."""
    if not isinstance(value, str) or value not in choices:
        rule = f"be one of {', '.join(sorted(choices))}"
        raise ArgumentError(argument, value, rule, "unknown_choice")
    return value


def population(value: object) -> str:
    """Return "sample" or "fixed": whom the error of an estimate is about."""
    return choice(value, "population", ("sample", "fixed"))


def labels(value: object, argument: str = "categories") -> tuple[str, ...]:
    """Return two or more distinct, non-empty labels."""
    labels = as_list(value)
    if labels is None:
        raise CategoryError(argument, value, "be a sequence of labels", "not_labels")
    if not all(isinstance(label, str) and label for label in labels):
        raise CategoryError(argument, value, "hold non-empty strings", "empty_label")
    if len(labels) < 2:
        raise CategoryError(argument, value, "have at least 2 entries", "too_few_labels")
    if len(set(labels)) < len(labels):
        raise CategoryError(argument, value, "hold each label once", "repeated_label")
    return labels


def categories(value: int | Sequence[str], argument: str = "categories") -> tuple[str, ...]:
    """Return labels from a sequence of labels, or "0", "1", ... from their number."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_):
        if not 2 <= int(value) <= MAX_CATEGORIES:
            rule = f"be at least 2 and at most {MAX_CATEGORIES}"
            raise CategoryError(argument, value, rule, "category_count")
        return number_labels(int(value))
    return labels(value, argument)


def number_labels(size: int) -> tuple[str, ...]:
    """Return numbers as the labels of unnamed categories."""
    return tuple(str(index) for index in range(size))


def sum_tolerance(value: object, terms: int) -> float:
    """Return by how much the sum of so many chances may miss one; more in single precision."""
    kind = getattr(value, "dtype", None)
    coarse = isinstance(kind, np.dtype) and kind.kind == "f" and kind.itemsize < 8
    return COARSE * terms * float(np.finfo(kind).eps) if coarse else SUM_TOLERANCE


def counts(
    value: object, reports: int, argument: str = "counts", labels: Sequence[str] | None = None
) -> IntArray:
    """Return one count per report as int64; those with labels in the order of the reports."""
    if is_labelled(value) and not (isinstance(value, Mapping) and not value):
        names = labels or number_labels(reports)
        value = in_order(value, names, argument, error=CountsError, absent=0)
    counts = as_array(value)
    if counts is None or counts.dtype.kind not in "iuf" or counts.ndim != 1:
        rule = f"be a list of whole numbers{lazily(value)}"
        if counts is not None and counts.ndim == 1 and counts.size:
            rule += uncounted(counts[0])
        raise CountsError(argument, value, rule, "not_counts")
    if len(counts) != reports:
        rule = f"have one entry for each of the {reports} reports"
        raise CountsError(argument, value, rule, "counts_do_not_fit")
    if counts.dtype.kind == "f":
        counts = counts.astype(np.float64)
    # Sums stay exact in int64 and in double precision below 2**53.
    if not np.isfinite(counts).all() or (counts < 0).any() or (counts >= 2**53).any():
        raise CountsError(argument, value, "hold whole numbers from 0 to 2**53", "not_counts")
    integers = counts.astype(np.int64)
    if (integers != counts).any():
        raise CountsError(argument, value, "hold whole numbers", "not_counts")
    # By halves of their bits, whose sums cannot overflow.
    high, low = (int(part.sum()) for part in (integers >> 26, integers & (2**26 - 1)))
    if (high << 26) + low >= 2**53:
        raise CountsError(argument, value, "sum to less than 2**53", "too_many_people")
    return freeze(integers)


def distribution(
    value: object, size: int, argument: str = "prior", labels: Sequence[str] | None = None
) -> FloatArray:
    """Return proportions: one per category, none negative, summing to one."""
    tolerance = sum_tolerance(value, size)
    if is_labelled(value):
        names = labels or number_labels(size)
        value = in_order(value, names, argument, error=DistributionError)
    array = as_array(value)
    if array is None or array.dtype.kind not in "iuf" or array.shape != (size,):
        rule = f"be a list of {size} proportions"
        raise DistributionError(argument, value, rule, "not_a_distribution")
    proportions = array.astype(np.float64)
    if not np.isfinite(proportions).all() or (proportions < 0).any():
        rule = "hold no negative or missing proportion"
        raise DistributionError(argument, value, rule, "negative_share")
    # A share above 2 is none; it is turned away first, for a sum of such may overflow.
    total = proportions.sum() if proportions.max() <= 2 else np.inf
    if abs(total - 1) > tolerance:
        raise DistributionError(argument, value, "sum to 1", "shares_do_not_sum")
    return proportions if abs(total - 1) <= SUM_TOLERANCE else proportions / total


def reals(value: object, shape: tuple[int, ...] | None, argument: str, rule: str) -> FloatArray:
    """Return finite numbers in an array of this shape, or in a list of any length for None."""
    array = as_array(value)
    # Neither bools nor objects are numbers here.
    if array is None or array.dtype.kind not in "iuf":
        raise ArgumentError(argument, value, rule, "not_numbers")
    if not np.isfinite(array).all():
        if array.ndim:
            place = int(np.argwhere(~np.isfinite(array))[0][0])
            rule += f": entry {place} is missing or infinite; leave it out, or fill it in"
        raise ArgumentError(argument, value, rule, "not_numbers")
    fits = array.ndim == 1 and array.size if shape is None else array.shape == shape
    if not fits:
        raise ArgumentError(argument, value, rule, "not_numbers")
    return array.astype(np.float64)


def indices(value: object, size: int, argument: str) -> list[int]:
    """Return two different indices from 0 to size - 1."""
    rule = f"be two different whole numbers from 0 to {size - 1}"
    pair = entries(value, argument, 2, rule, "not_two_indices")
    indices = [whole(index, argument, maximum=size - 1) for index in pair]
    if indices[0] == indices[1]:
        raise ArgumentError(argument, value, rule, "not_two_indices")
    return indices


def rng(value: object) -> np.random.Generator:
    """Return a generator from a Generator, a seed or None."""
    if value is None or isinstance(value, np.random.Generator):
        return np.random.default_rng(value)
    return np.random.default_rng(whole(value, "rng"))


def delta(value: object, argument: str = "delta") -> Decimal:
    """Return a delta as the decimal number it was written as: at least 0 and below 1."""
    rule = "be a decimal number of at least 0 and below 1"
    delta = decimal_of(value)
    if delta is None or not delta < 1:
        raise ArgumentError(argument, value, rule, "not_a_delta")
    if -int(delta.as_tuple().exponent) > EPSILON_PLACES:
        rule = f"have at most {EPSILON_PLACES} decimal places"
        raise ArgumentError(argument, value, rule, "too_many_places")
    return delta


def groups(value: object, size: int, argument: str) -> list[list[int]]:
    """Return two or more groups of indices that hold each of 0 to size - 1 exactly once."""
    rule = f"be lists of indices that hold each of 0 to {size - 1} once"
    groups = [as_list(group) or () for group in as_list(value) or ()]
    if not all(groups):
        raise ArgumentError(argument, value, rule, "not_a_partition")
    if len(groups) < 2:
        raise ArgumentError(argument, value, "have at least 2 groups", "too_few_groups")
    indices = [whole(index, argument, maximum=size - 1) for group in groups for index in group]
    if sorted(indices) != list(range(size)):
        raise ArgumentError(argument, value, rule, "not_a_partition")
    return [[int(index) for index in group] for group in groups]


def labels_of(names: object, size: int, argument: str) -> tuple[str, ...]:
    """Return one label for each of `size` rows or columns; "0", "1", ... when none are given."""
    if names is None:
        return number_labels(size)
    given = labels(names, argument)
    if len(given) != size:
        rule = f"have one label for each of the {size} in the matrix"
        raise CategoryError(argument, names, rule, "labels_do_not_fit")
    return given
