"""Coefficients of a fitted model: standard errors, z values, p-values and Wald's intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self

import numpy as np

from rr_engine.distributions import normal_isf, normal_sf
from rr_engine.estimation.notes import Note
from rr_engine.validation import FloatArray, FrozenArrays, check_choice, check_open_unit


class Fitted(Protocol):
    """The solution that a model computes its errors from."""

    kinds: ClassVar[tuple[str, ...]]

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of all coefficients, by standard errors of a kind."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedModel(FrozenArrays):
    """Coefficients with standard errors; each model says more of them, and has others beside them.

    Attributes
    ----------
    params : ndarray of float
    covariance : ndarray of float
        Of `params`, flat in C order, and after them of the model's other coefficients.
    standard_error_kind : str
    n : int
        Respondents that count.
    names : tuple of str
    converged : bool
    iterations : int
    notes : tuple of Note
    fitted : Fitted
    """

    params: FloatArray
    covariance: FloatArray
    standard_error_kind: str
    n: int
    names: tuple[str, ...]
    converged: bool
    iterations: int
    notes: tuple[Note, ...]
    fitted: Fitted

    @property
    def standard_errors(self) -> FloatArray:
        """Standard errors of `params`, in their shape."""
        errors = np.sqrt(np.diag(self.covariance))
        return errors[: self.params.size].reshape(self.params.shape)

    @property
    def z_values(self) -> FloatArray:
        """Coefficients over their standard errors; 0 where these are infinite.

        Infinite where these are 0, as of a line through all answers.
        """
        errors = self.standard_errors
        exact = np.where(self.params == 0, 0.0, np.copysign(np.inf, self.params))
        return np.divide(self.params, errors, out=exact, where=errors > 0)

    @property
    def p_values(self) -> FloatArray:
        """Two-sided p-values of Wald's test that a coefficient is zero."""
        return np.asarray(2 * normal_sf(np.abs(self.z_values)), dtype=np.float64)

    def interval(self, level: float = 0.95) -> FloatArray:
        """Return Wald's intervals, shape (*shape of params, 2).

        References
        ----------
        .. [1] A. Wald, "Tests of Statistical Hypotheses Concerning Several Parameters When the
           Number of Observations is Large", Transactions of the American Mathematical Society 54,
           1943.
        """
        return wald_intervals(self.params, self.standard_errors, level)

    def with_errors(self, kind: str) -> Self:
        """Return the same fit with standard errors of another kind, one of `fitted.kinds`.

        "observed": from the second derivatives of the log-likelihood; "expected": from their mean
        over all reports; "robust": from the spread of the scores (sandwich).

        References
        ----------
        .. [1] H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50,
           1982 (robust).
        """
        chosen = check_choice(kind, "kind", self.fitted.kinds)
        covariance = self.fitted.covariance(chosen)
        return replace(self, covariance=covariance, standard_error_kind=chosen)


def wald_intervals(values: FloatArray, errors: FloatArray, level: float) -> FloatArray:
    """Return ``value -+ z error``, shape (*shape of the values, 2)."""
    reach = float(normal_isf((1 - check_open_unit(level, "level")) / 2)) * errors
    return np.stack([values - reach, values + reach], axis=-1)
