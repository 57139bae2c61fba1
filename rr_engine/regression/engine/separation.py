"""Coefficients without a finite estimate: the directions of these, and the errors of the rest."""

from typing import Protocol

import numpy as np

from rr_engine.arrays import BoolArray, FloatArray

# Units of the linear predictor that a coefficient without an estimate is moved by, and the fall of
# the log-likelihood that is none.
FAR, NO_FALL = 10.0, 1e-3
# Share of a coefficient's scale below which a direction does not touch it.
UNTOUCHED = 1e-6
# Share of the largest eigenvalue below which a negative one may be rounding.
NEGATIVE = 1e-9


class Likelihood(Protocol):
    """A log-likelihood of coefficients of scaled columns."""

    def value(self, theta: FloatArray) -> float:
        """Return the log-likelihood."""

    def reach(self, direction: FloatArray) -> float:
        """Return how far a direction moves the linear predictors of any respondent."""


def unbounded_directions(
    likelihood: Likelihood, theta: FloatArray, information: FloatArray, free: int | None = None
) -> FloatArray:
    """Return directions in which the likelihood does not fall, shape (coefficients, directions).

    `information`: at theta; `free`: how many of the coefficients, the first, are moved; all when
    left out.
    """
    size = len(theta) if free is None else free
    block, value = information[:size, :size], likelihood.value(theta)
    scale = np.sqrt(np.maximum(np.abs(np.diag(block)), 1e-300))
    values, vectors = np.linalg.eigh(block / np.outer(scale, scale))
    found = []
    for eigenvalue, vector in zip(values.tolist(), vectors.T, strict=True):
        direction = np.zeros(len(theta))
        direction[:size] = vector / scale
        reach = likelihood.reach(direction)
        # How far one standard error moves the linear predictors.
        if reach < FAR * np.sqrt(max(eigenvalue, 0.0)):
            continue
        far = FAR / max(reach, 1e-300) * direction
        if any(likelihood.value(theta + sign * far) > value - NO_FALL for sign in (1, -1)):
            found.append(direction / np.abs(direction).max())
    return np.array(found).T if found else np.empty((len(theta), 0))


def endless_coefficients(unbounded: FloatArray, transform: FloatArray) -> BoolArray:
    """Return which coefficients have no finite estimate."""
    directions = transform @ unbounded
    sizes = np.sqrt(np.diag(transform @ transform.T))[:, None]
    touched: BoolArray = np.abs(directions / sizes).max(axis=1, initial=0.0) > UNTOUCHED
    return touched


def covariance_of(scaled: FloatArray, unbounded: FloatArray, transform: FloatArray) -> FloatArray:
    """Return the covariance of coefficients from that of the scaled columns' coefficients.

    Infinite for those without a finite estimate, and 0 between them and the others.
    """
    covariance = transform @ (scaled + scaled.T) @ transform.T / 2
    # Where the iterations ended before a maximum, the inverse may be no covariance.
    endless = endless_coefficients(unbounded, transform) | (np.diag(covariance) < 0)
    return without_estimate(covariance, endless)


def is_indefinite(information: FloatArray) -> bool:
    """Return whether the likelihood still rises, as where the iterations ended early."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-300))
    values = np.linalg.eigvalsh(information / np.outer(scale, scale))
    return bool(values[0] < -NEGATIVE * values[-1])


def without_estimate(covariance: FloatArray, endless: BoolArray) -> FloatArray:
    """Return the covariance with infinite variances of the coefficients without an estimate."""
    result = np.where(endless[:, None] | endless, 0.0, covariance)
    result[endless, endless] = np.inf
    return result
