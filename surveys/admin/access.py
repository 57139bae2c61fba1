"""Who may open which page about a survey, and the page of a refusal."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from surveys.admin.saves.kept_posts import MARK, keep_post, sent_from_here
from surveys.admin.saves.posted_seen import SEEN
from surveys.models import Survey
from surveys.people import person_label
from surveys.services.access import Access, survey_for

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin

# What forms send that nobody has typed.
_NOT_TYPED = (
    *("csrfmiddlewaretoken", MARK, SEEN, "digest", "question", "role", "back", "co_author"),
    *("add", "change", "remove", "leave", "resolve", "reopen"),
)


def refusal(
    model_admin: "ModelAdmin[Survey]", request: HttpRequest, object_id: Any
) -> HttpResponse | None:
    """Return the page for somebody who may read a survey but not do this, or may no longer.

    None for everybody else, who learns nothing of the survey.
    """
    survey = survey_for(request.user, object_id, Access.READ)
    if survey is None and not _had_it_open(request):
        return None
    return refused_page(model_admin, request, survey)


def refused_page(
    model_admin: "ModelAdmin[Survey]", request: HttpRequest, survey: Survey | None
) -> HttpResponse:
    """Return the page of a refusal; `survey` is one that may be read, None where none is.

    What was typed is on it, and on the page of the form if its sender is let in again.
    """
    title = _("Your role does not allow this") if survey else _("Not shared with you")
    if survey is None:
        words = _("You can no longer open this survey: it was deleted, or is not shared with you.")
    else:
        words = _("Your role in this survey does not allow this. %s owns it and gives the roles.")
        words %= person_label(survey.owner)
    had_it_open = _had_it_open(request)
    context: dict[str, Any] = {
        "title": title,
        "opts": model_admin.opts,
        "survey": survey,
        "words": words,
        "is_kept": had_it_open and keep_post(request),
        "typed": _typed(request.POST) if had_it_open else [],
    }
    context = model_admin.admin_site.each_context(request) | context
    return TemplateResponse(request, "admin/surveys/survey/refused.html", context, status=403)


def _had_it_open(request: HttpRequest) -> bool:
    return request.method == "POST" and sent_from_here(request)


def _typed(posted: QueryDict) -> list[tuple[str, str]]:
    """Return what was typed, without labels."""
    sent = ((name, value.strip()) for name, values in posted.lists() for value in values)
    return [("", value) for name, value in sent if value and name not in _NOT_TYPED]
