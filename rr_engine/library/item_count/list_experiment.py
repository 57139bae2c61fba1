"""The item count technique: the prevalence of a trait from counts of items of a list."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray
from rr_engine.compliance.share_results import ShareResult
from rr_engine.design import DesignMatrix
from rr_engine.distributions import chi2_sf, margin_factor
from rr_engine.estimation.estimating import estimate
from rr_engine.library.item_count.sum_scores import MAX_SUMMED, check_item
from rr_engine.library.item_count.tables import COUNT_NOTES, ListTables, check_lists, count_items
from rr_engine.library.item_count.types import likelihood_interval, moments, most_likely, paired

ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ListExperiment(ShareResult, FrozenArrays):
    """Prevalence of the item that only one of two random groups had on its list.

    Attributes
    ----------
    prevalence, standard_error : float
        Difference in means, unbiased; may leave the range 0 to 1.
    interval : tuple of float
        Normal, around the difference; 0 to 1 where a group has fewer than two reports.
    level : float
    maximum_likelihood : float
        The prevalence under the most likely shares of people by count and trait, from 0 to 1.
    possible_interval : tuple of float
        Inside 0 to 1: by profile likelihood, and what of the normal interval lies in the range, as
        the likelihood alone covers too rarely where next to nobody has the trait, or everybody.
    types, type_standard_errors : ndarray of float, shape (items + 1, 2)
        Unbiased shares of people by how many of the other items are true of them (rows), without
        and with the trait (columns).
    likelihood_types : ndarray of float, shape (items + 1, 2)
        The most likely ones, none negative.
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import list_experiment
    >>> found = list_experiment([8, 132, 222, 227], [19, 123, 229, 219, 34])
    >>> round(found.prevalence, 3), [round(end, 3) for end in found.interval]
    (0.068, [-0.029, 0.165])
    """

    prevalence: float
    maximum_likelihood: float
    possible_interval: tuple[float, float]
    types: FloatArray
    type_standard_errors: FloatArray
    likelihood_types: FloatArray
    interval_method: str = "normal"


def list_experiment(
    control: ArrayLike,
    treatment: ArrayLike,
    level: float = 0.95,
    design: DesignMatrix | None = None,
) -> ListExperiment:
    """Estimate the prevalence of a trait from two random groups who count items of a list.

    Parameters
    ----------
    control : array_like of int, shape (items + 1,)
        How many people of the control group counted 0, 1, ... items as true of them.
    treatment : array_like of int, shape (items + 2,)
        The same for the group whose list had the sensitive item as well.
    level : float, default 0.95
    design : DesignMatrix, optional
        A device through which everybody reports the count, of both groups the same; its truths are
        the counts 0 to items + 1, and `control` and `treatment` are then counts of its reports.

    Returns
    -------
    ListExperiment

    Raises
    ------
    CountsError, ArgumentError
    DesignError
        Also for a device of fewer than three truths ("not_a_count_device").
    NotIdentifiableError

    Notes
    -----
    That nobody counts the other items otherwise because of the sensitive one, and that nobody lies
    about it, is assumed. Where no type is negative, the likelihood gives the difference in means.
    docs/methods/item-count.md.

    References
    ----------
    .. [1] K. Imai, "Multivariate Regression Analysis for the Item Count Technique", Journal of the
       American Statistical Association 106 (2011), 407-416.
    .. [2] G. Blair and K. Imai, "Statistical Analysis of List Experiments", Political Analysis 20
       (2012), 47-77 (the types).

    Examples
    --------
    A black family moving in next door, among four things that may make angry:

    >>> found = list_experiment([8, 132, 222, 227], [19, 123, 229, 219, 34])
    >>> round(found.prevalence, 3), round(found.standard_error, 3)
    (0.068, 0.05)
    >>> round(found.maximum_likelihood, 3), [round(end, 3) for end in found.possible_interval]
    (0.105, [0.0, 0.195])
    """
    check.open_unit(level, "level")
    tables = check_lists(control, treatment, design)
    if min(tables.sizes) == 0:
        return _without_reports(tables, level)
    shares, covariance = _moments(tables)
    size = tables.items + 1
    likely = most_likely(tables)
    prevalence = float(shares[size:].sum())
    error = sqrt(max(float(covariance[size:, size:].sum()), 0.0))
    interval = normal_interval(prevalence, error, level)
    return ListExperiment(
        prevalence=prevalence,
        standard_error=error,
        interval=interval,
        level=float(level),
        maximum_likelihood=float(likely[size:].sum()),
        possible_interval=_possible(likelihood_interval(tables, level), interval),
        types=paired(shares),
        type_standard_errors=paired(np.sqrt(np.maximum(np.diag(covariance), 0))),
        likelihood_types=paired(likely),
        notes=COUNT_NOTES.holding(_conditions(tables, prevalence, shares)),
    )


def normal_interval(value: float, error: float, level: float) -> tuple[float, float]:
    """Return the normal interval around a value, or 0 to 1 where the error is not known."""
    if not np.isfinite(error):
        return 0.0, 1.0
    margin = margin_factor(level) * error
    return value - margin, value + margin


def _possible(likely: tuple[float, float], normal: tuple[float, float]) -> tuple[float, float]:
    """Return what either interval holds of the range 0 to 1."""
    return min(likely[0], max(normal[0], 0.0)), max(likely[1], min(normal[1], 1.0))


def reveals(tables: ListTables) -> bool:
    """Tell whether some report is made only with the trait, or only without it."""
    matrix = tables.matrix > 0
    having, without = matrix[:, 1:].any(axis=1), matrix[:, :-1].any(axis=1)
    return bool((having != without).any())


def _moments(tables: ListTables) -> tuple[FloatArray, FloatArray]:
    if min(tables.sizes) > 1:
        return moments(tables)
    # One report has no variance; the shares are the same for any multiple of all counts.
    twice = ListTables(tables.matrix, 2 * tables.control, 2 * tables.treatment)
    size = 2 * tables.items + 2
    return moments(twice)[0], np.full((size, size), np.inf)


def _without_reports(tables: ListTables, level: float) -> ListExperiment:
    size = tables.items + 1
    equal = np.full((size, 2), 0.5 / size)
    return ListExperiment(
        prevalence=0.5,
        standard_error=float("inf"),
        interval=(0.0, 1.0),
        level=float(level),
        maximum_likelihood=0.5,
        possible_interval=(0.0, 1.0),
        types=equal,
        type_standard_errors=np.full((size, 2), np.inf),
        likelihood_types=equal,
        notes=COUNT_NOTES.holding({"no_reports": True, "count_reveals": reveals(tables)}),
    )


def _conditions(tables: ListTables, prevalence: float, shares: FloatArray) -> dict[str, bool]:
    groups = zip(tables.sizes, (tables.control, tables.treatment), strict=True)
    return {
        "one_report": 1 in tables.sizes,
        "all_alike": any(size > 1 and int(counts.max()) == size for size, counts in groups),
        "outside_range": not -ROUNDING <= prevalence <= 1 + ROUNDING,
        "negative_types": bool(shares.min() < -ROUNDING),
        "count_reveals": reveals(tables),
    }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RepeatedItem(ShareResult):
    """Prevalence that several independent items of each person have in common.

    Attributes
    ----------
    prevalence : float
        Mean share of the items that are true of a person; unbiased.
    standard_error : float
        If a person's reports are independent of each other, as in the binomial model.
    standard_error_by_person : float
        Whatever a person's reports have to do with each other.
    interval : tuple of float
        Of the binomial model, not cut to the range 0 to 1.
    level : float
    dispersion : float
        Variance of the sums over that of the binomial model.
    statistic, p_value : float
        Tarone's test of the binomial model, two-sided: positive where sums vary more.
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.item_count import repeated_item
    >>> found = repeated_item(warner(0.8), [200, 180, 90, 30])
    >>> [round(end, 3) for end in found.interval], round(found.dispersion, 2)
    ([0.129, 0.206], 1.29)
    """

    prevalence: float
    standard_error_by_person: float
    dispersion: float
    statistic: float
    p_value: float
    interval_method: str = "default"


def repeated_item(design: DesignMatrix, counts: ArrayLike, level: float = 0.95) -> RepeatedItem:
    """Estimate one prevalence from the sums of several reports of each person.

    Parameters
    ----------
    design : DesignMatrix
        The yes/no device that each report came through.
    counts : array_like of int, shape (items + 1,)
        People with 0, 1, ... yes reports, of as many items each.
    level : float, default 0.95

    Returns
    -------
    RepeatedItem

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    The sum is binomial with ``lambda = P(yes|no) + (P(yes|yes) - P(yes|no)) pi``, which is RRreg's
    model for `n.response` reports of a person without predictors. It needs items that are as
    prevalent as each other and independent within a person; items of one scale hardly are. Then
    the error by person holds. docs/methods/item-count.md.

    References
    ----------
    .. [1] D. W. Heck and M. Moshagen, "RRreg: An R Package for Correlation and Regression Analyses
       of Randomized Response Data", Journal of Statistical Software 85 (2018).
    .. [2] R. E. Tarone, "Testing the Goodness of Fit of the Binomial Distribution", Biometrika 66
       (1979), 585-590.

    Examples
    --------
    >>> from rr_engine import warner
    >>> found = repeated_item(warner(0.8), [200, 180, 90, 30])
    >>> round(found.prevalence, 3), round(found.standard_error, 4)
    (0.167, 0.0197)
    >>> round(found.standard_error_by_person, 4), round(found.p_value, 3)
    (0.0224, 0.0)
    """
    confidence = check.open_unit(level, "level")
    device = check_item(design)
    sums = _sums(counts)
    items, n = len(sums) - 1, int(sums.sum())
    yes = int(np.arange(items + 1) @ sums)
    pooled = estimate(device, [n * items - yes, yes])
    slope = float(np.abs(np.diff(device.matrix[1]))[0])
    spread, dispersion, statistic = _dispersion(sums)
    by_person = sqrt(spread / n) / (items * slope) if n > 1 else inf
    low, high = pooled.interval(confidence, "default")[1].tolist()
    p_value = float(chi2_sf(statistic**2, 1))
    return RepeatedItem(
        prevalence=float(pooled.proportions[1]),
        standard_error=float(pooled.standard_errors[1]),
        interval=(low, high),
        level=confidence,
        standard_error_by_person=by_person,
        dispersion=dispersion,
        statistic=statistic,
        p_value=p_value,
        notes=COUNT_NOTES.holding(
            {"no_reports": n == 0, "one_report": n == 1, "overdispersed": p_value < 1 - confidence}
        ),
    )


def _sums(counts: ArrayLike) -> IntArray:
    size = count_items(counts, "counts", MAX_SUMMED + 1) + 1
    return check.counts(counts, size)


def _dispersion(sums: IntArray) -> tuple[float, float, float]:
    """Return the variance of the sums, its ratio to the binomial one, and Tarone's statistic."""
    items, n = len(sums) - 1, int(sums.sum())
    values = np.arange(items + 1)
    mean = float(values @ sums) / n if n else 0.0
    squares = float((values - mean) ** 2 @ sums)
    share = mean / items
    binomial = share * (1 - share)
    spread = squares / (n - 1) if n > 1 else inf
    if n < 2 or binomial == 0 or items == 1:
        return spread, 1.0, 0.0
    excess = squares / binomial - n * items
    return spread, spread / (items * binomial), excess / sqrt(2 * n * items * (items - 1))
