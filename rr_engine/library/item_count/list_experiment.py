"""The item count technique: the prevalence of a trait from counts of items of a list."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays
from rr_engine.compliance.share_results import ShareResult
from rr_engine.design import DesignMatrix
from rr_engine.distributions import normal_isf
from rr_engine.library.item_count.count_notes import COUNT_NOTES
from rr_engine.library.item_count.tables import ListTables, check_lists
from rr_engine.library.item_count.types import likelihood_interval, moments, most_likely

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
    """

    prevalence: float
    maximum_likelihood: float
    possible_interval: tuple[float, float]
    types: FloatArray
    type_standard_errors: FloatArray
    likelihood_types: FloatArray
    interval_method: str = "normal"


def list_experiment(
    control: npt.ArrayLike,
    treatment: npt.ArrayLike,
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
        types=_paired(shares),
        type_standard_errors=_paired(np.sqrt(np.maximum(np.diag(covariance), 0))),
        likelihood_types=_paired(likely),
        notes=COUNT_NOTES.holding(_conditions(tables, prevalence, shares)),
    )


def normal_interval(value: float, error: float, level: float) -> tuple[float, float]:
    """Return the normal interval around a value, or 0 to 1 where the error is not known."""
    if not np.isfinite(error):
        return 0.0, 1.0
    margin = float(normal_isf((1 - level) / 2)) * error
    return value - margin, value + margin


def _possible(likely: tuple[float, float], normal: tuple[float, float]) -> tuple[float, float]:
    """Return what either interval holds of the range 0 to 1."""
    return min(likely[0], max(normal[0], 0.0)), max(likely[1], min(normal[1], 1.0))


def reveals(tables: ListTables) -> bool:
    """Tell whether some report is made only with the trait, or only without it."""
    matrix = tables.matrix > 0
    having, without = matrix[:, 1:].any(axis=1), matrix[:, :-1].any(axis=1)
    return bool((having != without).any())


def _paired(types: FloatArray) -> FloatArray:
    return np.ascontiguousarray(types.reshape(2, -1).T)


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
