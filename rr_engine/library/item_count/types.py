"""People by their count of control items and by the trait: moments and maximum likelihood.

Types are flat: first those without the trait by count 0 to J, then those with it.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
import numpy.typing as npt
import scipy

from rr_engine.arrays import FloatArray
from rr_engine.channels.counting import Observed
from rr_engine.compliance.mixture import chi_square_cut, stack_groups
from rr_engine.estimation.likelihood import iterate_to_maximum, log_likelihood
from rr_engine.library.item_count.tables import ListTables

TOLERANCE = 1e-10
# Mean log-likelihood that a maximum may lack: of the estimate, and of the ends of an interval.
SETTLED, ENOUGH = 1e-13, 1e-11
# Replaces an infinite distance, relative to the one that is looked for.
FAR = 100.0
# With a price of this logarithm nobody is left.
HIGHEST_PRICE = 64.0


def type_maps(items: int) -> tuple[FloatArray, FloatArray]:
    """Return what turns true counts of the short and the long list into shares of types.

    ``pi(y, without) = F_long(y) - F_short(y - 1)``, ``pi(y, with) = F_short(y) - F_long(y)``.
    """
    size = items + 1
    short = np.vstack([-np.tri(size, size, -1), np.tri(size, size)])
    long = np.tri(size, size + 1)
    return short, np.vstack([long, -long])


def moments(tables: ListTables) -> tuple[FloatArray, FloatArray]:
    """Return unbiased shares of the types and their covariance; both groups have two people."""
    size = 2 * tables.items + 2
    total, spread = np.zeros(size), np.zeros((size, size))
    measured = (tables.unmixing, tables.shares, tables.report_covariances)
    parts = zip(type_maps(tables.items), *measured, strict=True)
    for turn, unmix, shares, covariance in parts:
        weights = turn @ unmix
        total = total + weights @ shares
        spread = spread + weights @ covariance @ weights.T
    return total, spread


def paired(types: npt.NDArray) -> npt.NDArray:
    """Return what is told of each type, shape (counts, 2): without the trait, and with it."""
    return np.ascontiguousarray(types.reshape(2, -1).T)


def type_columns(tables: ListTables) -> list[FloatArray]:
    """Return for both groups the chances of the reports, one column for each type."""
    matrix = tables.matrix
    without, having = matrix[:, :-1], matrix[:, 1:]
    return [np.hstack([without, without]), np.hstack([without, having])]


def most_likely(tables: ListTables) -> FloatArray:
    """Return the shares of the types, none negative, under which the reports are most likely."""
    if np.array_equal(tables.matrix, np.eye(len(tables.matrix))):
        # As many free types as free shares: where none is negative they fit the counts exactly.
        shares = sum(
            turn[:, : len(group)] @ group[: turn.shape[1]]
            for turn, group in zip(type_maps(tables.items), tables.shares, strict=True)
        )
        if np.min(shares) >= 0:
            return np.asarray(shares)
    groups = stack_groups(type_columns(tables), [tables.control, tables.treatment])
    return _maximise(*groups, SETTLED)


def _maximise(matrix: FloatArray, reported: FloatArray, enough: float) -> FloatArray:
    """Return the most likely shares of columns, which need not sum to one."""
    seen = reported > 0
    likelihood = Observed(matrix[seen])
    return iterate_to_maximum(likelihood, reported[seen], enough=enough).proportions


def likelihood_interval(tables: ListTables, level: float) -> tuple[float, float]:
    """Return the prevalences that the likelihood-ratio test does not reject.

    The most likely types for a given prevalence are those of a likelihood in which the trait has a
    price (Lagrange): the price is looked for at which the likelihood has fallen far enough.
    """
    matrix, reported = stack_groups(type_columns(tables), [tables.control, tables.treatment])
    size = tables.items + 1
    best = most_likely(tables)
    top = log_likelihood(matrix, reported, best)
    target = sqrt(chi_square_cut(level, sum(tables.sizes)))

    def excess(likelihood: float) -> float:
        return min(sqrt(max(top - likelihood, 0.0)), FAR * target) - target

    middle = min(max(float(best[size:].sum()), 0.0), 1.0)
    ends = []
    for end, columns, sign in ((0.0, matrix[:, :size], 1.0), (1.0, matrix[:, size:], -1.0)):
        if middle == end or excess(_best(columns, reported)) <= 0:
            ends.append(end)
        else:
            ends.append(_end(matrix, reported, sign, excess))
    return ends[0], ends[1]


def _best(matrix: FloatArray, reported: FloatArray) -> float:
    """Return the largest mean log-likelihood; -inf where a report came in that no type makes."""
    if (reported[matrix.max(axis=1) <= 0] > 0).any():
        return float("-inf")
    return log_likelihood(matrix, reported, _maximise(matrix, reported, ENOUGH))


def _end(
    matrix: FloatArray, reported: FloatArray, sign: float, excess: Callable[[float], float]
) -> float:
    """Return the prevalence at the price, of this sign, at which nothing is left."""

    def left(price: float) -> float:
        return excess(log_likelihood(matrix, reported, _priced(matrix, reported, sign * price)))

    far = 1.0
    while left(far) < 0 and far < HIGHEST_PRICE:
        far *= 2
    found = float(scipy.optimize.brentq(left, 0.0, far, xtol=TOLERANCE)) if left(far) > 0 else far
    types = _priced(matrix, reported, sign * found)
    return float(types[len(types) // 2 :].sum())


def _priced(matrix: FloatArray, reported: FloatArray, price: float) -> FloatArray:
    """Return the shares of types that are most likely at a price of the trait, a logarithm."""
    size = matrix.shape[1] // 2
    scales = np.exp(-np.repeat([max(-price, 0.0), max(price, 0.0)], size))
    shares = _maximise(matrix * scales, reported, ENOUGH) * scales
    return np.asarray(shares / shares.sum())
