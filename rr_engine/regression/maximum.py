"""The maximum of a likelihood in scaled columns, from which all errors of a fit are computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from rr_engine.regression.newton import Maximum
from rr_engine.regression.rows import GroupedRows
from rr_engine.regression.samples import ModelSample
from rr_engine.regression.separation import covariance_of
from rr_engine.validation import FloatArray


class ScoredLikelihood(Protocol):
    """A log-likelihood of coefficients of scaled columns that knows each group's score."""

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of one respondent of each group, shape (groups, coefficients)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FittedMaximum:
    """A likelihood at its maximum.

    Attributes
    ----------
    likelihood : ScoredLikelihood
    theta : ndarray of float, shape (k,)
        The coefficients of the scaled columns.
    transform : ndarray of float, shape (k, k)
        ``coefficients = transform @ theta``, or that and a constant.
    groups : GroupedRows
    weights : ndarray of float, shape (n,)
        Each respondent's weight; 0 for those who do not count.
    observed, variance : ndarray of float, shape (k, k)
        Minus the second derivatives of the log-likelihood, and the estimated variance of the score.
    unbounded : ndarray of float, shape (k, directions)
        Directions in which the likelihood does not fall.
    """

    kinds: ClassVar[tuple[str, ...]] = ("observed", "robust")

    likelihood: ScoredLikelihood
    theta: FloatArray
    transform: FloatArray
    groups: GroupedRows
    weights: FloatArray
    observed: FloatArray
    variance: FloatArray
    unbounded: FloatArray

    @classmethod
    def at(
        cls,
        likelihood: ScoredLikelihood,
        best: Maximum,
        groups: GroupedRows,
        sample: ModelSample,
        **parts: Any,
    ) -> Self:
        """Return the likelihood at a maximum; `parts`: the other attributes."""
        return cls(
            likelihood=likelihood,
            theta=best.theta,
            groups=groups,
            weights=sample.weights,
            observed=best.information,
            variance=sample.score_variance(likelihood.scores(best.theta), groups),
            **parts,
        )

    def inverse(self, kind: str) -> FloatArray:
        """Return the inverse information in scaled columns, for errors of a kind."""
        return inverse_information(self.observed, self.unbounded)

    def covariance(self, kind: str) -> FloatArray:
        """Return the covariance of the coefficients; infinite where they have no estimate."""
        inverse = self.inverse(kind)
        scaled = inverse @ self.variance @ inverse if kind == "robust" else inverse
        return covariance_of(scaled, self.unbounded, self.transform)

    def scores(self) -> FloatArray:
        """Return each respondent's weighted score in the coefficients, shape (n, k)."""
        scores = self.likelihood.scores(self.theta)[self.groups.group_of]
        return scores * self.weights[:, None] @ np.linalg.inv(self.transform)

    def information(self) -> FloatArray:
        """Return minus the second derivatives in the coefficients, shape (k, k)."""
        return unscaled_information(self.observed, self.transform)


def inverse_information(information: FloatArray, unbounded: FloatArray) -> FloatArray:
    """Return the inverse, without the directions in which there is no information."""
    scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
    scaled = information / np.outer(scale, scale)
    if unbounded.shape[1]:
        inverse = np.linalg.pinv(scaled, rcond=1e-7, hermitian=True)
    else:
        inverse = np.linalg.inv(scaled)
    return inverse / np.outer(scale, scale)


def unscaled_information(information: FloatArray, transform: FloatArray) -> FloatArray:
    """Return an information in scaled columns as one in the columns as they came."""
    back = np.linalg.inv(transform)
    return np.asarray(back.T @ information @ back, dtype=np.float64)
