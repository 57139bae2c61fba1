"""Followers of the device and others in one likelihood: values, slopes and second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from rr_engine.regression.links import LINKS, Curve
from rr_engine.regression.newton import Objective, of_blocks
from rr_engine.regression.rows import GroupedRows
from rr_engine.validation import FloatArray

# Chances of a person's reports below it are outside of the range: their square is no number.
LEAST_CHANCE = 1e-100
# Far out in the tails rows carry no information at all; a trace of it keeps the steps finite.
TRACE = 1e-10
# In scaled columns no estimate is near it.
LARGEST_COEFFICIENT = 1e6


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
class TypeLikelihood:
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

    def eta(self, theta: FloatArray) -> FloatArray:
        """Return the linear predictors of trait and share, shape (groups, 2)."""
        size = self.trait.shape[1]
        return np.column_stack([self.trait @ theta[:size], self.share @ theta[size:]])

    def reach(self, direction: FloatArray) -> float:
        """Return how far a direction moves the linear predictors of any respondent."""
        return float(np.abs(self.eta(direction)).max())

    def curves(self, theta: FloatArray) -> tuple[Curve, Curve]:
        """Return probability of the trait and share for each row."""
        trait, share = self.eta(theta).T
        return LINKS[self.link](trait), LINKS[self.share_link](share)

    def pieces(self, theta: FloatArray) -> tuple[FloatArray, list[FloatArray], list[FloatArray]]:
        """Return each row's chance, its two relative slopes, and its three relative curvatures.

        Relative to the chance itself; by the trait's predictor, the share's, or both.
        """
        trait, share = self.curves(theta)
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
        safe = np.where(chance > LEAST_CHANCE, chance, 1.0)
        slopes = [by_trait * trait.slope / safe, by_share * share.slope / safe]
        curvatures = [
            by_trait * trait.curvature / safe,
            mixing.both * trait.slope * share.slope / safe,
            by_share * share.curvature / safe,
        ]
        return chance, slopes, curvatures

    def value(self, theta: FloatArray) -> float:
        """Return the log-likelihood alone."""
        chance = self.pieces(theta)[0]
        if not (chance > LEAST_CHANCE).all():
            return float("-inf")
        return float(self.groups.weights @ np.log(chance))

    def thinned(self, most: int) -> TypeLikelihood:
        """Return the likelihood of every k-th row, so that there are not more than so many."""
        step = -(-len(self.trait) // most)
        if step == 1:
            return self
        rows, groups = slice(None, None, step), self.groups
        mixing = self.mixing
        return replace(
            self,
            trait=self.trait[rows],
            share=self.share[rows],
            mixing=Mixing(
                mixing.base[rows], mixing.trait[rows], mixing.share[rows], mixing.both[rows]
            ),
            groups=replace(
                groups,
                columns=groups.columns[rows],
                codes=groups.codes[rows],
                weights=groups.weights[rows],
                squares=groups.squares[rows],
            ),
        )

    def scores(self, theta: FloatArray) -> FloatArray:
        """Return the score of one respondent of each group, shape (groups, p + q)."""
        _, slopes, _ = self.pieces(theta)
        return np.column_stack([self.trait * slopes[0][:, None], self.share * slopes[1][:, None]])

    def __call__(self, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Return log-likelihood, gradient and observed information."""
        if np.abs(theta).max() > LARGEST_COEFFICIENT:
            return float("-inf"), np.zeros(len(theta)), np.eye(len(theta))
        chance, slopes, curvatures = self.pieces(theta)
        weights = self.groups.weights
        if not (chance > LEAST_CHANCE).all():
            return float("-inf"), np.zeros(len(theta)), np.eye(len(theta))
        value = float(weights @ np.log(chance))
        gradient = np.concatenate(
            [self.trait.T @ (weights * slopes[0]), self.share.T @ (weights * slopes[1])]
        )
        return value, gradient, self._information(slopes, curvatures)

    def _information(self, slopes: list[FloatArray], curvatures: list[FloatArray]) -> FloatArray:
        weights = self.groups.weights
        blocks = [
            weights * (slopes[0] ** 2 - curvatures[0]),
            weights * (slopes[0] * slopes[1] - curvatures[1]),
            weights * (slopes[1] ** 2 - curvatures[2]),
        ]
        corner = (self.trait * blocks[1][:, None]).T @ self.share
        size = self.trait.shape[1] + self.share.shape[1]
        return TRACE * np.eye(size) + of_blocks(
            [
                [(self.trait * blocks[0][:, None]).T @ self.trait, corner],
                [corner.T, (self.share * blocks[2][:, None]).T @ self.share],
            ]
        )

    def with_share(self, share: float) -> Objective:
        """Return the objective in the trait's coefficients alone, everybody's share held fixed."""
        size = self.trait.shape[1]
        fixed = replace(self, share=np.ones((len(self.trait), 1)), share_link="identity")

        def objective(beta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
            value, gradient, information = fixed(np.append(beta, share))
            return value, gradient[:size], information[:size, :size]

        return objective

    def constant_share(self) -> TypeLikelihood:
        """Return the same with one share for all, itself the last coefficient."""
        return replace(self, share=np.ones((len(self.trait), 1)), share_link="identity")
