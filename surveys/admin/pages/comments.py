"""Comments on a survey, and the page on which co-authors read it who do not edit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.co_authors import posted_number
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page
from surveys.admin.saves.kept_posts import mark_of
from surveys.devices.registry import chosen_family
from surveys.exceptions import CollaborationError
from surveys.forms.collaboration import CommentForm
from surveys.kinds import categories, kind_of
from surveys.models import CoAuthor, Comment, Question, Survey
from surveys.moments import moment_text
from surveys.people import person_label
from surveys.services.access import Access
from surveys.services.co_authors import role_of
from surveys.services.comments import (
    add_comment,
    comments_by_question,
    remove_comment,
    set_resolved,
)
from surveys.views.review import review_context

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# The pages that show comments, by what a form posts as `back`.
PAGES = {
    "": "admin:survey_comments",
    "read": "admin:survey_read",
    "change": "admin:surveys_survey_change",
}


@dataclass(frozen=True, slots=True)
class ShownComment:
    """A comment in words; `about`: the name of a question that is no longer there."""

    pk: int
    author: str
    written: str
    text: str
    resolved: str
    is_own: bool
    about: str = ""


@dataclass(frozen=True, slots=True)
class Thread:
    """The comments on a question, or on the survey as a whole; `form` has what was refused."""

    question: Question | None
    comments: list[ShownComment]
    form: CommentForm

    @property
    def open_count(self) -> int:
        return sum(not comment.resolved for comment in self.comments)


@survey_page("GET", "POST", access=Access.READ, to_post=Access.COMMENT)
def comments(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show all comments by question; add, resolve, reopen or remove one."""
    form = None
    if request.method == "POST":
        key = request.POST.get("question", "")
        if "add" not in request.POST:
            _act(request, survey)
            return _back(request, survey, key)
        form = _posted(request, survey, key)
        if form.is_valid() and _added(request, survey, form):
            return _back(request, survey, key)
    context: dict[str, Any] = {
        "title": _("Comments"),
        "form": form,
        **comment_context(survey, author_of(request), request, form),
    }
    return render_page(model_admin, request, survey, "comments.html", **context)


@survey_page("GET", access=Access.READ)
def read(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Show what a survey asks and how, as a committee reads it, with the comments."""
    context: dict[str, Any] = {
        **review_context(survey),
        **comment_context(survey, author_of(request), request),
    }
    threads = {thread.question.name: thread for thread in context["threads"] if thread.question}
    questions = context.get("frozen_questions") or list(_unfinished_questions(survey))
    context["frozen_questions"] = [
        {**asked, "thread": threads.get(_name_of(asked))} for asked in questions
    ]
    context |= {"title": _("Read"), "back": "read"}
    # The frame of the page has it.
    del context["survey"]
    return render_page(model_admin, request, survey, "read.html", **context)


def comment_context(
    survey: Survey, user: User, request: HttpRequest, form: CommentForm | None = None
) -> dict[str, Any]:
    """Return what comments_of.html and comment_forms.html show on any page about a survey."""
    return {**_frame(survey, user, request), "threads": threads_of(survey, user, form)}


def comments_on(
    survey: Survey, user: User, request: HttpRequest, question: Question
) -> dict[str, Any]:
    """Return the same for one question, as `thread`."""
    stored = comments_by_question(survey)[0].get(question.pk, [])
    rows = [_shown(each, user) for each in stored]
    thread = Thread(question, rows, CommentForm(key=str(question.pk)))
    return {**_frame(survey, user, request), "thread": thread}


def _frame(survey: Survey, user: User, request: HttpRequest) -> dict[str, Any]:
    address = reverse(PAGES[""], args=[survey.pk])
    return {
        "may_comment": role_of(survey, user) not in ("", CoAuthor.Role.READ),
        "comments_mark": mark_of(request, address),
    }


def threads_of(survey: Survey, user: User, form: CommentForm | None = None) -> list[Thread]:
    """Return the comments on the survey as a whole, and on each of its questions in their order.

    The first has those on questions that were removed, and what was typed on such a one.
    """
    by_question, others = comments_by_question(survey)
    questions = list(survey.questions.all())
    keys = {str(question.pk) for question in questions}
    whole = form if form is not None and form.key not in keys else CommentForm(key="")
    threads = [Thread(None, [_shown(each, user) for each in others], whole)]
    for question in questions:
        key = str(question.pk)
        own = form if form is not None and form.key == key else CommentForm(key=key)
        rows = [_shown(each, user) for each in by_question.get(question.pk, [])]
        threads.append(Thread(question, rows, own))
    return threads


def _shown(comment: Comment, user: User) -> ShownComment:
    resolved = comment.resolved_at
    return ShownComment(
        pk=comment.pk,
        author=person_label(comment.author) if comment.author else _("A deleted account"),
        written=moment_text(comment.created_at, "SHORT_DATETIME_FORMAT"),
        text=comment.text,
        resolved=moment_text(resolved, "SHORT_DATETIME_FORMAT") if resolved else "",
        is_own=comment.author_id == user.pk,
        about=comment.question_name,
    )


def _posted(request: HttpRequest, survey: Survey, key: str) -> CommentForm:
    """Return the form that was sent; that of the whole survey, if its question is not there."""
    is_there = survey.questions.filter(pk=posted_number(request, "question")).exists()
    text = request.POST.get(f"comment-{key}-text", "")
    shown = key if is_there else ""
    return CommentForm({f"comment-{shown}-text": text}, key=shown)


def _added(request: HttpRequest, survey: Survey, form: CommentForm) -> bool:
    """Add the comment of a form; else the form says why not."""
    question_id = posted_number(request, "question") if request.POST.get("question") else None
    try:
        add_comment(
            survey=survey,
            question_id=question_id,
            author=author_of(request),
            text=form.cleaned_data["text"],
        )
    except CollaborationError as error:
        form.add_error("text", error.message)
        return False
    return True


def _act(request: HttpRequest, survey: Survey) -> None:
    """Resolve, reopen or remove a comment, whichever button was pressed."""
    with attempt(request):
        if "remove" in request.POST:
            number = posted_number(request, "remove")
            remove_comment(survey=survey, comment_id=number, author=author_of(request))
        elif "reopen" in request.POST:
            number = posted_number(request, "reopen")
            set_resolved(survey=survey, comment_id=number, resolved=False)
        else:
            number = posted_number(request, "resolve")
            set_resolved(survey=survey, comment_id=number, resolved=True)


def _back(request: HttpRequest, survey: Survey, key: str) -> HttpResponse:
    """Return to the page that showed the comments, at the question."""
    page = PAGES.get(request.POST.get("back", ""), PAGES[""])
    place = key if key.isdecimal() else "survey"
    if page == PAGES["change"] and key.isdecimal() and survey.is_draft:
        page = reverse("admin:survey_question", args=[survey.pk, int(key)])
        return redirect(f"{page}#comments-{place}")
    return redirect(f"{reverse(page, args=[survey.pk])}#comments-{place}")


def _name_of(asked: dict[str, Any]) -> str:
    question = asked["question"]
    return str(question["id"] if isinstance(question, dict) else question.id)


def _unfinished_questions(survey: Survey) -> Iterator[dict[str, Any]]:
    """Yield the questions of a draft that cannot be frozen yet, with what is known of each."""
    for question in survey.questions.all():
        family = chosen_family(question) if question.randomized else None
        epsilon = numbers.epsilon(question.epsilon) if question.epsilon else numbers.UNKNOWN
        yield {
            "question": {
                "id": question.name,
                "text": question.text,
                "help": question.help_text,
                "required": question.required,
                "categories": categories(question),
                "reason": question.epsilon_reason,
            },
            "kind_label": kind_of(question).label,
            "randomized": question.randomized,
            "device_label": family.label if family else numbers.UNKNOWN,
            "epsilon": epsilon,
        }
