"""The archive: surveys that their author has put aside, and takes out again."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.admin.pages.page import log_and_say, survey_page
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("POST")
def archive(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Put a survey aside, or take it out again; whoever answers or reads it sees no difference."""
    aside = survey.archived_at is None
    Survey.objects.filter(pk=survey.pk).update(archived_at=timezone.now() if aside else None)
    message = _("“%s” is in the archive.") if aside else _("“%s” is back in the list.")
    log_and_say(model_admin, request, survey, message % survey.title)
    return redirect("admin:surveys_survey_changelist")
