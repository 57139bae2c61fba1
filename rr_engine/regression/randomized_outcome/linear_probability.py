"""The linear probability model: least squares on the unbiased score of each report."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.precision import check_identifiable, left_inverse
from rr_engine.regression.engine.fitted_model import unscaled_information
from rr_engine.regression.report_likelihoods import ReportLikelihoods


def unbiased_scores(reports: ReportLikelihoods, category: int) -> FloatArray:
    """Return for each row of the table a number whose mean is the truth's indicator.

    ``z = G[category, report]`` with G the left inverse of the report's own design matrix; zero for
    no report.
    """
    values = np.zeros(len(reports.table))
    for device in range(len(reports.designs)):
        rows = reports.block(device)
        check_identifiable(reports.table[rows])
        values[rows] = left_inverse(reports.table[rows])[category]
    return values


def sandwich(inverse: FloatArray, variance: FloatArray) -> FloatArray:
    """Return ``inverse @ variance @ inverse.T``, without variances that rounding made negative."""
    covariance = inverse @ variance @ inverse.T
    covariance = (covariance + covariance.T) / 2
    places = np.diag_indices(len(covariance))
    covariance[places] = np.maximum(covariance[places], 0.0)
    return covariance


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedEquations:
    """The solution of linear equations in scaled columns; errors are robust.

    Attributes
    ----------
    columns : ndarray of float, shape (rows, p)
        As if the columns had been seen: of those that are randomized an unbiased score.
    row_weights : ndarray of float, shape (rows,)
    moments : ndarray of float, shape (p, p)
        The sum of the products of the columns.
    contributions : ndarray of float, shape (n, p)
        Each respondent's weighted part of the equations at their solution.
    transform : ndarray of float, shape (p, p)
        ``coefficients = transform @ theta``.
    variance : ndarray of float, shape (p, p)
        Of the sum of the contributions.
    """

    kinds: ClassVar[tuple[str, ...]] = ("robust",)

    columns: FloatArray
    row_weights: FloatArray
    moments: FloatArray
    contributions: FloatArray
    transform: FloatArray
    variance: FloatArray

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients (sandwich, White 1980)."""
        return sandwich(self.transform @ np.linalg.inv(self.moments), self.variance)

    def scores(self) -> FloatArray:
        """Return each respondent's weighted part of the equations, shape (n, p)."""
        return self.contributions @ np.linalg.inv(self.transform)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of the rows, and their weights."""
        return self.columns @ np.linalg.inv(self.transform), self.row_weights

    def information(self) -> FloatArray:
        """Return the sum of the products of the columns as they came, ``X'WX``."""
        return unscaled_information(self.moments, self.transform)
