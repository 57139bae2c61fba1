"""Plans of models with one predictor: the power of an effect, and the smallest effect near to none.

A yes/no model is planned by the expected information of the two reports of a person, to the outcome
and to the predictor, whose shares are not known either; that of a direct answer is the answer.
`rr_engine.planning.plan_regression` finds the same where predictors are direct, and takes no
scrambled ones. The other models have direct predictors alone, and the library plans them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import inf
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import expit

import rr_engine
from rr_engine.distributions import (
    chi2_isf,
    noncentrality,
    normal_cdf,
    normal_isf,
    normal_ppf,
    normal_sf,
)
from surveys.parameters import EVERYBODY, PAGE

POWER = 0.8
ALPHA = 0.05
# No coefficient of a curved link is sought beyond it.
LARGEST = 30.0
# Linear predictors among which the intercept is sought.
WIDEST = 60.0

Floats = npt.NDArray[np.float64]
Curve = Callable[[Floats], Floats]
# By stratum of chance, the number of its people in a hundred, and its matrix.
Strata = Mapping[str, tuple[int, Floats | None]]

# The chance of the event and its slope, by link.
CURVES: dict[str, tuple[Curve, Curve]] = {
    "logit": (expit, lambda eta: expit(eta) * expit(-eta)),
    "probit": (normal_cdf, lambda eta: np.exp(-(eta**2) / 2) / np.sqrt(2 * np.pi)),
    "cloglog": (
        lambda eta: -np.expm1(-np.exp(np.minimum(eta, WIDEST))),
        lambda eta: np.exp(np.minimum(eta, WIDEST) - np.exp(np.minimum(eta, WIDEST))),
    ),
}
STRAIGHT = "identity"
# The most that rounding may take from the ends of a line.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a model sees it: `matrix` is reports x answers, `shares` those of answers.

    `strata`: of how many people in a hundred each stratum of chance is, and the matrix there; None
    where it is asked directly.
    """

    matrix: Floats
    shares: Floats
    strata: Strata = field(default_factory=dict)

    def in_stratum(self, stratum: str) -> Floats | None:
        return self.strata[stratum][1] if stratum in self.strata else self.matrix


def _ways(outcome: Asked, predictor: Asked) -> list[tuple[float, Floats, Floats]]:
    """Return the devices of the two questions in each stratum, with its share of the people."""
    both = {**outcome.strata, **predictor.strata}
    people = {stratum: share for stratum, (share, _matrix) in both.items()}
    ways = []
    for stratum, share in {PAGE: EVERYBODY - sum(people.values()), **people}.items():
        first, second = outcome.in_stratum(stratum), predictor.in_stratum(stratum)
        if first is not None and second is not None:
            ways.append((share / EVERYBODY, first, second))
    return ways


class _Respondents(NamedTuple):
    """The devices of an outcome, the share of each among those who are asked by one, and these."""

    designs: list[rr_engine.DesignMatrix]
    shares: list[float]
    n: int

    @classmethod
    def of(cls, outcome: Asked, predictor: Asked, planned_n: int) -> "_Respondents":
        ways = _ways(outcome, predictor)
        total = sum(share for share, _outcome, _predictor in ways)
        return cls(
            [rr_engine.DesignMatrix(matrix) for _share, matrix, _predictor in ways],
            [share / total for share, _outcome, _predictor in ways],
            max(1, round(total * planned_n)),
        )


class Plan(Protocol):
    """Effects are numbered by their places; all but one are 0."""

    def near_zero(self) -> Floats:
        """The smallest effect of each place, as if it were too small to change any error."""
        ...

    def power(self, effect: float, place: int) -> float:
        """Return the power of the test of one place with this effect."""
        ...

    def largest(self, sign: int, place: int) -> float:
        """The size beyond which no effect is sought, upwards or downwards."""
        ...


@dataclass(frozen=True, slots=True)
class _Planned:
    """An outcome, a predictor, and the columns of its answers in a model."""

    outcome: Asked
    predictor: Asked
    columns: Floats
    planned_n: int

    def largest(self, sign: int, place: int) -> float:
        return LARGEST

    def only(self, effect: float, place: int) -> Floats:
        """This effect of one column, and none of the others."""
        effects = np.zeros(self.columns.shape[1])
        effects[place] = effect
        return effects


@dataclass(frozen=True, slots=True)
class CurvePlan(_Planned):
    """A yes/no outcome by a curved link; a place is a coefficient."""

    link: str

    def near_zero(self) -> Floats:
        errors = self._errors(np.zeros(self.columns.shape[1]))
        return np.asarray((normal_isf(ALPHA / 2) + normal_ppf(POWER)) * errors)

    def power(self, effect: float, place: int) -> float:
        effects = self.only(effect, place)
        try:
            reach, ratio = normal_isf(ALPHA / 2), abs(effect) / self._errors(effects)[place]
        except np.linalg.LinAlgError:
            # So large that one of two people never has the event: nothing can be told.
            return 0.0
        return float(normal_sf(reach - ratio) + normal_sf(reach + ratio))

    def _errors(self, effects: Floats) -> Floats:
        """The expected standard errors of the coefficients, without that of the intercept."""
        chance, shares = CURVES[self.link][0], self.predictor.shares
        prevalence, shift = self.outcome.shares[1], self.columns @ effects

        def excess(intercept: float) -> float:
            return float(shares @ chance(intercept + shift) - prevalence)

        eta = scipy.optimize.brentq(excess, -WIDEST, WIDEST) + shift
        ways = _ways(self.outcome, self.predictor)
        information = sum(part * self._information(eta, *matrices) for part, *matrices in ways)
        size = self.columns.shape[1]
        variances = np.diag(np.linalg.inv(information))[1 : size + 1] / self.planned_n
        return np.sqrt(np.where(variances > 0, variances, inf))

    def _information(self, eta: Floats, outcome: Floats, predictor: Floats) -> Floats:
        """The expected information of one person's reports to these devices."""
        chance, slope = CURVES[self.link]
        chances, shares, (no, yes) = chance(eta), self.predictor.shares, outcome.T
        to_reports = (shares * predictor).T
        outcomes = np.outer(no, 1 - chances) + np.outer(yes, chances)
        joint = outcomes @ to_reports
        seen = joint > 0
        slopes = [
            np.outer(yes - no, slope(eta) * column) @ to_reports
            for column in (np.ones(len(shares)), *self.columns.T)
        ]
        # A fit estimates the shares of the predictor, too: all but the first.
        cells = [
            np.outer(to_outcome, to_answer)
            for to_outcome, to_answer in zip(outcomes.T, predictor.T, strict=True)
        ]
        slopes += [cell - cells[0] for cell in cells[1:]]
        table = np.array([each[seen] for each in slopes])
        return (table / joint[seen]) @ table.T


@dataclass(frozen=True, slots=True)
class LinePlan(_Planned):
    """The linear probability model; a place is a difference of shares."""

    def near_zero(self) -> Floats:
        return self._plan(np.zeros(self.columns.shape[1])).detectable

    def power(self, effect: float, place: int) -> float:
        return float(self._plan(self.only(effect, place)).power[place])

    def largest(self, sign: int, place: int) -> float:
        """Return the effect at which the line ends at a share of 0 or 1, or hardly before it."""
        column = sign * self.columns[:, place]
        below = self.predictor.shares @ column - column.min()
        yes, above = self.outcome.shares[1], column.max() - column.min() - below
        return float(min(yes / below, (1 - yes) / above)) * (1 - ROUNDING)

    def _plan(self, effects: Floats) -> rr_engine.planning.RegressionPlan:
        asked = _Respondents.of(self.outcome, self.predictor, self.planned_n)
        return rr_engine.planning.plan_regression(
            asked.designs,
            self.columns,
            effects,
            float(self.outcome.shares[1]),
            asked.n,
            shares=self.predictor.shares,
            design_shares=asked.shares,
            link=STRAIGHT,
            alpha=ALPHA,
            wanted_power=POWER,
        )


@dataclass(frozen=True, slots=True)
class _AnswersPlan(_Planned):
    """All answers told apart: one answer becomes more or less common against all others alike."""

    def plan(self, effects: Floats) -> rr_engine.planning.MultinomialPlan:
        width = self.columns.shape[1]
        asked = _Respondents.of(self.outcome, self.predictor, self.planned_n)
        return rr_engine.planning.plan_multinomial(
            asked.designs,
            self.columns,
            effects,
            self.outcome.shares,
            asked.n,
            shares=self.predictor.shares,
            design_shares=asked.shares,
            alpha=ALPHA,
            wanted_power=POWER,
            predictors=["predictor"] * width,
        )

    def toward(self, answer: int, column: int) -> Floats:
        """The coefficients against the first answer with which the odds of an answer rise by e."""
        effects = np.zeros((len(self.outcome.shares) - 1, self.columns.shape[1]))
        effects[answer - 1 if answer else slice(None), column] = 1 if answer else -1
        return effects

    def planned(self, effects: Floats) -> rr_engine.planning.MultinomialPlan | None:
        """Return the plan of these effects; None where no shares of the answers allow them."""
        try:
            return self.plan(effects)
        except rr_engine.errors.ArgumentError:
            return None


@dataclass(frozen=True, slots=True)
class PairsPlan(_AnswersPlan):
    """A place is a pair of answers, of which the second changes, and a column."""

    def near_zero(self) -> Floats:
        return self.plan(self._effects(0.0, 0)).detectable.ravel()

    def power(self, effect: float, place: int) -> float:
        found = self.planned(self._effects(effect, place))
        return float(found.power.flat[place]) if found else 0.0

    def _effects(self, effect: float, place: int) -> Floats:
        answers, width = len(self.outcome.shares), self.columns.shape[1]
        second = np.triu_indices(answers, 1)[1]
        return effect * self.toward(int(second[place // width]), place % width)


@dataclass(frozen=True, slots=True)
class AnyAnswerPlan(_AnswersPlan):
    """The test of a predictor over all answers; a place is an answer and a column."""

    def near_zero(self) -> Floats:
        covariance = self.plan(np.zeros_like(self.toward(0, 0))).covariance
        size = int(np.sqrt(covariance.size))
        information = np.linalg.inv(covariance.reshape(size, size))
        wanted = noncentrality(chi2_isf(ALPHA, size), size, POWER)
        effects = [self.toward(*place).ravel() for place in self._places()]
        return np.array([np.sqrt(wanted / (each @ information @ each)) for each in effects])

    def power(self, effect: float, place: int) -> float:
        found = self.planned(effect * self.toward(*self._places()[place]))
        return float(found.joint_power[0]) if found else 0.0

    def _places(self) -> list[tuple[int, int]]:
        return list(product(range(len(self.outcome.shares)), range(self.columns.shape[1])))
