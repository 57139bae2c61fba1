"""A search as files: its whole record, and every point of every curve."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys.admin.figures.search_words import member_points
from surveys.admin.pages.files import table_file
from surveys.admin.pages.page import survey_page
from surveys.admin.pages.workbench.points import devices_of
from surveys.admin.pages.workbench.search import find_search
from surveys.exports.table import Column, Table, Type
from surveys.models import DesignSearch, Question, Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

MEASURES = ("privacy", "mse", "worst_posterior", "epsilon", "gap", "margin")


@survey_page("GET")
def search_record(
    _model_admin: "SurveyAdmin",
    _request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    """The stored record of the search, which suffices to repeat it elsewhere."""
    question, search = find_search(survey, question_id, search_id)
    record = {
        "survey": survey.slug,
        "question": question.name,
        "engine": search.content.get("engine"),
        "request": search.request,
        "state": search.state,
        "progress": search.progress,
        "message": search.message,
        "created_at": search.created_at.isoformat(),
        "finished_at": search.finished_at.isoformat() if search.finished_at else None,
        "content": search.content,
    }
    text = json.dumps(record, ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_name(search, "json")}"'
    return response


@survey_page("GET")
def search_table(
    _model_admin: "SurveyAdmin",
    _request: HttpRequest,
    survey: Survey,
    question_id: int,
    search_id: int,
) -> HttpResponse:
    """Full precision; an empty cell where something is infinite or does not apply."""
    question, search = find_search(survey, question_id, search_id)
    columns = (
        Column("series", Type.TEXT, _("Curve")),
        Column("index", Type.INTEGER, _("Number of the point, counted from 0")),
        Column("reports", Type.INTEGER, _("Number of reports")),
        *(Column(name, Type.NUMBER, name) for name in MEASURES),
    )
    names = [column.name for column in columns]
    rows = ([row.get(name) for name in names] for row in _rows(search, question))
    table = Table("search", _("Search"), columns, rows)
    return table_file(table, _name(search, "csv"))


def _rows(search: DesignSearch, question: Question) -> Iterator[dict[str, Any]]:
    content = search.content
    for series in ("bound", "family"):
        for index, point in enumerate(content.get(series, ())):
            yield {**point, "series": series, "index": index}
    for point in member_points(content):
        position = {"series": point.method, "index": point.index, "reports": point.reports}
        yield {**point.row, **position}
    for index, point in enumerate(devices_of(search, question)):
        position = {"series": point.row["name"], "index": index, "reports": point.reports}
        yield {**point.row, **position}


def _name(search: DesignSearch, ending: str) -> str:
    question = search.question
    return f"{question.survey.slug}-{question.name}-search-{search.pk}.{ending}"
