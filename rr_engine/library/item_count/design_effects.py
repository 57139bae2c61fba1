"""Whether people count the other items of a list otherwise because of the sensitive one.

The test needs chances of orthants of normal vectors, which are the weights of chi-bar-square.
"""

from dataclasses import dataclass
from itertools import combinations
from math import asin, log, pi

import numpy as np
import scipy

from rr_engine import check
from rr_engine.arrays import ArrayLike, BoolArray, FloatArray, FrozenArrays
from rr_engine.distributions import margin_factor, normal_cdf
from rr_engine.estimation.notes import Note
from rr_engine.library.item_count.tables import COUNT_NOTES, ListTables, check_enough, check_lists
from rr_engine.library.item_count.types import moments, paired

# Points of the lattice for four and more dimensions; a prime.
POINTS = 8191
ROOTS = np.sqrt(np.array([2, 3, 5, 7, 11, 13, 17, 19], dtype=np.float64))
# Keeps the quantile of a normal finite.
EDGE = 1e-15
RIDGE = 1e-9
# Beyond so many inequalities together the weights are replaced by a bound.
MOST_TOGETHER = 6
# Share of a variance that rounding can leave.
NOTHING = 1e-14


def projection(values: FloatArray, covariance: FloatArray) -> float:
    """Return the squared distance to the nearest vector without a negative entry."""
    lower = np.linalg.cholesky(covariance)
    scaled = np.linalg.solve(lower, np.column_stack([np.eye(len(values)), values]))
    return float(scipy.optimize.nnls(scaled[:, :-1], scaled[:, -1])[1] ** 2)


def as_correlations(covariance: FloatArray) -> FloatArray:
    """Return the correlations, moved off singularity by as little as rounding needs."""
    deviations = np.sqrt(np.diag(covariance))
    return covariance / np.outer(deviations, deviations) + RIDGE * np.eye(len(covariance))


def level_weights(covariance: FloatArray) -> FloatArray:
    """Return how likely the projection onto the orthant has 0, 1, ... entries above zero."""
    size = len(covariance)
    weights = np.zeros(size + 1)
    for count in range(size + 1):
        for kept in combinations(range(size), count):
            zero = [index for index in range(size) if index not in kept]
            weights[count] += _pattern(covariance, list(kept), zero)
    return weights / weights.sum()


def _pattern(covariance: FloatArray, kept: list[int], zero: list[int]) -> float:
    """Return the chance that exactly these entries of the projection are above zero (Kudo)."""
    within = covariance[np.ix_(kept, kept)]
    if not zero:
        return orthant(within)
    rest: FloatArray = np.asarray(np.linalg.inv(covariance[np.ix_(zero, zero)]), dtype=np.float64)
    across = covariance[np.ix_(kept, zero)]
    return orthant(rest) * orthant(within - across @ rest @ across.T)


def orthant(covariance: FloatArray) -> float:
    """Return the chance that all entries of a centred normal vector are above zero."""
    size = len(covariance)
    if size <= 1:
        return 1.0 if size == 0 else 0.5
    deviations = np.sqrt(np.diag(covariance))
    correlations = np.clip(covariance / np.outer(deviations, deviations), -1, 1)
    if size <= 3:
        angles = sum(asin(correlations[i, j]) for i, j in combinations(range(size), 2))
        return max(2.0**-size + angles / (2 ** (size - 1) * pi), 0.0)
    return _by_lattice(correlations)


def _by_lattice(correlations: FloatArray) -> float:
    """Return the same by a fixed lattice: entries one by one, each given those before (Genz)."""
    lower = np.linalg.cholesky(correlations + RIDGE * np.eye(len(correlations)))
    steps = np.outer(np.arange(1, POINTS + 1), ROOTS[: len(lower) - 1])
    points = np.abs(2 * (steps % 1) - 1)
    drawn = np.zeros((POINTS, len(lower) - 1))
    chance = np.ones(POINTS)
    for row in range(len(lower)):
        reached = drawn[:, :row] @ lower[row, :row]
        below = normal_cdf(-reached / lower[row, row])
        chance *= 1 - below
        if row < len(lower) - 1:
            share = below + points[:, row] * (1 - below)
            drawn[:, row] = scipy.special.ndtri(np.clip(share, EDGE, 1 - EDGE))
    return float(chance.mean())


def chi_bar_square_sf(statistic: float, covariance: FloatArray) -> float:
    """Return the p-value of a distance to the orthant when all entries are truly zero."""
    weights = level_weights(covariance)
    free = len(covariance) - np.arange(len(weights))
    # With no entry at zero the distance is zero for certain.
    tails = np.where(free > 0, scipy.special.chdtrc(np.maximum(free, 1), statistic), 0.0)
    return float(weights @ np.where((free == 0) & (statistic <= 0), 1.0, tails))


def chi_bar_square_bound(statistic: float, size: int) -> float:
    """Return an upper bound of the same that holds for every covariance (Perlman)."""
    tails = [scipy.special.chdtrc(free, statistic) for free in (max(size - 1, 1), size)]
    return float(sum(tails) / 2)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DesignEffectTest(FrozenArrays):
    """A test of no design effect: no share of people by count and trait is negative.

    Attributes
    ----------
    types, type_standard_errors : ndarray of float, shape (items + 1, 2)
        Unbiased shares of people by count of the other items (rows), without and with the trait.
    statistics, p_values : ndarray of float, shape (2,)
        Squared distance of the shares without and with the trait from shares that are possible, and
        how likely a larger one is where all of them are truly zero.
    p_value : float
        Of both together: twice the smaller one (Bonferroni), at most 1.
    tested : ndarray of bool, shape (items + 1, 2)
        Which of the shares were tested.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.item_count import design_effect_test
    >>> found = design_effect_test([8, 132, 222, 227], [19, 123, 229, 219, 34])
    >>> found.types.round(3).tolist()[0], [round(float(each), 3) for each in found.p_values]
    ([0.03, -0.017], [1.0, 0.077])
    """

    types: FloatArray
    type_standard_errors: FloatArray
    statistics: FloatArray
    p_values: FloatArray
    p_value: float
    tested: BoolArray
    notes: tuple[Note, ...] = ()


def design_effect_test(
    control: ArrayLike, treatment: ArrayLike, selection: bool = True
) -> DesignEffectTest:
    """Test whether the counts of a list experiment could come from people who count honestly.

    Parameters
    ----------
    control : array_like of int, shape (items + 1,)
    treatment : array_like of int, shape (items + 2,)
        As in :func:`rr_engine.list_experiment`; at least two people in each group.
    selection : bool, default True
        Leave shares out that are clearly above zero, by more than ``sqrt(log n)`` standard errors
        (generalized moment selection): more power, and still no more false alarms in the limit.

    Returns
    -------
    DesignEffectTest

    Raises
    ------
    CountsError, ArgumentError

    Notes
    -----
    The distance is measured by the inverse covariance; its distribution where all shares tested are
    zero is a mixture of chi-squares. A large p-value proves nothing: design effects that leave all
    shares positive cannot be seen. docs/methods/item-count.md.

    References
    ----------
    .. [1] G. Blair and K. Imai, "Statistical Analysis of List Experiments", Political Analysis 20
       (2012), 47-77, section 3.
    .. [2] D. W. K. Andrews and G. Soares, "Inference for Parameters Defined by Moment Inequalities
       Using Generalized Moment Selection", Econometrica 78 (2010), 119-157.
    .. [3] A. Kudo, "A Multivariate Analogue of the One-Sided Test", Biometrika 50 (1963), 403-418
       (the weights of the mixture).

    Examples
    --------
    >>> found = design_effect_test([8, 132, 222, 227], [19, 123, 229, 219, 34])
    >>> found.types[0].round(4).tolist(), round(found.p_value, 3)
    ([0.0304, -0.0169], 0.154)
    """
    check.switch(selection, "selection")
    tables = check_enough(check_lists(control, treatment, None))
    shares, covariance = moments(tables)
    tested = _tested(tables, shares, covariance, selection=bool(selection))
    halves = [half[tested[half]] for half in np.arange(len(shares)).reshape(2, -1)]
    found = [_test(shares[half], covariance[np.ix_(half, half)]) for half in halves]
    p_values = np.array([p_value for _, p_value in found])
    conditions = {
        "negative_types": bool(shares.min() < -NOTHING),
        "bounded": any(len(half) > MOST_TOGETHER for half in halves),
        "nothing_to_test": not tested.any(),
    }
    return DesignEffectTest(
        types=paired(shares),
        type_standard_errors=paired(np.sqrt(np.maximum(np.diag(covariance), 0))),
        statistics=np.array([statistic for statistic, _ in found]),
        p_values=p_values,
        p_value=min(1.0, 2 * float(p_values.min())),
        tested=paired(tested),
        notes=COUNT_NOTES.holding(conditions),
    )


def _tested(
    tables: ListTables, shares: FloatArray, covariance: FloatArray, *, selection: bool
) -> BoolArray:
    """Return which shares are tested: those that can be negative, and are not clearly positive."""
    size = tables.items + 1
    variances = np.maximum(np.diag(covariance), 0.0)
    tested = variances > NOTHING
    # Nobody counts fewer than none or more than all: these two are shares of one group.
    tested[[0, 2 * size - 1]] = False
    if selection:
        limit = np.sqrt(log(sum(tables.sizes)) * variances)
        tested &= shares <= limit
    return np.asarray(tested)


def _test(shares: FloatArray, covariance: FloatArray) -> tuple[float, float]:
    """Return distance and p-value of one set of shares."""
    if not (shares < 0).any():
        return 0.0, 1.0
    correlations = as_correlations(covariance)
    statistic = projection(shares / np.sqrt(np.diag(covariance)), correlations)
    if len(shares) > MOST_TOGETHER:
        return statistic, chi_bar_square_bound(statistic, len(shares))
    return statistic, chi_bar_square_sf(statistic, correlations)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListBounds(FrozenArrays):
    """Prevalences that are possible when people at the ends of the list may hide the trait.

    Attributes
    ----------
    lower, upper : float
        Without liars (the difference in means), and with as many as the counts allow.
    ceiling, floor : float
        The upper bound if only people lie for whom all other items are true, or only those for whom
        none is.
    standard_errors : ndarray of float, shape (4,)
        Of lower, upper, ceiling and floor.
    interval : tuple of float
        From the lower confidence limit of the lower bound to the upper limit of the upper one.
    level : float
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.item_count import list_bounds
    >>> found = list_bounds([8, 132, 222, 227], [9, 78, 172, 184, 139])
    >>> round(found.lower, 3), round(found.upper, 3), [round(end, 2) for end in found.interval]
    (0.495, 0.657, [0.39, 0.73])
    """

    lower: float
    upper: float
    ceiling: float
    floor: float
    standard_errors: FloatArray
    interval: tuple[float, float]
    level: float
    notes: tuple[Note, ...] = ()


def list_bounds(control: ArrayLike, treatment: ArrayLike, level: float = 0.95) -> ListBounds:
    """Bound a prevalence when people with the trait may hide it where a count would reveal it.

    Parameters
    ----------
    control : array_like of int, shape (items + 1,)
    treatment : array_like of int, shape (items + 2,)
        As in :func:`rr_engine.list_experiment`; at least two people in each group.
    level : float, default 0.95

    Returns
    -------
    ListBounds

    Raises
    ------
    CountsError, ArgumentError

    Notes
    -----
    Ceiling: with the trait and all other items true one says J instead of J + 1; at most everybody
    in excess of the others at J does so. Floor: with the trait and nothing else true one says 0
    instead of 1; at most everybody who says 0. No model, unlike Blair and Imai's likelihoods, which
    estimate the liars' share from its form. docs/methods/item-count.md.

    References
    ----------
    .. [1] G. Blair and K. Imai, "Statistical Analysis of List Experiments", Political Analysis 20
       (2012), 47-77, section 3.3 (both kinds of liars; the bounds are ours).

    Examples
    --------
    >>> found = list_bounds([8, 132, 222, 227], [9, 78, 172, 184, 139])
    >>> [round(bound, 3) for bound in (found.lower, found.ceiling, found.floor, found.upper)]
    [0.495, 0.641, 0.51, 0.657]
    """
    confidence = check.open_unit(level, "level")
    tables = check_enough(check_lists(control, treatment, None))
    shares, covariance = moments(tables)
    sums = _sums(tables.items)
    values = sums @ shares
    errors = np.sqrt(np.maximum(np.diag(sums @ covariance @ sums.T), 0))
    factor = margin_factor(confidence)
    return ListBounds(
        lower=float(values[0]),
        upper=float(values[1]),
        ceiling=float(values[2]),
        floor=float(values[3]),
        standard_errors=errors,
        interval=(float(values[0] - factor * errors[0]), float(values[1] + factor * errors[1])),
        level=confidence,
        notes=COUNT_NOTES.holding({"negative_types": bool(shares.min() < 0)}),
    )


def _sums(items: int) -> FloatArray:
    """Return which types count for each bound: all with the trait, and those taken for others."""
    size = items + 1
    sums = np.zeros((4, 2 * size))
    sums[:, size:] = 1
    # Liars at the ceiling look like people without the trait and with all other items.
    sums[[1, 2], size - 1] += 1
    sums[[1, 3], 0] += 1
    return sums
