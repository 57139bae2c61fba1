"""Errors and Student's intervals of estimates from samples that are not simple."""

import numpy as np

from rr_engine.distributions import t_isf
from rr_engine.validation import FloatArray, check_open_unit


def errors_of(covariance: FloatArray) -> FloatArray:
    """Return square roots of the diagonal; inf where the estimate of a variance is negative."""
    variances = np.diag(covariance)
    return np.where(variances >= 0, np.sqrt(np.maximum(variances, 0)), np.inf)


def student_quantile(level: float, degrees: int) -> float:
    """Return how many standard errors an interval reaches; without a degree of freedom as with 1.

    Raises
    ------
    ArgumentError
    """
    return float(t_isf((1 - check_open_unit(level, "level")) / 2, max(degrees, 1)))


def student_intervals(
    values: FloatArray, errors: FloatArray, degrees: int, level: float
) -> FloatArray:
    """Return ``value -+ t error``, shape (k, 2)."""
    half = student_quantile(level, degrees) * errors
    return np.column_stack([values - half, values + half])
