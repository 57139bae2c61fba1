"""The log-likelihood of reports, as a function of coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rr_engine.regression.engine.outcome import Outcome, Terms
from rr_engine.regression.engine.rows import GroupedRows
from rr_engine.regression.report_likelihoods import ReportLikelihoods
from rr_engine.validation import FloatArray


@dataclass(frozen=True, eq=False)
class ReportLikelihood:
    """The log-likelihood of grouped reports; coefficients are flat, of shape (q * p,).

    Called, it is an objective of :func:`rr_engine.regression.engine.newton.maximise`.
    """

    outcome: Outcome
    groups: GroupedRows
    reports: ReportLikelihoods

    @cached_property
    def likelihoods(self) -> FloatArray:
        """Likelihood of each truth, shape (groups, truths); each truth's in one piece."""
        return np.asfortranarray(self.reports.table[self.groups.codes[:, 0]])

    def eta(self, theta: FloatArray) -> FloatArray:
        """Return the linear predictors, shape (groups, q)."""
        return self.groups.columns @ theta.reshape(self.outcome.predictors, -1).T

    def terms(self, theta: FloatArray) -> Terms:
        """Return what one respondent of each group adds."""
        return self.outcome.terms(self.eta(theta), self.likelihoods)

    def value(self, theta: FloatArray) -> float:
        """Return the log-likelihood alone."""
        return float(self.groups.weights @ self.terms(theta).log_likelihood)

    def reach(self, direction: FloatArray) -> float:
        """Return how far a direction moves the linear predictors of any respondent."""
        return float(np.abs(self.eta(direction)).max())

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        terms, weights = self.terms(theta), self.groups.weights
        value = float(weights @ terms.log_likelihood)
        # Where a report cannot be, far out, the value is minus infinity and the rest no number.
        with np.errstate(invalid="ignore", over="ignore"):
            gradient = (terms.score * weights[:, None]).T @ self.groups.columns
            information = self.information_of(terms.information, self.groups.columns)
        return value, gradient.ravel(), information

    def expected_information(self, theta: FloatArray) -> FloatArray:
        """Return the information that such respondents carry on average over their reports."""
        return self.information_of(self.expected_blocks(theta), self.groups.columns)

    def expected_blocks(self, theta: FloatArray) -> FloatArray:
        """Return the same of one respondent in the linear predictors, shape (groups, q, q)."""
        eta = self.eta(theta)
        blocks = np.zeros((len(eta), self.outcome.predictors, self.outcome.predictors))
        codes = self.groups.codes[:, 0]
        for device in range(len(self.reports.designs)):
            rows = self.reports.block(device)
            users = (codes >= rows.start) & (codes < rows.stop)
            if users.any():
                blocks[users] = self.outcome.expected(eta[users], self.reports.table[rows])
        return blocks

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of one respondent of each group, shape (groups, q * p)."""
        score, columns = self.terms(theta).score, self.groups.columns
        return (score[:, :, None] * columns[:, None, :]).reshape(len(columns), -1)

    def information_of(self, blocks: FloatArray, columns: FloatArray) -> FloatArray:
        """Return the information in coefficients of these columns of the groups."""
        size = self.outcome.predictors
        width = columns.shape[1]
        result = np.empty((size, width, size, width))
        weighted = blocks * self.groups.weights[:, None, None]
        for row in range(size):
            for column in range(row + 1):
                part = (columns * weighted[:, row, column, None]).T @ columns
                result[row, :, column] = part
                result[column, :, row] = part.T
        return result.reshape(size * width, size * width)
