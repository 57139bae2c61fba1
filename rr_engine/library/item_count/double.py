"""Two lists for everybody, the sensitive item on one of them."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from rr_engine import check
from rr_engine.arrays import FloatArray, FrozenArrays, IntArray, as_array
from rr_engine.compliance.share_results import ShareResult
from rr_engine.distributions import chi2_sf
from rr_engine.library.item_count.count_notes import COUNT_NOTES
from rr_engine.library.item_count.list_experiment import normal_interval
from rr_engine.library.item_count.tables import check_table_of_counts, count_items


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DoubleListExperiment(ShareResult, FrozenArrays):
    """Prevalence from two lists that everybody answered, the sensitive item on either by chance.

    Attributes
    ----------
    prevalence, standard_error : float
        Mean of the two differences in means; the error counts that a person's two counts go
        together.
    interval : tuple of float
        Normal; 0 to 1 where a group has fewer than two people.
    level : float
    prevalences, standard_errors : ndarray of float, shape (2,)
        Of each list alone.
    difference, difference_standard_error, p_value : float
        First list less second, and the two-sided normal test that they agree.
    interval_method : str
    notes : tuple of Note
    """

    prevalence: float
    prevalences: FloatArray
    standard_errors: FloatArray
    difference: float
    difference_standard_error: float
    p_value: float
    interval_method: str = "normal"


def double_list_experiment(
    first: npt.ArrayLike, second: npt.ArrayLike, level: float = 0.95
) -> DoubleListExperiment:
    """Estimate a prevalence from two lists, each with the sensitive item for a random half.

    Parameters
    ----------
    first : array_like of int, shape (items of A + 2, items of B + 1)
        The people who had the sensitive item on list A, by their counts of list A (rows) and of
        list B (columns).
    second : array_like of int, shape (items of A + 1, items of B + 2)
        Those who had it on list B.
    level : float, default 0.95

    Returns
    -------
    DoubleListExperiment

    Raises
    ------
    CountsError, ArgumentError

    Notes
    -----
    With lists whose counts rise together the error is much smaller than that of one list: each
    group is the other one's control, and what the counts have in common cancels.
    docs/methods/item-count.md.

    References
    ----------
    .. [1] J. Droitcour et al., "The Item Count Technique as a Method of Indirect Questioning", in:
       P. P. Biemer et al. (eds.), Measurement Errors in Surveys, Wiley, 1991, 185-210.
    .. [2] A. N. Glynn, "What Can We Learn with Statistical Truth Serum?", Public Opinion Quarterly
       77 (2013), 159-172.

    Examples
    --------
    >>> first = [[10, 5, 0], [15, 40, 10], [5, 40, 25], [0, 10, 40]]
    >>> second = [[10, 20, 5, 0], [5, 35, 45, 10], [0, 5, 30, 35]]
    >>> found = double_list_experiment(first, second)
    >>> round(found.prevalence, 3), round(found.standard_error, 3), found.standard_errors.round(3)
    (0.575, 0.036, array([0.081, 0.079]))
    """
    confidence = check.open_unit(level, "level")
    groups = _tables(first, second)
    sizes = [int(table.sum()) for table in groups]
    conditions = {"no_reports": 0 in sizes, "one_report": 1 in sizes}
    if min(sizes) == 0:
        values, covariance = np.full(2, 0.5), np.diag(np.full(2, np.inf))
    else:
        values, covariance = _differences(groups)
    gap = float(values[0] - values[1])
    error, gap_error = (
        _error(covariance, np.array(weights)) for weights in ((0.5, 0.5), (1.0, -1.0))
    )
    p_value = float(chi2_sf((gap / gap_error) ** 2, 1)) if gap_error > 0 else 1.0
    conditions["lists_disagree"] = p_value < 1 - confidence
    prevalence = float(values.mean())
    return DoubleListExperiment(
        prevalence=prevalence,
        standard_error=error,
        interval=normal_interval(prevalence, error, confidence),
        level=confidence,
        prevalences=values,
        standard_errors=np.sqrt(np.maximum(np.diag(covariance), 0)),
        difference=gap,
        difference_standard_error=gap_error,
        p_value=p_value,
        notes=COUNT_NOTES.holding(conditions),
    )


def _tables(first: npt.ArrayLike, second: npt.ArrayLike) -> list[IntArray]:
    items_b = count_items(first, "first")
    table = as_array(second)
    rows = table.T if table is not None and table.ndim == 2 else second
    items_a = count_items(rows, "second")
    return [
        check_table_of_counts(first, (items_a + 2, items_b + 1), "first"),
        check_table_of_counts(second, (items_a + 1, items_b + 2), "second"),
    ]


def _differences(groups: list[IntArray]) -> tuple[FloatArray, FloatArray]:
    """Return each list's difference in means, and their covariance."""
    values, covariance = np.zeros(2), np.zeros((2, 2))
    # The first group has the long list A, the second the long list B.
    for table, signs in zip(groups, ((1.0, -1.0), (-1.0, 1.0)), strict=True):
        means, spread = _counts_of(table)
        values += np.array(signs) * means
        covariance += np.outer(signs, signs) * spread
    return values, covariance


def _counts_of(table: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the means of both counts of a group and the covariance of these means."""
    n = int(table.sum())
    counts = np.indices(table.shape).reshape(2, -1)
    means = counts @ table.ravel() / n
    if n == 1:
        return means, np.diag(np.full(2, np.inf))
    centred = counts - means[:, None]
    return means, (centred * table.ravel()) @ centred.T / (n * (n - 1))


def _error(covariance: FloatArray, weights: FloatArray) -> float:
    if np.isinf(covariance).any():
        return float("inf")
    return sqrt(max(float(weights @ covariance @ weights), 0.0))
