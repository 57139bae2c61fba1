"""The margins that a survey is weighted to, one question at a time, and a table to fill in."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.pages.files import spreadsheet_file
from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page
from surveys.features.analyses.allowed import problems_of_survey
from surveys.features.analyses.changes import remove_margin, set_margin
from surveys.features.analyses.forms import MarginForm
from surveys.features.analyses.page_views import declared_in, questions_of, weighting_answers
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def margin(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """The shares of one question, whose name is in the address."""
    questions = questions_of(survey)
    name = request.GET.get("question", "")
    answers = weighting_answers(survey, questions)
    if name not in answers or not survey.is_draft or [*problems_of_survey(survey)]:
        messages.warning(request, _("Choose in a draft what respondents are weighted by."))
        return redirect("admin:survey_analyses", survey.pk)
    weighting = declared_in(survey)[1]
    stored = {each.question: each.shares for each in (weighting.margins if weighting else ())}
    shares = stored.get(name, ())
    form = MarginForm(
        request.POST if request.method == "POST" else None,
        question=questions[name],
        labels=answers[name],
        shares=shares if len(shares) == len(answers[name]) else (),
    )
    if form.is_valid():
        with attempt(request) as done:
            set_margin(survey=survey, margin=form.margin())
        if done.succeeded:
            message = _("The shares of “%s” are stored.") % name
            log_and_say(model_admin, request, survey, f"{message} {form.note()}".strip())
        return redirect("admin:survey_analyses", survey.pk)
    title = _("Shares in the population")
    context: dict[str, Any] = {"title": title, "form": form, "question": questions[name]}
    return render_page(model_admin, request, survey, "features/analyses/margin.html", **context)


@survey_page("POST")
def margin_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """One margin out of all, whatever has become of its question."""
    name, was_there = request.POST.get("question", ""), False
    with attempt(request):
        was_there = remove_margin(survey=survey, question=name)
    if was_there:
        log_and_say(model_admin, request, survey, _("The shares of “%s” are removed.") % name)
    return redirect("admin:survey_analyses", survey.pk)


@survey_page("GET")
def margins_template(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey
) -> HttpResponse:
    """A table to fill in, with a row for each answer of this survey."""
    answers = weighting_answers(survey, questions_of(survey))
    rows = [(name, label, "") for name, labels in answers.items() for label in labels]
    return spreadsheet_file(("question", "answer", "share"), rows, "margins.csv")
