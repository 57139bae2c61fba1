"""Launching and reopening by an author who has read a page about it before."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.exceptions import WrongStateError
from surveys.models import Launch, Survey
from surveys.services.launches import launch_survey
from surveys.services.transitions import reopen_survey


@transaction.atomic
def launch_reviewed(*, survey: Survey, reviewed_digest: str, actor: User) -> Launch:
    """Launch the draft that the author has seen; edits in another window are not frozen."""
    launch = launch_survey(survey=survey, actor=actor)
    if launch.digest != reviewed_digest:
        raise WrongStateError(
            _("The survey was edited after you opened this page. Read it again, then launch."),
            code="changed",
        )
    return launch


@transaction.atomic
def reopen_until(*, survey: Survey, closes_at: datetime | None, actor: User) -> None:
    """Reopen with a new closing time, or with none."""
    survey.closes_at = closes_at
    Survey.objects.filter(pk=survey.pk).update(closes_at=closes_at)
    reopen_survey(survey=survey, actor=actor)
