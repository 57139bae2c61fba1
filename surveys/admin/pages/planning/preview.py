"""The respondents' form as it would be now, with nothing stored: whole, or one question alone."""

from collections import ChainMap
from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from surveys.admin.pages.page import survey_page, to_change_page
from surveys.exceptions import NotReadyError
from surveys.features import FEATURES
from surveys.forms.edited_question import question_sheet
from surveys.models import Question, Survey
from surveys.parameters import ServedParameters
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
    """Show a question as it is typed, with those that it cannot be shown without, in a frame."""
    questions = list(survey.questions.all())
    opened = next((each for each in questions if each.pk == question_id), None)
    if opened is None or not survey.is_draft:
        raise Http404
    shown = _as_typed(opened)
    questions[questions.index(opened)] = shown
    try:
        served, alone = _parameters_around(survey, questions, shown)
    except NotReadyError as error:
        context = {"problem": error.message, "survey": survey}
        response = render(request, "admin/surveys/editor/no_preview.html", context)
    else:
        response = respond.render_form(
            request, survey=alone, served_parameters=served, preview=True, begin=shown.name
        )
    return respond.in_own_frames(response)


def _parameters_around(
    survey: Survey, questions: list[Question], shown: Question
) -> tuple[ServedParameters, Survey]:
    """Return what `parameters_of_some` makes of one question, with those around it that it needs.

    Without what it rests on where that is not complete. Raises NotReadyError.
    """
    if any(feature.author.knows_answer(shown) for feature in FEATURES.values()):
        words = _("Nobody is asked this question. The first page says what is sent as its answer.")
        raise NotReadyError([words])
    group = shown.group if shown.randomized else None
    together = [x for x in questions if x is shown or (group is not None and x.group == group)]
    try:
        around = _with_what_they_rest_on(survey, questions, together)
        return parameters_of_some(survey=survey, questions=around)
    except NotReadyError:
        return parameters_of_some(survey=survey, questions=together)


def _with_what_they_rest_on(
    survey: Survey, questions: list[Question], some: list[Question]
) -> list[Question]:
    """Return some of these questions, with all on which they rest, in their order."""
    names = {question.name for question in some}
    authors = [feature.author for feature in FEATURES.values()]
    for_some = ChainMap(*(dict(author.rests_on(questions)) for author in authors))
    texts = ChainMap(*(dict(author.texts_rest_on(survey, questions)) for author in authors))
    for question in reversed(questions):
        name = question.name
        if name in names:
            names |= for_some.get(name, frozenset()) | texts.get(name, frozenset())
        # The preview begins behind what texts rest on, and ends without it.
        if question not in some and name not in for_some:
            question.required = False
    return [question for question in questions if question.name in names]


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
