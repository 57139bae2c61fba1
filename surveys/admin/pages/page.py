"""The parts that all pages about one survey share: access, layout, and messages about errors."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
)
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from surveys.admin.access import refusal
from surveys.admin.editor.steps import steps_of
from surveys.admin.overview import survey_context
from surveys.admin.saves.error_summary import form_errors
from surveys.admin.saves.kept_posts import again_words, has_kept, mark_of, take_kept
from surveys.exceptions import SurveyError
from surveys.models import Survey
from surveys.services.access import Access, may_open, survey_for
from surveys.services.revisions import note_revision

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

View = Callable[..., HttpResponse]


def survey_page(
    *methods: str, access: Access = Access.EDIT, to_post: Access | None = None
) -> Callable[[View], View]:
    """Give the view a survey that this person may change, or to which they have other access.

    `to_post`: the access that a post needs, where it needs more.

    404 for every other survey; a page of words for whoever has less access than the page needs.
    """

    def decorate(view: View) -> View:
        @functools.wraps(view)
        def guarded_view(
            model_admin: "SurveyAdmin", request: HttpRequest, object_id: str, **rest: Any
        ) -> HttpResponse:
            # A HEAD request carries no CSRF token, so it may reach only what a GET may.
            method = "GET" if request.method == "HEAD" else request.method
            if method not in methods:
                return HttpResponseNotAllowed(methods)
            needed = to_post if to_post and method == "POST" else access
            if not may_open(author_of(request), needed):
                raise PermissionDenied
            number = unquote(object_id)
            survey = (
                model_admin.get_object(request, number)
                if needed is Access.EDIT
                else survey_for(request.user, number, needed)
            )
            if survey is None:
                if refused := refusal(model_admin, request, number):
                    return refused
                raise Http404
            if method == "GET":
                # Not for whoever may look at the page but not send its form at present.
                shut = (
                    to_post and has_kept(request) and not survey_for(request.user, number, to_post)
                )
                request.__dict__["kept_post"] = None if shut else take_kept(request)
            if method != "POST" or not survey.is_draft or needed is not Access.EDIT:
                return view(model_admin, request, survey, **rest)
            # Whatever a page changes of a draft is in its history, after what it was before.
            note_revision(survey=survey, actor=None)
            answer = view(model_admin, request, survey, **rest)
            note_revision(survey=survey, actor=author_of(request))
            return answer

        return guarded_view

    return decorate


def author_of(request: HttpRequest) -> User:
    """The account that is signed in, as on every page of the admin."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def render_page(
    model_admin: "SurveyAdmin",
    request: HttpRequest,
    survey: Survey,
    template: str,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    shared = model_admin.admin_site.each_context(request)
    shared |= survey_context(survey, author_of(request))
    shared |= {"opts": model_admin.opts, "original": survey, "subtitle": survey.title}
    shared["steps"] = [] if shared["reads_only"] else steps_of(survey)
    kept = request.__dict__.get("kept_post")
    shared |= {"typed_by": mark_of(request), "kept_words": again_words()}
    shared["kept"] = None if kept is None else dict(kept.lists())
    form = context.get("form")
    shared["error_entries"] = form_errors(form, parts=getattr(form, "parts", None)) if form else []
    if "/" not in template:
        template = f"admin/surveys/survey/{template}"
    return TemplateResponse(request, template, shared | context, status=status)


def to_change_page(survey: Survey) -> HttpResponse:
    return redirect("admin:surveys_survey_change", survey.pk)


def log_and_say(
    model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey, message: str
) -> None:
    """Write what was done into the history of a survey, and tell the author."""
    model_admin.log_change(request, survey, message)
    model_admin.message_user(request, message, "SUCCESS")


class Attempt:
    """The success of a block that `attempt` runs."""

    succeeded = False


@contextmanager
def attempt(request: HttpRequest) -> Iterator[Attempt]:
    """Run a change of the survey; an expected error becomes a message instead of an error page."""
    outcome = Attempt()
    try:
        yield outcome
    except SurveyError as error:
        messages.error(request, error.message)
    else:
        outcome.succeeded = True
