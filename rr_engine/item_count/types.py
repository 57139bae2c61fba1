"""People by their count of control items and by the trait: moments and maximum likelihood.

Types are flat: first those without the trait by count 0 to J, then those with it.
"""

from collections.abc import Callable
from math import sqrt

import numpy as np
import scipy

from rr_engine.compliance.mixture import (
    best_log_likelihood,
    chi_square_cut,
    maximum_likelihood_shares,
    stack_groups,
)
from rr_engine.item_count.tables import ListTables
from rr_engine.validation import FloatArray

TOLERANCE = 1e-10
# Replaces an infinite distance, relative to the one that is looked for.
FAR = 100.0


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
    parts = zip(
        type_maps(tables.items),
        tables.unmixing,
        tables.shares,
        tables.report_covariances,
        strict=True,
    )
    for turn, unmix, shares, covariance in parts:
        weights = turn @ unmix
        total = total + weights @ shares
        spread = spread + weights @ covariance @ weights.T
    return total, spread


def type_columns(tables: ListTables) -> list[FloatArray]:
    """Return for both groups the chances of the reports, one column for each type."""
    matrix = tables.matrix
    without, having = matrix[:, :-1], matrix[:, 1:]
    return [np.hstack([without, without]), np.hstack([without, having])]


def most_likely(tables: ListTables) -> FloatArray:
    """Return the shares of the types, none negative, under which the reports are most likely."""
    groups = stack_groups(type_columns(tables), [tables.control, tables.treatment])
    return np.asarray(maximum_likelihood_shares(*groups))


def likelihood_interval(tables: ListTables, level: float) -> tuple[float, float]:
    """Return the prevalences that the likelihood-ratio test does not reject.

    With the prevalence fixed, any distribution of the count goes for those with the trait and any
    for those without: the mixtures of all pairs of one count of each.
    """
    matrix, reported = stack_groups(type_columns(tables), [tables.control, tables.treatment])
    size = tables.items + 1
    without, having = matrix[:, :size], matrix[:, size:]
    best = maximum_likelihood_shares(matrix, reported)
    top = best_log_likelihood(matrix, reported)
    target = sqrt(chi_square_cut(level, sum(tables.sizes)))

    def excess(share: float) -> float:
        pairs = (1 - share) * without[:, :, None] + share * having[:, None, :]
        fall = top - best_log_likelihood(pairs.reshape(len(matrix), -1), reported)
        return min(sqrt(max(fall, 0.0)), FAR * target) - target

    middle = min(max(float(best[size:].sum()), 0.0), 1.0)
    return _crossing(excess, middle, 0.0), _crossing(excess, middle, 1.0)


def _crossing(excess: Callable[[float], float], best: float, end: float) -> float:
    if best == end or excess(end) <= 0:
        return end
    if excess(best) >= 0:
        return best
    return float(scipy.optimize.brentq(excess, best, end, xtol=TOLERANCE))
