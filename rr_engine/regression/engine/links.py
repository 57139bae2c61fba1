"""Links of a yes/no outcome: the probability, its complement, and two derivatives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import logit, ndtr, ndtri

from rr_engine.arrays import FloatArray

_ROOT_TWO_PI = np.sqrt(2 * np.pi)
# Beyond it the complement of exp(-exp(eta)) is zero in double precision anyway.
_LARGEST_CLOGLOG = 50.0
# Beyond it the normal density is: intervals of endless coefficients ask for it at infinity.
_LARGEST_PROBIT = 40.0
# Beyond it the square of a number, or the product of its inverse powers, could leave the range.
_LARGEST_CAUCHIT = 1e75


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A link's probability at each linear predictor, all of shape (n,).

    The complement is computed by itself: one less a probability near one has no digits left.
    """

    probability: FloatArray
    complement: FloatArray
    slope: FloatArray
    curvature: FloatArray


def _logit(eta: FloatArray) -> Curve:
    # By one exponential of what is not positive, which cannot overflow.
    small = np.exp(-np.abs(eta))
    large = 1 / (1 + small)
    small *= large
    upper = eta >= 0
    probability, complement = np.where(upper, large, small), np.where(upper, small, large)
    slope = small * large
    return Curve(probability, complement, slope, slope * (complement - probability))


def _probit(eta: FloatArray) -> Curve:
    near = np.clip(eta, -_LARGEST_PROBIT, _LARGEST_PROBIT)
    slope = np.exp(-(near**2) / 2) / _ROOT_TWO_PI
    return Curve(ndtr(eta), ndtr(-eta), slope, -near * slope)


def _cloglog(eta: FloatArray) -> Curve:
    hazard = np.exp(np.minimum(eta, _LARGEST_CLOGLOG))
    complement = np.exp(-hazard)
    slope = hazard * complement
    return Curve(-np.expm1(-hazard), complement, slope, slope * (1 - hazard))


def _cauchit(eta: FloatArray) -> Curve:
    # The angle of (-eta, 1): 1/2 + arctan(eta)/pi without cancellation in the lower tail.
    near = np.clip(eta, -_LARGEST_CAUCHIT, _LARGEST_CAUCHIT)
    slope = 1 / (np.pi * (1 + near**2))
    curvature = -2 * near * slope / (1 + near**2)
    return Curve(np.arctan2(1, -eta) / np.pi, np.arctan2(1, eta) / np.pi, slope, curvature)


LINKS: dict[str, Callable[[FloatArray], Curve]] = {
    "logit": _logit,
    "probit": _probit,
    "cloglog": _cloglog,
    "cauchit": _cauchit,
    "identity": lambda eta: Curve(eta, 1 - eta, np.ones_like(eta), np.zeros_like(eta)),
}

_INVERSES: dict[str, Callable[[float], float]] = {
    "logit": logit,
    "probit": ndtri,
    "cloglog": lambda share: np.log(-np.log1p(-share)),
    "cauchit": lambda share: np.tan(np.pi * (share - 0.5)),
    "identity": lambda share: share,
}


def link_of(probability: float, link: str) -> float:
    """Return the linear predictor at a probability strictly between 0 and 1."""
    return float(_INVERSES[link](probability))


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
