"""The likelihood of reports on a list, given covariates, on plain arrays (Imai 2011).

With the trait of chance ``F(x'b)``, and of the other items a binomial count of chance ``F(x'c)``,
the complete data are the trait z and the count y; a report tells about ``y + z`` or about y alone.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import expit, gammaln, log_expit

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.library.multilevel.group_terms import log_sum_exp
from rr_engine.regression.engine.row_likelihood import RowLikelihood, RowTerms


@dataclass(frozen=True, eq=False)
class ListLikelihood(RowLikelihood):
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

    @property
    def parts(self) -> tuple[FloatArray, FloatArray]:
        """The columns of the trait and of the other items."""
        return self.columns, self.columns

    @property
    def row_weights(self) -> FloatArray:
        """The weight of each group."""
        return self.weights

    def terms(self, eta: FloatArray) -> RowTerms:
        """Return the terms of each group: complete information less the missing (Louis 1982)."""
        trait, item = eta.T
        count = np.arange(self.items + 1)
        binomial = gammaln(self.items + 1) - gammaln(count + 1) - gammaln(self.items + 1 - count)
        logs = binomial + count * log_expit(item)[:, None]
        logs = logs + (self.items - count) * log_expit(-item)[:, None]
        having = np.stack([log_expit(-trait), log_expit(trait)], axis=1)
        joint = self.log_chances + having[:, :, None] + logs[:, None, :]
        values = log_sum_exp(joint, axis=(1, 2))
        posterior = np.exp(joint - np.where(np.isfinite(values), values, 0.0)[:, None, None])
        # Posterior means of trait and count, their variances, and their covariance.
        z, y = posterior[:, 1].sum(axis=1), (posterior * count).sum(axis=(1, 2))
        both = (posterior[:, 1] * count).sum(axis=1) - z * y
        squares = (posterior * count**2).sum(axis=(1, 2)) - y**2
        information = np.empty((len(z), 2, 2))
        information[:, 0, 0] = expit(trait) * expit(-trait) - z * (1 - z)
        information[:, 0, 1] = information[:, 1, 0] = -both
        information[:, 1, 1] = self.items * expit(item) * expit(-item) - squares
        score = np.column_stack([z - expit(trait), y - self.items * expit(item)])
        return RowTerms(values, score, information)


def report_chances(matrix: FloatArray, reports: IntArray, treated: IntArray) -> FloatArray:
    """Return the chances of reports by trait and count, shape (n, 2, items + 1)."""
    rows = matrix[reports]
    without = rows[:, :-1]
    having = np.where(treated[:, None] == 1, rows[:, 1:], without)
    return np.stack([without, having], axis=1)
