"""Analyses: a model of one answer given others, and which questions it can be about.

docs/protocol.md, section 14, has those in words that a survey declares before anybody answers.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

import msgspec

from surveys.parameters.document import NUMBER, Question
from surveys.parameters.joint import LISTED
from surveys.parameters.types import Entry, Frozen, QuestionName

MOST_ANALYSES = 10
MOST_PREDICTORS = 8
MOST_IN_A_NAME = 80

# A control whose categories have no order.
UNORDERED = "list"

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


def is_listed(question: Question | None) -> bool:
    """Whether one answer out of a list is true: what an analysis can be about."""
    if question is None:
        return False
    binned = question.control == NUMBER and question.whole_scale is None
    return question.control in LISTED or binned


def has_scores(question: Question) -> bool:
    """Whether the answers can stand for numbers: they have an order, and each is an answer."""
    return is_listed(question) and question.control != UNORDERED and not question.other_count
