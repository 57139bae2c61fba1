"""Analyses and margins of a draft: which questions they may be of, and what is stored of them.

They are stored as in the document, and beside them the answers as they were then: the document
names answers by their places, and an author may move them afterwards.
"""

from collections.abc import Mapping
from typing import Any

from django.utils import translation

from surveys.devices.registry import sends_codes
from surveys.drafts import Draft
from surveys.kinds import KINDS, categories
from surveys.models import Question, Survey
from surveys.parameters import (
    Analysis,
    Margin,
    Weighting,
    analyses_of_json,
    to_json,
    weighting_of_json,
)

ANSWERS = "answers"


def may_be_analysed(question: Question) -> bool:
    """Whether one answer out of a list is true, and what is sent for it is one code."""
    return has_list(question) and sends_codes(question)


def has_list(question: Question) -> bool:
    """Whether one answer out of a list is true; the twin for what is frozen is `is_listed`."""
    kind = KINDS.get(question.kind)
    if kind is None or kind.several or kind.free_text or kind.about_members:
        return False
    draft = Draft.of(question)
    return kind.is_complete(draft) and kind.is_categorical(draft)


def takes_scores(question: Question) -> bool:
    """Whether its answers can count as numbers; the twin is `has_scores`."""
    kind = KINDS[question.kind]
    ordered = kind.ordered or kind.opposites or kind.numeric
    return may_be_analysed(question) and ordered and not question.prefer_not


def may_be_weighted(question: Question) -> bool:
    """Whether respondents can be weighted by it: only what is sent as it is, is known."""
    return may_be_analysed(question) and not question.randomized


def answers_of(question: Question) -> list[str]:
    """Return the answers to a question in one language, whatever the survey's is."""
    with translation.override("en"):
        return categories(question)


# --- what is stored ------------------------------------------------------------------------------


def analysis_row(analysis: Analysis, outcome: Question) -> dict[str, Any]:
    """Return what is stored of an analysis."""
    return {**to_json(analysis), ANSWERS: answers_of(outcome)}


def margin_row(margin: Margin, question: Question) -> dict[str, Any]:
    """Return what is stored of a margin."""
    return {**to_json(margin), ANSWERS: answers_of(question)}


def analyses_of(survey: Survey) -> tuple[Analysis, ...]:
    return analyses_of_json([*map(_without_answers, survey.analyses)])


def weighting_of(survey: Survey) -> Weighting | None:
    return weighting_of_json(
        survey.weighting and {"margins": [*map(_without_answers, survey.weighting["margins"])]}
    )


def changed_outcomes(survey: Survey, questions: Mapping[str, Question]) -> dict[str, str]:
    """Return the outcomes that have other answers than when declared, by name of the analysis."""
    rows = {row["name"]: (row["outcome"], row.get(ANSWERS)) for row in survey.analyses}
    return {
        name: outcome
        for name, (outcome, then) in rows.items()
        if _is_other(then, outcome, questions)
    }


def changed_margins(survey: Survey, questions: Mapping[str, Question]) -> list[str]:
    """The questions of margins that have other answers than they had then."""
    rows = (survey.weighting or {"margins": []})["margins"]
    named = [(row["question"], row.get(ANSWERS)) for row in rows]
    return [name for name, then in named if _is_other(then, name, questions)]


def _is_other(then: list[str] | None, name: str, questions: Mapping[str, Question]) -> bool:
    question = questions.get(name)
    if then is None or question is None or not may_be_analysed(question):
        return False
    return then != answers_of(question)


def _without_answers(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != ANSWERS}
