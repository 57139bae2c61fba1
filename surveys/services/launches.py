"""Freezing: a draft becomes a launch, whose parameters never change again."""

from copy import copy
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters, questions_of
from surveys.devices.joint_margin import join_questions
from surveys.engine_words import EngineError
from surveys.exceptions import NotConfirmedError, NotReadyError, WrongStateError
from surveys.features import FEATURES
from surveys.features.parts import Confirmation
from surveys.kinds import is_about_members
from surveys.models import Launch, Question, Survey
from surveys.parameters import (
    OPEN,
    Parameters,
    ParametersError,
    ServedParameters,
    Texts,
    digest_of,
    to_freeze,
)
from surveys.services.analysis_fits import add_declared
from surveys.services.candidates import record_first_candidates
from surveys.services.histories import note_change
from surveys.services.transitions import lock_draft, move_survey
from surveys.services.webhooks import note_launched
from surveys.services.weighted_results import add_weighted


@transaction.atomic
def launch_survey(*, survey: Survey, actor: User | None) -> Launch:
    """Freeze the draft under its digest and open it for responses."""
    survey = lock_draft(survey, _("The survey has been launched already."))
    parameters = launchable_parameters(survey=survey)
    launch = Launch.objects.create(
        survey=survey,
        **frozen_fields(parameters),
        translations=_translations(survey, parameters, complete=True),
    )
    record_first_candidates(launch=launch, actor=actor)
    add_declared(launch)
    add_weighted(launch)
    move_survey(survey=survey, source=Survey.State.DRAFT, target=Survey.State.OPEN, actor=actor)
    note_launched(launch)
    return launch


def confirmations_of(survey: Survey) -> list[Confirmation]:
    """Return what the author of a draft reads and confirms before the launch."""
    questions = list(survey.questions.all())
    found = (feature.desk.confirmation(survey, questions) for feature in FEATURES.values())
    return [each for each in found if each]


@transaction.atomic
def launch_reviewed(
    *, survey: Survey, reviewed_digest: str, actor: User, confirmed: bool
) -> Launch:
    """Launch the draft that the author has seen; edits in another window are not frozen.

    `confirmed`: whether they have read what `confirmations_of` says; raises NotConfirmedError
    where they had to and have not.
    """
    confirmations = confirmations_of(survey)
    if confirmations and not confirmed:
        raise NotConfirmedError([each for it in confirmations for each in (it.heading, *it.lines)])
    launch = launch_survey(survey=survey, actor=actor)
    if launch.digest != reviewed_digest:
        raise WrongStateError(
            _("The survey was edited after you read it. Read it again, then launch."),
            code="changed",
        )
    history = confirmations[0].history if confirmations else ""
    note_change(survey, actor, history or _("Launched."))
    return launch


def launchable_parameters(*, survey: Survey) -> Parameters:
    """Return what a launch freezes now and the preview shows, as it will be read back.

    Raises NotReadyError with what stops the launch.
    """
    questions = questions_of(survey)
    findings = lint_survey(survey, questions)
    problems = [str(finding.message) for finding in findings if finding.blocks]
    if problems:
        raise NotReadyError(problems)
    return to_freeze(draft_parameters(survey=survey, questions=questions))


def _translations(survey: Survey, parameters: Parameters, *, complete: bool) -> dict[str, Texts]:
    """Return the texts in other languages, by language; perhaps only of those that are complete."""
    questions, found = questions_of(survey), dict[str, Texts]()
    for feature in FEATURES.values():
        found |= feature.author.translations(survey, questions, parameters, complete=complete)
    return found


def parameters_of_some(
    *, survey: Survey, questions: list[Question]
) -> tuple[ServedParameters, Survey]:
    """Return what some questions of a draft would be frozen with, as if they were all of it.

    With the survey that they would be of: without features, unless one asks about its members.
    Raises NotReadyError where they are not complete.
    """
    alone = copy(survey)
    if not any(map(is_about_members, questions)):
        alone.features, alone.mode = {}, OPEN
    for question in questions:
        question.survey = alone
        for feature in FEATURES.values():
            feature.author.stand_alone(question, questions)
    join_questions(questions)
    try:
        frozen = to_freeze(draft_parameters(survey=alone, questions=questions))
    except (ParametersError, EngineError, KeyError, ValueError) as error:
        problem = _("The preview follows once the question is complete.")
        raise NotReadyError([problem]) from error
    return ServedParameters(frozen, digest_of(frozen)), alone


def frozen_fields(parameters: Parameters) -> dict[str, Any]:
    """Return the fields of a launch that follow from what it freezes."""
    return {
        "version": parameters.version,
        "wave": parameters.wave,
        "parameters": parameters,
        "digest": digest_of(parameters),
    }


def parameters_to_serve(*, survey: Survey) -> ServedParameters:
    """The frozen parameters, or those that a draft would be frozen with; raises NotReadyError."""
    launch = survey.current_launch()
    if launch is not None:
        return launch.served_parameters
    parameters = launchable_parameters(survey=survey)
    translations = _translations(survey, parameters, complete=False)
    return ServedParameters(parameters, digest_of(parameters), translations)
