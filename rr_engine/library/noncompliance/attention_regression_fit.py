"""AttentionRegressionFit: a number explained by a randomized trait, corrected for inattention."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.library.noncompliance.attention_classes import ClassLikelihood
from rr_engine.regression.fitted_model import FittedModel
from rr_engine.regression.maximum import FittedMaximum
from rr_engine.validation import FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedClasses(FittedMaximum):
    """The likelihood of four classes at its maximum; `inverse_observed`: without `unbounded`."""

    likelihood: ClassLikelihood
    inverse_observed: FloatArray

    def inverse(self, kind: str) -> FloatArray:
        """Return the inverse information, which knows flat directions."""
        return self.inverse_observed


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AttentionRegressionFit(FittedModel):
    """A fitted model of a number.

    Attributes
    ----------
    params : ndarray of float, shape (p + 1,)
        Of the number's mean: the columns of X and, last, the trait.
    residual_deviation : float
        Standard deviation of the number around its mean.
    trait_params : ndarray of float, shape (p,)
        Log odds of the trait, on the columns of X.
    share_params : ndarray of float, shape (q,)
        Log odds of not paying attention.
    share : float
        Mean share of those who do not pay attention.
    covariance : ndarray of float, shape (2 p + 2 + q, 2 p + 2 + q)
        Of `params`, the logarithm of `residual_deviation`, `trait_params` and `share_params`.
    names, trait_names, share_names : tuple of str
    standard_error_kind : str
        "observed" or "robust", as for weights.
    log_likelihood : float
    n : int
    weighted : bool
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : FittedClasses
    """

    residual_deviation: float
    trait_params: FloatArray
    share_params: FloatArray
    share: float
    trait_names: tuple[str, ...]
    share_names: tuple[str, ...]
    log_likelihood: float
    weighted: bool
    fitted: FittedClasses

    @property
    def _errors(self) -> FloatArray:
        return np.sqrt(np.diag(self.covariance))

    @property
    def trait_standard_errors(self) -> FloatArray:
        """Standard errors of `trait_params`, shape (p,)."""
        start = len(self.params) + 1
        return self._errors[start : start + len(self.trait_params)]

    @property
    def share_standard_errors(self) -> FloatArray:
        """Standard errors of `share_params`, shape (q,)."""
        return self._errors[len(self.params) + 1 + len(self.trait_params) :]
