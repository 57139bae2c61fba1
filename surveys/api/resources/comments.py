"""Comments on a survey and its questions: read, written, resolved, reopened and removed."""

from datetime import datetime
from typing import Annotated

import msgspec
from django.http import HttpRequest, HttpResponse
from ninja import Body, Router

from surveys.api.documents import Bridge, answer, document, no_content
from surveys.api.finding import Key, survey_of
from surveys.api.forms import check, posted
from surveys.api.keys import user_of
from surveys.api.paging import Before, Limit, page_of
from surveys.api.serving import serves
from surveys.forms.collaboration import CommentForm
from surveys.models import Comment, Survey
from surveys.models.api_token import Scope
from surveys.people import person_label
from surveys.services.access import Access
from surveys.services.comments import add_comment, remove_comment, set_resolved

router = Router(tags=["comments"])
ALL = "/{survey_id}/comments"
ONE = ALL + "/{comment_id}"
# No question has it.
NOT_THERE = 0


class CommentFacts(msgspec.Struct, frozen=True, kw_only=True):
    """`question`: its name when the comment was written; null on the survey as a whole.

    `author`: null for an account that was deleted. `resolved_at`: null while it is open.
    """

    id: int
    question: str | None
    author: str | None
    text: str
    written_at: datetime
    resolved_at: datetime | None


class CommentList(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[CommentFacts, ...]
    next: str | None


class CommentOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`question`: the name of one; null for the survey as a whole."""

    text: str
    question: str | None = None


def _facts(comment: Comment) -> CommentFacts:
    return CommentFacts(
        id=comment.pk,
        question=comment.question_name or None,
        author=person_label(comment.author) if comment.author else None,
        text=comment.text,
        written_at=comment.created_at,
        resolved_at=comment.resolved_at,
    )


@serves(
    router,
    "GET",
    ALL,
    scope=Scope.SURVEYS_READ,
    answers={200: document(CommentList)},
    title="List the comments on a survey, the newest first",
)
def list_comments(
    request: HttpRequest, survey_id: Key, limit: Limit, before: Before
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.READ)
    rows = survey.comments.select_related("author")
    return page_of(request, rows, _facts, CommentList, limit=limit, before=before)


@serves(
    router,
    "POST",
    ALL,
    scope=Scope.SURVEYS_WRITE,
    answers={201: document(CommentFacts)},
    title="Comment on a survey or a question",
)
def create_comment(
    request: HttpRequest,
    survey_id: Key,
    order: Annotated[CommentOrder, Bridge(CommentOrder), Body(...)],
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.COMMENT)
    form = CommentForm(posted({"comment--text": order.text}), key="")
    check(form, lambda name: name.removeprefix("comment--"))
    made = add_comment(
        survey=survey,
        question_id=_question_id(survey, order.question),
        author=user_of(request),
        text=form.cleaned_data["text"],
    )
    return answer(_facts(made), 201, {"Location": f"{request.path}/{made.pk}"})


def _question_id(survey: Survey, name: str | None) -> int | None:
    if name is None:
        return None
    found = survey.questions.filter(name=name).values_list("pk", flat=True).first()
    return NOT_THERE if found is None else found


@serves(
    router,
    "POST",
    f"{ONE}/resolve",
    scope=Scope.SURVEYS_WRITE,
    answers={200: document(CommentFacts)},
    title="Mark a comment as done",
)
def resolve_comment(request: HttpRequest, survey_id: Key, comment_id: Key) -> HttpResponse:
    return _resolved(request, survey_id, comment_id, resolved=True)


@serves(
    router,
    "POST",
    f"{ONE}/reopen",
    scope=Scope.SURVEYS_WRITE,
    answers={200: document(CommentFacts)},
    title="Mark a comment as open again",
)
def reopen_comment(request: HttpRequest, survey_id: Key, comment_id: Key) -> HttpResponse:
    return _resolved(request, survey_id, comment_id, resolved=False)


def _resolved(
    request: HttpRequest, survey_id: int, comment_id: int, *, resolved: bool
) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.COMMENT)
    set_resolved(survey=survey, comment_id=comment_id, resolved=resolved)
    return answer(_facts(survey.comments.select_related("author").get(pk=comment_id)))


@serves(
    router,
    "DELETE",
    ONE,
    scope=Scope.SURVEYS_WRITE,
    answers={204: None},
    title="Remove a comment of yours",
)
def delete_comment(request: HttpRequest, survey_id: Key, comment_id: Key) -> HttpResponse:
    survey = survey_of(request, survey_id, Access.COMMENT)
    remove_comment(survey=survey, comment_id=comment_id, author=user_of(request))
    return no_content()
