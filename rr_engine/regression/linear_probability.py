"""The linear probability model: least squares on the unbiased score of each report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rr_engine.precision import check_identifiable, left_inverse
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.regression.rows import GroupedRows
from rr_engine.regression.unscaled import unscaled_information
from rr_engine.validation import FloatArray


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
class FittedLeastSquares:
    """Weighted least squares in scaled columns; errors are robust, as variances differ by report.

    Attributes
    ----------
    groups : GroupedRows
    residuals : ndarray of float, shape (groups,)
    weights : ndarray of float, shape (n,)
    transform : ndarray of float, shape (p, p)
        ``coefficients = transform @ theta``.
    variance_of : callable or None
        Returns the variance of a total of weighted contributions; None for independent
        respondents.
    """

    groups: GroupedRows
    residuals: FloatArray
    weights: FloatArray
    transform: FloatArray
    variance_of: Callable[[FloatArray], FloatArray] | None
    kinds: tuple[str, ...] = ("robust",)

    @property
    def _moments(self) -> FloatArray:
        return (self.groups.columns * self.groups.weights[:, None]).T @ self.groups.columns

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients (White 1980, with n/(n - p))."""
        inverse = self.transform @ np.linalg.inv(self._moments)
        return sandwich(inverse, self._variance())

    def _variance(self) -> FloatArray:
        if self.variance_of is not None:
            return self.variance_of(self._contributions())
        columns = self.groups.columns
        squares = self.groups.squares * self.residuals**2
        n = np.count_nonzero(self.weights)
        return (columns * squares[:, None]).T @ columns * n / max(n - columns.shape[1], 1)

    def _contributions(self) -> FloatArray:
        scores = self.groups.columns * self.residuals[:, None]
        return scores[self.groups.group_of] * self.weights[:, None]

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, p)."""
        return self._contributions() @ np.linalg.inv(self.transform)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""
        return self.groups.columns @ np.linalg.inv(self.transform), self.groups.weights

    def information(self) -> FloatArray:
        """Return ``X'WX``."""
        return unscaled_information(self._moments, self.transform)
