"""Analyses that are declared before anybody answers: a model of one answer given others.

docs/protocol.md, section 14, has them in words; analysis_rules.py has the rules.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from surveys.parameters.types import Entry, Frozen, QuestionName

MOST_ANALYSES = 10
MOST_PREDICTORS = 8
MOST_IN_A_NAME = 80

Link = Literal["logit", "probit", "cloglog", "identity"]
AnalysisName = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_IN_A_NAME)]


class Predictor(Frozen, frozen=True):
    """A question that may explain an outcome, as a number (`scored`) or by its categories."""

    question: QuestionName
    scored: bool


class Analysis(Frozen, frozen=True):
    """`event`: the answers that count as the event; none where all categories are told apart.

    `weighted`: whether respondents count by the weights of the survey's margins.
    """

    name: AnalysisName
    outcome: QuestionName
    event: tuple[Entry, ...]
    link: Link
    predictors: Annotated[
        tuple[Predictor, ...], msgspec.Meta(min_length=1, max_length=MOST_PREDICTORS)
    ]
    weighted: bool

    @property
    def questions(self) -> tuple[str, ...]:
        """All questions that it needs, the outcome first."""
        return (self.outcome, *(predictor.question for predictor in self.predictors))


def analyses_of_json(rows: Iterable[Mapping[str, Any]]) -> tuple[Analysis, ...]:
    """Analyses from the plain JSON types in which a draft stores them."""
    return msgspec.convert(rows, tuple[Analysis, ...])
