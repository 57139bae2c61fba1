"""The design workbench: ask for a search of the best device of one question; earlier searches."""

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.figures.search_words import (
    METHOD_LABELS,
    area,
    bounds_words,
    guess_words,
    labels_of,
)
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page
from surveys.admin.pages.workbench.guess import Source, source_at, sources_for
from surveys.forms.planning.search import SearchForm, start_again
from surveys.kinds import KINDS, categories
from surveys.models import DesignSearch, Question, Survey
from surveys.moments import moment_text
from surveys.services.searches import obstacle_of, start_search

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def workbench(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    question = question_of(survey, question_id)
    obstacle = obstacle_of(question)
    form = None if obstacle else _form(request, question)
    if form and form.is_valid():
        with attempt(request) as outcome:
            search_request = form.request(_origin(request, form))
            search = start_search(
                question=question, request=search_request, user=author_of(request)
            )
        if outcome.succeeded:
            return redirect("admin:survey_search", survey.pk, question.pk, search.pk)
    searches = question.searches.without_content(*METHOD_LABELS)
    context: dict[str, Any] = {
        "title": _("Design workbench"),
        "question": question,
        "form": form,
        "obstacle": obstacle,
        "sources": sources_for(author_of(request), len(form.labels)) if form else [],
        "source": _source(request, form) if form else None,
        "searches": [{**search_row(search), "area": area(search)} for search in searches],
    }
    return render_page(model_admin, request, survey, "workbench.html", **context)


def question_of(survey: Survey, question_id: int) -> Question:
    """The question of this survey, if it has answers; 404 otherwise."""
    question = survey.questions.filter(pk=question_id).first()
    if question is None or question.kind not in KINDS:
        raise Http404
    question.survey = survey
    return question


def search_row(search: DesignSearch) -> dict[str, Any]:
    return {
        "search": search,
        "started": moment_text(search.created_at),
        "guess": guess_words(search.request),
        "bounds": bounds_words(search.request),
        "methods": labels_of(search.request["methods"]),
        "respondents": numbers.count(search.request["n"]),
    }


def _form(request: HttpRequest, question: Question) -> SearchForm:
    language = question.survey.language
    if request.method == "POST":
        return SearchForm(request.POST, question=question, language=language)
    return SearchForm(None, question=question, language=language, start=_start(request, question))


def _start(request: HttpRequest, question: Question) -> dict[str, Any]:
    """The start values: an earlier search of this question, or a closed survey's estimate."""
    search_id = request.GET.get("again", "")
    number = int(search_id) if search_id.isdecimal() and len(search_id) < 19 else 0
    earlier_search = question.searches.without_content().filter(id=number).first()
    size = len(categories(question))
    if earlier_search and len(earlier_search.request["prior"]) == size:
        return start_again(earlier_search.request)
    source = source_at(author_of(request), request.GET.get("from", ""), size)
    return source.start() if source else {}


def _source(request: HttpRequest, form: SearchForm) -> Source | None:
    """The source of the guess in the form, if this person may see it."""
    key = request.POST.get("origin", "") or request.GET.get("from", "")
    return source_at(author_of(request), key, len(form.labels))


def _origin(request: HttpRequest, form: SearchForm) -> dict[str, Any]:
    """A guess that was edited after it was taken over counts as typed."""
    source = _source(request, form)
    if source and [100 * share for share in source.shares] == form.shares():
        return source.origin()
    return {"kind": "typed"}
