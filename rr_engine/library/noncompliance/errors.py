"""Errors of a model of followers and others, at its maximum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rr_engine.library.noncompliance.types import TypeLikelihood
from rr_engine.regression.maximum import FittedMaximum
from rr_engine.validation import FloatArray

# Eigenvalues of the scaled information below it, relative to the largest, are zero.
FLAT = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedTypes(FittedMaximum):
    """The likelihood of followers and others at its maximum.

    Attributes
    ----------
    likelihood : TypeLikelihood
        One share for all is itself the last coefficient here.
    inverse_observed : ndarray of float, shape (p + q, p + q)
        Of `observed`, without the directions of `unbounded`.
    ends : tuple of float
        Shares at the border that the model knows.
    """

    likelihood: TypeLikelihood
    inverse_observed: FloatArray
    ends: tuple[float, ...]

    def inverse(self, kind: str) -> FloatArray:
        """Return the inverse information, which knows flat directions."""
        return self.inverse_observed

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
