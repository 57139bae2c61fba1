"""Delete, after the address of the survey was typed."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys.admin.overview import words_of
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page
from surveys.features.parts import Moment
from surveys.forms.confirmations import DeleteForm
from surveys.models import Survey
from surveys.services.access import Access
from surveys.services.removal import is_removed_at_once
from surveys.services.transitions import delete_survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST", access=Access.OWN)
def delete(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    form = DeleteForm(request.POST or None, survey=survey)
    if survey.state != Survey.State.OPEN and form.is_valid():
        with attempt(request) as outcome:
            model_admin.log_deletions(request, Survey.objects.filter(pk=survey.pk))
            is_removed = delete_survey(survey=survey, actor=author_of(request))
        if outcome.succeeded:
            message = _deleted_words(is_removed) % survey.title
            model_admin.message_user(request, message, "SUCCESS")
        return redirect("admin:surveys_survey_changelist")
    context: dict[str, Any] = {
        "title": _("Delete"),
        "form": form,
        "further": words_of(survey, Moment.DELETED),
        "in_slices": not is_removed_at_once(survey),
        "media": model_admin.media + form.media,
    }
    return render_page(model_admin, request, survey, "delete.html", **context)


def _deleted_words(is_removed: bool) -> str:
    if is_removed:
        return _("“%s” is deleted, with everything that belonged to it.")
    return _(
        "“%s” is deleted for everybody. A worker removes its responses from the database, within"
        " minutes."
    )
