"""Close and reopen, each on a page that says what will happen."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.forms.confirmations import ReopenForm
from surveys.models import Survey
from surveys.responses.batches import batch_of
from surveys.services.transitions import close_survey, reopen_until, why_closed, why_final

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def close(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        with attempt(request) as outcome:
            close_survey(survey=survey, actor=author_of(request))
        if outcome.succeeded:
            model_admin.log_change(request, survey, _("Closed."))
            model_admin.message_user(request, _("Closed. No more responses come in."), "SUCCESS")
        return to_change_page(survey)
    if survey.state != Survey.State.OPEN:
        model_admin.message_user(request, _("Only an open survey can be closed."), "WARNING")
        return to_change_page(survey)
    context: dict[str, Any] = {"title": _("Close"), **_closing_counts(survey)}
    context["receipt_days"] = settings.RECEIPT_DAYS
    return render_page(model_admin, request, survey, "close.html", **context)


@survey_page("GET", "POST")
def reopen(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if survey.state != Survey.State.CLOSED:
        model_admin.message_user(request, _("Only a closed survey can be reopened."), "WARNING")
        return to_change_page(survey)
    if reason := why_final(survey) or why_closed(survey):
        model_admin.message_user(request, reason, "WARNING")
        return to_change_page(survey)
    form = ReopenForm(request.POST or None, survey=survey)
    if form.is_valid():
        with attempt(request) as outcome:
            closes_at = form.cleaned_data["closes_at"]
            reopen_until(survey=survey, closes_at=closes_at, actor=author_of(request))
        if outcome.succeeded:
            model_admin.log_change(request, survey, _("Reopened."))
            message = _("Open again under the same parameters.")
            model_admin.message_user(request, message, "SUCCESS")
        return to_change_page(survey)
    context: dict[str, Any] = {
        "title": _("Reopen"),
        "form": form,
        "media": model_admin.media + form.media,
    }
    context |= _closing_counts(survey)
    return render_page(model_admin, request, survey, "reopen.html", **context)


def _closing_counts(survey: Survey) -> dict[str, int]:
    """The responses in the inbox at the close: all of them make a batch, or none is released."""
    launch = survey.current_launch()
    batch, inbox_size = batch_of(launch), launch.waiting()
    enters = inbox_size if inbox_size >= batch else 0
    postponed = inbox_size - enters
    return {"batch": batch, "enters": enters, "held": postponed, "missing": batch - postponed}
