"""Errors of a model of followers and others, at its maximum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.regression.respondent_types import TypeLikelihood
from rr_engine.validation import FloatArray

# Units of the linear predictor that a coefficient without an estimate is moved by, and the fall of
# the log-likelihood that is none.
FAR, NO_FALL = 10.0, 1e-3
# Eigenvalues of the scaled information below it, relative to the largest, are zero.
FLAT = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedTypes:
    """The likelihood at its maximum, in scaled columns, from which all errors are computed.

    Attributes
    ----------
    likelihood : TypeLikelihood
        One share for all is itself the last coefficient here.
    theta : ndarray of float, shape (p + q,)
    transform : ndarray of float, shape (p + q, p + q)
        ``coefficients = transform @ theta``.
    weights : ndarray of float, shape (n,)
    observed, variance : ndarray of float, shape (p + q, p + q)
        Minus the second derivatives of the log-likelihood, and the variance of the score.
    inverse : ndarray of float, shape (p + q, p + q)
        Of `observed`, without the directions of `unbounded`.
    unbounded : ndarray of float, shape (p + q, directions)
        Directions in which the likelihood does not fall.
    ends : tuple of float
        Shares at the border that the model knows.
    """

    likelihood: TypeLikelihood
    theta: FloatArray
    transform: FloatArray
    weights: FloatArray
    observed: FloatArray
    variance: FloatArray
    inverse: FloatArray
    unbounded: FloatArray
    ends: tuple[float, ...]

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients; infinite where they have no estimate."""
        inverse = self.inverse
        scaled = inverse @ self.variance @ inverse if kind == "robust" else inverse
        return covariance_of(scaled, self.unbounded, self.transform)

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, p + q)."""
        groups = self.likelihood.groups.group_of
        scores = self.likelihood.scores(self.theta)[groups] * self.weights[:, None]
        return scores @ np.linalg.inv(self.transform)

    def information(self) -> FloatArray:
        """Return minus the second derivatives in the coefficients, shape (p + q, p + q)."""
        back = np.linalg.inv(self.transform)
        return back.T @ self.observed @ back

    def share_error(self, covariance: FloatArray) -> float:
        """Return the standard error of the one share, or of the mean share."""
        size = self.likelihood.trait.shape[1]
        part = covariance[size:, size:]
        if not np.isfinite(part).all():
            return float("inf")
        weights = self.likelihood.groups.weights
        _, share = self.likelihood.curves(self.theta)
        slope = self.likelihood.share.T @ (weights * share.slope) / weights.sum()
        # The columns are scaled, the covariance is not.
        slope = np.linalg.inv(self.transform[size:, size:]).T @ slope
        return float(np.sqrt(max(slope @ part @ slope, 0.0)))


def covariance_of(scaled: FloatArray, unbounded: FloatArray, transform: FloatArray) -> FloatArray:
    """Return the covariance of the coefficients from that of the scaled columns' coefficients."""
    covariance = transform @ (scaled + scaled.T) @ transform.T / 2
    directions = transform @ unbounded
    sizes = np.sqrt(np.diag(transform @ transform.T))[:, None]
    endless = np.abs(directions / sizes).max(axis=1, initial=0.0) > 1e-6
    covariance[endless] = covariance[:, endless] = 0.0
    covariance[endless, endless] = np.inf
    return covariance


def unbounded_directions(likelihood: TypeLikelihood, theta: FloatArray, free: int) -> FloatArray:
    """Return directions in which the likelihood does not fall, shape (p + q, directions).

    Only the first `free` coefficients are moved: one share for all has a border of its own.
    """
    value, _, information = likelihood(theta)
    block = information[:free, :free]
    scale = np.sqrt(np.maximum(np.abs(np.diag(block)), 1e-300))
    values, vectors = np.linalg.eigh(block / np.outer(scale, scale))
    found = []
    for eigenvalue, vector in zip(values, vectors.T, strict=True):
        direction = np.zeros(len(theta))
        direction[:free] = vector / scale
        reach = float(np.abs(likelihood.eta(direction)).max())
        # How far one standard error moves the linear predictors.
        if reach < FAR * np.sqrt(max(float(eigenvalue), 0.0)):
            continue
        far = FAR / max(reach, 1e-300) * direction
        fall = value - max(likelihood.value(theta + sign * far) for sign in (1, -1))
        if fall < NO_FALL:
            found.append(direction / np.abs(direction).max())
    return np.array(found).T if found else np.empty((len(theta), 0))


def invert(
    information: FloatArray, unbounded: FloatArray, *, one_share: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the inverse without flat directions, and the directions with the flat ones added.

    `one_share`: whether the last coefficient is one share for all. At the border the likelihood
    need not be concave in it; where it is not, nothing is known of the share, and the rest is what
    it is at that share.
    """
    inverse, flat = _invert(information, unbounded)
    if not flat.shape[1] or not one_share:
        return inverse, np.column_stack([unbounded, flat])
    known = np.column_stack([unbounded, np.eye(len(information))[:, -1]])
    inverse, flat = _invert(information, known)
    return inverse, np.column_stack([known, flat])


def _invert(information: FloatArray, unbounded: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the inverse in what the directions leave, and the flat directions of the rest."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-300))
    lost = unbounded.shape[1]
    basis = np.linalg.qr(unbounded * scale[:, None], mode="complete")[0][:, lost:]
    values, vectors = np.linalg.eigh(basis.T @ (information / np.outer(scale, scale)) @ basis)
    firm = values > FLAT * max(float(np.abs(values).max(initial=0.0)), 1e-300)
    axes = (basis @ vectors) / scale[:, None]
    inverse = (axes[:, firm] / values[firm]) @ axes[:, firm].T
    flat = axes[:, ~firm]
    return inverse, flat / np.maximum(np.abs(flat).max(axis=0, initial=0.0), 1e-300)
