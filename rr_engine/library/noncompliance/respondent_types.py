"""Followers of the device and others in one likelihood: values, slopes and second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import log_expit

from rr_engine.arrays import FloatArray
from rr_engine.regression.engine.links import LINKS, Curve
from rr_engine.regression.engine.newton import Objective
from rr_engine.regression.engine.row_likelihood import RowLikelihood, RowTerms
from rr_engine.regression.engine.samples import GroupedRows

# Chances of a person's reports below it are outside of the range: their square is no number.
LEAST_CHANCE = 1e-100
TRACE = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class Mixing:
    """Chance of a person's reports: ``base + trait F + share s + both F s``, all of shape (n,).

    F is the person's probability of the trait and s the share of those who do not follow the
    device, so every way in which the two can meet is bilinear in them.
    """

    base: FloatArray
    trait: FloatArray
    share: FloatArray
    both: FloatArray


def among_followers(likelihoods: FloatArray) -> Mixing:
    """Return a share s who report like column 2 whatever is true; F is that of the followers."""
    other, carrier, astray = likelihoods.T
    return Mixing(other, carrier - other, astray - other, other - carrier)


def honest_carriers(likelihoods: FloatArray) -> Mixing:
    """Return the same with F the share of all that are carriers and follow the device."""
    other, carrier, astray = likelihoods.T
    return Mixing(other, carrier - other, astray - other, np.zeros_like(other))


def lying_carriers(likelihoods: FloatArray) -> Mixing:
    """Return a share s of the carriers, and of nobody else, who report like column 2."""
    other, carrier, astray = likelihoods.T
    return Mixing(other, carrier - other, np.zeros_like(other), astray - carrier)


FORMS: dict[str, Callable[[FloatArray], Mixing]] = {
    "followers": among_followers,
    "all": honest_carriers,
    "carriers": lying_carriers,
}


@dataclass(frozen=True, slots=True, eq=False)
class TypeLikelihood(RowLikelihood):
    """The likelihood of rows with weights, in the trait's and in the share's coefficients.

    Attributes
    ----------
    trait, share : ndarray of float, shapes (groups, p) and (groups, q)
        Columns of both linear predictors; the first p coefficients are the trait's.
    mixing : Mixing
    groups : GroupedRows
    link, share_link : str
    """

    trait: FloatArray
    share: FloatArray
    mixing: Mixing
    groups: GroupedRows
    link: str = "logit"
    share_link: str = "logit"

    largest_coefficient = 1e6
    trace = TRACE

    @property
    def parts(self) -> tuple[FloatArray, FloatArray]:
        """The columns of the trait and of the share."""
        return self.trait, self.share

    @property
    def row_weights(self) -> FloatArray:
        """The weight of each group."""
        return self.groups.weights

    def curves(self, theta: FloatArray) -> tuple[Curve, Curve]:
        """Return probability of the trait and share for each row."""
        return self._curves(self.eta(theta))

    def _curves(self, eta: FloatArray) -> tuple[Curve, Curve]:
        return LINKS[self.link](eta[:, 0]), LINKS[self.share_link](eta[:, 1])

    def terms(self, eta: FloatArray) -> RowTerms:
        """Return the terms of each row, by the predictors of the trait and of the share."""
        trait, share = self._curves(eta)
        mixing = self.mixing
        by_trait = mixing.trait + mixing.both * share.probability
        by_share = mixing.share + mixing.both * trait.probability
        # One less a probability near one has no digits: the complement keeps a small rest.
        start = mixing.base + mixing.share * share.probability
        rest = start + by_trait
        chance = np.where(
            trait.probability < 0.5,
            start + by_trait * trait.probability,
            rest - by_trait * trait.complement,
        )
        possible = chance > LEAST_CHANCE
        safe = np.where(possible, chance, 1.0)
        slopes = np.column_stack([by_trait * trait.slope / safe, by_share * share.slope / safe])
        information = slopes[:, :, None] * slopes[:, None, :]
        information[:, 0, 0] -= by_trait * trait.curvature / safe
        information[:, 1, 1] -= by_share * share.curvature / safe
        crossed = mixing.both * trait.slope * share.slope / safe
        information[:, 0, 1] -= crossed
        information[:, 1, 0] -= crossed
        return RowTerms(np.where(possible, np.log(safe), -np.inf), slopes, information)

    def thinned(self, most: int) -> TypeLikelihood:
        """Return the likelihood of every k-th row, so that there are not more than so many."""
        step = -(-len(self.trait) // most)
        if step == 1:
            return self
        rows, groups = slice(None, None, step), self.groups
        mixing = self.mixing
        parts = (mixing.base, mixing.trait, mixing.share, mixing.both)
        arrays = {
            name: getattr(groups, name)[rows] for name in ("columns", "codes", "weights", "squares")
        }
        return replace(
            self,
            trait=self.trait[rows],
            share=self.share[rows],
            mixing=Mixing(*(part[rows] for part in parts)),
            groups=replace(groups, **arrays),
        )

    def with_share(self, share: float) -> Objective:
        """Return the objective in the trait's coefficients alone, everybody's share held fixed."""
        size = self.trait.shape[1]
        fixed = self.constant_share()

        def objective(beta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            value, gradient, information = fixed(np.append(beta, share))
            return value, gradient[:size], information[:size, :size]

        return objective

    def constant_share(self) -> TypeLikelihood:
        """Return the same with one share for all, itself the last coefficient."""
        return replace(self, share=np.ones((len(self.trait), 1)), share_link="identity")


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
