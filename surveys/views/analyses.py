"""Analyses of a release: declared ones, and those that readers of the results ask for.

Also what readers ask workers to try again.
"""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from surveys.exceptions import SurveyError
from surveys.exports.analysis import program_text
from surveys.forms.analyses import ExploratoryForm, exploratory_form, outcomes_of
from surveys.models import AnalysisFit
from surveys.results.figures.palette import PROPERTIES
from surveys.results.figures.plotly_files import CONFIG, STYLE_IDS
from surveys.results.findings.analyses import analysis_finding, coefficient_figure
from surveys.results.in_language import fit_in_language
from surveys.results.regression.figures import analysis_figures
from surveys.results.regression.frame import takes_analyses
from surveys.results.regression.presentation import fit_view
from surveys.results.regression.states import analysis_state
from surveys.results.release import Release, release_of
from surveys.results_document.fits import FitResults, read_fit
from surveys.services.analysis_fits import (
    analyses_of_audience,
    analysis_of,
    ask_again,
    ask_analysis,
    delete_analysis,
    may_delete,
)
from surveys.services.audiences import Audience, reads_reports
from surveys.services.weighted_results import ask_weighted
from surveys.views.visibility import (
    released_context,
    with_audience,
    with_posting_audience,
)


class SeeOther(HttpResponseRedirect):
    """The answer to a form: the page to get instead."""

    status_code = 303


@with_posting_audience("GET", "HEAD", "POST")
def analyses(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """All analyses, and for those who are signed in a form to compose one."""
    release = release_of(audience.launch, audience.step)
    context = _context(audience, release)
    if not context["possible"] or not context["released"]:
        status = 409 if request.method == "POST" else 200
        return render(request, "surveys/results/analyses.html", context, status=status)
    fits = analyses_of_audience(audience)
    context["analyses"] = [analysis_state(fit, analysis_of(fit), release) for fit in fits]
    if not request.user.is_authenticated:
        return render(request, "surveys/results/analyses.html", context)
    questions = outcomes_of(audience.launch, release.launch.told)
    outcome = questions.get(request.GET.get("outcome", ""))
    context |= {"outcomes": questions.values(), "outcome": outcome}
    context["unknown"] = outcome is None and ("outcome" in request.GET or request.method == "POST")
    if outcome is not None:
        posted = request.POST if request.method == "POST" else None
        form = exploratory_form(release.launch.told, outcome, questions, posted)
        fit = _asked(request, audience, form) if posted is not None else None
        if fit is not None:
            return _to(fit, audience)
        context["form"] = form
    status = 400 if request.method == "POST" or context["unknown"] else 200
    return render(request, "surveys/results/analyses.html", context, status=status)


def _asked(request: HttpRequest, audience: Audience, form: ExploratoryForm) -> AnalysisFit | None:
    """The analysis that a valid form asks for; None with what is wrong in the form."""
    if form.is_valid() and request.user.is_authenticated:
        chosen = form.analysis()
        try:
            return ask_analysis(
                launch=audience.launch, step=audience.step, analysis=chosen, user=request.user
            )
        except SurveyError as error:
            form.add_error(None, error.message)
    return None


@with_audience
def analysis(request: HttpRequest, audience: Audience, number: int) -> HttpResponse:
    """One analysis: the permanent link."""
    fit, release = _fit(audience, number), release_of(audience.launch, audience.step)
    context = _context(audience, release) | {"number": fit.number}
    if context["released"]:
        context["state"] = analysis_state(fit, analysis_of(fit), release)
        content = read_fit(fit.content)
        context |= _shown(fit, content, release, context["state"].name) if content else {}
        context["reads_reports"] = reads_reports(audience.launch, request.user)
        context["may_delete"] = may_delete(fit, request.user)
    return render(request, "surveys/results/analysis.html", context)


def _shown(fit: AnalysisFit, content: FitResults, release: Release, name: str) -> dict[str, Any]:
    told = fit_in_language(content, release.launch)
    return {
        "view": fit_view(told),
        "finding": analysis_finding(told),
        "coefficient_figure": coefficient_figure(told),
        "figures": analysis_figures(told, name),
        "figure_settings": {"config": CONFIG, "properties": PROPERTIES},
        "style_ids": STYLE_IDS,
        "earlier_waves": range(1, fit.launch.wave),
        "program": "".join(program_text(fit, content)),
    }


@with_posting_audience("POST")
def again(request: HttpRequest, audience: Audience, number: int) -> HttpResponseBase:
    fit = _fit(audience, number)
    ask_again(fit)
    return _to(fit, audience)


@with_posting_audience("POST")
def weights_again(request: HttpRequest, audience: Audience) -> HttpResponseBase:
    """Have the shares weighted again, where that has failed."""
    if not ask_weighted(audience.launch, audience.step):
        raise Http404
    return SeeOther(_address("results", audience))


@with_posting_audience("POST")
def delete(request: HttpRequest, audience: Audience, number: int) -> HttpResponseBase:
    fit = _fit(audience, number)
    if not may_delete(fit, request.user):
        raise PermissionDenied
    delete_analysis(fit)
    return SeeOther(_address("results-analyses", audience))


def _fit(audience: Audience, number: int) -> AnalysisFit:
    fit = analyses_of_audience(audience).filter(number=number).first()
    if fit is None:
        raise Http404
    return fit


def _to(fit: AnalysisFit, audience: Audience) -> HttpResponseBase:
    return SeeOther(_address("results-analysis", audience, fit.number))


def _address(name: str, audience: Audience, *parts: int) -> str:
    return reverse(name, args=[audience.launch.survey.slug, *parts]) + audience.query


def _context(audience: Audience, release: Release) -> dict[str, Any]:
    return {
        **released_context(audience, release),
        "possible": takes_analyses(release.parameters),
    }
