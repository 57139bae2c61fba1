"""RegressionFit: coefficients of a model of randomized answers, and how well they are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from rr_engine.regression.engine.fitted_model import (
    Fitted,
    FittedMaximum,
    FittedModel,
    inverse_information,
)
from rr_engine.regression.randomized_outcome.likelihood import ReportLikelihood
from rr_engine.validation import FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedLikelihood(FittedMaximum):
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
        return inverse_information(information, self.unbounded)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""
        groups, width = self.groups, self.groups.columns.shape[1]
        return groups.columns @ np.linalg.inv(self.transform[:width, :width]), groups.weights


class FittedRegression(Fitted, Protocol):
    """The solution of a model of reports."""

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, q * p)."""

    def information(self) -> FloatArray:
        """Return the information in the coefficients."""

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RegressionFit(FittedModel):
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
