"""Outcomes of a model with randomized predictors, at the linear predictor of each combination."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.regression.engine.outcome import BinaryOutcome
from rr_engine.validation import FloatArray

HALF_LOG_TWO_PI = float(np.log(2 * np.pi) / 2)
# An outcome with a deviation of 1 whose errors have a deviation of less than exp(-20) has none.
LARGEST_LOG = 20.0
# Chances below exp(-300) are as good as none.
LEAST_LOG = -300.0


@dataclass(frozen=True, slots=True, eq=False)
class ResponseTerms:
    """Log-density of an outcome and its derivatives, all of shape (rows, combinations).

    Attributes
    ----------
    log_density : ndarray of float
    slope, curvature : ndarray of float
        First derivative in the linear predictor, and minus the second.
    spread_slope, crossed, spread_curvature : ndarray of float, or None
        First derivative in the logarithm of the residual deviation, minus the mixed derivative,
        and minus the second; None where the outcome has none.
    """

    log_density: FloatArray
    slope: FloatArray
    curvature: FloatArray
    spread_slope: FloatArray | None = None
    crossed: FloatArray | None = None
    spread_curvature: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NormalResponse:
    """A number with normal errors of one standard deviation; `numbers`: shape (rows,)."""

    numbers: FloatArray
    spreads: int = 1

    def terms(self, eta: FloatArray, log_deviation: float) -> ResponseTerms:
        """Return the terms at linear predictors of shape (rows, combinations)."""
        residuals = self.numbers[:, None] - eta
        inside = abs(log_deviation) <= LARGEST_LOG
        precision = float(np.exp(-2 * log_deviation)) if inside else 1.0
        slope, squares = residuals * precision, residuals**2 * precision
        density = -HALF_LOG_TWO_PI - log_deviation - squares / 2
        return ResponseTerms(
            log_density=density if inside else np.full_like(eta, -np.inf),
            slope=slope,
            curvature=np.full_like(eta, precision),
            spread_slope=squares - 1,
            crossed=2 * slope,
            spread_curvature=2 * squares,
        )


@dataclass(frozen=True, slots=True, eq=False)
class BinaryResponse:
    """Yes or no, direct or randomized.

    `likelihoods`: how likely no and yes make each report, shape (rows, 2).
    """

    outcome: BinaryOutcome
    likelihoods: FloatArray
    spreads: int = 0

    def terms(self, eta: FloatArray, log_deviation: float) -> ResponseTerms:
        """Return the terms at linear predictors of shape (rows, combinations)."""
        likelihoods = np.repeat(self.likelihoods, eta.shape[1], axis=0)
        # A report that is next to impossible has derivatives beyond a double, and no weight.
        with np.errstate(over="ignore", invalid="ignore"):
            found = self.outcome.terms(eta.reshape(-1, 1), likelihoods)
        possible = found.log_likelihood > LEAST_LOG
        return ResponseTerms(
            log_density=found.log_likelihood.reshape(eta.shape),
            slope=np.where(possible, found.score[:, 0], 0.0).reshape(eta.shape),
            curvature=np.where(possible, found.information[:, 0, 0], 0.0).reshape(eta.shape),
        )


Response = NormalResponse | BinaryResponse
