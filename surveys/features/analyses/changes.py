"""Declared analyses, and the margins that respondents are weighted to: in a draft only."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.analyses.problems import Problem, problems_of, problems_of_names
from surveys.exceptions import UnfitDeclarationError
from surveys.features.analyses.allowed import (
    problems_of_margin,
    problems_of_margins,
    problems_of_number,
    problems_of_survey,
)
from surveys.features.analyses.declarations import analyses_of, analysis_row, margin_row
from surveys.features.analyses.settings import Row, declared, store_analyses, store_margins
from surveys.models import Question, Survey
from surveys.parameters import Analysis, Margin
from surveys.services.transitions import lock_draft


@transaction.atomic
def declare_analysis(*, survey: Survey, analysis: Analysis) -> None:
    """Add an analysis to a draft; raises UnfitDeclarationError with all that is wrong with it."""
    survey, questions = _locked(survey)
    names = [*(each.name for each in analyses_of(survey)), analysis.name]
    weights = bool(declared(survey).margins)
    _refuse(
        [
            *problems_of_survey(survey),
            *problems_of_names(names),
            *problems_of(analysis, questions, weights=weights),
        ]
    )
    row = analysis_row(analysis, questions[analysis.outcome])
    store_analyses(survey, [*declared(survey).analyses, row])
    survey.save(update_fields=["features"])


@transaction.atomic
def remove_analysis(*, survey: Survey, name: str) -> bool:
    """Whether there was one of this name, which is then gone."""
    survey, _questions = _locked(survey)
    rows = declared(survey).analyses
    kept = [row for row in rows if row["name"] != name]
    store_analyses(survey, kept)
    survey.save(update_fields=["features"])
    return len(kept) < len(rows)


@transaction.atomic
def set_margins(*, survey: Survey, margins: Sequence[Margin]) -> None:
    """Take these margins in place of all that a draft had; raises UnfitDeclarationError."""
    survey, questions = _locked(survey)
    _refuse([*problems_of_survey(survey), *problems_of_margins(margins, questions)])
    _store(survey, [margin_row(margin, questions[margin.question]) for margin in margins])


@transaction.atomic
def set_margin(*, survey: Survey, margin: Margin) -> None:
    """Take this margin in place of its question's; the others stay, whatever is wrong with them."""
    survey, questions = _locked(survey)
    rows = declared(survey).margins
    others = [row for row in rows if row["question"] != margin.question]
    number = problems_of_number(len(others) + 1)
    _refuse([*problems_of_survey(survey), *number, *problems_of_margin(margin, questions)])
    row = margin_row(margin, questions[margin.question])
    places = {each["question"]: each for each in rows} | {margin.question: row}
    _store(survey, list(places.values()))


@transaction.atomic
def remove_margin(*, survey: Survey, question: str) -> bool:
    """Whether there was a margin of this question, which is then gone."""
    survey, _questions = _locked(survey)
    rows = declared(survey).margins
    kept = [row for row in rows if row["question"] != question]
    _store(survey, kept)
    return len(kept) < len(rows)


def _store(survey: Survey, rows: list[Row]) -> None:
    if not rows:
        _refuse(_counting_on_weights(survey))
    store_margins(survey, rows)
    survey.save(update_fields=["features"])


def _locked(survey: Survey) -> tuple[Survey, dict[str, Question]]:
    message = _("The survey is launched, so its analyses and weights can no longer change.")
    survey = lock_draft(survey, message)
    return survey, {question.name: question for question in survey.questions.all()}


def _counting_on_weights(survey: Survey) -> Iterable[Problem]:
    names = [analysis.name for analysis in analyses_of(survey) if analysis.weighted]
    if names:
        message = _("These analyses are weighted, so remove them before the last margin: %s.")
        words = ", ".join(_("“%s”") % name for name in names)
        yield Problem("analysis_weights", "", message % words)


def _refuse(problems: Iterable[Problem]) -> None:
    messages = [problem.message for problem in problems]
    if messages:
        raise UnfitDeclarationError(messages)
