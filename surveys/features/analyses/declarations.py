"""The analyses and margins that a draft declares.

They are stored as in the document, and beside them the answers as they were then: the document
names answers by their places, and an author may move them afterwards.
"""

from collections.abc import Mapping
from typing import Any

from surveys.authoring.analyses.declarations import answers_of, may_be_analysed
from surveys.features.analyses.settings import Row, declared
from surveys.features.settings import WithFeatures
from surveys.models import Question
from surveys.parameters import (
    Analysis,
    Margin,
    Weighting,
    analyses_of_json,
    to_json,
    weighting_of_json,
)

ANSWERS = "answers"


def analysis_row(analysis: Analysis, outcome: Question) -> Row:
    """Return what is stored of an analysis."""
    return {**to_json(analysis), ANSWERS: answers_of(outcome)}


def margin_row(margin: Margin, question: Question) -> Row:
    """Return what is stored of a margin."""
    return {**to_json(margin), ANSWERS: answers_of(question)}


def analyses_of(survey: WithFeatures) -> tuple[Analysis, ...]:
    return analyses_of_json([*map(_without_answers, declared(survey).analyses)])


def weighting_of(survey: WithFeatures) -> Weighting | None:
    rows = declared(survey).margins
    return weighting_of_json({"margins": [*map(_without_answers, rows)]} if rows else None)


def changed_outcomes(survey: WithFeatures, questions: Mapping[str, Question]) -> dict[str, str]:
    """Return the outcomes that have other answers than when declared, by name of the analysis."""
    rows = {row["name"]: (row["outcome"], row.get(ANSWERS)) for row in declared(survey).analyses}
    return {
        name: outcome
        for name, (outcome, then) in rows.items()
        if _is_other(then, outcome, questions)
    }


def changed_margins(survey: WithFeatures, questions: Mapping[str, Question]) -> list[str]:
    """The questions of margins that have other answers than they had then."""
    named = [(row["question"], row.get(ANSWERS)) for row in declared(survey).margins]
    return [name for name, then in named if _is_other(then, name, questions)]


def _is_other(then: list[str] | None, name: str, questions: Mapping[str, Question]) -> bool:
    question = questions.get(name)
    if then is None or question is None or not may_be_analysed(question):
        return False
    return then != answers_of(question)


def _without_answers(row: Mapping[str, Any]) -> Row:
    return {key: value for key, value in row.items() if key != ANSWERS}
