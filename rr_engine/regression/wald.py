"""Tables of coefficients: z values, p-values and Wald's intervals."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from rr_engine.distributions import normal_isf, normal_sf
from rr_engine.validation import FloatArray, check_open_unit


class WaldTable:
    """Coefficients with standard errors.

    Attributes
    ----------
    params : ndarray of float
    """

    __slots__ = ()

    params: FloatArray

    @property
    @abstractmethod
    def standard_errors(self) -> FloatArray:
        """Standard errors, in the shape of the coefficients."""

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


def wald_intervals(values: FloatArray, errors: FloatArray, level: float) -> FloatArray:
    """Return ``value -+ z error``, shape (*shape of the values, 2)."""
    reach = float(normal_isf((1 - check_open_unit(level, "level")) / 2)) * errors
    return np.stack([values - reach, values + reach], axis=-1)
