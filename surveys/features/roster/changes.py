"""Rosters: who may answer a survey by personal link, until its author deletes their names."""

from collections.abc import Sequence

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from surveys.exceptions import WrongStateError
from surveys.features.roster.models import Member
from surveys.features.roster.reading import RosterRow
from surveys.features.roster.section import PERSONAL
from surveys.models import Survey
from surveys.services.editing import implied_by_mode
from surveys.services.transitions import lock_draft


@transaction.atomic
def replace_roster(*, survey: Survey, rows: Sequence[RosterRow]) -> None:
    """Take these rows, which have been checked, for the roster of a draft; none removes it."""
    survey = lock_draft(survey, _("The survey is launched, so its roster can no longer change."))
    Member.objects.filter(survey=survey).delete()
    Member.objects.bulk_create(
        Member(survey=survey, place=place, code=row.code, name=row.name, group=row.group)
        for place, row in enumerate(rows)
    )


@transaction.atomic
def upload_roster(*, survey: Survey, rows: Sequence[RosterRow]) -> list[str]:
    """Take these rows for the roster, and set what follows from it; return that in words."""
    replace_roster(survey=survey, rows=rows)
    survey, size = Survey.objects.get(pk=survey.pk), len(rows)
    words = []
    if survey.mode != PERSONAL:
        survey.mode = PERSONAL
        words.append(_("Respondents are told apart by personal links now."))
    words += implied_by_mode(survey)
    survey.linkage = Survey.Linkage.TOGETHER
    if survey.planned_n != size:
        survey.planned_n = size
        words.append(_("As many respondents are planned as there are members."))
    if survey.release_threshold > size:
        survey.release_threshold = size
        words.append(_("The release threshold is the number of members, which is smaller."))
    survey.save(update_fields=["mode", "linkage", "planned_n", "release_threshold"])
    return words


@transaction.atomic
def delete_names(*, survey: Survey, actor: User | None) -> None:
    """Empty the names of a closed survey's roster; everything else that is stored stays.

    The survey cannot be opened again: nobody could be asked about people without names.
    """
    survey = Survey.objects.select_for_update().get(pk=survey.pk)
    if survey.state != Survey.State.CLOSED:
        raise WrongStateError(_("Names can be deleted once the survey is closed."))
    if not Member.objects.filter(survey=survey).exclude(name="").update(name=""):
        raise WrongStateError(_("This survey has no names to delete."))
    if actor is not None:
        LogEntry.objects.log_actions(actor.pk, [survey], CHANGE, _("Deleted the names."))


def names_deleted(survey: Survey) -> bool:
    """Whether there is a roster whose names are gone."""
    return Member.objects.filter(survey=survey, name="").exists()


def nameless_words() -> str:
    """Why a survey whose names were deleted stays closed."""
    return _(
        "The names of its roster were deleted, so nobody can be asked about them any more, and the "
        "survey stays closed."
    )
