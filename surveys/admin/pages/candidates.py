"""The candidates of a short text: which texts results look for, and the lists there were before."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import (
    attempt,
    author_of,
    log_and_say,
    render_page,
    survey_page,
    to_change_page,
)
from surveys.forms.candidates import CandidatesForm
from surveys.models import Survey
from surveys.services.candidates import change_candidates, text_questions

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET")
def candidates(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """The first text question's list; of a survey without one there is nothing to show."""
    names = _names(survey)
    if not names:
        return _refuse(model_admin, request, survey)
    return redirect("admin:survey_candidates_of", survey.pk, names[0])


@survey_page("GET", "POST")
def candidates_of(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question: str
) -> HttpResponse:
    names, launch = _names(survey), survey.current_launch()
    if launch is None or question not in names:
        return _refuse(model_admin, request, survey)
    lists = list(survey.candidates.filter(question=question).select_related("actor"))
    initial = {"texts": lists[-1].texts if lists else []}
    form = CandidatesForm(request.POST or None, request.FILES or None, initial=initial)
    understood = form.is_valid() and not form.is_confirmed
    notes = form.notes
    if understood:
        form = CandidatesForm(initial={"texts": form.candidates()})
    elif form.is_valid():
        with attempt(request) as outcome:
            texts = form.candidates()
            changed = change_candidates(
                survey=survey, question=question, texts=texts, actor=author_of(request)
            )
        if outcome.succeeded:
            _report(model_admin, request, survey, changed is not None, len(texts))
            return redirect("admin:survey_candidates_of", survey.pk, question)
    context: dict[str, Any] = {
        "title": _("Candidates"),
        "form": form,
        "understood": understood,
        "notes": notes,
        "question": launch.parameters.question(question),
        "others": [launch.parameters.question(name) for name in names if name != question],
        "lists": [{"list": each, "size": numbers.count(len(each.texts))} for each in lists[::-1]],
    }
    return render_page(model_admin, request, survey, "candidates.html", **context)


def _names(survey: Survey) -> list[str]:
    """The questions that have candidates."""
    launch = None if survey.is_draft else survey.current_launch()
    return text_questions(launch) if launch else []


def _refuse(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    message = _("Only a short text of a launched survey has candidates.")
    model_admin.message_user(request, message, "WARNING")
    return to_change_page(survey)


def _report(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, is_changed: bool, count: int
) -> None:
    if not is_changed:
        model_admin.message_user(request, _("The list is the same as before."), "INFO")
        return
    message = _("The list has %s candidates now. The results are computed again.")
    words = message % numbers.count(count)
    log_and_say(model_admin, request, survey, words)
