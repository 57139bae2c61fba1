"""Freezing: a draft becomes a launch, whose parameters never change again."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.models import Launch, Survey
from surveys.parameters import Parameters, digest_of, to_freeze
from surveys.services.transitions import move_survey


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
    move_survey(survey=survey, source=Survey.State.DRAFT, target=Survey.State.OPEN, actor=actor)
    return launch


def launchable_parameters(*, survey: Survey) -> Parameters:
    """What a launch freezes now and the preview shows, as it will be read back.

    Raises NotReadyError with what stops the launch.
    """
    problems = [str(finding.message) for finding in lint_survey(survey) if finding.blocks]
    if problems:
        raise NotReadyError(problems)
    return to_freeze(draft_parameters(survey=survey))
