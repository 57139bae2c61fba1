"""RegressionFit: coefficients of a model of randomized answers, and how well they are known."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine import fitted_model
from rr_engine.regression.engine.links import Outcome, Terms
from rr_engine.regression.engine.samples import GroupedRows
from rr_engine.regression.report_likelihoods import ReportLikelihoods


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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedLikelihood(fitted_model.FittedMaximum):
    """The likelihood of reports at its maximum.

    Attributes
    ----------
    likelihood : ReportLikelihood
    expected : ndarray of float, shape (q * p, q * p)
        Mean of `observed` over all reports.
    """

    kinds: ClassVar[tuple[str, ...]] = ("observed", "expected", "robust")

    likelihood: ReportLikelihood
    expected: FloatArray

    def inverse(self, kind: str) -> FloatArray:
        """Return the inverse of the expected, or of the observed information."""
        information = self.expected if kind == "expected" else self.observed
        return fitted_model.inverse_information(information, self.unbounded)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""
        groups, width = self.groups, self.groups.columns.shape[1]
        return groups.columns @ np.linalg.inv(self.transform[:width, :width]), groups.weights


class FittedRegression(fitted_model.Fitted, Protocol):
    """The solution of a model of reports."""

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, q * p)."""

    def information(self) -> FloatArray:
        """Return the information in the coefficients."""

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RegressionFit(fitted_model.FittedModel):
    """A fitted model; p columns, the intercept's first.

    Attributes
    ----------
    params : ndarray of float, shape (p,); (truths - 1, p) of a multinomial logit
        The coefficients: of the linear predictor, or of log Pr(category)/Pr(first category).
    covariance : ndarray of float, shape (q * p, q * p)
        Of the coefficients, flat in C order; infinite for those without a finite estimate.
    standard_error_kind : str
        "observed": from the second derivatives of the log-likelihood; "expected": from their mean
        over all reports; "robust": from the spread of the scores (sandwich), as for weights.
    log_likelihood, null_log_likelihood : float or None
        Of the model, and of the model with an intercept alone. With weights a
        pseudo-log-likelihood, the weights scaled to a mean of 1. None for a linear probability
        model, which is least squares.
    n : int
        Respondents with a report and a weight above zero.
    names : tuple of str
        Names of the columns.
    link : str
    truths : int
        Categories of the outcome.
    intercept : bool
    weighted : bool
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : FittedLikelihood or FittedEquations

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRLogit, warner
    >>> x, reports = np.repeat([0.0, 1.0], 1000), np.repeat([0, 1, 0, 1], [650, 350, 500, 500])
    >>> fit = RRLogit(warner(0.75)).fit(x, reports)
    >>> fit.params.round(3).tolist(), fit.standard_errors.round(3).tolist(), fit.n
    ([-1.386, 1.386], [0.189, 0.227], 2000)
    """

    log_likelihood: float | None
    null_log_likelihood: float | None
    link: str
    truths: int
    intercept: bool
    weighted: bool
    fitted: FittedRegression

    @property
    def size(self) -> int:
        """Number of parameters that were estimated."""
        return self.params.size

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names that tell the parameters apart from those of other models."""
        return self.names

    @property
    def scores(self) -> FloatArray:
        """Each respondent's weighted score at the estimate, shape (n of the rows, q * p).

        Zero for those without a report; they sum to zero.
        """
        return self.fitted.scores()

    @property
    def information(self) -> FloatArray:
        """Minus the second derivatives of the log-likelihood, shape (q * p, q * p).

        Of a linear probability model ``X'WX``.
        """
        return self.fitted.information()
