"""The first step of a draft: its questions as a list, and one of them open."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.admin.editor.lines import overview_of
from surveys.admin.editor.options import options_of
from surveys.admin.editor.posts import (
    is_script,
    posted_texts,
    refused_answer,
    saved_answer,
    seen_of,
    taken_words,
)
from surveys.admin.editor.question_figures import (
    example_words,
    figures_of,
    get_words,
    reads_words,
)
from surveys.admin.editor.settings import settings_sheet
from surveys.admin.editor.steps import QUESTIONS, steps_of
from surveys.admin.overview import placed_tools
from surveys.admin.pages.comments import comments_on
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.admin.saves.kept_posts import mark_of
from surveys.admin.saves.posted_seen import read_seen
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import questions_of
from surveys.authoring.features import feature_notices
from surveys.authoring.strengths import STRENGTHS
from surveys.exceptions import WrongStateError
from surveys.forms.edited_question import EditedQuestionForm, question_sheet
from surveys.forms.fields.shown_values import posted_values
from surveys.kinds import KINDS
from surveys.models import Question, RemovedQuestion, Survey
from surveys.parameters.budget import QUESTION_LIMIT
from surveys.people import person_label
from surveys.services.editing import (
    RemovedMeanwhileError,
    add_question,
    choose_version,
    duplicate_question,
    move_question,
    put_back,
    remove_question,
    save_question,
)

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

TEMPLATES = "admin/surveys/editor"


# --- pages ----------------------------------------------------------------------------------------


def questions_page(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    opened: int | None = None,
    kept: QueryDict | None = None,
) -> HttpResponse:
    """Return the page of all questions; `kept`: what was typed before a session had ended."""
    context = list_context(model_admin, request, survey, opened, kept)
    title = settings_sheet(model_admin, request, survey)
    form = title.form()
    response = render_page(
        model_admin,
        request,
        survey,
        f"{TEMPLATES}/questions.html",
        **context,
        title=_("Questions"),
        steps=steps_of(survey, QUESTIONS),
        title_field=form["title"],
        title_seen=seen_of(title, "title"),
        title_mark=mark_of(request, reverse("admin:survey_settings", args=[survey.pk])),
        kinds=KINDS.values(),
        saves=True,
        removed=survey.removed_questions.all()[:5],
        kept=None,
    )
    # For the preview of the open question.
    csp_update({"frame-src": [SELF]})(lambda _request: response)(request)
    return response


@survey_page("GET")
def question_list(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Return the lines and what stands beside them, for the page's script."""
    text = request.GET.get("open", "")
    opened = int(text) if text.isdecimal() and len(text) < 18 else None
    context = list_context(model_admin, request, survey, opened)
    context |= {"survey": survey, "removed": survey.removed_questions.all()[:5]}
    return TemplateResponse(request, f"{TEMPLATES}/parts.html", context)


@survey_page("GET", "POST")
def question(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    """Show one question open, or save it as it was typed."""
    if request.method == "POST":
        return _save(model_admin, request, survey, question_id)
    if not survey.is_draft:
        return to_change_page(survey)
    if not survey.questions.filter(pk=question_id).exists():
        if survey.removed_questions.filter(content__pk=question_id).exists():
            model_admin.message_user(request, _("This question was removed."), "WARNING")
            return to_change_page(survey)
        raise Http404
    if is_script(request) or "part" in request.GET:
        questions = questions_of(survey)
        found = next(each for each in questions if each.pk == question_id)
        context = _open_context(request, survey, found, questions, None)
        context |= {"survey": survey, "opened": question_id, "placed_tools": placed_tools(survey)}
        return TemplateResponse(request, f"{TEMPLATES}/open.html", context)
    kept = request.__dict__.get("kept_post")
    return questions_page(model_admin, request, survey, question_id, kept)


def list_context(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    opened: int | None,
    kept: QueryDict | None = None,
) -> dict[str, Any]:
    questions = questions_of(survey)
    context: dict[str, Any] = {
        "overview": overview_of(survey, questions, lint_survey(survey, questions)),
        "typed_by": mark_of(request),
        "opened": None,
    }
    found = next((each for each in questions if each.pk == opened), None)
    if found is not None:
        context |= {"opened": found.pk, **_open_context(request, survey, found, questions, kept)}
    return context


def _open_context(
    request: HttpRequest,
    survey: Survey,
    opened: Question,
    questions: list[Question],
    kept: QueryDict | None,
) -> dict[str, Any]:
    sheet = question_sheet(opened)
    seen = seen_of(sheet)
    if kept is not None:
        form: Any = sheet.bound({**sheet.texts(), **posted_values(kept, sheet.plain())})
        seen = kept.get("seen", seen)
    else:
        form = sheet.form()
    validated = sheet.bound(sheet.texts())
    assert isinstance(validated, EditedQuestionForm)
    figures = figures_of(validated, survey, questions)
    address = reverse("admin:survey_question", args=[survey.pk, opened.pk])
    return {
        "form": form,
        "options": options_of(form, questions),
        "seen": seen,
        "is_kept": kept is not None,
        "typed_by": mark_of(request, address),
        "figures": figures,
        "get_words": example_words(figures.panel) or get_words(figures.panel),
        "reads_words": reads_words(figures.panel),
        "notices": feature_notices(questions, opened),
        "strengths": STRENGTHS,
        "limit": QUESTION_LIMIT,
        "disagreements": sheet.disagreements(),
        **comments_on(survey, author_of(request), request, opened),
    }


# --- saves ----------------------------------------------------------------------------------------


def _save(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    loaded = read_seen(request)
    form = EditedQuestionForm(instance=Question(survey=survey))
    try:
        saved = save_question(
            survey=survey,
            question_id=question_id,
            posted=posted_texts(request, form, loaded),
            loaded=loaded,
            by=person_label(author_of(request)),
        )
    except Question.DoesNotExist:
        raise Http404 from None
    except RemovedMeanwhileError as error:
        words = _(
            "This question was removed meanwhile, in another tab or by somebody else. What you "
            "have typed is kept with it: put it back to go on."
        )
        if is_script(request):
            return refused_answer("removed", words, 409, removed=error.removed.pk)
        model_admin.message_user(request, words, "WARNING")
        return to_change_page(survey)
    except WrongStateError as error:
        if is_script(request):
            return refused_answer("launched", error.message, 409)
        return _typed_in_vain(model_admin, request, survey, form, error.message)
    stored = saved.form
    assert isinstance(stored, EditedQuestionForm)
    notes = [stored.replaced, *stored.refitted_words()]
    sheet = question_sheet(survey.questions.get(pk=question_id))
    if is_script(request):
        return saved_answer(saved, sheet, *notes)
    for words in filter(None, [*notes, taken_words(saved.taken) if saved.taken else ""]):
        model_admin.message_user(request, words, "WARNING")
    return to_question(survey, question_id)


def _typed_in_vain(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, form: Any, words: str
) -> HttpResponse:
    """Show what was typed into a question of a survey that is launched by now, to be copied."""
    texts = posted_values(request.POST, form)
    labels = [
        (str(form.fields[name].label or name), " ".join(value))
        for name, value in texts.items()
        if any(value)
    ]
    survey.refresh_from_db()
    return render_page(
        model_admin,
        request,
        survey,
        f"{TEMPLATES}/in_vain.html",
        title=_("Not saved"),
        words=words,
        texts=labels,
    )


def to_question(survey: Survey, question_id: int) -> HttpResponse:
    return redirect("admin:survey_question", survey.pk, question_id)


@survey_page("POST")
def question_add(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    kind = request.POST.get("kind", "")
    if kind not in KINDS:
        raise Http404
    with attempt(request) as outcome:
        added = add_question(survey=survey, kind=kind)
    return to_question(survey, added.pk) if outcome.succeeded else to_change_page(survey)


@survey_page("POST")
def question_duplicate(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    with attempt(request) as outcome, _known():
        copy = duplicate_question(survey=survey, question_id=question_id)
    return to_question(survey, copy.pk) if outcome.succeeded else to_change_page(survey)


@survey_page("POST")
def question_remove(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    with attempt(request), _known():
        remove_question(survey=survey, question_id=question_id)
    return to_change_page(survey)


@survey_page("POST")
def question_put_back(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, removed_id: int
) -> HttpResponse:
    with attempt(request) as outcome, _known():
        back = put_back(survey=survey, removed_id=removed_id)
    return to_question(survey, back.pk) if outcome.succeeded else to_change_page(survey)


@survey_page("POST")
def question_move(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    """Put a question after another one, or first where none is named; or one place up or down."""
    with attempt(request), _known():
        after = _place_of(request, survey, question_id)
        move_question(survey=survey, question_id=question_id, after=after)
    return to_change_page(survey)


@survey_page("POST")
def question_choose(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, question_id: int
) -> HttpResponse:
    field, _colon, choice = request.POST.get("version", "").partition(":")
    with attempt(request), _known():
        choose_version(survey=survey, question_id=question_id, field=field, choice=choice)
    return to_question(survey, question_id)


@contextmanager
def _known() -> Iterator[None]:
    """Answer 404 for a question that the survey does not have."""
    try:
        yield
    except (Question.DoesNotExist, RemovedQuestion.DoesNotExist) as error:
        raise Http404 from error


def _place_of(request: HttpRequest, survey: Survey, question_id: int) -> int | None:
    """Return the question after which it is to stand; None: it is to be the first."""
    text = request.POST.get("after", "")
    if text.isdecimal() and len(text) < 18:
        return int(text)
    keys = list(survey.questions.order_by("position", "pk").values_list("pk", flat=True))
    if question_id not in keys:
        raise Question.DoesNotExist
    place = keys.index(question_id)
    others = [key for key in keys if key != question_id]
    step = {"up": -1, "down": 1}.get(request.POST.get("way", ""))
    target = 0 if step is None else max(0, place + step)
    return others[min(target, len(others)) - 1] if target and others else None
