"""How many of several sensitive items are true of a person, from randomized reports."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from rr_engine import check
from rr_engine.arguments import check_design, check_design_list, check_invertible
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray
from rr_engine.codes import check_code_table
from rr_engine.design import DesignMatrix
from rr_engine.distributions import margin_factor
from rr_engine.errors import ArgumentError, CategoryError
from rr_engine.estimation.estimating import estimate
from rr_engine.estimation.notes import Note
from rr_engine.library.item_count.tables import COUNT_NOTES
from rr_engine.precision import left_inverse

# The chances of sums are still summed without loss.
MAX_SUMMED = 50
# Chances closer than this are one and the same device's.
SAME = 1e-12


def sum_design(designs: Sequence[DesignMatrix]) -> DesignMatrix:
    """Return the device between a person's sum of true items and the sum of the reports.

    Parameters
    ----------
    designs : sequence of DesignMatrix
        The device of each yes/no item, which draw independently of each other; up to 50.

    Returns
    -------
    DesignMatrix
        Truths and reports are 0, 1, ... items. Take it to `estimate`, `margin_of_error` or any
        other function of a design. Its epsilon is that of the sum alone: a person who sends the
        reports one by one spends the epsilons of all devices together.

    Raises
    ------
    ArgumentError

    Notes
    -----
    For items with one device the chances depend on the sum alone. For different devices they depend
    on which items are true; here each set of items counts as much as any other of its size, which
    is an assumption, and not needed where patterns of reports are known.
    docs/methods/item-count.md.

    References
    ----------
    Ours: docs/methods/item-count.md, "Sum scores".

    Examples
    --------
    >>> from rr_engine import warner
    >>> sum_design([warner(0.8)] * 2).matrix.round(2).tolist()
    [[0.64, 0.16, 0.04], [0.32, 0.68, 0.32], [0.04, 0.16, 0.64]]
    """
    devices = check_items(designs)
    labels = check.number_labels(len(devices) + 1)
    return DesignMatrix(sum_matrix(devices), categories=labels, reports=labels)


def check_items(designs: Sequence[DesignMatrix]) -> list[DesignMatrix]:
    """Return the devices of yes/no items."""
    devices = [check_item(device, "designs") for device in check_design_list(designs)]
    if len(devices) > MAX_SUMMED:
        rule = f"be at most {MAX_SUMMED} items"
        raise ArgumentError("designs", designs, rule, "too_many_categories")
    return devices


def check_item(design: DesignMatrix, argument: str = "design") -> DesignMatrix:
    """Return the device of one yes/no item."""
    device = check_design(design, argument)
    if device.matrix.shape != (2, 2):
        rule = "have two truths and two reports"
        raise ArgumentError(argument, design, rule, "not_yes_no")
    return device


def one_device(devices: Sequence[DesignMatrix]) -> bool:
    """Tell whether all items have the same chances."""
    first = devices[0].matrix
    return all(np.abs(device.matrix - first).max() <= SAME for device in devices[1:])


def sum_matrix(devices: Sequence[DesignMatrix]) -> FloatArray:
    """Return Pr(sum of reports | sum of truths), averaged over the sets of items of each size."""
    size = len(devices)
    # Row s: chances of the sums of reports, added up over all sets of s of the items so far.
    table = np.zeros((size + 1, size + 1))
    table[0, 0] = 1
    for device in devices:
        without, having = device.matrix[:, 0], device.matrix[:, 1]
        grown = _one_more(table, without)
        grown[1:] += _one_more(table, having)[:-1]
        table = grown
    sets = np.array([comb(size, count) for count in range(size + 1)], dtype=np.float64)
    matrix = (table / sets[:, None]).T
    return np.asarray(matrix / matrix.sum(axis=0))


def _one_more(table: FloatArray, chances: FloatArray) -> FloatArray:
    """Return the chances of sums with one report more."""
    grown = table * chances[0]
    grown[:, 1:] += table[:, :-1] * chances[1]
    return grown


ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SumScores(FrozenArrays):
    """The number of items that are true of a person: distribution, mean and variance.

    Attributes
    ----------
    proportions : ndarray of float, shape (items + 1,)
        Shares of people of whom 0, 1, ... items are true; unbiased, may leave the range 0 to 1.
    covariance : ndarray of float, shape (items + 1, items + 1)
    intervals : ndarray of float, shape (items + 1, 2)
        Not cut to the range 0 to 1.
    interval_method : str
        "default", that of `Estimate`, where the sums hold all there is; else "normal".
    mean, mean_standard_error : float
    mean_interval : tuple of float
        Normal.
    variance, variance_standard_error : float
        Of the number of true items between people; unbiased, so that it may be negative.
    level : float
    n : int
        People.
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.item_count import sum_scores_of_totals
    >>> found = sum_scores_of_totals([warner(0.8)] * 2, [500, 340, 160])
    >>> found.intervals.round(2).tolist(), [round(end, 2) for end in found.mean_interval]
    ([[0.69, 0.82], [-0.02, 0.14], [0.15, 0.24]], [0.36, 0.51])
    """

    proportions: FloatArray
    covariance: FloatArray
    intervals: FloatArray
    interval_method: str
    mean: float
    mean_standard_error: float
    mean_interval: tuple[float, float]
    variance: float
    variance_standard_error: float
    level: float
    n: int
    notes: tuple[Note, ...] = ()

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal; inf where the reports cannot tell."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))


def sum_scores(
    designs: Sequence[DesignMatrix], reports: ArrayLike, level: float = 0.95
) -> SumScores:
    """Estimate how many items are true of a person, from each person's pattern of reports.

    Parameters
    ----------
    designs : sequence of DesignMatrix
        The device of each yes/no item; they may differ, and draw independently of each other.
    reports : array_like of int, shape (people, items)
        0 and 1: the reports of each person, one column for each design.
    level : float, default 0.95

    Returns
    -------
    SumScores

    Raises
    ------
    ArgumentError, CategoryError, NotIdentifiableError

    Notes
    -----
    Unbiased whatever the items have to do with each other: the product over the items of
    ``g_j(0) + g_j(1) x``, with the columns of the inverse device that belong to the reports, has
    the shares of the sums as expected coefficients. docs/methods/item-count.md.

    References
    ----------
    .. [1] D. W. Heck and M. Moshagen, "RRreg: An R Package for Correlation and Regression Analyses
       of Randomized Response Data", Journal of Statistical Software 85 (2018) (several responses of
       a person, as independent items of one prevalence; see :func:`repeated_item`).

    Examples
    --------
    >>> from rr_engine import warner
    >>> from rr_engine.designs import direct
    >>> reports = [[0, 0]] * 40 + [[0, 1]] * 20 + [[1, 0]] * 20 + [[1, 1]] * 20
    >>> found = sum_scores([direct(2), warner(0.9)], reports)
    >>> found.proportions.round(3).tolist(), round(found.mean, 3)
    ([0.425, 0.375, 0.2], 0.775)
    """
    confidence = check.open_unit(level, "level")
    devices = check_items(designs)
    for device in devices:
        check_invertible(device)
    patterns, counts = _patterns(reports, len(devices))
    n = int(counts.sum())
    if n == 0 or one_device(devices):
        totals = np.bincount(patterns.sum(axis=1), weights=counts, minlength=len(devices) + 1)
        return sum_scores_of_totals(devices, totals.astype(np.int64), confidence)
    rows = _contributions(devices, patterns)
    shares = counts @ rows / n
    if n == 1:
        covariance = np.diag(np.full(rows.shape[1], np.inf))
    else:
        centred = rows - shares
        covariance = (centred.T * counts) @ centred / (n * (n - 1))
    return _result(shares, covariance, n, confidence, {"one_report": n == 1})


def sum_scores_of_totals(
    designs: Sequence[DesignMatrix], counts: ArrayLike, level: float = 0.95
) -> SumScores:
    """Estimate how many items are true of a person where only the sums of reports are known.

    Parameters
    ----------
    designs : sequence of DesignMatrix
        The device of each yes/no item.
    counts : array_like of int, shape (items + 1,)
        People with 0, 1, ... yes reports.
    level : float, default 0.95

    Returns
    -------
    SumScores

    Raises
    ------
    ArgumentError, CountsError, NotIdentifiableError

    Notes
    -----
    With one device for all items nothing is lost about the sum: the estimate is that of the
    patterns. Which items are true, and what they have to do with each other, is lost. With devices
    that differ see :func:`sum_design` for what has to be assumed. docs/methods/item-count.md.

    References
    ----------
    Ours: docs/methods/item-count.md, "Sum scores".

    Examples
    --------
    >>> from rr_engine import warner
    >>> found = sum_scores_of_totals([warner(0.8)] * 2, [500, 340, 160])
    >>> found.proportions.round(3).tolist(), round(found.mean, 3), round(found.variance, 3)
    ([0.756, 0.056, 0.189], 0.433, 0.625)
    """
    confidence = check.open_unit(level, "level")
    devices = check_items(designs)
    found = estimate(sum_design(devices), counts)
    conditions = {"one_report": found.n == 1, "exchangeable": not one_device(devices)}
    result = _result(found.proportions, found.covariance, found.n, confidence, conditions)
    intervals = found.interval(confidence, "default")
    return replace(result, intervals=intervals, interval_method="default")


def _patterns(reports: ArrayLike, items: int) -> tuple[IntArray, IntArray]:
    """Return each pattern once, with how many people sent it."""
    rule = f"be a table of 0 and 1 with {items} columns, one row for each person"
    table = check_code_table(reports, "reports", rule, error=CategoryError, code="not_truths")
    if table.ndim != 2 or table.shape[1] != items or not np.isin(table, (0, 1)).all():
        raise CategoryError("reports", reports, rule, "not_truths")
    patterns, counts = np.unique(table, axis=0, return_counts=True)
    return patterns, counts


def _contributions(devices: Sequence[DesignMatrix], patterns: IntArray) -> FloatArray:
    """Return for each pattern what it adds to the shares of the sums."""
    rows = np.zeros((len(patterns), len(devices) + 1))
    rows[:, 0] = 1
    for item, device in enumerate(devices):
        inverse = left_inverse(device.matrix)[:, patterns[:, item]]
        grown = rows * inverse[0][:, None]
        grown[:, 1:] += rows[:, :-1] * inverse[1][:, None]
        rows = grown
    return rows


def _result(
    shares: FloatArray, covariance: FloatArray, n: int, level: float, conditions: dict[str, bool]
) -> SumScores:
    scores = np.arange(len(shares), dtype=np.float64)
    factor = margin_factor(level)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    known = bool(np.isfinite(errors).all())
    mean = float(scores @ shares)
    squared = float(scores @ covariance @ scores) if known else np.inf
    mean_error = float(np.sqrt(max(squared, 0)))
    # The square of a mean is too large by the mean's variance.
    variance = float(scores**2 @ shares) - mean**2 + (squared if known else 0.0)
    slope = scores**2 - 2 * mean * scores
    variance_error = float(np.sqrt(max(float(slope @ covariance @ slope), 0))) if known else np.inf
    reach = factor * mean_error
    normal = np.column_stack([shares - factor * errors, shares + factor * errors])
    unknown = np.tile([0.0, 1.0], (len(shares), 1))
    return SumScores(
        proportions=shares,
        covariance=covariance,
        intervals=normal if known else unknown,
        interval_method="normal",
        mean=mean,
        mean_standard_error=mean_error,
        mean_interval=(mean - reach, mean + reach) if known else (0.0, float(scores[-1])),
        variance=variance,
        variance_standard_error=variance_error,
        level=level,
        n=n,
        notes=COUNT_NOTES.holding({"no_reports": n == 0, **conditions, **_range(shares)}),
    )


def _range(shares: FloatArray) -> dict[str, bool]:
    return {"share_outside": bool(shares.min() < -ROUNDING or shares.max() > 1 + ROUNDING)}
