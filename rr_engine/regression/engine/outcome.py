"""Outcomes of a model: how likely each report is at a linear predictor, and its derivatives.

With `eta` of shape (groups, q), the linear predictors: one for a yes/no outcome, one for each
category but the first for a multinomial one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rr_engine.regression.engine.links import LINKS, Curve
from rr_engine.validation import FloatArray

EM_ROUNDS = 50


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Terms of the log-likelihood of each group, for one respondent of weight 1.

    Attributes
    ----------
    log_likelihood : ndarray of float, shape (groups,)
    score : ndarray of float, shape (groups, q)
        First derivatives in the linear predictors.
    information : ndarray of float, shape (groups, q, q)
        Minus the second derivatives.
    """

    log_likelihood: FloatArray
    score: FloatArray
    information: FloatArray


class Outcome(Protocol):
    """How the probabilities of the truths follow from the linear predictors."""

    predictors: int

    def probabilities(self, eta: FloatArray) -> FloatArray:
        """Return the probability of each truth, shape (groups, truths)."""

    def terms(self, eta: FloatArray, likelihoods: FloatArray) -> Terms:
        """Return the terms of reports with these likelihoods, shape (groups, truths)."""

    def expected(self, eta: FloatArray, matrix: FloatArray) -> FloatArray:
        """Return the expected information of a report of this design matrix, as in Terms."""


class BinaryOutcome:
    """A yes/no outcome: ``Pr(yes) = F(eta)`` by one of the links."""

    predictors = 1

    def __init__(self, link: str) -> None:
        self.link = link

    def curve(self, eta: FloatArray) -> Curve:
        """Return the link at linear predictors of shape (groups, 1)."""
        return LINKS[self.link](eta[:, 0])

    def probabilities(self, eta: FloatArray) -> FloatArray:
        curve = self.curve(eta)
        return np.column_stack([curve.complement, curve.probability])

    def terms(self, eta: FloatArray, likelihoods: FloatArray) -> Terms:
        curve = self.curve(eta)
        no, yes = likelihoods[:, 0], likelihoods[:, 1]
        chance = no * curve.complement + yes * curve.probability
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            contrast = (yes - no) / chance
            score = contrast * curve.slope
            information = score**2 - contrast * curve.curvature
            return Terms(np.log(chance), score[:, None], information[:, None, None])

    def expected(self, eta: FloatArray, matrix: FloatArray) -> FloatArray:
        curve = self.curve(eta)
        chances = np.outer(curve.complement, matrix[:, 0]) + np.outer(
            curve.probability, matrix[:, 1]
        )
        contrasts = (matrix[:, 1] - matrix[:, 0]) ** 2
        # The slope vanishes with the chance: one over such a chance would be no number.
        slopes = np.broadcast_to(curve.slope[:, None], chances.shape)
        ratios = np.divide(slopes, chances, out=np.zeros_like(chances), where=chances > 0)
        return (ratios @ contrasts * curve.slope)[:, None, None]


class MultinomialOutcome:
    """One of k categories: ``log Pr(v)/Pr(0) = eta_v``, a multinomial logit."""

    def __init__(self, truths: int) -> None:
        self.predictors = truths - 1

    def probabilities(self, eta: FloatArray) -> FloatArray:
        exponents = np.column_stack([np.zeros(len(eta)), eta])
        exponents -= exponents.max(axis=1, keepdims=True)
        weights = np.exp(exponents)
        return weights / weights.sum(axis=1, keepdims=True)

    def terms(self, eta: FloatArray, likelihoods: FloatArray) -> Terms:
        prior = self.probabilities(eta)
        joint = prior * likelihoods
        chance = joint.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            posterior = joint / chance[:, None]
            information = _spread(prior[:, 1:]) - _spread(posterior[:, 1:])
            return Terms(np.log(chance), (posterior - prior)[:, 1:], information)

    def expected(self, eta: FloatArray, matrix: FloatArray) -> FloatArray:
        prior = self.probabilities(eta)
        total = np.zeros((len(eta), self.predictors, self.predictors))
        for row in matrix:
            joint = prior * row
            chance = joint.sum(axis=1)
            # The square root keeps the weight of a report that hardly ever comes from dividing by
            # zero.
            root = np.sqrt(np.maximum(chance, 1e-300))[:, None]
            score = joint[:, 1:] / root - prior[:, 1:] * root
            total += score[:, :, None] * score[:, None, :]
        return total


def _spread(shares: FloatArray) -> FloatArray:
    """Return ``diag(p) - p p'`` of each row, shape (groups, q, q)."""
    size = shares.shape[1]
    return shares[:, :, None] * (np.eye(size) - shares[:, None, :])


def rough_shares(likelihoods: FloatArray, weights: FloatArray, least: float) -> FloatArray:
    """Return rough shares of the truths without any covariate, none below the least, by EM.

    `likelihoods`: those of each row's report, shape (rows, truths); `weights`: shape (rows,).
    """
    shares = np.full(likelihoods.shape[1], 1 / likelihoods.shape[1])
    for _ in range(EM_ROUNDS):
        joint = likelihoods * shares
        chance = np.maximum(joint.sum(axis=1), 1e-300)
        shares = (weights / chance) @ joint
        shares /= shares.sum()
    shares = np.maximum(shares, least)
    return shares / shares.sum()
