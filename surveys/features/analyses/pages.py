"""The analyses of a survey: declared in a draft, read afterwards."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page
from surveys.authoring.analyses.declarations import may_be_analysed
from surveys.features.analyses.allowed import problems_of_survey
from surveys.features.analyses.changes import declare_analysis, remove_analysis, set_margins
from surveys.features.analyses.declarations import analyses_of
from surveys.features.analyses.forms import MarginsForm
from surveys.features.analyses.page_views import (
    analysis_view,
    declared_in,
    labels_of,
    margin_view,
    questions_of,
    weighting_answers,
)
from surveys.features.analyses.settings import declared as stored_in
from surveys.forms.analyses import AnalysisForm
from surveys.models import Survey
from surveys.parameters.analyses import MOST_ANALYSES

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def analyses(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show what is declared; a post replaces all margins by those of a table."""
    questions = questions_of(survey)
    obstacles = [problem.message for problem in problems_of_survey(survey)]
    changeable = survey.is_draft and not obstacles
    by_answers = weighting_answers(survey, questions) if changeable else {}
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = MarginsForm(*posted, answers=by_answers) if by_answers else None
    understood = None
    if form is not None and form.is_valid() and not form.is_confirmed:
        understood, form = form.understood(), form.to_confirm()
    if form is not None and form.is_bound and form.is_valid():
        with attempt(request) as done:
            set_margins(survey=survey, margins=form.table())
        if done.succeeded:
            log_and_say(model_admin, request, survey, _("The margins are stored."))
        return redirect("admin:survey_analyses", survey.pk)
    declared, weighting = declared_in(survey)
    takes_more = changeable and len(declared) < MOST_ANALYSES
    outcomes = [each for each in questions.values() if may_be_analysed(each)]
    context: dict[str, Any] = {
        "title": _("Analyses"),
        "form": form,
        "understood": understood,
        "obstacles": obstacles if survey.is_draft else [],
        "changeable": changeable,
        "analyses": [analysis_view(each, survey, questions) for each in declared],
        "outcomes": outcomes if takes_more and len(outcomes) > 1 else [],
        "margins": [
            margin_view(each, survey, questions)
            for each in (weighting.margins if weighting else ())
        ],
        "weighting_questions": [questions[name] for name in by_answers],
        "most": numbers.count(MOST_ANALYSES),
        "planned": numbers.count(survey.planned_n),
    }
    return render_page(model_admin, request, survey, "features/analyses/analyses.html", **context)


@survey_page("GET", "POST")
def analysis_new(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """The form of an analysis of one outcome, whose name is in the address."""
    listed = [each for each in questions_of(survey).values() if may_be_analysed(each)]
    outcome = next((each for each in listed if each.name == request.GET.get("outcome")), None)
    if outcome is None or not survey.is_draft or [*problems_of_survey(survey)]:
        messages.warning(request, _("Choose in a draft what is to be explained."))
        return redirect("admin:survey_analyses", survey.pk)
    form = AnalysisForm(
        request.POST if request.method == "POST" else None,
        outcome=outcome,
        others=[each for each in listed if each is not outcome],
        labels=labels_of(survey, outcome),
        weights=bool(stored_in(survey).margins),
        taken=[each.name for each in analyses_of(survey)],
    )
    if form.is_valid():
        analysis = form.analysis()
        with attempt(request) as done:
            declare_analysis(survey=survey, analysis=analysis)
        if done.succeeded:
            message = _("The analysis “%s” is declared.") % analysis.name
            log_and_say(model_admin, request, survey, message)
        return redirect("admin:survey_analyses", survey.pk)
    context: dict[str, Any] = {"title": _("Declare an analysis"), "form": form, "outcome": outcome}
    return render_page(
        model_admin, request, survey, "features/analyses/analysis_new.html", **context
    )


@survey_page("POST")
def analysis_remove(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey
) -> HttpResponse:
    name, was_there = request.POST.get("name", ""), False
    with attempt(request):
        was_there = remove_analysis(survey=survey, name=name)
    if was_there:
        log_and_say(model_admin, request, survey, _("The analysis “%s” is removed.") % name)
    return redirect("admin:survey_analyses", survey.pk)
