"""Entropy and measures of association, as functions of estimated proportions."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
from scipy.special import xlogy

from rr_engine import check
from rr_engine.arrays import FloatArray
from rr_engine.association import distances
from rr_engine.association.derived import Derived, Distance
from rr_engine.association.independence import independence_test
from rr_engine.association.table import (
    MEASURE_NOTES,
    Table,
    check_measurable,
    check_two_attributes,
    possible_table,
    standard_error,
)
from rr_engine.estimation.result import Estimate

Known = TypeVar("Known", bound=Estimate | Table)

# Above this p-value a measure does not differ significantly from independence.
SIGNIFICANT = 0.05
CORRECTIONS = ("bias", "none")


def entropy(estimate: Estimate | Table, correction: str = "bias") -> Derived:
    """Estimate the entropy of the true answers, in bits (logarithm to base 2).

    Parameters
    ----------
    estimate : Estimate or JointEstimate
        Of one attribute, or of several (then the entropy of the whole combination).
    correction : {"bias", "none"}, default "bias"
        "bias" takes off what noise adds or takes away; "none" is the measure of the estimated
        table. The interval is the same.

    Returns
    -------
    Derived
        From 0 to the logarithm of the number of categories, and so is its interval.

    Raises
    ------
    ArgumentError
        For anything else.

    Notes
    -----
    ``H = -sum pi_i log2 pi_i`` with ``dH/dpi_i = -(log2 pi_i + 1/ln 2)``; the paper prints the
    derivative without its sign, which the variance does not notice. docs/methods/association.md
    says what happens where a proportion is not above zero.

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 24 and 25, Result 5.

    Examples
    --------
    >>> from rr_engine import estimate, warner
    >>> from rr_engine.association import entropy
    >>> result = entropy(estimate(warner(0.75), [560, 440]))
    >>> round(result.value, 4), round(result.standard_error, 4)
    (0.9609, 0.0222)
    """
    checked = check_measurable(estimate)
    value, slope, remarks = possible_table(checked)
    error = standard_error(checked, entropy_gradient(slope))
    bounds = (0.0, float(np.log2(value.size)))
    plain = Derived(entropy_of(value), error, tuple(remarks), "distance", bounds)
    return with_distance(
        plain, checked, correction, distances.entropy_distance, thin=value.size > 2
    )


def mutual_information(joint: Table, correction: str = "bias") -> Derived:
    """Estimate the mutual information of two attributes, in bits.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    correction : {"bias", "none"}, default "bias"
        "bias" takes off what noise adds or takes away; "none" is the measure of the estimated
        table. The interval is the same.

    Returns
    -------
    Derived

    Raises
    ------
    ArgumentError
        For a table of more or fewer attributes; take a margin first.

    Notes
    -----
    ``sum pi_ij log2(pi_ij / (pi_i+ pi_+j))``. Its gradient is zero at independence, where the
    standard error means little: a note says so, and :func:`independence_test` decides.

    References
    ----------
    .. [1] C. E. Shannon, "A Mathematical Theory of Communication", Bell System Technical Journal 27
       (1948), 379-423.

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> from rr_engine.association import mutual_information
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> result = mutual_information(joint)
    >>> round(result.value, 4), result.interval().round(3).tolist()
    (0.1704, [0.069, 0.338])
    """
    return _information(joint, correction, 1.0)


def g_squared(joint: Table, correction: str = "bias") -> Derived:
    """Estimate the likelihood-ratio statistic G^2 that the true answers would have given.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    correction : {"bias", "none"}, default "bias"
        "bias" takes off what noise adds or takes away; "none" is the measure of the estimated
        table. The interval is the same.

    Returns
    -------
    Derived
        ``2 n ln 2`` times the mutual information in bits. Not to be compared with a chi-square
        table: see :func:`independence_test`.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] S. S. Wilks, "The Large-Sample Distribution of the Likelihood Ratio for Testing Composite
       Hypotheses", Annals of Mathematical Statistics 9 (1938), 60-62.

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> from rr_engine.association import g_squared
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> found = g_squared(joint)
    >>> round(float(found.value), 1), found.interval().round().tolist()
    (236.2, [96.0, 469.0])
    """
    return _information(joint, correction, _people(joint, 2 * np.log(2)))


def chi_square(joint: Table, correction: str = "bias") -> Derived:
    """Estimate the chi-square statistic that the true answers would have given (Wang Eq. 26).

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.
    correction : {"bias", "none"}, default "bias"
        "bias" takes off what noise adds or takes away; "none" is the measure of the estimated
        table. The interval is the same.

    Returns
    -------
    Derived
        ``n sum (pi_ij - pi_i+ pi_+j)^2 / (pi_i+ pi_+j)``. Not to be compared with a chi-square
        table: the device's noise makes it far larger than that. See :func:`independence_test`.

    Raises
    ------
    ArgumentError

    References
    ----------
    .. [1] Y. Wang, X. Wu and D. Hu, "Using Randomized Response for Differential Privacy
       Preserving Data Collection", EDBT/ICDT Workshops, 2016, Eq. 26.

    Examples
    --------
    >>> from rr_engine import estimate_joint, warner
    >>> from rr_engine.association import chi_square
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> round(chi_square(joint).value, 1), round(chi_square(joint, correction="none").value, 1)
    (241.0, 250.0)
    """
    factor, smaller = _people(joint, 1.0), min(joint.proportions.shape) - 1
    plain = _of_table(joint, phi_squared, phi_squared_gradient, factor, float(smaller))
    distance = distances.scaled(distances.phi_squared_distance, factor)
    return with_distance(plain, joint, correction, distance)


def _people(joint: Table, factor: float) -> float:
    return factor * check_two_attributes(joint).n


def _information(joint: Table, correction: str, factor: float) -> Derived:
    limit = float(np.log2(min(check_two_attributes(joint).proportions.shape)))
    plain = _of_table(joint, information_of, information_gradient, factor, limit)
    distance = distances.scaled(distances.information_distance, factor)
    return with_distance(plain, joint, correction, distance, thin=True)


def _of_table(
    joint: Table,
    measure: Callable[[FloatArray], float],
    slope: Callable[[FloatArray], FloatArray],
    factor: float,
    limit: float,
) -> Derived:
    """Return the measure of the estimated table times a factor; `limit` is the most it can be."""
    table = check_two_attributes(joint)
    value, at, remarks = possible_table(table)
    error = standard_error(table, slope(at))
    # Without reports the factor is zero; the error stays infinite.
    scaled = error * factor if np.isfinite(error) else error
    notes = (*remarks, *independence_notes(table))
    bounds = (0.0, factor * limit if factor else float("inf"))
    return Derived(factor * measure(value), scaled, notes, "distance", bounds)


def with_distance(
    plain: Derived,
    estimate: Known,
    correction: str,
    distance_of: Callable[[Known], Distance],
    *,
    thin: bool = False,
) -> Derived:
    """Return a measure with the interval of a distance, and by "bias" with its value too.

    `thin` is for measures that take logarithms of cells, which have to be known well enough.
    """
    check.choice(correction, "correction", CORRECTIONS)
    if not np.isfinite(estimate.standard_errors).all():
        return plain
    if estimate.proportions.size > distances.DENSE_CELLS:
        return replace(plain, notes=(*plain.notes, MEASURE_NOTES.note("too_large")))
    distance = distance_of(estimate)
    value = plain.value
    if correction == "bias":
        value = distance.measure(distance.centre())
    remarks = [MEASURE_NOTES.note(code) for code in _doubts(estimate, distance, thin=thin)]
    return replace(plain, value=value, distance=distance, notes=(*plain.notes, *remarks))


def _doubts(estimate: Estimate | Table, distance: Distance, *, thin: bool) -> list[str]:
    """Return the reasons why the coverage of the interval may differ from its level."""
    if thin and distances.is_thin(estimate):
        return ["too_thin"]
    if thin and distances.may_be_empty(estimate):
        return ["near_zero"]
    return ["mostly_noise"] if distances.is_mostly_noise(distance) else []


def independence_notes(table: Table) -> tuple:
    """Return the warning for a measure that does not differ from zero."""
    near = independence_test(table).p_value > SIGNIFICANT
    return (MEASURE_NOTES.note("near_independence"),) if near else ()


def entropy_of(table: FloatArray) -> float:
    """Return the entropy of proportions in bits; an empty cell adds nothing."""
    return float(-xlogy(table, table).sum() / np.log(2))


def entropy_gradient(table: FloatArray) -> FloatArray:
    """Return ``-(log2 pi + 1/ln 2)``."""
    return -(np.log2(table) + 1 / np.log(2))


def information_of(table: FloatArray) -> float:
    """Return the mutual information of rows and columns in bits."""
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return max(0.0, entropy_of(rows) + entropy_of(columns) - entropy_of(table))


def information_gradient(table: FloatArray) -> FloatArray:
    """Return ``log2(pi_ij / (pi_i+ pi_+j)) - 1/ln 2``."""
    return np.log2(table / _product(table)) - 1 / np.log(2)


def phi_squared(table: FloatArray) -> float:
    """Return chi-square divided by n; empty rows and columns add nothing."""
    product = _product(table)
    return float(((table - product) ** 2)[product > 0] @ (1 / product[product > 0]))


def phi_squared_gradient(table: FloatArray) -> FloatArray:
    """Return the gradient of ``sum pi_ij**2 / (pi_i+ pi_+j) - 1``."""
    rows, columns = table.sum(axis=1, keepdims=True), table.sum(axis=0, keepdims=True)
    share = table / (rows * columns)
    by_row = (table * share).sum(axis=1, keepdims=True) / rows
    by_column = (table * share).sum(axis=0, keepdims=True) / columns
    return 2 * share - by_row - by_column


def _product(table: FloatArray) -> FloatArray:
    return np.outer(table.sum(axis=1), table.sum(axis=0))
