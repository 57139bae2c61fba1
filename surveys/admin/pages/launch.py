"""Launch: a page that lists what freezes, and the button that freezes it."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from surveys.admin.editor.steps import LAUNCH, steps_of
from surveys.admin.overview import sending_of
from surveys.admin.pages.page import attempt, author_of, render_page, survey_page, to_change_page
from surveys.authoring.checks.epsilon import Finding
from surveys.models import Question, Survey
from surveys.services.launches import confirmations_of, launch_reviewed
from surveys.views.frozen import frozen_context

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

# Findings that are mended in the settings.
ON_SETTINGS = frozenset(
    {
        *("untitled", "unfinished", "over_budget", "closes_in_past", "no_consent", "no_contact"),
        *("threshold_above_planned", "batch_of_one", "batch_above_planned", "tables_apart"),
    }
)


@survey_page("GET", "POST")
def launch(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_draft:
        model_admin.message_user(request, _("The survey has been launched already."), "WARNING")
        return to_change_page(survey)
    posted = request.POST if request.method == "POST" else None
    questions, confirmations = list(survey.questions.all()), confirmations_of(survey)
    form = confirmations[0].form(posted) if confirmations else None
    if request.method == "POST" and (form is None or form.is_valid()):
        with attempt(request) as outcome:
            launch_reviewed(
                survey=survey,
                reviewed_digest=request.POST.get("digest", ""),
                actor=author_of(request),
                confirmed=True,
            )
        if outcome.succeeded:
            return _launched(model_admin, request, survey)
    context = frozen_context(survey) | {"form": form, "confirmations": confirmations}
    context["findings"] = [_located(survey, questions, each) for each in context["findings"]]
    context |= {"title": _("Check and launch"), "steps": steps_of(survey, LAUNCH)}
    return render_page(model_admin, request, survey, "launch.html", **context)


def _located(survey: Survey, questions: list[Question], finding: Finding) -> dict[str, Any]:
    """Return a finding with the page on which it is mended."""
    keys = {question.name: question.pk for question in questions}
    key = keys.get(finding.question or "")
    url = reverse("admin:survey_question", args=[survey.pk, key]) if key else ""
    if not key and finding.code in ON_SETTINGS:
        url = reverse("admin:survey_settings", args=[survey.pk])
    return {"blocks": finding.blocks, "message": finding.message, "url": url}


def _launched(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    """Redirect to what respondents are sent."""
    sending = sending_of(survey)
    message = sending.launched if sending else _("Launched. Now share the link.")
    model_admin.message_user(request, message, "SUCCESS")
    return redirect(f"admin:survey_{sending.page if sending else 'share'}", survey.pk)
