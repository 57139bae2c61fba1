"""Compare mechanisms: randomized response against Laplace noise for one question."""

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from surveys.admin.figures.mechanisms import mechanism_figures
from surveys.admin.pages.files import table_file
from surveys.admin.pages.page import render_page, survey_page
from surveys.authoring.limits import shares_draw
from surveys.authoring.planning.mechanism_curves import MechanismComparison, compare_mechanisms
from surveys.exports.table import Column, Row, Table, Type
from surveys.forms.planning.mechanisms import CompareForm
from surveys.kinds import KINDS, kind_of
from surveys.models import Question, Survey
from surveys.results.figures.palette import PROPERTIES
from surveys.results.figures.plotly_files import CONFIG, STYLE_IDS

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


MEASURES = ("mse", "margin_95", "recovery_probability", "entropy_standard_deviation")


@survey_page("GET")
def compare(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    question = survey.questions.filter(pk=question_id).first()
    if question is None or not _is_complete(question):
        raise Http404
    form = CompareForm(request.GET, question=question, language=survey.language)
    comparison = compare_mechanisms(question, form.plan()) if form.is_valid() else None
    if comparison and "csv" in request.GET:
        return _table_file(comparison, question)
    context: dict[str, Any] = {
        "title": _("Compare mechanisms"),
        "question": question,
        "form": form,
        "comparison": comparison,
        "csv_query": urlencode({**dict(form.data.items()), "csv": "1"}) if comparison else "",
    }
    if comparison:
        context |= {
            "figures": mechanism_figures(comparison),
            "figure_settings": {"config": CONFIG, "properties": PROPERTIES},
            "style_ids": STYLE_IDS,
        }
    return render_page(model_admin, request, survey, "compare.html", **context)


def _is_complete(question: Question) -> bool:
    """A choice without options has nothing to compare yet, one that shares a draw no device."""
    if shares_draw(question):
        return False
    return question.kind in KINDS and kind_of(question).is_complete(question)


def _table_file(comparison: MechanismComparison, question: Question) -> HttpResponse:
    """Every point of the figures, full precision; an empty cell where nothing can be estimated."""
    columns = (
        Column("mechanism", Type.TEXT, _("Device")),
        Column("epsilon", Type.NUMBER, _("Epsilon")),
        Column("n", Type.INTEGER, _("Respondents")),
        *(Column(name, Type.NUMBER, name) for name in MEASURES),
    )
    table = Table("mechanisms", _("Compare mechanisms"), columns, _points(comparison))
    return table_file(table, f"{question.survey.slug}-{question.name}-mechanisms.csv")


def _points(comparison: MechanismComparison) -> Iterator[Row]:
    for curve in comparison.curves:
        for point in curve.points:
            values = (point.mse, point.margin, point.recovery, point.entropy_error)
            cells = (None if value in (None, inf) else value for value in values)
            yield (curve.name, str(point.epsilon), comparison.n, *cells)
