"""Several independent items of one prevalence: the sum of a person's reports is binomial."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import as_array
from rr_engine.compliance.share_results import ShareResult
from rr_engine.design import DesignMatrix
from rr_engine.distributions import chi2_sf
from rr_engine.errors import CountsError
from rr_engine.estimation.estimate import estimate
from rr_engine.library.item_count.count_notes import COUNT_NOTES
from rr_engine.library.item_count.sum_scores import MAX_SUMMED, check_item


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
    """

    prevalence: float
    standard_error_by_person: float
    dispersion: float
    statistic: float
    p_value: float
    interval_method: str = "default"


def repeated_item(design: DesignMatrix, counts: npt.ArrayLike, level: float = 0.95) -> RepeatedItem:
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
            {
                "no_reports": n == 0,
                "one_report": n == 1,
                "overdispersed": p_value < 1 - confidence,
            }
        ),
    )


def _sums(counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    table = as_array(counts)
    size = len(table) if table is not None and table.ndim == 1 else 2
    if size > MAX_SUMMED + 1:
        rule = f"have at most {MAX_SUMMED + 1} entries"
        raise CountsError("counts", counts, rule, "too_many_categories")
    return check.counts(counts, max(size, 2))


def _dispersion(sums: npt.NDArray[np.int64]) -> tuple[float, float, float]:
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
