"""How many of several sensitive items are true of a person, from randomized reports."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rr_engine.arguments import check_invertible
from rr_engine.codes import check_code_table
from rr_engine.design import DesignMatrix
from rr_engine.distributions import normal_isf
from rr_engine.errors import CategoryError
from rr_engine.estimation.estimate import estimate
from rr_engine.estimation.notes import Note
from rr_engine.library.item_count.count_notes import COUNT_NOTES
from rr_engine.library.item_count.sum_design import check_items, one_device, sum_design
from rr_engine.precision import left_inverse
from rr_engine.validation import FloatArray, FrozenArrays, IntArray, check_open_unit

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
    designs: Sequence[DesignMatrix], reports: npt.ArrayLike, level: float = 0.95
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
    >>> from rr_engine import direct, warner
    >>> reports = [[0, 0]] * 40 + [[0, 1]] * 20 + [[1, 0]] * 20 + [[1, 1]] * 20
    >>> found = sum_scores([direct(2), warner(0.9)], reports)
    >>> found.proportions.round(3).tolist(), round(found.mean, 3)
    ([0.425, 0.375, 0.2], 0.775)
    """
    confidence = check_open_unit(level, "level")
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
    designs: Sequence[DesignMatrix], counts: npt.ArrayLike, level: float = 0.95
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
    confidence = check_open_unit(level, "level")
    devices = check_items(designs)
    found = estimate(sum_design(devices), counts)
    conditions = {"one_report": found.n == 1, "exchangeable": not one_device(devices)}
    result = _result(found.proportions, found.covariance, found.n, confidence, conditions)
    intervals = found.interval(confidence, "default")
    return _with_intervals(result, intervals)


def _with_intervals(result: SumScores, intervals: FloatArray) -> SumScores:
    values = {name: getattr(result, name) for name in SumScores.__dataclass_fields__}
    return SumScores(**{**values, "intervals": intervals, "interval_method": "default"})


def _patterns(reports: npt.ArrayLike, items: int) -> tuple[IntArray, IntArray]:
    """Return each pattern once, with how many people sent it."""
    rule = f"be a table of 0 and 1 with {items} columns, one row for each person"
    table = check_code_table(reports, "reports", rule, error=CategoryError, code="not_truths")
    if table.ndim != 2 or table.shape[1] != items:
        raise CategoryError("reports", reports, rule, "not_truths")
    if table.size and (table.min() < 0 or table.max() > 1):
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
    shares: FloatArray,
    covariance: FloatArray,
    n: int,
    level: float,
    conditions: dict[str, bool],
) -> SumScores:
    scores = np.arange(len(shares), dtype=np.float64)
    factor = float(normal_isf((1 - level) / 2))
    errors = np.sqrt(np.maximum(np.diag(covariance), 0))
    known = bool(np.isfinite(errors).all())
    mean = float(scores @ shares)
    squared = float(scores @ covariance @ scores) if known else np.inf
    mean_error = float(np.sqrt(max(squared, 0)))
    # The square of a mean is too large by the mean's variance.
    variance = float(scores**2 @ shares) - mean**2 + (squared if known else 0.0)
    slope = scores**2 - 2 * mean * scores
    top = float(scores[-1])
    normal = np.column_stack([shares - factor * errors, shares + factor * errors])
    unknown = np.tile([0.0, 1.0], (len(shares), 1))
    return SumScores(
        proportions=shares,
        covariance=covariance,
        intervals=normal if known else unknown,
        interval_method="normal",
        mean=mean,
        mean_standard_error=mean_error,
        mean_interval=(mean - factor * mean_error, mean + factor * mean_error)
        if known
        else (0.0, top),
        variance=variance,
        variance_standard_error=float(np.sqrt(max(float(slope @ covariance @ slope), 0)))
        if known
        else np.inf,
        level=level,
        n=n,
        notes=COUNT_NOTES.holding({"no_reports": n == 0, **conditions, **_range(shares)}),
    )


def _range(shares: FloatArray) -> dict[str, bool]:
    return {"share_outside": bool(shares.min() < -ROUNDING or shares.max() > 1 + ROUNDING)}
