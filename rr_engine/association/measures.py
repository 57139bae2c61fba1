"""Entropy and measures of association, as functions of estimated proportions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import xlogy

from rr_engine.association.derived import Derived
from rr_engine.association.independence import independence_test
from rr_engine.association.table import (
    Table,
    check_measurable,
    check_two_attributes,
    measure_note,
    possible_table,
    standard_error,
)
from rr_engine.estimation.result import Estimate
from rr_engine.validation import FloatArray

# p-values above this say that a measure is not told apart from independence.
SIGNIFICANT = 0.05


def entropy(estimate: Estimate | Table) -> Derived:
    """Estimate the entropy of the true answers, in bits (logarithm to base 2).

    Parameters
    ----------
    estimate : Estimate or JointEstimate
        Of one attribute, or of several (then the entropy of the whole combination).

    Returns
    -------
    Derived
        From 0 to the logarithm of the number of categories.

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
    >>> from rr_engine import entropy, estimate, warner
    >>> result = entropy(estimate(warner(0.75), [560, 440]))
    >>> round(result.value, 4), round(result.standard_error, 4)
    (0.958, 0.0222)
    """
    known = check_measurable(estimate)
    value, slope, remarks = possible_table(known)
    bounds = (0.0, float(np.log2(value.size)))
    error = standard_error(known, entropy_gradient(slope))
    return Derived(entropy_of(value), error, tuple(remarks), bounds=bounds)


def mutual_information(joint: Table) -> Derived:
    """Estimate the mutual information of two attributes, in bits.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.

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

    Examples
    --------
    >>> from rr_engine import estimate_joint, mutual_information, warner
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> round(mutual_information(joint).value, 4)
    0.1788
    """
    return _of_table(joint, information_of, information_gradient)


def g_squared(joint: Table) -> Derived:
    """Estimate the likelihood-ratio statistic G^2 that the true answers would have given.

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.

    Returns
    -------
    Derived
        ``2 n ln 2`` times the mutual information in bits. Not to be compared with a chi-square
        table: see :func:`independence_test`.

    Raises
    ------
    ArgumentError
    """
    return _of_table(joint, information_of, information_gradient, _people(joint, 2 * np.log(2)))


def chi_square(joint: Table) -> Derived:
    """Estimate the chi-square statistic that the true answers would have given (Wang Eq. 26).

    Parameters
    ----------
    joint : JointEstimate
        Of two attributes.

    Returns
    -------
    Derived
        ``n sum (pi_ij - pi_i+ pi_+j)^2 / (pi_i+ pi_+j)``. Not to be compared with a chi-square
        table: the device's noise makes it far larger than that. See :func:`independence_test`.

    Raises
    ------
    ArgumentError

    Examples
    --------
    >>> from rr_engine import chi_square, estimate_joint, warner
    >>> joint = estimate_joint([warner(0.8), warner(0.8)], [[400, 200], [200, 200]])
    >>> round(chi_square(joint).value, 1)
    250.0
    """
    return _of_table(joint, phi_squared, phi_squared_gradient, _people(joint, 1.0))


def _people(joint: Table, factor: float) -> float:
    return factor * check_two_attributes(joint).n


def _of_table(
    joint: Table,
    measure: Callable[[FloatArray], float],
    slope: Callable[[FloatArray], FloatArray],
    factor: float = 1.0,
) -> Derived:
    table = check_two_attributes(joint)
    value, at, remarks = possible_table(table)
    error = standard_error(table, slope(at))
    # Without reports the factor is zero; the error stays infinite.
    scaled = error * factor if np.isfinite(error) else error
    notes = (*remarks, *independence_notes(table))
    return Derived(factor * measure(value), scaled, notes, bounds=(0.0, float("inf")))


def independence_notes(table: Table) -> tuple:
    """Return the warning that belongs to a measure that may as well be zero."""
    near = independence_test(table).p_value > SIGNIFICANT
    return (measure_note("near_independence"),) if near else ()


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
