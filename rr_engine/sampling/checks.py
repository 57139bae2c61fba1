"""Checks of what a sampling design says of each respondent."""

from collections.abc import Mapping

import numpy as np

from rr_engine.errors import ArgumentError
from rr_engine.validation import FloatArray, IntArray, as_array, as_list, check_real, freeze

# Squares of larger weights, summed, could leave the range of a double.
LARGEST_WEIGHT = 1e100


def check_weights(value: object, n: int | None = None, argument: str = "weights") -> FloatArray:
    """Return one weight for each respondent: zero or positive, and not all zero."""
    array = as_array(value)
    rule = "be a list of numbers from 0 to 1e100, one for each respondent"
    if array is None or array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iuf":
        raise ArgumentError(argument, value, rule, "not_weights")
    if n is not None and len(array) != n:
        rule = f"have one entry for each of the {n} respondents"
        raise ArgumentError(argument, value, rule, "not_weights")
    # NaN fails both comparisons.
    if not ((array >= 0) & (array <= LARGEST_WEIGHT)).all():
        first = int(np.flatnonzero(~((array >= 0) & (array <= LARGEST_WEIGHT)))[0])
        rule = f"{rule}: leave respondent {first} out, or give them a weight"
        raise ArgumentError(argument, value, rule, "not_weights")
    if not array.any():
        rule = "hold a weight above 0: nobody counts otherwise"
        raise ArgumentError(argument, value, rule, "weights_all_zero")
    return freeze(array.astype(np.float64))


def check_labels_by_person(
    value: object, n: int, argument: str
) -> tuple[tuple[int | str, ...], IntArray]:
    """Return the distinct labels in rising order, and each respondent's place among them."""
    array = as_array(value)
    rule = f"be a list of {n} whole numbers or texts, one for each respondent"
    if array is None or array.shape != (n,) or array.dtype.kind not in "iuU":
        raise ArgumentError(argument, value, rule, "not_respondent_labels")
    labels, codes = np.unique(array, return_inverse=True)
    return tuple(labels.tolist()), freeze(codes.astype(np.int64))


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
    sizes = np.array([check_real(entry, "population", rule) for entry in entries])
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
