"""How much a declared analysis has to go by, and the smallest effects that it would probably find.

Each predictor is planned with nothing beside it. Predictors that have nothing to do with it and no
effect of their own change nothing about it (docs/methods/regression.md, "Planning"); others do.
People in a stratum of chance tell what their devices say, and who is asked one of the two directly,
as a sensitive question, is in no analysis.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from math import inf
from typing import NamedTuple

import numpy as np
import scipy

import rr_engine
from surveys.authoring.analyses.declarations import answers_of
from surveys.authoring.analyses.devices import event_design
from surveys.authoring.chance_designs import strata_with_people
from surveys.authoring.planning.figures import effective_share, planning_shares
from surveys.devices import draft_design
from surveys.drafts import Draft
from surveys.features.analyses.power_plans import (
    CURVES,
    POWER,
    STRAIGHT,
    AnyAnswerPlan,
    Asked,
    CurvePlan,
    Floats,
    LinePlan,
    PairsPlan,
    Plan,
    Strata,
)
from surveys.kinds import kind_of
from surveys.models import Question
from surveys.parameters import Analysis, Predictor

# Answers for each coefficient below which estimates are biased and unstable (Peduzzi, Concato,
# Kemper, Holford & Feinstein 1996 for the rarer of two outcomes).
LEAST_PER_COEFFICIENT = 10
# How far an effect is sought beyond the one that would do if it changed no error.
STEPS, STEP = 12, 1.25

# The shares of the answers to a question in the population, where its author knows them.
Known = Mapping[str, tuple[str, ...]]


class Of(Enum):
    """The contrast of an effect: the event, one answer against another, or one against all others.

    The last one is found by the test of all answers.
    """

    EVENT = "event"
    PAIR = "pair"
    ANY = "any"


class Detectable(NamedTuple):
    """Coefficients of one predictor, above 0 and below it, that are found: of its surest category
    and of its least sure one. Of a number that of the way from its lowest value to its highest.

    Infinite where none is found: what is rare already cannot be seen to be rarer.
    """

    predictor: str
    above: tuple[float, float]
    below: tuple[float, float]
    of: Of = Of.EVENT


def detectable_effects(
    analysis: Analysis, questions: Mapping[str, Question], planned_n: int, known: Known
) -> list[Detectable]:
    """Return each predictor's effects, in order; nothing for devices that cannot be planned."""
    try:
        asked = _asked(questions[analysis.outcome], known)
        outcome = _event(analysis, asked) if analysis.event else asked
        return [
            _smallest(name, of, plan)
            for predictor in analysis.predictors
            for name, of, plan in _plans(
                predictor, questions, (outcome, analysis.link, planned_n), known
            )
        ]
    except (rr_engine.EngineError, KeyError, AttributeError, np.linalg.LinAlgError):
        return []


def _plans(
    predictor: Predictor,
    questions: Mapping[str, Question],
    rest: tuple[Asked, str, int],
    known: Known,
) -> Iterator[tuple[str, Of, Plan]]:
    """The plans of what is tested of a predictor, each with what it is of."""
    question, (outcome, link, planned_n) = questions[predictor.question], rest
    asked = _asked(question, known)
    columns = _scores(question)[:, None] if predictor.scored else np.eye(len(asked.shares))[:, 1:]
    if len(outcome.shares) > 2:
        yield question.name, Of.PAIR, PairsPlan(outcome, asked, columns, planned_n)
        yield question.name, Of.ANY, AnyAnswerPlan(outcome, asked, columns, planned_n)
    elif link == STRAIGHT:
        yield question.name, Of.EVENT, LinePlan(outcome, asked, columns, planned_n)
    elif link in CURVES:
        yield question.name, Of.EVENT, CurvePlan(outcome, asked, columns, planned_n, link)


def _smallest(name: str, of: Of, plan: Plan) -> Detectable:
    near_zero = plan.near_zero()
    places = dict.fromkeys((int(near_zero.argmin()), int(near_zero.argmax())))
    above, below = (
        [abs(_detected(plan, sign * float(near_zero[place]), place)) for place in places]
        for sign in (1, -1)
    )
    return Detectable(name, (min(above), max(above)), (-min(below), -max(below)), of)


def _detected(plan: Plan, start: float, place: int) -> float:
    """The smallest effect at one place that has the wanted power, from a first guess on."""

    def lack(effect: float) -> float:
        return plan.power(effect, place) - POWER

    sign = 1 if start > 0 else -1
    nearer, largest = 0.0, plan.largest(sign, place)
    for step in range(STEPS):
        effect = sign * min(abs(start) * STEP ** (step - 2), largest)
        if lack(effect) >= 0:
            return float(scipy.optimize.brentq(lack, nearer, effect, rtol=1e-4))
        if abs(effect) == largest:
            break
        nearer = effect
    return inf


def _event(analysis: Analysis, asked: Asked) -> Asked:
    """Return the question with two answers: that it is not the event, and that it is."""
    counts = np.isin(np.arange(len(asked.shares)), analysis.event)
    shares = np.array([asked.shares[part].sum() for part in (~counts, counts)])

    def event(matrix: Floats) -> Floats:
        return event_design(rr_engine.DesignMatrix(matrix), analysis.event).matrix

    strata = {
        stratum: (people, None if matrix is None else event(matrix))
        for stratum, (people, matrix) in asked.strata.items()
    }
    return Asked(event(asked.matrix), shares, strata)


def _asked(question: Question, known: Known) -> Asked:
    """A question with known shares, else with those that it is planned with."""
    stated = known.get(question.name)
    if question.randomized:
        draft = Draft.of(question)
        design = draft_design(draft)
        shares = np.array(planning_shares(draft, design), dtype=float)
        return Asked(design.matrix, shares, _strata(draft))
    answers = len(answers_of(question))
    if stated is None or not all(Decimal(share) > 0 for share in stated):
        percents = kind_of(question).default_shares(answers, refusal=question.prefer_not)
        stated = tuple(str(percent / 100) for percent in percents)
    return Asked(np.eye(answers), np.array([float(share) for share in stated]))


def _strata(draft: Draft) -> Strata:
    return {
        stratum.name: (
            stratum.share,
            None if stratum.directly else draft_design(stratum.draft).matrix,
        )
        for stratum in strata_with_people(draft)
    }


def _scores(question: Question) -> Floats:
    """Places on a scale, or the middles of bins, from 0 to 1."""
    scale = Draft.of(question).scale
    if scale is None:
        return np.linspace(0, 1, len(answers_of(question)))
    ends = [*(start - 1 for start in scale.bins[1:]), scale.steps]
    middles = np.array([first + last for first, last in zip(scale.bins, ends, strict=True)])
    return (middles - middles[0]) / (middles[-1] - middles[0])


@dataclass(frozen=True, slots=True)
class AnalysisFigures:
    """`worth`: as how many direct answers the planned ones count; None where that is not known."""

    coefficients: int
    worth: int | None


def figures_of(
    analysis: Analysis, questions: Mapping[str, Question], planned_n: int
) -> AnalysisFigures:
    """The figures of an analysis of these questions, none of which breaks a rule."""
    outcome = questions[analysis.outcome]
    share = effective_share(Draft.of(outcome)) if outcome.randomized else 1.0
    worth = None if share is None else round(planned_n * share)
    return AnalysisFigures(_coefficients(analysis, questions), worth)


def _coefficients(analysis: Analysis, questions: Mapping[str, Question]) -> int:
    """An intercept, and one for each number and for each category but the first."""
    columns = [
        1 if predictor.scored else len(answers_of(questions[predictor.question])) - 1
        for predictor in analysis.predictors
    ]
    equations = 1 if analysis.event else len(answers_of(questions[analysis.outcome])) - 1
    return equations * (1 + sum(columns))
