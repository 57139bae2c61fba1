"""The part of analyses for authors: launch checks, and what a launch freezes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from surveys import numbers
from surveys.authoring.analyses.problems import problems_of, problems_of_names
from surveys.authoring.checks.epsilon import Finding
from surveys.features.analyses.allowed import problems_of_linkage, problems_of_margins
from surveys.features.analyses.declarations import (
    analyses_of,
    changed_margins,
    changed_outcomes,
    weighting_of,
)
from surveys.features.analyses.figures import LEAST_PER_COEFFICIENT, figures_of
from surveys.features.analyses.section import NAME, WEIGHTING
from surveys.features.parts import AuthorPart
from surveys.models import Question, Survey


class AnalysesForAuthors(AuthorPart):
    def is_used(self, survey: Survey, questions: Sequence[Question]) -> bool:
        return bool(analyses_of(survey)) or weighting_of(survey) is not None

    def freeze(self, survey: Survey, questions: Sequence[Question]) -> Mapping[str, Any]:
        return {NAME: analyses_of(survey), WEIGHTING: weighting_of(survey)}

    def findings(self, survey: Survey, questions: Sequence[Question]) -> Iterator[Finding]:
        if not analyses_of(survey) and weighting_of(survey) is None:
            return
        by_name = {question.name: question for question in questions}
        for problem in problems_of_linkage(survey):
            yield Finding(problem.code, problem.message, blocks=True)
        yield from _of_analyses(survey, by_name)
        yield from _of_margins(survey, by_name)


def _of_analyses(survey: Survey, by_name: Mapping[str, Question]) -> Iterator[Finding]:
    declared, weights = analyses_of(survey), weighting_of(survey) is not None
    for problem in problems_of_names([analysis.name for analysis in declared]):
        yield Finding(problem.code, problem.message, blocks=True)
    for analysis in declared:
        problems = list(problems_of(analysis, by_name, weights=weights))
        for problem in problems:
            yield _of(analysis.name, problem.code, problem.message, blocks=True)
        if not problems:
            yield from _thin(analysis.name, survey, by_name)
    for name, outcome in changed_outcomes(survey, by_name).items():
        message = _(
            "The answers of “%s” have changed since it was declared. Remove it and declare it "
            "again, so that the right answers count."
        )
        yield _of(name, "analysis_answers", message % outcome, blocks=True)


def _thin(name: str, survey: Survey, by_name: Mapping[str, Question]) -> Iterator[Finding]:
    """Whether what the scrambled answers are worth carries so many coefficients."""
    (analysis,) = (each for each in analyses_of(survey) if each.name == name)
    figures = figures_of(analysis, by_name, survey.planned_n)
    if figures.worth is None or figures.worth >= LEAST_PER_COEFFICIENT * figures.coefficients:
        return
    message = _(
        "It has %(coefficients)s coefficients, and the answers of %(n)s respondents are worth "
        "about %(worth)s direct ones to its outcome. Ask more people, raise an epsilon, or leave "
        "questions out."
    )
    values = {
        "coefficients": numbers.count(figures.coefficients),
        "n": numbers.count(survey.planned_n),
        "worth": numbers.count(figures.worth),
    }
    yield _of(name, "thin_analysis", message % values, blocks=False)


def _of_margins(survey: Survey, by_name: Mapping[str, Question]) -> Iterator[Finding]:
    weighting = weighting_of(survey)
    for problem in problems_of_margins(weighting.margins if weighting else (), by_name):
        yield Finding(problem.code, _("Weights: %s") % problem.message, blocks=True)
    for name in changed_margins(survey, by_name):
        message = _(
            "Weights: the answers of “%s” have changed since their shares were typed. Type them "
            "again, or remove them."
        )
        yield Finding("margin_changed", message % name, blocks=True)


def _of(analysis: str, code: str, message: str, *, blocks: bool) -> Finding:
    words = _("Analysis “%(name)s”: %(message)s") % {"name": analysis, "message": message}
    return Finding(code, words, blocks)
