"""AttentionRegressionFit: a number explained by a randomized trait, corrected for inattention."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rr_engine.estimation.notes import Note
from rr_engine.regression.wald import WaldTable
from rr_engine.validation import FloatArray, check_choice, freeze

KINDS = ("observed", "robust")
ARRAYS = (
    "params",
    "trait_params",
    "share_params",
    "covariance",
    "observed_covariance",
    "robust_covariance",
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AttentionRegressionFit(WaldTable):
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
    robust_covariance, observed_covariance : ndarray of float
    """

    params: FloatArray
    residual_deviation: float
    trait_params: FloatArray
    share_params: FloatArray
    share: float
    covariance: FloatArray
    names: tuple[str, ...]
    trait_names: tuple[str, ...]
    share_names: tuple[str, ...]
    standard_error_kind: str
    log_likelihood: float
    n: int
    weighted: bool
    converged: bool
    iterations: int
    notes: tuple[Note, ...]
    observed_covariance: FloatArray
    robust_covariance: FloatArray

    def __post_init__(self) -> None:
        for name in ARRAYS:
            object.__setattr__(self, name, freeze(getattr(self, name)))

    @property
    def _errors(self) -> FloatArray:
        return np.sqrt(np.diag(self.covariance))

    @property
    def standard_errors(self) -> FloatArray:
        """Standard errors of `params`, shape (p + 1,)."""
        return self._errors[: len(self.params)]

    @property
    def trait_standard_errors(self) -> FloatArray:
        """Standard errors of `trait_params`, shape (p,)."""
        start = len(self.params) + 1
        return self._errors[start : start + len(self.trait_params)]

    @property
    def share_standard_errors(self) -> FloatArray:
        """Standard errors of `share_params`, shape (q,)."""
        return self._errors[len(self.params) + 1 + len(self.trait_params) :]

    def with_errors(self, kind: str) -> AttentionRegressionFit:
        """Return the same fit with other errors: "observed", or "robust" (White 1982)."""
        chosen = check_choice(kind, "kind", KINDS)
        covariance = self.robust_covariance if chosen == "robust" else self.observed_covariance
        return replace(self, covariance=covariance, standard_error_kind=chosen)
