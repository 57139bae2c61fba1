"""The page that a survey opens with, and the beginning of an empty draft."""

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from surveys.admin.editor.questions import questions_page
from surveys.admin.editor.settings import settings_page
from surveys.admin.pages.page import author_of, survey_page, to_change_page
from surveys.models import Survey
from surveys.services.editing import start_survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET")
def change(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        return settings_page(model_admin, request, survey)
    return questions_page(model_admin, request, survey)


def add(model_admin: "SurveyAdmin", request: HttpRequest) -> HttpResponse:
    if not model_admin.has_add_permission(request):
        raise PermissionDenied
    if request.method != "POST":
        return redirect("admin:survey_start")
    survey = start_survey(owner=author_of(request), language=get_language() or "")
    model_admin.log_addition(request, survey, _("Made empty."))
    return to_change_page(survey)
