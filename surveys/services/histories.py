"""The history of a survey: who did what, whether on a page or by a program."""

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.auth.models import User

from surveys.models import Survey


def note_change(survey: Survey, actor: User, message: str) -> None:
    """Write down that somebody changed a survey, or what it is in."""
    LogEntry.objects.log_actions(actor.pk, [survey], CHANGE, message, single_object=True)


def note_addition(survey: Survey, actor: User, message: str) -> None:
    """Write down that somebody made a draft."""
    LogEntry.objects.log_actions(actor.pk, [survey], ADDITION, message, single_object=True)


def note_deletion(survey: Survey, actor: User) -> None:
    """Write down that somebody is about to delete a survey."""
    LogEntry.objects.log_actions(actor.pk, [survey], DELETION, "", single_object=True)
