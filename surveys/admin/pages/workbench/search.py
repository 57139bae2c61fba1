"""The page of one search: its progress, its designs, and the actions on them."""

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.figures.search_words import Point, point_at, points_of
from surveys.admin.figures.searches import front_figures, heat_map
from surveys.admin.pages.page import attempt, render_page, survey_page
from surveys.admin.pages.workbench.findings import findings_of
from surveys.admin.pages.workbench.parts import announcement, live_context, stamp_of
from surveys.admin.pages.workbench.points import detail_of, device_words, searched_name
from surveys.admin.pages.workbench.searches import question_of
from surveys.models import DesignSearch, Question, Survey
from surveys.results.figures.palette import PROPERTIES
from surveys.results.figures.plotly_files import CONFIG, STYLE_IDS
from surveys.services.searches import adopt as adopt_design
from surveys.services.searches import delete_search, stop_search

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# The parts of the page that change while a search runs, each a template of its own.
PARTS = ("status", "findings", "actions", "methods", "choices", "points")


@survey_page("GET")
def search_page(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    question, search = find_search(survey, question_id, search_id)
    points = points_of(search.content)
    context = live_context(search, question, points)
    asked = point_at(points, request.GET.get("point", ""))
    chosen_point = asked or context["findings"].first or _first(points)
    context |= {
        "title": _("Search for a design"),
        "figures": _figures(search, question, points),
        "figure_settings": {"config": {**CONFIG, "doubleClick": "reset"}, "properties": PROPERTIES},
        "style_ids": STYLE_IDS,
        "stamp": stamp_of(search),
        "chosen": chosen_point.key if chosen_point else "",
        "detail": detail_of(search, question, chosen_point) if chosen_point else None,
        "heat": heat_map(chosen_point.row["matrix"], search.request["labels"])
        if chosen_point
        else None,
    }
    return render_page(model_admin, request, survey, "search.html", **context)


@survey_page("GET")
def search_status(
    _model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    """The parts of the page that have changed since `have`, the stamp of the shown page."""
    question, search = find_search(survey, question_id, search_id)
    stamp, points = stamp_of(search), points_of(search.content)
    context = live_context(search, question, points) | {"survey": survey}
    has_changed = request.GET.get("have") != stamp
    parts = PARTS if has_changed else PARTS[:1]
    answer = {
        "stamp": stamp,
        "state": search.state,
        "finished": search.is_finished,
        "announcement": announcement(search),
        "parts": {name: _part(request, name, context) for name in parts},
        "figures": _figures(search, question, points) if has_changed else None,
    }
    return JsonResponse(answer, headers={"Cache-Control": "no-store"})


@survey_page("GET")
def search_point(
    _model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    """The part of the page about one design, and its figure."""
    question, search = find_search(survey, question_id, search_id)
    points = points_of(search.content)
    point = point_at(points, request.GET.get("point", ""))
    if point is None:
        raise Http404
    context: dict[str, Any] = {
        "survey": survey,
        "findings": findings_of(search, question, points),
        "question": question,
        "search": search,
        "detail": detail_of(search, question, point),
    }
    answer = {
        "key": point.key,
        "html": _part(request, "point", context),
        "figure": heat_map(point.row["matrix"], search.request["labels"]),
    }
    return JsonResponse(answer, headers={"Cache-Control": "no-store"})


@survey_page("POST")
def search_stop(
    _model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    question, search = find_search(survey, question_id, search_id)
    with attempt(request):
        stop_search(search=search)
    return redirect("admin:survey_search", survey.pk, question.pk, search.pk)


@survey_page("POST")
def search_delete(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    question, search = find_search(survey, question_id, search_id)
    with attempt(request) as outcome:
        delete_search(search=search)
    if outcome.succeeded:
        model_admin.message_user(request, _("The search is deleted."), "SUCCESS")
    return redirect("admin:survey_workbench", survey.pk, question.pk)


@survey_page("GET", "POST")
def search_adopt(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    """Describe the adoption (GET), or carry it out (POST)."""
    question, search = find_search(survey, question_id, search_id)
    key = request.POST.get("point", "") or request.GET.get("point", "")
    points = points_of(search.content)
    point = point_at(points, key)
    if point is None:
        raise Http404
    former_words = device_words(question)
    if request.method == "POST":
        with attempt(request) as outcome:
            question = adopt_design(search=search, method=point.method, index=point.index)
        if outcome.succeeded:
            model_admin.log_change(request, survey, _("Adopted a searched design."))
            message = _(
                "Adopted. The question's device is now: %(now)s. Before: %(before)s. To undo it, "
                "choose the device and the epsilon on the survey's page; to adopt another "
                "design, come back here."
            )
            values = {"now": device_words(question), "before": former_words}
            model_admin.message_user(request, message % values, "SUCCESS")
        page = reverse("admin:survey_search", args=[survey.pk, question.pk, search.pk])
        return redirect(f"{page}?{urlencode({'point': point.key})}")
    detail = detail_of(search, question, point)
    context: dict[str, Any] = {
        "search": search,
        "question": question,
        "detail": detail,
        "findings": findings_of(search, question, points),
        "before": former_words,
    }
    context |= {
        "title": _("Adopt this design?"),
        "then": searched_name(
            point.row["privacy"], numbers.epsilon_rounded_up(point.row["epsilon"])
        ),
    }
    return render_page(model_admin, request, survey, "search_adopt.html", **context)


def find_search(survey: Survey, question_id: int, search_id: int) -> tuple[Question, DesignSearch]:
    """The search of this question of this survey; 404 for any other."""
    question = question_of(survey, question_id)
    # Filtered by the job's own field: an id beyond the range of the database is then not found.
    search = question.searches.filter(id=search_id).first()
    if search is None:
        raise Http404
    search.question = question
    return question, search


def _figures(
    search: DesignSearch, question: Question, points: Sequence[Point]
) -> dict[str, Any] | None:
    return front_figures(search.request, search.content, points, question.text)


def _first(points: Sequence[Point]) -> Point | None:
    """The most precise design with a finite epsilon up to the cap, else the first design."""
    members = [point for point in points if point.method]
    cap = float(settings.EPSILON_CAP)
    askable = [point for point in members if (point.row["epsilon"] or inf) <= cap]
    askable.sort(key=lambda point: point.row["mse"])
    return next(iter([*askable, *members]), None)


def _part(request: HttpRequest, name: str, context: dict[str, Any]) -> str:
    template = f"admin/surveys/survey/search_{name}.html"
    return render_to_string(template, context, request=request)
