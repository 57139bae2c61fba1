"""The likelihood of reports on a list, given covariates, on plain arrays (Imai 2011).

With the trait of chance ``F(x'b)``, and of the other items a binomial count of chance ``F(x'c)``,
the complete data are the trait z and the count y; a report tells about ``y + z`` or about y alone.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, gammaln, log_expit

from rr_engine.library.multilevel.group_terms import log_sum_exp
from rr_engine.regression.newton import of_blocks
from rr_engine.validation import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class ListLikelihood:
    """Groups of respondents who are alike.

    Attributes
    ----------
    columns : ndarray of float, shape (g, p)
    weights : ndarray of float, shape (g,)
    chances : ndarray of float, shape (g, 2, items + 1)
        Of the group's report, by trait and by count of the other items.
    """

    columns: FloatArray
    weights: FloatArray
    chances: FloatArray

    @property
    def items(self) -> int:
        """Number of items on the short list."""
        return self.chances.shape[2] - 1

    @cached_property
    def log_chances(self) -> FloatArray:
        """Logarithms of the chances; minus infinity of those that are 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.chances)

    def objective(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and observed information."""
        values, first, means = self._parts(theta)
        gradient = self.weights @ self._spread(first)
        return float(self.weights @ values), gradient, self._information(theta, means)

    def value(self, theta: FloatArray) -> float:
        """Return the log-likelihood alone."""
        return float(self.weights @ self._parts(theta)[0])

    def reach(self, direction: FloatArray) -> float:
        """Return how far a direction moves the linear predictors of any respondent."""
        return max(float(np.abs(self.columns @ half).max()) for half in np.split(direction, 2))

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return each group's score of one respondent, shape (g, 2 * p)."""
        return self._spread(self._parts(theta)[1])

    def _spread(self, first: FloatArray) -> FloatArray:
        return np.hstack([self.columns * first[:, [0]], self.columns * first[:, [1]]])

    def _parts(self, theta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return log-likelihoods, scores in both linear predictors, and posterior moments.

        The moments are the variances of trait and count given the report, and their covariance.
        """
        trait, item = (self.columns @ half for half in np.split(theta, 2))
        count = np.arange(self.items + 1)
        binomial = gammaln(self.items + 1) - gammaln(count + 1) - gammaln(self.items + 1 - count)
        logs = binomial + count * log_expit(item)[:, None]
        logs = logs + (self.items - count) * log_expit(-item)[:, None]
        having = np.stack([log_expit(-trait), log_expit(trait)], axis=1)
        joint = self.log_chances + having[:, :, None] + logs[:, None, :]
        values = log_sum_exp(joint, axis=(1, 2))
        posterior = np.exp(joint - np.where(np.isfinite(values), values, 0.0)[:, None, None])
        z, y = posterior[:, 1].sum(axis=1), (posterior * count).sum(axis=(1, 2))
        both = (posterior[:, 1] * count).sum(axis=1) - z * y
        squares = (posterior * count**2).sum(axis=(1, 2)) - y**2
        first = np.column_stack([z - expit(trait), y - self.items * expit(item)])
        return values, first, np.column_stack([z * (1 - z), both, squares])

    def _information(self, theta: FloatArray, means: FloatArray) -> FloatArray:
        """Return complete information less what the missing data would add (Louis 1982)."""
        trait, item = (self.columns @ half for half in np.split(theta, 2))
        weights = self.weights[:, None] * np.column_stack(
            [
                expit(trait) * expit(-trait) - means[:, 0],
                -means[:, 1],
                self.items * expit(item) * expit(-item) - means[:, 2],
            ]
        )
        blocks = [(self.columns.T * column) @ self.columns for column in weights.T]
        return of_blocks([[blocks[0], blocks[1]], [blocks[1].T, blocks[2]]])


def report_chances(matrix: FloatArray, reports: IntArray, treated: IntArray) -> FloatArray:
    """Return the chances of reports by trait and count, shape (n, 2, items + 1)."""
    rows = matrix[reports]
    without = rows[:, :-1]
    having = np.where(treated[:, None] == 1, rows[:, 1:], without)
    return np.stack([without, having], axis=1)
