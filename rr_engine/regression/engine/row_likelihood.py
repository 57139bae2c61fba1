"""Log-likelihoods of rows in several linear predictors: a model gives the terms of its rows."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine.newton import of_blocks


class RowTerms(NamedTuple):
    """Terms of one respondent of each row, by k linear predictors.

    Attributes
    ----------
    log_likelihood : ndarray of float, shape (rows,)
        Minus infinity marks a point outside of the range.
    score : ndarray of float, shape (rows, k)
        First derivatives in the linear predictors.
    information : ndarray of float, shape (rows, k, k)
        Minus the second derivatives.
    """

    log_likelihood: FloatArray
    score: FloatArray
    information: FloatArray


class RowLikelihood:
    """A log-likelihood of rows with weights; coefficients follow each other by predictor.

    Called, it is an objective of :func:`rr_engine.regression.engine.newton.maximise`.
    """

    __slots__ = ()

    # In scaled columns no estimate is near it.
    largest_coefficient = np.inf
    # Far out in the tails rows carry no information at all; a trace of it keeps the steps finite.
    trace = 0.0

    @property
    @abstractmethod
    def parts(self) -> Sequence[FloatArray]:
        """The columns of each linear predictor, each of shape (rows, columns)."""

    @property
    @abstractmethod
    def row_weights(self) -> FloatArray:
        """The weight of each row."""

    @abstractmethod
    def terms(self, eta: FloatArray) -> RowTerms:
        """Return the terms at linear predictors of shape (rows, k)."""

    def eta(self, theta: FloatArray) -> FloatArray:
        """Return the linear predictors, shape (rows, k)."""
        ends = np.cumsum([part.shape[1] for part in self.parts])
        pieces = zip(self.parts, np.split(theta, ends[:-1]), strict=True)
        return np.column_stack([part @ piece for part, piece in pieces])

    def reach(self, direction: FloatArray) -> float:
        """Return how far a direction moves the linear predictors of any respondent."""
        return float(np.abs(self.eta(direction)).max())

    def value(self, theta: FloatArray) -> float:
        """Return the log-likelihood alone."""
        if not self.is_possible(theta):
            return float("-inf")
        return float(self.row_weights @ self.terms(self.eta(theta)).log_likelihood)

    def is_possible(self, theta: FloatArray) -> bool:
        """Return whether coefficients are where an estimate can be."""
        return bool(np.abs(theta).max() < self.largest_coefficient)

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of one respondent of each row, shape (rows, coefficients)."""
        score = self.terms(self.eta(theta)).score
        return np.hstack([part * score[:, [k]] for k, part in enumerate(self.parts)])

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and observed information."""
        outside = float("-inf"), np.zeros(len(theta)), np.eye(len(theta))
        if not self.is_possible(theta):
            return outside
        terms, weights = self.terms(self.eta(theta)), self.row_weights
        value = float(weights @ terms.log_likelihood)
        if not np.isfinite(value):
            return outside
        gradient = [part.T @ (weights * terms.score[:, k]) for k, part in enumerate(self.parts)]
        blocks = [
            [
                (first * (weights * terms.information[:, j, k])[:, None]).T @ other
                for k, other in enumerate(self.parts)
            ]
            for j, first in enumerate(self.parts)
        ]
        information = of_blocks(blocks) + self.trace * np.eye(len(theta))
        return value, np.concatenate(gradient), information
