"""Association of two attributes in one number: scores, odds ratios and Cramér's V."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rr_engine import check
from rr_engine.arrays import ArrayLike, FloatArray, IntArray
from rr_engine.association import measures
from rr_engine.association.derived import Derived, Distance
from rr_engine.association.distances import phi_squared_distance
from rr_engine.association.table import (
    MEASURE_NOTES,
    Table,
    all_direct,
    check_measurable,
    check_scores,
    check_two_attributes,
    possible_table,
    standard_error,
)
from rr_engine.errors import ArgumentError
from rr_engine.estimation.notes import note
from rr_engine.estimation.result import Estimate


def mean_score(estimate: Estimate | Table, scores: ArrayLike | None = None) -> Derived:
    """Estimate the mean of a scale, such as 1 to 5.

    Parameters
    ----------
    estimate : Estimate or JointEstimate
        Of one attribute.
    scores : array_like of float, shape (truths,), optional
        What each category counts; 0, 1, 2, ... when left out.

    Returns
    -------
    Derived
        A weighted sum of the unconstrained proportions: unbiased by inversion, its error exact,
        and it may leave the range of the scores.

    Raises
    ------
    ArgumentError
        For scores that are not one finite number per category, or all the same.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 18 and 24.

    Examples
    --------
    >>> from rr_engine import estimate, k_rr
    >>> from rr_engine.association import mean_score
    >>> result = mean_score(estimate(k_rr(3, 2), [30, 40, 80]), [1, 2, 3])
    >>> round(result.value, 3), round(result.standard_error, 3)
    (2.49, 0.095)
    """
    checked = check_measurable(estimate)
    if checked.proportions.ndim != 1:
        rule = "be of one attribute; take .margin of one with more"
        raise ArgumentError(
            "estimate", f"{checked.proportions.ndim} attributes", rule, "not_one_attribute"
        )
    labels = getattr(getattr(checked, "design", None), "truth_labels", ())
    weights = check_scores(scores, checked.proportions.size, "scores", labels)
    remarks = (note("no_reports"),) if checked.n == 0 else ()
    bounds = (float(weights.min()), float(weights.max()))
    value = float(weights @ checked.proportions)
    return Derived(value, standard_error(checked, weights), remarks, bounds=bounds)


def pearson_correlation(
    joint: Table, row_scores: ArrayLike | None = None, column_scores: ArrayLike | None = None
) -> Derived:
    """Estimate the correlation of two attributes whose categories have scores.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    row_scores, column_scores : array_like of float, optional
        One per category of the first and of the second attribute; 0, 1, 2, ... when left out.

    Returns
    -------
    Derived
        From -1 to 1.

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes, or scores of another length or all the same.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 24 (the delta method).

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> from rr_engine.association import pearson_correlation
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> result = pearson_correlation(joint)
    >>> round(result.value, 3), round(result.standard_error, 3)
    (0.5, 0.095)
    """
    table = check_two_attributes(joint)
    size, across = table.proportions.shape
    first, second = getattr(table, "categories", ((), ()))
    rows = check_scores(row_scores, size, "row_scores", first)
    columns = check_scores(column_scores, across, "column_scores", second)
    value, at, remarks = possible_table(table)
    if min(_variance(value.sum(axis=1), rows), _variance(value.sum(axis=0), columns)) <= 0:
        notes = (*remarks, MEASURE_NOTES.note("no_spread"))
        return Derived(0.0, float("inf"), notes, bounds=(-1.0, 1.0))
    error = standard_error(table, correlation_gradient(at, rows, columns))
    correlation = correlation_of(value, rows, columns)
    return Derived(correlation, error, tuple(remarks), bounds=(-1.0, 1.0))


def odds_ratio(
    joint: Table, rows: Sequence[int] = (0, 1), columns: Sequence[int] = (0, 1)
) -> Derived:
    """Estimate the odds ratio ``pi_ac pi_bd / (pi_ad pi_bc)`` of two rows and two columns.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    rows, columns : sequence of two int, default (0, 1)
        Categories a, b of the first attribute and c, d of the second.

    Returns
    -------
    Derived
        Its interval is symmetric for the logarithm. If one of the four cells is at zero or below:
        of direct answers of a sample, half a person more in every one of the four cells [1]_ [2]_;
        through other devices, or of a whole group, half a person in that cell and an infinite
        standard error. A note says which.

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes, or rows and columns that are not there.

    References
    ----------
    .. [1] J. B. S. Haldane, "The estimation and significance of the logarithm of a ratio of
       frequencies", Annals of Human Genetics 20, 1956, 309-311.
    .. [2] F. J. Anscombe, "On estimating binomial response relations", Biometrika 43, 1956,
       461-464.

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> from rr_engine.association import odds_ratio
    >>> from rr_engine.designs import direct
    >>> empty = estimate_joint([direct(2), direct(2)], [[12, 40], [0, 48]])
    >>> odds_ratio(empty).interval().round(1).tolist()
    [1.7, 521.4]
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> result = odds_ratio(joint)
    >>> round(result.value, 2), result.interval().round(2).tolist()
    (10.0, [3.65, 27.39])
    """
    table = check_two_attributes(joint)
    chosen = np.ix_(
        check.indices(rows, table.proportions.shape[0], "rows"),
        check.indices(columns, table.proportions.shape[1], "columns"),
    )
    _, at, remarks = possible_table(table)
    empty = any(remark.code == "at_projection" for remark in remarks)
    if empty and all_direct(table) and table.population == "sample" and table.n > 1:
        counts = np.sum([stratum.counts for stratum in table.strata], axis=0)
        return _ratio_of_counts(counts[chosen])
    signs = np.array([[1.0, -1.0], [-1.0, 1.0]])
    value = float(np.exp((signs * np.log(at[chosen])).sum()))
    gradient = np.zeros_like(at)
    gradient[chosen] = signs / at[chosen]
    error = float("inf") if empty else value * standard_error(table, gradient)
    notes = (*remarks, *([MEASURE_NOTES.note("open_odds_ratio")] if empty else []))
    return Derived(value, error, notes, "log", (0.0, float("inf")))


def _ratio_of_counts(counts: IntArray) -> Derived:
    """Woolf's interval of direct answers, with half a person more in every cell if one is empty."""
    empty = bool((counts == 0).any())
    cells = counts + 0.5 * empty
    value = float(cells[0, 0] * cells[1, 1] / (cells[0, 1] * cells[1, 0]))
    notes = (MEASURE_NOTES.note("half_added"),) if empty else ()
    return Derived(value, value * float(np.sqrt((1 / cells).sum())), notes, "log", (0.0, np.inf))


def correlation_of(table: FloatArray, rows: FloatArray, columns: FloatArray) -> float:
    """Return the correlation of scores under a table of proportions."""
    across, down = _centred(table.sum(axis=1), rows), _centred(table.sum(axis=0), columns)
    sizes = _variance(table.sum(axis=1), rows) * _variance(table.sum(axis=0), columns)
    return float(np.clip(across @ table @ down / np.sqrt(sizes), -1, 1))


def correlation_gradient(table: FloatArray, rows: FloatArray, columns: FloatArray) -> FloatArray:
    """Return ``x y - (rho / 2)(x**2 + y**2)`` with x and y the standardized scores."""
    across = _centred(table.sum(axis=1), rows) / np.sqrt(_variance(table.sum(axis=1), rows))
    down = _centred(table.sum(axis=0), columns) / np.sqrt(_variance(table.sum(axis=0), columns))
    correlation = float(across @ table @ down)
    return np.outer(across, down) - correlation / 2 * np.add.outer(across**2, down**2)


def _centred(shares: FloatArray, scores: FloatArray) -> FloatArray:
    return scores - shares @ scores


def _variance(shares: FloatArray, scores: FloatArray) -> float:
    return float(shares @ _centred(shares, scores) ** 2)


def cramers_v(joint: Table, correction: str = "bias") -> Derived:
    """Estimate Cramer's V, the strength of association from 0 to 1.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    correction : {"bias", "none"}, default "bias"
        "bias" takes off what noise alone adds to the square of V. "none" is V of the estimated
        table: too large where there is little association, much too large under strong noise.
        The interval is the same, for it is one of the true V.

    Returns
    -------
    Derived

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes, or an unknown correction.

    Notes
    -----
    docs/methods/association.md. Without a device the correction subtracts
    ``(t1 - 1)(t2 - 1)/(n - 1)``, as Bergsma does [1]_ (who also corrects the number of
    categories).

    References
    ----------
    .. [1] W. Bergsma, "A bias-correction for Cramer's V and Tschuprow's T", Journal of the Korean
       Statistical Society 42 (2013), 323-328.

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> from rr_engine.association import cramers_v
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> corrected, plain = cramers_v(joint), cramers_v(joint, correction="none")
    >>> round(plain.value, 3), round(corrected.value, 3), corrected.interval().round(3).tolist()
    (0.5, 0.491, [0.313, 0.679])
    """
    table = check_two_attributes(joint)
    check.choice(correction, "correction", measures.CORRECTIONS)
    value, at, remarks = possible_table(table)
    smaller = min(value.shape) - 1
    strength = float(np.sqrt(measures.phi_squared(value) / smaller))
    error = float("inf")
    if strength > 0:
        error = standard_error(table, measures.phi_squared_gradient(at) / (2 * strength * smaller))
    notes = (*remarks, *measures.independence_notes(table))
    plain = Derived(strength, error, notes, "distance", (0.0, 1.0))

    def of(table: Table) -> Distance:
        distance = phi_squared_distance(table)
        return replace(distance, measure=lambda true: float(np.sqrt(true / smaller)))

    result = measures.with_distance(plain, table, correction, of)
    if result.distance and correction == "bias" and result.distance.beyond():
        return replace(result, notes=(*result.notes, MEASURE_NOTES.note("above_one")))
    return result
