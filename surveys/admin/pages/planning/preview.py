"""The respondents' form as it would be now, with nothing stored."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse

from surveys.admin.pages.page import survey_page, to_change_page
from surveys.exceptions import NotReadyError
from surveys.models import Survey
from surveys.services.launches import parameters_to_serve
from surveys.views import respond

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET")
def preview(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    try:
        served_parameters = parameters_to_serve(survey=survey)
    except NotReadyError as error:
        model_admin.message_user(request, error.message, "ERROR")
        return to_change_page(survey)
    return respond.render_form(
        request, survey=survey, served_parameters=served_parameters, preview=True
    )
