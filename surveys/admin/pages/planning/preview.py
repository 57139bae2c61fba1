"""The respondents' form as it would be now, with nothing stored: whole, or one question alone."""

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.admin.pages.page import survey_page, to_change_page
from surveys.exceptions import NotReadyError
from surveys.forms.edited_question import question_sheet
from surveys.models import Question, Survey
from surveys.services.launches import parameters_of_some, parameters_to_serve
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


@survey_page("GET")
def question_preview(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    """Show a question as it is typed, with those that are sent together with it, in a frame."""
    questions = list(survey.questions.all())
    opened = next((each for each in questions if each.pk == question_id), None)
    if opened is None or not survey.is_draft:
        raise Http404
    shown = _as_typed(opened)
    group = shown.group if shown.randomized else None
    together = [
        shown if each == opened else each
        for each in questions
        if each == opened or (group is not None and each.group == group)
    ]
    try:
        served, alone = parameters_of_some(survey=survey, questions=together)
    except NotReadyError as error:
        context = {"problem": error.message, "survey": survey}
        response = render(request, "admin/surveys/editor/no_preview.html", context)
    else:
        place = together.index(shown)
        response = respond.render_form(
            request, survey=alone, served_parameters=served, preview=True, begin=place
        )
    return respond.in_own_frames(response)


def _as_typed(question: Question) -> Question:
    """Return the question with what is right of what is typed; raises no error."""
    sheet = question_sheet(question)
    form = sheet.bound(sheet.texts())
    if form.errors:
        for name in ("text", "help_text", "options", "prefer_not"):
            if name in form.cleaned_data:
                setattr(question, name, form.cleaned_data[name])
        return question
    typed: Question = form.instance
    return typed
