"""The page of cross-tables: those that a draft declares, and another one to be picked."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.authoring.features import obstacles_to
from surveys.features.tables.changes import add_table, remove_table
from surveys.features.tables.forms import TableForm
from surveys.features.tables.section import NAME
from surveys.features.tables.settings import tables_of
from surveys.models import Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def tables(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        return to_change_page(survey)
    questions = list(survey.questions.all())
    posted = request.POST if request.method == "POST" else None
    form = TableForm(posted, questions=questions, pairs=tables_of(survey))
    if form.is_valid():
        with attempt(request) as done:
            keeps_together = add_table(survey=survey, pair=form.pair)
        if done.succeeded:
            words = _("The cross-table is declared.")
            if keeps_together:
                words += " " + _(
                    "The answers of one person are kept together from now on, which it needs."
                )
            log_and_say(model_admin, request, survey, words)
        return redirect("admin:survey_tables", survey.pk)
    names = {question.name: question.text for question in questions}
    context: dict[str, Any] = {
        "title": _("Cross-tables"),
        "form": form,
        "obstacles": list(obstacles_to(NAME, survey, questions)),
        "pairs": [(pair, [names.get(name, name) for name in pair]) for pair in tables_of(survey)],
        "is_apart": survey.linkage == Survey.Linkage.APART,
    }
    return render_page(model_admin, request, survey, "features/tables/tables.html", **context)


@survey_page("POST")
def table_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    outcome, group = (request.POST.get(name, "") for name in ("outcome", "group"))
    was_there = False
    with attempt(request):
        was_there = remove_table(survey=survey, pair=(outcome, group))
    if was_there:
        log_and_say(model_admin, request, survey, _("The cross-table is removed."))
    return redirect("admin:survey_tables", survey.pk)
