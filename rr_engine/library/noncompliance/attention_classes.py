"""A number explained by a hidden trait of people who may not pay attention: the likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import log_expit

from rr_engine.library.noncompliance.respondent_types import LEAST_CHANCE, TRACE
from rr_engine.regression.engine.links import LINKS
from rr_engine.regression.engine.row_likelihood import RowLikelihood, RowTerms
from rr_engine.regression.engine.rows import GroupedRows
from rr_engine.validation import FloatArray

# Whether each class has the trait, and whether it does not pay attention.
TRAIT = np.array([0.0, 1.0, 0.0, 1.0])
AWAY = np.array([0.0, 0.0, 1.0, 1.0])
# In scaled columns no logarithm of a deviation is near it.
LARGEST_SPREAD = 15.0


@dataclass(frozen=True, eq=False)
class ClassLikelihood(RowLikelihood):
    """``sum of log sum_k Pr(class k) Pr(reports | k) f(number | k)`` over four classes.

    Coefficients: the mean's, the trait's effect, the log of the deviation, the trait's logit, the
    share's logit.

    Attributes
    ----------
    numbers : ndarray of float, shape (rows,)
    columns : ndarray of float, shape (rows, p)
        Of the mean and of the trait.
    share : ndarray of float, shape (rows, q)
    reports : ndarray of float, shape (rows, 4)
        How likely each class makes the reports.
    groups : GroupedRows
    """

    numbers: FloatArray
    columns: FloatArray
    share: FloatArray
    reports: FloatArray
    groups: GroupedRows

    largest_coefficient = 1e4
    trace = TRACE

    @property
    def row_weights(self) -> FloatArray:
        """The weight of each row."""
        return self.groups.weights

    @cached_property
    def parts(self) -> list[FloatArray]:
        """The columns of each of the five linear predictors."""
        one = np.ones((len(self.numbers), 1))
        return [self.columns, one, one, self.columns, self.share]

    @cached_property
    def log_reports(self) -> FloatArray:
        """Logarithms of the likelihoods of the reports."""
        return np.log(np.maximum(self.reports, LEAST_CHANCE))

    def terms(self, eta: FloatArray) -> RowTerms:
        """Return the terms of each row (Louis 1982)."""
        mean, effect, spread, trait, share = eta.T
        residuals = ((self.numbers - mean)[:, None] - effect[:, None] * TRAIT) * np.exp(-spread)[
            :, None
        ]
        chances = np.where(TRAIT, log_expit(trait)[:, None], log_expit(-trait)[:, None])
        chances = chances + np.where(AWAY, log_expit(share)[:, None], log_expit(-share)[:, None])
        density = -spread[:, None] - residuals**2 / 2 - np.log(2 * np.pi) / 2
        joint = chances + density + self.log_reports
        top = joint.max(axis=1, keepdims=True)
        weights = np.exp(joint - top)
        total = weights.sum(axis=1, keepdims=True)
        posterior = weights / total
        precision = np.exp(-spread)[:, None]
        prior, away = LINKS["logit"](trait), LINKS["logit"](share)
        moved = residuals * precision
        scores = np.stack(
            [
                moved,
                moved * TRAIT,
                residuals**2 - 1,
                TRAIT - prior.probability[:, None],
                AWAY - away.probability[:, None],
            ],
            axis=-1,
        )
        average = np.einsum("ik,ika->ia", posterior, scores)
        second = np.einsum("ik,ika,ikb->iab", posterior, scores, scores)
        second -= average[:, :, None] * average[:, None, :]
        second += self._curvatures(posterior, residuals, precision)
        second[:, 3, 3] -= prior.slope
        second[:, 4, 4] -= away.slope
        return RowTerms((top + np.log(total))[:, 0], average, -second)

    @staticmethod
    def _curvatures(
        posterior: FloatArray, residuals: FloatArray, precision: FloatArray
    ) -> FloatArray:
        """Return the mean second derivatives of the number's density, shape (rows, 5, 5)."""
        found = np.zeros((len(posterior), 5, 5))
        square = precision[:, 0] ** 2
        carriers = posterior @ TRAIT
        moved = -2 * residuals * precision
        found[:, 0, 0] = -square
        found[:, 1, 1] = -square * carriers
        found[:, 0, 1] = found[:, 1, 0] = -square * carriers
        found[:, 0, 2] = found[:, 2, 0] = (posterior * moved).sum(axis=1)
        found[:, 1, 2] = found[:, 2, 1] = (posterior * moved) @ TRAIT
        found[:, 2, 2] = (posterior * -2 * residuals**2).sum(axis=1)
        return found

    def is_possible(self, theta: FloatArray) -> bool:
        """Return whether coefficients are where an estimate can be."""
        spread = abs(float(theta[self.columns.shape[1] + 1]))
        return super().is_possible(theta) and spread < LARGEST_SPREAD

    def carriers(self, theta: FloatArray) -> FloatArray:
        """Return the chance, by reports alone, that each row has the trait.

        `theta`: coefficients of the trait's and of the share's logit.
        """
        size = self.columns.shape[1]
        prior = LINKS["logit"](self.columns @ theta[:size])
        away = LINKS["logit"](self.share @ theta[size:])
        given = [
            away.complement * self.reports[:, k] + away.probability * self.reports[:, k + 2]
            for k in (0, 1)
        ]
        yes, no = prior.probability * given[1], prior.complement * given[0]
        return yes / np.maximum(yes + no, LEAST_CHANCE)
