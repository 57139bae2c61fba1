"""The page of a pilot's clusters, and of the main survey that is made from them."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.features.pilots.changes import make_main_survey
from surveys.features.pilots.clusters import BEST, Names, Plan, plan_of, propose
from surveys.features.pilots.dependence import graph_of, is_readable
from surveys.features.pilots.forms import LEAST_EACH, ClusterForm
from surveys.features.pilots.models import DependenceRun
from surveys.features.pilots.page_views import graph_figure, heat_rows, notes_in
from surveys.features.pilots.runs import picked_rows, start_run, stop_run
from surveys.features.pilots.settings import is_pilot
from surveys.models import Survey
from surveys.moments import moment_text
from surveys.parameters.budget import text_of

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

PAGE = "admin:survey_clusters"
# A smaller share of the dependence that is lost is rounded to nothing.
LEAST_LOST = 0.0005


@dataclass(slots=True)
class Planning:
    """A form and, where it is valid, the plan that it asks for."""

    form: ClusterForm
    plan: Plan | None = None
    clusters: Names | None = None


@survey_page("GET", "POST")
def clusters(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """The graph and a proposal (GET), another one, or the author's own clusters (POST)."""
    if survey.is_draft or not is_pilot(survey):
        message = _("Only a launched pilot shows which questions belong together.")
        model_admin.message_user(request, message, "WARNING")
        return to_change_page(survey)
    run = _shown_run(survey, request)
    planning = None
    if run is not None and is_readable(run.content):
        planning = _planning(request, survey, run)
    return _render(model_admin, request, survey, run, planning)


@survey_page("POST")
def clusters_start(
    _model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey
) -> HttpResponse:
    with attempt(request):
        start_run(survey=survey, user=author_of(request))
    return redirect(PAGE, survey.pk)


@survey_page("POST")
def clusters_stop(
    _model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, run_id: int
) -> HttpResponse:
    with attempt(request):
        stop_run(run=_find_run(survey, run_id))
    return redirect(PAGE, survey.pk)


@survey_page("GET")
def clusters_status(
    _model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, run_id: int
) -> HttpResponse:
    run = _find_run(survey, run_id)
    context = {"survey": survey, **_status(run)}
    status = "features/pilots/clusters_status.html"
    answer = {
        "stamp": run.state,
        "state": run.state,
        "finished": run.is_finished,
        "announcement": run.get_state_display(),
        "parts": {"status": render_to_string(status, context, request=request)},
        "figures": None,
    }
    return JsonResponse(answer, headers={"Cache-Control": "no-store"})


@survey_page("POST")
def main_survey(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Make the main survey of the posted clusters, and go to it."""
    run = _shown_run(survey, request)
    if not is_pilot(survey) or run is None or not is_readable(run.content):
        raise Http404
    planning = _posted(request, survey, run)
    if planning.plan is None:
        return _render(model_admin, request, survey, run, planning)
    cleaned = planning.form.cleaned_data
    with attempt(request) as outcome:
        made = make_main_survey(
            pilot=survey,
            plan=planning.plan,
            total=cleaned["total"],
            planned_n=cleaned["planned_n"],
            owner=author_of(request),
        )
    if not outcome.succeeded:
        return _render(model_admin, request, survey, run, planning)
    message = _("This is the main survey, a draft of its own. The pilot stays as it is.")
    model_admin.message_user(request, message, "SUCCESS")
    warning = _(
        "Ask people who have not answered the pilot: what both reveal about one person adds up, "
        "and the budget of one survey does not know of the other."
    )
    model_admin.message_user(request, warning, "WARNING")
    return to_change_page(made)


def _runs(survey: Survey) -> Any:
    return DependenceRun.objects.filter(launch__survey=survey)


def _find_run(survey: Survey, run_id: int) -> DependenceRun:
    # Filtered by the job's own field: an id beyond the range of the database is then not found.
    return get_object_or_404(_runs(survey), id=run_id)


def _shown_run(survey: Survey, request: HttpRequest) -> DependenceRun | None:
    """The run that is asked for, or the last one with a content; None before there is one."""
    named = request.POST.get("run", "") or request.GET.get("run", "")
    if named:
        return _find_run(survey, int(named) if named.isdecimal() and len(named) < 19 else 0)
    return _runs(survey).filter(state=DependenceRun.State.DONE).first()


def _planning(request: HttpRequest, survey: Survey, run: DependenceRun) -> Planning:
    if request.method != "POST":
        questions = picked_rows(run.launch)
        least = LEAST_EACH * len(questions)
        total, n = max(Decimal(survey.budget), least), survey.planned_n
        return _proposed(survey, run, {"total": total, "planned_n": max(n, 2), "method": BEST})
    if request.POST.get("action") == "propose":
        form = ClusterForm(request.POST, questions=picked_rows(run.launch))
        form.without_clusters()
        if form.is_valid():
            return _proposed(survey, run, form.cleaned_data)
        return Planning(ClusterForm(request.POST, questions=form.questions))
    return _posted(request, survey, run)


def _proposed(survey: Survey, run: DependenceRun, values: dict[str, Any]) -> Planning:
    parameters = run.launch.parameters
    found = propose(
        run.content,
        parameters,
        n=values["planned_n"],
        method=values.get("method") or BEST,
        k=values.get("k"),
    )
    initial = {**values, "total": text_of(values["total"])}
    questions = picked_rows(run.launch)
    form = ClusterForm(None, questions=questions, clusters=found, initial=initial)
    return _planned(survey, run, form, found, values)


def _posted(request: HttpRequest, survey: Survey, run: DependenceRun) -> Planning:
    form = ClusterForm(request.POST, questions=picked_rows(run.launch))
    if not form.is_valid():
        return Planning(form)
    return _planned(survey, run, form, form.clusters(), form.cleaned_data)


def _planned(
    survey: Survey,
    run: DependenceRun,
    form: ClusterForm,
    found: Names,
    values: dict[str, Any],
) -> Planning:
    plan = plan_of(
        run.content,
        run.launch.parameters,
        list(survey.questions.all()),
        found,
        total=values["total"],
        n=values["planned_n"],
    )
    return Planning(form, plan, found)


def _render(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    run: DependenceRun | None,
    planning: Planning | None,
) -> HttpResponse:
    newest = _runs(survey).first()
    context: dict[str, Any] = {
        "title": _("Which questions belong together"),
        "run": run,
        "newest": newest,
        "earlier": [_run_row(each) for each in _runs(survey).defer("content")],
        "made": _made_from(survey),
        **(_status(newest) if newest else {}),
    }
    if run is not None and planning is not None:
        context |= _found(run, planning)
    else:
        context["outdated"] = run is not None
    return render_page(model_admin, request, survey, "features/pilots/clusters.html", **context)


def _made_from(survey: Survey) -> Any:
    """The main surveys that its author can still open."""
    return Survey.objects.filter(features__pilots__made_from=survey.pk, owner=survey.owner_id)


def _run_row(run: DependenceRun) -> dict[str, Any]:
    return {
        "pk": run.pk,
        "done": run.state == DependenceRun.State.DONE,
        "state": run.get_state_display(),
        "started": moment_text(run.created_at),
        "responses": numbers.count(run.responses),
    }


def _status(run: DependenceRun) -> dict[str, Any]:
    return {
        "job": run,
        "progress_shown": numbers.percent(int(100 * run.progress) / 100),
    }


def _found(run: DependenceRun, planning: Planning) -> dict[str, Any]:
    graph = graph_of(run.content, run.launch.parameters)
    shown = planning.clusters or [[name] for name in graph.names]
    return {
        "form": planning.form,
        "plan": planning.plan,
        "kept": _kept_words(planning.plan.kept) if planning.plan else "",
        "rows": [_cluster_row(figures) for figures in planning.plan.clusters]
        if planning.plan
        else [],
        "graph": graph_figure(graph, shown),
        "heat": heat_rows(run.content, graph.names),
        "heat_names": graph.names[:-1],
        "heat_notes": notes_in(run.content),
        "unknown_pairs": any(not row["n"] for row in run.content["pairs"]),
        "threshold": numbers.count(run.content["threshold"]),
        "responses_used": numbers.count(run.responses),
        "run_started": moment_text(run.created_at),
    }


def _kept_words(kept: float) -> str:
    if kept > 1 - LEAST_LOST:
        return _("All of the dependence that was told from noise is within the clusters.")
    text = _("Of the dependence that was told from noise, %s is within the clusters.")
    return text % numbers.percent(kept)


def _cluster_row(figures: Any) -> dict[str, Any]:
    merger = figures.merger
    margins = {
        name: numbers.UNKNOWN if value is None else numbers.margin(value)
        for name, value in (
            ("answer", figures.answer_margin),
            ("pair", figures.pair_margin),
            ("cell", figures.cell_margin),
        )
    }
    return {
        "figures": figures,
        "cells": numbers.count(figures.cells),
        "epsilon": numbers.decimal(figures.epsilon),
        "people": numbers.three_digits(figures.people_per_cell),
        "margins": margins,
        "merger": merger
        and {
            "cells": numbers.count(merger.cells),
            "merged": merger.merged,
            "lost": numbers.three_digits(merger.lost),
            "before": numbers.three_digits(merger.before),
        },
    }
