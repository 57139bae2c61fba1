"""Launching the next wave of a survey whose respondents have return codes."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys import jobs
from surveys.authoring.checks.document import rule_words
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.features.return_codes.next_wave import Epsilons, next_parameters
from surveys.features.return_codes.section import PSEUDONYMOUS
from surveys.models import Launch, Survey
from surveys.parameters import Parameters, ParametersError, to_freeze
from surveys.services.analysis_fits import add_declared
from surveys.services.histories import note_change
from surveys.services.launches import frozen_fields
from surveys.services.results import RECOMPUTE
from surveys.services.transitions import reopen_survey
from surveys.services.webhooks import note_launched
from surveys.services.weighted_results import add_weighted


@transaction.atomic
def launch_next_wave(*, survey: Survey, epsilons: Epsilons, actor: User | None) -> Launch:
    """Freeze the next wave of a launched survey, and open it for responses.

    The survey's row is locked, so that of two waves that are launched at once the second is
    checked against the first.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    current = launch_with_waves(survey)
    parameters = launchable_wave(launch=current, epsilons=epsilons)
    launch = Launch.objects.create(
        survey=survey,
        **frozen_fields(parameters),
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
    note_launched(launch)
    return launch


@transaction.atomic
def launch_reviewed_wave(
    *, survey: Survey, epsilons: Epsilons, reviewed_digest: str, actor: User
) -> Launch:
    """Launch the next wave that the author has seen, and no other one."""
    launch = launch_next_wave(survey=survey, epsilons=epsilons, actor=actor)
    if launch.digest != reviewed_digest:
        message = _("What would freeze has changed since. Look at it again, then launch.")
        raise WrongStateError(message, code="changed")
    note_change(survey, actor, wave_words(launch))
    return launch


def wave_words(launch: Launch) -> str:
    return _("Wave %s was launched.") % launch.wave


def launch_with_waves(survey: Survey) -> Launch:
    """The newest wave of a survey that can have another; raises WrongStateError."""
    launch = survey.current_launch()
    if launch is None or launch.parameters.mode != PSEUDONYMOUS:
        raise WrongStateError(_("Only a launched survey with return codes has a next wave."))
    return launch


def launchable_wave(*, launch: Launch, epsilons: Epsilons) -> Parameters:
    """The next wave as it will be read back; raises NotReadyError with what stands against it."""
    if not epsilons:
        raise NotReadyError([_("No question would be asked more exactly than before.")])
    try:
        return to_freeze(next_parameters(launch=launch, epsilons=epsilons))
    except ParametersError as error:
        raise NotReadyError([f"{error.field}: {rule_words(error)}"]) from error
