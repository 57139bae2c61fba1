"""List experiments with a second source: another list, or a direct question."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, FrozenArrays, IntArray, as_array
from rr_engine.compliance.share_results import ShareResult
from rr_engine.distributions import chi2_sf
from rr_engine.library.item_count.list_experiment import normal_interval
from rr_engine.library.item_count.placebo import PlaceboTest
from rr_engine.library.item_count.tables import COUNT_NOTES, check_table_of_counts, count_items


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

    Examples
    --------
    >>> from rr_engine.item_count import double_list_experiment
    >>> first = [[10, 5, 0], [15, 40, 10], [5, 40, 25], [0, 10, 40]]
    >>> second = [[10, 20, 5, 0], [5, 35, 45, 10], [0, 5, 30, 35]]
    >>> found = double_list_experiment(first, second)
    >>> found.prevalences.round(3).tolist(), round(found.difference, 3), round(found.p_value, 2)
    ([0.6, 0.55], 0.05, 0.73)
    """

    prevalence: float
    prevalences: FloatArray
    standard_errors: FloatArray
    difference: float
    difference_standard_error: float
    p_value: float
    interval_method: str = "normal"


def double_list_experiment(
    first: ArrayLike, second: ArrayLike, level: float = 0.95
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


def _tables(first: ArrayLike, second: ArrayLike) -> list[IntArray]:
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CombinedListExperiment(ShareResult):
    """Prevalence from direct answers and a list, where some admit the trait when asked directly.

    Attributes
    ----------
    prevalence, standard_error : float
        Those who say yes directly, and of the others as many as the list finds.
    interval : tuple of float
        Normal; 0 to 1 where the list cannot be estimated for those who say no.
    level : float
    direct, direct_standard_error : float
        Share that says yes directly.
    conventional, conventional_standard_error : float
        Difference in means of everybody's counts, without the direct answers.
    yes_placebo : PlaceboTest
        The list's estimate among those who said yes, which should be 1 (placebo test I).
    direct_placebo : PlaceboTest
        The long list's effect on the direct answer, which should be 0 (placebo test II).
    interval_method : str
    notes : tuple of Note

    Examples
    --------
    >>> from rr_engine.item_count import combine_with_direct
    >>> found = combine_with_direct([[10, 40, 50], [0, 30, 20]], [[8, 36, 42, 14], [0, 2, 29, 19]])
    >>> [round(end, 2) for end in found.interval], round(found.direct, 2)
    ([0.34, 0.62], 0.33)
    """

    prevalence: float
    direct: float
    direct_standard_error: float
    conventional: float
    conventional_standard_error: float
    yes_placebo: PlaceboTest
    direct_placebo: PlaceboTest
    interval_method: str = "normal"


def combine_with_direct(
    control: ArrayLike, treatment: ArrayLike, level: float = 0.95
) -> CombinedListExperiment:
    """Combine a list experiment with the direct answers of the same people.

    Parameters
    ----------
    control : array_like of int, shape (2, items + 1)
        People with the short list: those who said no directly and those who said yes (rows), by
        their count (columns).
    treatment : array_like of int, shape (2, items + 2)
        The same with the long list.
    level : float, default 0.95

    Returns
    -------
    CombinedListExperiment

    Raises
    ------
    CountsError, ArgumentError

    Notes
    -----
    Beyond the assumptions of a list experiment nobody may say yes falsely, and the list may not
    change the direct answer. Never less precise than the list alone, in the limit.
    docs/methods/item-count.md.

    References
    ----------
    .. [1] P. M. Aronow, A. Coppock, F. W. Crawford and D. P. Green, "Combining List Experiment and
       Direct Question Estimates of Sensitive Behavior Prevalence", Journal of Survey Statistics and
       Methodology 3 (2015), 43-66.

    Examples
    --------
    >>> found = combine_with_direct([[10, 40, 50], [0, 30, 20]], [[8, 36, 42, 14], [0, 2, 29, 19]])
    >>> round(found.prevalence, 3), round(found.standard_error, 3)
    (0.48, 0.074)
    >>> round(found.conventional, 3), round(found.conventional_standard_error, 3)
    (0.46, 0.084)
    """
    confidence = check.open_unit(level, "level")
    items = count_items(control)
    groups = [
        check_table_of_counts(control, (2, items + 1), "control"),
        check_table_of_counts(treatment, (2, items + 2), "treatment"),
    ]
    sizes = [int(group.sum()) for group in groups]
    among_no, among_yes, among_all = (
        _difference([group[rows].sum(axis=0) for group in groups]) for rows in ([0], [1], [0, 1])
    )
    total = sum(sizes)
    said_yes = sum(int(group[1].sum()) for group in groups)
    direct = said_yes / total if total else 0.5
    prevalence, error = _combine(direct, among_no, sizes)
    tests = (
        _placebo(among_yes, 1.0, said_yes),
        _placebo(_difference([group.sum(axis=1) for group in groups]), 0.0, total),
    )
    conditions = {
        "no_reports": 0 in sizes,
        "one_report": 1 in sizes,
        "nobody_to_compare": 0 not in sizes and not np.isfinite(error),
        "direct_yes_refuted": tests[0].p_value < 1 - confidence,
        "direct_moved": tests[1].p_value < 1 - confidence,
    }
    return CombinedListExperiment(
        prevalence=prevalence,
        standard_error=error,
        interval=normal_interval(prevalence, error, confidence),
        level=confidence,
        direct=direct,
        direct_standard_error=sqrt(direct * (1 - direct) / (total - 1)) if total > 1 else inf,
        conventional=among_all.value,
        conventional_standard_error=sqrt(sum(among_all.variances)),
        yes_placebo=tests[0],
        direct_placebo=tests[1],
        notes=COUNT_NOTES.holding(conditions),
    )


@dataclass(frozen=True, slots=True)
class _Difference:
    """Difference in means of two groups; variances of the means and of one person's count."""

    value: float
    variances: tuple[float, float]
    spreads: tuple[float, float]


def _difference(groups: list[IntArray]) -> _Difference:
    sizes = [int(group.sum()) for group in groups]
    if min(sizes) == 0:
        return _Difference(0.5, (inf, inf), (inf, inf))
    counts = [np.arange(len(group)) for group in groups]
    means = [
        float(count @ group) / n for count, group, n in zip(counts, groups, sizes, strict=True)
    ]
    spreads = [
        float(((count - mean) ** 2) @ group) / (n - 1) if n > 1 else inf
        for count, mean, group, n in zip(counts, means, groups, sizes, strict=True)
    ]
    variances = (spreads[0] / sizes[0], spreads[1] / sizes[1])
    return _Difference(means[1] - means[0], variances, (spreads[0], spreads[1]))


def _combine(direct: float, among_no: _Difference, sizes: list[int]) -> tuple[float, float]:
    """Return the combined prevalence and its error (Aronow et al., section 3)."""
    if direct == 1:
        return 1.0, 0.0
    prevalence = direct + (1 - direct) * among_no.value
    if np.isinf(among_no.spreads).any():
        return prevalence, inf
    total = sum(sizes)
    treated = sizes[1] / total
    admitted = (1 - prevalence) ** 2 * direct / (1 - direct)
    listed = among_no.spreads[1] / treated + among_no.spreads[0] / (1 - treated)
    return prevalence, sqrt((admitted + (1 - direct) * listed) / total)


def _placebo(difference: _Difference, null: float, n: int) -> PlaceboTest:
    value, variance = difference.value, sum(difference.variances)
    if not np.isfinite(variance):
        return PlaceboTest(null, inf, 1.0, n)
    if variance == 0:
        return PlaceboTest(value, 0.0, 1.0 if value == null else 0.0, n)
    return PlaceboTest(value, sqrt(variance), float(chi2_sf((value - null) ** 2 / variance, 1)), n)
