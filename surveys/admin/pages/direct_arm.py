"""Asking some people directly: a page that says what they lose, before it can be done."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.pages.page import attempt, render_page, survey_page
from surveys.authoring.direct_consent import consent_sentence
from surveys.authoring.direct_loss import direct_loss
from surveys.forms.direct_arm import DirectArmForm
from surveys.models import Survey
from surveys.services.survey_arms import AddedArm, add_direct_arm, choose_direct, left_out_list

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def direct_add(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    form = DirectArmForm(request.POST if request.method == "POST" else None)
    with attempt(request) as possible:
        planned = choose_direct(survey=survey)
        if form.is_valid():
            added = add_direct_arm(survey=survey)
            message = f"{_words(added)} {left_out_list(added.left_out)}".strip()
            model_admin.log_change(request, survey, message)
            model_admin.message_user(request, message, "SUCCESS")
            return redirect("admin:survey_arms", survey.pk)
    if not possible.succeeded:
        return redirect("admin:survey_arms", survey.pk)
    context: dict[str, Any] = {
        "title": _("Ask some people directly"),
        "form": form,
        "loss": direct_loss(survey, planned.questions, planned.share),
        "sentence": consent_sentence(survey.language),
        "left_out": left_out_list(planned.left_out),
    }
    return render_page(model_admin, request, survey, "direct_arm.html", **context)


def _words(added: AddedArm) -> str:
    message = _(
        "A direct arm is added: chance puts %(share)s of 100 people into it. They are asked these "
        "questions as they are, may leave them out, and spend no epsilon on them: %(questions)s. "
        "The consent text has a sentence about it now."
    )
    return message % {
        "share": numbers.count(added.survey.direct_share),
        "questions": ", ".join(question.name for question in added.questions),
    }
