"""Freezing: a draft becomes a launch, whose parameters never change again."""

from typing import cast

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from surveys.authoring.checks.survey import lint_survey
from surveys.devices import devices_of, question_epsilon_total
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.kinds import categories, kind_of
from surveys.models import Launch, Question, Survey
from surveys.parameters import FORMAT, Parameters, check, digest_of
from surveys.parameters import Question as FrozenQuestion
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT, text_of
from surveys.parameters.document import Linkage, Population
from surveys.services.transitions import move_survey


@transaction.atomic
def launch_survey(*, survey: Survey, actor: User | None) -> Launch:
    """Freeze the draft under its digest and open it for responses."""
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if not survey.is_draft:
        raise WrongStateError(_("The survey has been launched already."))
    problems = [str(finding.message) for finding in lint_survey(survey) if finding.blocks]
    if problems:
        raise NotReadyError(problems)
    parameters = check(draft_parameters(survey=survey))
    launch = Launch.objects.create(
        survey=survey,
        version=parameters.version,
        wave=parameters.wave,
        parameters=parameters,
        digest=digest_of(parameters),
    )
    move_survey(survey=survey, source=Survey.State.DRAFT, target=Survey.State.OPEN, actor=actor)
    return launch


def draft_parameters(*, survey: Survey) -> Parameters:
    """The parameters that a launch would freeze now, which the preview shows."""
    questions = list(survey.questions.all())
    with translation.override(survey.language):
        return Parameters(
            format=FORMAT,
            survey=survey.slug,
            version=1,
            wave=1,
            language=survey.language,
            title=survey.title,
            introduction=survey.introduction,
            consent=survey.consent,
            contact=survey.contact,
            linkage=cast("Linkage", survey.linkage),
            population=cast("Population", survey.population),
            release_threshold=survey.release_threshold,
            release_batch=survey.release_batch,
            tables=tuple((outcome, group) for outcome, group in survey.cross_tables),
            epsilon=text_of(survey.budget),
            reason=_reason(survey, questions),
            questions=tuple(_frozen_question(question) for question in questions),
            devices=devices_of(questions),
        )


def _reason(survey: Survey, questions: list[Question]) -> str:
    """The reason, if one is required; otherwise empty, so that it explains no other epsilon."""
    exceeds_limit = question_epsilon_total(questions) > PERSON_LIMIT
    return survey.budget_reason.strip() if exceeds_limit else ""


def _question_reason(question: Question) -> str:
    exceeds_limit = question.randomized and question.known_epsilon > QUESTION_LIMIT
    return question.epsilon_reason.strip() if exceeds_limit else ""


def _frozen_question(question: Question) -> FrozenQuestion:
    return FrozenQuestion(
        id=question.name,
        kind=question.kind,
        control=kind_of(question).control,
        text=question.text,
        help=question.help_text,
        required=question.required,
        randomized=question.randomized,
        reason=_question_reason(question),
        prefer_not=question.prefer_not,
        categories=tuple(categories(question)),
    )
