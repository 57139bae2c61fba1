"""How much a declared analysis has to go by, in figures, before anybody answers.

power.py beside it has the effects that it would find.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from surveys.authoring.analyses.declarations import answers_of
from surveys.authoring.planning.figures import effective_share
from surveys.drafts import Draft
from surveys.models import Question
from surveys.parameters import Analysis

# Answers for each coefficient below which estimates are biased and unstable (Peduzzi, Concato,
# Kemper, Holford & Feinstein 1996 for the rarer of two outcomes).
LEAST_PER_COEFFICIENT = 10


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
