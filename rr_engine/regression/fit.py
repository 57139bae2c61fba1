"""RegressionFit: coefficients of a model of randomized answers, and how well they are known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from rr_engine.estimation.notes import Note
from rr_engine.regression.likelihood import ReportLikelihood
from rr_engine.regression.separation import covariance_of
from rr_engine.regression.unscaled import respondent_scores, unscaled_information
from rr_engine.regression.wald import WaldTable
from rr_engine.validation import FloatArray, check_choice, freeze

KINDS = ("observed", "expected", "robust")


class Fitted(Protocol):
    """The maximum that a fit computes its errors from."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of standard errors that there are."""
        ...

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients."""
        ...

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, q * p)."""
        ...

    def information(self) -> FloatArray:
        """Return the information in the coefficients."""
        ...

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""
        ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedLikelihood:
    """The likelihood at its maximum, in scaled columns, from which all errors are computed.

    Attributes
    ----------
    likelihood : ReportLikelihood
    theta : ndarray of float, shape (q * p,)
        The coefficients of the scaled columns.
    transform : ndarray of float, shape (q * p, q * p)
        ``coefficients = transform @ theta``.
    weights : ndarray of float, shape (n,)
        Each respondent's weight; 0 for those without a report.
    observed, expected : ndarray of float, shape (q * p, q * p)
        Minus the second derivatives of the log-likelihood, and their mean over all reports.
    variance : ndarray of float, shape (q * p, q * p)
        The estimated variance of the score.
    unbounded : ndarray of float, shape (q * p, directions)
        Directions in which the likelihood does not fall.
    """

    likelihood: ReportLikelihood
    theta: FloatArray
    transform: FloatArray
    weights: FloatArray
    observed: FloatArray
    expected: FloatArray
    variance: FloatArray
    unbounded: FloatArray
    kinds: tuple[str, ...] = KINDS

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients; infinite where they have no estimate."""
        information = self.expected if kind == "expected" else self.observed
        inverse = inverse_information(information, self.unbounded)
        scaled = inverse @ self.variance @ inverse if kind == "robust" else inverse
        return covariance_of(scaled, self.unbounded, self.transform)

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, q * p)."""
        groups = self.likelihood.groups.group_of
        scores = self.likelihood.scores(self.theta)
        return respondent_scores(scores, groups, self.weights, self.transform)

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights."""
        groups, width = self.likelihood.groups, self.likelihood.groups.columns.shape[1]
        return groups.columns @ np.linalg.inv(self.transform[:width, :width]), groups.weights

    def information(self) -> FloatArray:
        """Return minus the second derivatives in the coefficients, shape (q * p, q * p)."""
        return unscaled_information(self.observed, self.transform)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RegressionFit(WaldTable):
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
    fitted : FittedLikelihood or FittedLeastSquares
    """

    params: FloatArray
    covariance: FloatArray
    standard_error_kind: str
    log_likelihood: float | None
    null_log_likelihood: float | None
    n: int
    names: tuple[str, ...]
    link: str
    truths: int
    intercept: bool
    weighted: bool
    converged: bool
    iterations: int
    notes: tuple[Note, ...]
    fitted: Fitted

    def __post_init__(self) -> None:
        for name in ("params", "covariance"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    @property
    def size(self) -> int:
        """Number of parameters that were estimated."""
        return self.params.size

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names that tell the parameters apart from those of other models."""
        return self.names

    @property
    def standard_errors(self) -> FloatArray:
        """Square roots of the covariance's diagonal, in the shape of the coefficients."""
        return np.sqrt(np.diag(self.covariance)).reshape(self.params.shape)

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

    def with_errors(self, kind: str) -> RegressionFit:
        """Return the same fit with standard errors of another kind.

        `kind`: "observed", "expected" or "robust".

        References
        ----------
        .. [1] H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50,
           1982 (robust).
        """
        chosen = check_choice(kind, "kind", self.fitted.kinds)
        covariance = self.fitted.covariance(chosen)
        return replace(self, covariance=covariance, standard_error_kind=chosen)


def inverse_information(information: FloatArray, unbounded: FloatArray) -> FloatArray:
    """Return the inverse, without the directions in which there is no information."""
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    scaled = information / np.outer(scale, scale)
    if unbounded.shape[1]:
        inverse = np.linalg.pinv(scaled, rcond=1e-7, hermitian=True)
    else:
        inverse = np.linalg.inv(scaled)
    return inverse / np.outer(scale, scale)
