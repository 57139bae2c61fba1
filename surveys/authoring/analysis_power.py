"""The smallest effects that a declared analysis would probably find.

Each predictor is planned by itself, as if it had nothing to do with the others. The power is that
of Wald's test, from the expected information of the two reports of a person, to the outcome and to
the predictor; that of a direct answer is the answer. People in an arm tell what their devices say,
and who is asked one of the two directly, as a sensitive question, is in no analysis.
`rr_engine.plan_regression` finds the same where predictors are direct and everybody is asked alike,
and takes no scrambled ones.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import expit

import rr_engine
from rr_engine.distributions import normal_cdf, normal_isf, normal_ppf, normal_sf
from surveys.authoring.analysis_declarations import answers_of
from surveys.authoring.analysis_devices import event_design
from surveys.authoring.planning_figures import planning_shares
from surveys.devices import draft_design
from surveys.devices.registry import split_draft
from surveys.drafts import Draft
from surveys.kinds import kind_of
from surveys.models import Question
from surveys.parameters import PAGE, Analysis, Predictor
from surveys.parameters.arms import DIRECTLY, EVERYBODY, SPLIT

POWER = 0.8
ALPHA = 0.05
# How far an effect is sought beyond the one that would do if it changed no error.
STEPS, STEP = 12, 1.25
# Linear predictors among which the intercept is sought.
WIDEST = 60.0

Floats = npt.NDArray[np.float64]
Curve = Callable[[Floats], Floats]
# By stratum, of how many people in a hundred an arm is, and its matrix.
Arms = Mapping[str, tuple[int, Floats | None]]
# The shares of the answers to a question in the population, where its author knows them.
Known = Mapping[str, tuple[str, ...]]

# The chance of the event and its slope, by link. A straight line has another sort of effect.
CURVES: dict[str, tuple[Curve, Curve]] = {
    "logit": (expit, lambda eta: expit(eta) * expit(-eta)),
    "probit": (normal_cdf, lambda eta: np.exp(-(eta**2) / 2) / np.sqrt(2 * np.pi)),
    "cloglog": (
        lambda eta: -np.expm1(-np.exp(np.minimum(eta, WIDEST))),
        lambda eta: np.exp(np.minimum(eta, WIDEST) - np.exp(np.minimum(eta, WIDEST))),
    ),
}


class Detectable(NamedTuple):
    """Coefficients of one predictor, above 0 and below it, that are found: of its surest category
    and of its least sure one. Of a number that of the way from its lowest value to its highest.

    Infinite where none is found: what is rare already cannot be seen to be rarer.
    """

    predictor: str
    above: tuple[float, float]
    below: tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as a model sees it: `matrix` is reports x answers, `shares` those of answers.

    `arms`: of how many people in a hundred each of its arms is, and the matrix there; None where it
    is asked directly.
    """

    matrix: Floats
    shares: Floats
    arms: Arms = field(default_factory=dict)

    def in_arm(self, stratum: str) -> Floats | None:
        return self.arms[stratum][1] if stratum in self.arms else self.matrix


@dataclass(frozen=True, slots=True)
class _Plan:
    """An outcome of two answers, a predictor with its columns, and how many people answer."""

    outcome: _Asked
    predictor: _Asked
    columns: Floats
    link: str
    planned_n: int

    def errors(self, effects: Floats) -> Floats:
        """The expected standard errors of the coefficients, without that of the intercept."""
        chance, _slope = CURVES[self.link]
        shares = self.predictor.shares
        prevalence, shift = self.outcome.shares[1], self.columns @ effects

        def excess(intercept: float) -> float:
            return float(shares @ chance(intercept + shift) - prevalence)

        eta = scipy.optimize.brentq(excess, -WIDEST, WIDEST) + shift
        parts = [part * self._information(eta, *designs) for part, designs in self._ways()]
        information = np.sum(parts, axis=0)
        variances = np.diag(np.linalg.inv(information))[1:] / self.planned_n
        return np.sqrt(np.where(variances > 0, variances, inf))

    def _ways(self) -> Iterator[tuple[float, tuple[Floats, Floats]]]:
        """Of which share of the people the two questions have which devices."""
        both = {**self.outcome.arms, **self.predictor.arms}
        people = {stratum: share for stratum, (share, _matrix) in both.items()}
        for stratum, share in {PAGE: EVERYBODY - sum(people.values()), **people}.items():
            designs = self.outcome.in_arm(stratum), self.predictor.in_arm(stratum)
            if designs[0] is not None and designs[1] is not None:
                yield share / EVERYBODY, (designs[0], designs[1])

    def _information(self, eta: Floats, outcome: Floats, predictor: Floats) -> Floats:
        """The expected information of one person's reports."""
        chance, slope = CURVES[self.link]
        chances, shares, (no, yes) = chance(eta), self.predictor.shares, outcome.T
        to_reports = (shares * predictor).T
        joint = (np.outer(no, 1 - chances) + np.outer(yes, chances)) @ to_reports
        seen = joint > 0
        slopes = [
            (np.outer(yes - no, slope(eta) * column) @ to_reports)[seen]
            for column in (np.ones(len(shares)), *self.columns.T)
        ]
        table = np.array(slopes)
        return (table / joint[seen]) @ table.T

    def power(self, effect: float, place: int) -> float:
        """Of the test of one coefficient, the others being 0."""
        effects = np.zeros(self.columns.shape[1])
        effects[place] = effect
        try:
            reach, ratio = normal_isf(ALPHA / 2), abs(effect) / self.errors(effects)[place]
        except np.linalg.LinAlgError:
            # So large that one of two people never has the event: nothing can be told.
            return 0.0
        return float(normal_sf(reach - ratio) + normal_sf(reach + ratio))


def detectable_effects(
    analysis: Analysis, questions: Mapping[str, Question], planned_n: int, known: Known
) -> list[Detectable]:
    """Of each predictor in its order; nothing for models and devices that cannot be planned."""
    if not analysis.event or analysis.link not in CURVES:
        return []
    try:
        outcome = _event(analysis, _asked(questions[analysis.outcome], known))
        return [
            _of_predictor(each, questions, (outcome, analysis.link, planned_n), known)
            for each in analysis.predictors
        ]
    except (rr_engine.EngineError, KeyError, AttributeError, np.linalg.LinAlgError):
        return []


def _of_predictor(
    predictor: Predictor,
    questions: Mapping[str, Question],
    rest: tuple[_Asked, str, int],
    known: Known,
) -> Detectable:
    question, (outcome, link, planned_n) = questions[predictor.question], rest
    asked = _asked(question, known)
    columns = _scores(question)[:, None] if predictor.scored else np.eye(len(asked.shares))[:, 1:]
    plan = _Plan(outcome, asked, columns, link, planned_n)
    near_zero = (normal_isf(ALPHA / 2) + normal_ppf(POWER)) * plan.errors(
        np.zeros(columns.shape[1])
    )
    places = dict.fromkeys((int(near_zero.argmin()), int(near_zero.argmax())))
    above, below = (
        [abs(_detected(plan, sign * float(near_zero[place]), place)) for place in places]
        for sign in (1, -1)
    )
    return Detectable(question.name, (min(above), max(above)), (-min(below), -max(below)))


def _detected(plan: _Plan, start: float, place: int) -> float:
    """The smallest coefficient at one place that has the wanted power, from a first guess on."""

    def lack(effect: float) -> float:
        return plan.power(effect, place) - POWER

    nearer = 0.0
    for step in range(STEPS):
        effect = start * STEP ** (step - 2)
        if abs(effect) > WIDEST / 2:
            break
        if lack(effect) >= 0:
            return float(scipy.optimize.brentq(lack, nearer, effect, rtol=1e-4))
        nearer = effect
    return inf


def _event(analysis: Analysis, asked: _Asked) -> _Asked:
    """The same question with two answers: that it is not the event, and that it is."""
    counts = np.isin(np.arange(len(asked.shares)), analysis.event)
    shares = np.array([asked.shares[part].sum() for part in (~counts, counts)])

    def event(matrix: Floats) -> Floats:
        return event_design(rr_engine.DesignMatrix(matrix), analysis.event).matrix

    arms = {
        stratum: (people, None if matrix is None else event(matrix))
        for stratum, (people, matrix) in asked.arms.items()
    }
    return _Asked(event(asked.matrix), shares, arms)


def _asked(question: Question, known: Known) -> _Asked:
    """A question with known shares, else with those that it is planned with."""
    stated = known.get(question.name)
    if question.randomized:
        draft = Draft.of(question)
        design = draft_design(draft)
        shares = np.array(planning_shares(draft, design), dtype=float)
        return _Asked(design.matrix, shares, _arms(draft))
    answers = len(answers_of(question))
    if stated is None or not all(Decimal(share) > 0 for share in stated):
        percents = kind_of(question).default_shares(answers, refusal=question.prefer_not)
        stated = tuple(str(percent / 100) for percent in percents)
    return _Asked(np.eye(answers), np.array([float(share) for share in stated]))


def _arms(draft: Draft) -> Arms:
    arms: dict[str, tuple[int, Floats | None]] = {}
    if draft.split_share:
        arms[SPLIT] = draft.split_share, draft_design(split_draft(draft)).matrix
    if draft.direct_share:
        arms[DIRECTLY] = draft.direct_share, None
    return arms


def _scores(question: Question) -> Floats:
    """Places on a scale, or the middles of bins, from 0 to 1."""
    scale = Draft.of(question).scale
    if scale is None:
        return np.linspace(0, 1, len(answers_of(question)))
    ends = [*(start - 1 for start in scale.bins[1:]), scale.steps]
    middles = np.array([first + last for first, last in zip(scale.bins, ends, strict=True)])
    return (middles - middles[0]) / (middles[-1] - middles[0])
