"""PredictorFit: a fitted model with randomized predictors, and its errors."""

from dataclasses import dataclass

import numpy as np

from rr_engine.arrays import FloatArray, IntArray
from rr_engine.regression.engine.fitted_model import FittedMaximum
from rr_engine.regression.engine.separation import (
    endless_coefficients,
    is_indefinite,
    without_estimate,
)
from rr_engine.regression.randomized_outcome.regression_fit import RegressionFit
from rr_engine.regression.randomized_predictors.predictor_likelihood import PredictorLikelihood


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedPredictors(FittedMaximum):
    """The likelihood of an outcome with randomized predictors at its maximum.

    Attributes
    ----------
    likelihood : PredictorLikelihood
    unit : float
        What a linear model's outcome was divided by.
    """

    likelihood: PredictorLikelihood
    unit: float

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients; infinite where they have no estimate."""
        size = self.likelihood.places.outcome
        return self.covariance_of_all(kind)[:size, :size]

    def covariance_of_all(self, kind: str) -> FloatArray:
        """Return the covariance of all parameters, those of the true predictors included."""
        if self.indefinite:
            # No maximum: nothing can be said of any parameter.
            return np.diag(np.full(len(self.theta), np.inf))
        covariance = FittedMaximum.covariance(self, kind)
        return without_estimate(covariance, np.diag(covariance) <= 0)

    @property
    def indefinite(self) -> bool:
        """Whether the likelihood still rises, as where the iterations ended early."""
        return is_indefinite(self.observed)

    @property
    def endless(self) -> IntArray:
        """Places of the parameters that have no finite estimate."""
        return np.flatnonzero(endless_coefficients(self.unbounded, self.transform))

    def rows(self) -> tuple[FloatArray, FloatArray]:
        """Return the columns of groups of respondents who are alike, and their weights.

        A row for each combination of true predictors, weighted by its probability given all
        reports.
        """
        likelihood = self.likelihood
        posterior = likelihood.expected(self.theta).posterior
        groups, combinations = posterior.shape
        columns = np.hstack(
            [
                np.repeat(likelihood.covariates, combinations, axis=0),
                np.tile(likelihood.terms, (groups, 1)),
            ]
        )
        size = columns.shape[1]
        weights = posterior * likelihood.weights[:, None]
        back = np.linalg.inv(self.transform[:size, :size] / self.unit)
        return columns @ back, weights.ravel()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PredictorFit(RegressionFit):
    """A fitted model of an outcome with randomized predictors.

    What RegressionFit says holds of it too, with these differences: `params` are the coefficients
    of the covariates and then those of the true predictors; `covariance` allows for everything
    else that was estimated with them; `scores` and `information` are of all parameters, in the
    order of `all_names`.

    Attributes
    ----------
    family : str
        "linear", "logit" or "probit".
    residual_deviation : float or None
        Standard deviation of a linear model's errors, by maximum likelihood.
    combinations : ndarray of int, shape (combinations, predictors)
        The true answers to the randomized predictors, each combination once.
    shares : ndarray of float, shape (combinations,)
        Estimated share of each combination among the respondents.
    predictor_params : ndarray of float, shape (combinations - 1, columns)
        Coefficients of log Pr(combination | x)/Pr(first combination | x).
    all_names : tuple of str
        Of all parameters: the coefficients, "log deviation" of a linear model, and the
        coefficients of the combinations.

    Examples
    --------
    >>> import numpy as np
    >>> from rr_engine import RRRegression
    >>> from rr_engine.designs import generalized_binary
    >>> from rr_engine.models import ReportLikelihoods
    >>> smoking = ReportLikelihoods(generalized_binary(0.97, 0.94), np.repeat([1, 0], [197, 316]))
    >>> cases = np.repeat([1, 0, 1, 0], [126, 71, 92, 224])
    >>> fit = RRRegression("logit").fit(cases, None, [smoking])
    >>> fit.names, fit.params.round(2).tolist(), fit.n
    (('intercept', 'z1[1]'), [-0.96, 1.61], 513)
    """

    fitted: FittedPredictors
    family: str
    residual_deviation: float | None
    combinations: IntArray
    shares: FloatArray
    predictor_params: FloatArray
    all_names: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of parameters that were estimated, those of the true predictors included."""
        return len(self.all_names)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of all parameters."""
        return self.all_names

    @property
    def all_covariance(self) -> FloatArray:
        """Covariance of all parameters, of the kind of `standard_error_kind`."""
        return self.fitted.covariance_of_all(self.standard_error_kind)

    @property
    def posterior(self) -> FloatArray:
        """Probability of each combination for each respondent given everything reported.

        Shape (n, combinations); rows of those without any report or weight are 0.
        """
        fitted = self.fitted
        found = fitted.likelihood.expected(fitted.theta).posterior[fitted.groups.group_of]
        found[fitted.groups.group_of < 0] = 0.0
        return found
