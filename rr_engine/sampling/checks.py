"""Checks of what a sampling design says of each respondent."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray, as_array, as_list, freeze
from rr_engine.codes import as_numbers
from rr_engine.errors import ArgumentError
from rr_engine.frames.rows import leaving_out, person
from rr_engine.labelled import is_missing, whole

# Squares of larger weights, summed, could leave the range of a double.
LARGEST_WEIGHT = 1e100


def check_weights(value: object, n: int | None = None) -> FloatArray:
    """Return one weight for each respondent: zero or positive, and not all zero."""
    array = as_array(value)
    if array is not None and array.dtype.kind == "O" and hasattr(value, "dtype"):
        # A column with missing numbers, which are refused by their row below.
        found = as_numbers(value)
        array = found if found is not None and np.isnan(found).any() else array
    rule = "be a list of numbers from 0 to 1e100, one for each respondent"
    if array is None or array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iuf":
        raise ArgumentError("weights", value, rule, "not_weights")
    if n is not None and len(array) != n:
        rule = f"have one entry for each of the {n} respondents"
        raise ArgumentError("weights", value, rule, "not_weights")
    # NaN fails both comparisons.
    if not ((array >= 0) & (array <= LARGEST_WEIGHT)).all():
        first = int(np.flatnonzero(~((array >= 0) & (array <= LARGEST_WEIGHT)))[0])
        rule = f"{rule}: leave {person(value, first)} out, or give them a weight"
        raise ArgumentError("weights", value, rule, "not_weights")
    if not array.any():
        rule = "hold a weight above zero: nobody counts otherwise"
        raise ArgumentError("weights", value, rule, "weights_all_zero")
    return freeze(array.astype(np.float64))


def check_labels_by_person(
    value: object, n: int, argument: str
) -> tuple[tuple[int | str, ...], IntArray]:
    """Return the distinct labels in rising order, and each respondent's place among them.

    Categories of a data frame, and whole numbers that it holds as floats or objects, are taken.
    """
    array = as_array(value)
    rule = f"be a list of {n} whole numbers or texts, one for each respondent"
    if array is not None and array.shape == (n,) and array.dtype.kind in "fbO":
        array = _plain_labels(value, array.tolist(), argument, rule)
    if array is None or array.shape != (n,) or array.dtype.kind not in "iuU":
        raise ArgumentError(argument, value, rule, "not_respondent_labels")
    labels, codes = np.unique(array, return_inverse=True)
    return tuple(labels.tolist()), freeze(codes.astype(np.int64))


def _plain_labels(
    given: object, entries: list, argument: str, rule: str
) -> IntArray | npt.NDArray[np.str_]:
    """Return whole numbers, or texts, of entries of any type; refuses a missing one by its row."""
    missing = [row for row, entry in enumerate(entries) if is_missing(entry)]
    if missing:
        rule += f": {person(given, missing[0])} has none; leave them out{leaving_out(given)}, or "
        rule += "give them one of their own"
        raise ArgumentError(argument, entries[missing[0]], rule, "not_respondent_labels")
    if all(isinstance(entry, str) for entry in entries):
        return np.array(entries)
    numbers = [None if isinstance(entry, str) else whole(entry) for entry in entries]
    if any(number is None or abs(number) >= 2**62 for number in numbers):
        raise ArgumentError(argument, entries, rule, "not_respondent_labels")
    return np.array(numbers, dtype=np.int64)


def check_population(
    value: object, labels: tuple[int | str, ...], clusters: IntArray
) -> FloatArray:
    """Return how many clusters the population has in each stratum."""
    rule = (
        "be the number of clusters (people, where there are none) that the population has in "
        "each stratum: a number for one stratum, a list in rising order of the strata, or a "
        "mapping from them"
    )
    if isinstance(value, Mapping):
        if set(value) != set(labels):
            raise ArgumentError("population", value, rule, "population_does_not_fit")
        entries = tuple(value[label] for label in labels)
    else:
        single = as_array(value)
        entries = (value,) if single is not None and single.ndim == 0 else as_list(value) or ()
    if len(entries) != len(labels):
        raise ArgumentError("population", value, rule, "population_does_not_fit")
    sizes = np.array([check.real(entry, "population", rule) for entry in entries])
    short = np.flatnonzero(sizes < clusters)
    if short.size:
        stratum = int(short[0])
        rule = (
            f"be at least the number of clusters in the sample, {int(clusters[stratum])} in "
            f"stratum {labels[stratum]!r}"
        )
        limit = int(clusters[stratum])
        raise ArgumentError("population", value, rule, "population_too_small", limit)
    return freeze(sizes)


def check_contributions(contributions: object, n: int) -> FloatArray:
    """Return a table of numbers with one row for each respondent."""
    rule = f"be a table of finite numbers with a row for each of the {n} respondents"
    array = as_array(contributions)
    if array is None or array.ndim != 2 or array.shape[1] == 0:
        raise ArgumentError("contributions", contributions, rule, "not_numbers")
    return check.reals(contributions, (n, array.shape[1]), "contributions", rule)


def size_of(n: int | None, lists: Mapping[str, object]) -> int:
    """Return the number of respondents, of the first list that is given or as told."""
    given = {name: value for name, value in lists.items() if value is not None}
    if n is not None or not given:
        return check.size(n)
    name, value = next(iter(given.items()))
    array = as_array(value)
    if array is None or array.ndim != 1 or array.size == 0:
        rule = "be a list with one entry for each respondent"
        if name == "weights":
            raise ArgumentError(name, value, rule, "not_weights")
        raise ArgumentError(name, value, rule, "not_respondent_labels")
    return len(array)


def number_clusters(clusters: ArrayLike | None, strata: IntArray) -> IntArray:
    """Return each respondent's cluster, numbered over all strata."""
    n = len(strata)
    if clusters is None:
        return np.arange(n)
    labels, codes = check_labels_by_person(clusters, n, "clusters")
    return np.unique(strata * len(labels) + codes, return_inverse=True)[1].astype(np.int64)


def check_inclusion(value: object) -> FloatArray:
    """Return one inclusion probability for each respondent, above 0 and at most 1."""
    array = as_array(value)
    rule = "be a list of probabilities above 0 and at most 1, one for each respondent"
    fits = array is not None and array.ndim == 1 and array.size and array.dtype.kind in "iuf"
    # Nobody was drawn whose chance was next to nothing; NaN fails both comparisons.
    if array is None or not fits or not ((array >= 1 / LARGEST_WEIGHT) & (array <= 1)).all():
        raise ArgumentError("inclusion", value, rule, "not_inclusion")
    return freeze(array.astype(np.float64))


def check_joint(value: object, inclusion: FloatArray) -> FloatArray:
    """Return the joint inclusion probabilities of all pairs, which fit those of each."""
    size = len(inclusion)
    rule = (
        f"be a symmetric {size} by {size} table of probabilities above 0, with the inclusion "
        "probabilities on its diagonal and no pair more probable than either of the two"
    )
    array = as_array(value)
    if array is None or array.shape != (size, size) or array.dtype.kind not in "iuf":
        raise ArgumentError("joint", value, rule, "joint_does_not_fit")
    table = array.astype(np.float64)
    ceiling = np.minimum.outer(inclusion, inclusion) * (1 + check.SUM_TOLERANCE)
    if not ((table > 0) & (table <= ceiling)).all():
        raise ArgumentError("joint", value, rule, "joint_does_not_fit")
    apart = max(np.abs(table - table.T).max(), np.abs(np.diag(table) - inclusion).max())
    if apart > check.SUM_TOLERANCE:
        raise ArgumentError("joint", value, rule, "joint_does_not_fit")
    return table
