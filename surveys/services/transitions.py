"""The one place that changes a survey's state."""

import contextlib
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys import jobs
from surveys.exceptions import WrongStateError
from surveys.features import FEATURES
from surveys.models import DroppedReceipts, Survey, Transition
from surveys.services.removal import remove
from surveys.services.results import RECOMPUTE
from surveys.services.webhooks import note_closed

State = Survey.State
ALLOWED = frozenset(
    {
        (State.DRAFT, State.OPEN),
        (State.OPEN, State.CLOSED),
        (State.CLOSED, State.OPEN),
        (State.DRAFT, State.DELETED),
        (State.CLOSED, State.DELETED),
    }
)


def lock_draft(survey: Survey, refusal: str) -> Survey:
    """Lock the row of a draft; raises WrongStateError with `refusal` once it is launched."""
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if not survey.is_draft:
        raise WrongStateError(refusal)
    return survey


@transaction.atomic
def move_survey(*, survey: Survey, source: str, target: str, actor: User | None) -> None:
    """Change the state if it still is `source`, and record who did it."""
    if (source, target) not in ALLOWED:
        raise WrongStateError(_("A survey cannot go from “%s” to “%s”.") % (source, target))
    # The filter on the old state makes this safe with concurrent clicks and workers.
    if not Survey.objects.filter(pk=survey.pk, state=source).update(state=target):
        raise WrongStateError(_("The survey has changed meanwhile. Reload the page."))
    Transition.objects.create(survey=survey, source=source, target=target, actor=actor)
    survey.state = target


@transaction.atomic
def close_survey(*, survey: Survey, actor: User | None) -> None:
    """Stop accepting responses; the last batch is released."""
    move_survey(survey=survey, source=State.OPEN, target=State.CLOSED, actor=actor)
    launch = survey.current_launch()
    jobs.request(RECOMPUTE, launch.pk)
    note_closed(launch)


def close_if_due(*, survey: Survey) -> None:
    """Close a survey on schedule, unless it has been closed meanwhile."""
    with contextlib.suppress(WrongStateError):
        close_survey(survey=survey, actor=None)


@transaction.atomic
def reopen_survey(*, survey: Survey, actor: User | None) -> None:
    """Accept responses again under the same frozen parameters.

    Not where a feature lacks what it asks about by now. The budget is kept: it is the same wave,
    whose questions a browser answers once only.
    """
    if survey.closes_at is not None and survey.closes_at <= timezone.now():
        raise WrongStateError(_("The closing time has passed. Set a later one, or none, first."))
    if reason := why_closed(survey):
        raise WrongStateError(reason)
    move_survey(survey=survey, source=State.CLOSED, target=State.OPEN, actor=actor)


def why_closed(survey: Survey) -> str:
    """Return why a closed survey cannot be opened again; empty where it can."""
    reasons = (feature.answers.why_closed(survey) for feature in FEATURES.values())
    return next(filter(None, reasons), "")


def why_final(survey: Survey) -> str:
    """Return why a survey is closed for good: nothing would recognize responses sent again."""
    if not DroppedReceipts.objects.filter(launch__survey=survey.pk).exists():
        return ""
    return _(
        "Closed for so long that the ids by which a response sent twice is recognized have been"
        " deleted. Clone the survey to ask again."
    )


@transaction.atomic
def delete_survey(*, survey: Survey, actor: User | None) -> bool:
    """Delete a draft or a closed survey with everything that belongs to it.

    It is gone for everybody at once. Returns whether its rows are, too; else a worker removes them.
    """
    move_survey(survey=survey, source=survey.state, target=State.DELETED, actor=actor)
    return remove(survey)


@transaction.atomic
def reopen_until(*, survey: Survey, closes_at: datetime | None, actor: User) -> None:
    """Reopen with a new closing time, or with none."""
    if problem := survey.closing_problem(closes_at):
        raise WrongStateError(problem)
    # Its receipts are deleted under the same lock.
    Survey.objects.select_for_update(no_key=True).get(pk=survey.pk)
    if reason := why_final(survey):
        raise WrongStateError(reason)
    survey.closes_at = closes_at
    Survey.objects.filter(pk=survey.pk).update(closes_at=closes_at)
    reopen_survey(survey=survey, actor=actor)
