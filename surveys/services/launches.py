"""Freezing: a draft becomes a launch, whose parameters never change again."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys import jobs
from surveys.authoring.checks.document import rule_words
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters, questions_of
from surveys.authoring.next_wave import Epsilons, next_parameters
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.models import Launch, Survey
from surveys.parameters import (
    PSEUDONYMOUS,
    Parameters,
    ParametersError,
    digest_of,
    to_freeze,
)
from surveys.services.analysis_fits import add_declared
from surveys.services.candidates import record_first_candidates
from surveys.services.results import RECOMPUTE
from surveys.services.transitions import move_survey, reopen_survey
from surveys.services.weighted_results import add_weighted


@transaction.atomic
def launch_survey(*, survey: Survey, actor: User | None) -> Launch:
    """Freeze the draft under its digest and open it for responses."""
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if not survey.is_draft:
        raise WrongStateError(_("The survey has been launched already."))
    parameters = launchable_parameters(survey=survey)
    launch = Launch.objects.create(
        survey=survey,
        version=parameters.version,
        wave=parameters.wave,
        parameters=parameters,
        digest=digest_of(parameters),
    )
    record_first_candidates(launch=launch, actor=actor)
    add_declared(launch)
    add_weighted(launch)
    move_survey(survey=survey, source=Survey.State.DRAFT, target=Survey.State.OPEN, actor=actor)
    return launch


@transaction.atomic
def launch_next_wave(*, survey: Survey, epsilons: Epsilons, actor: User | None) -> Launch:
    """Freeze the next wave of a launched survey, and open it for responses.

    The survey's row is locked, so that of two waves that are launched at once the second is
    checked against the first.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    current = survey.current_launch()
    parameters = launchable_wave(launch=current, epsilons=epsilons)
    launch = Launch.objects.create(
        survey=survey,
        version=parameters.version,
        wave=parameters.wave,
        parameters=parameters,
        digest=digest_of(parameters),
        translations=current.translations,
        # Everything that has come in so far is in its results from the start.
        revision=current.revision,
    )
    add_declared(launch)
    add_weighted(launch)
    if survey.state == Survey.State.CLOSED:
        reopen_survey(survey=survey, actor=actor)
    # The batch that waited while the earlier wave was open waits for nobody any more.
    jobs.request(RECOMPUTE, current.pk)
    return launch


def launchable_wave(*, launch: Launch, epsilons: Epsilons) -> Parameters:
    """The next wave as it will be read back; raises NotReadyError with what stands against it."""
    if launch is None or launch.parameters.mode != PSEUDONYMOUS:
        raise WrongStateError(_("Only a survey with return codes has a next wave."))
    if not epsilons:
        raise NotReadyError([_("No question would be asked more exactly than before.")])
    try:
        return to_freeze(next_parameters(launch=launch, epsilons=epsilons))
    except ParametersError as error:
        raise NotReadyError([f"{error.field}: {rule_words(error)}"]) from error


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
