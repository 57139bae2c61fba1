"""The arms of a survey: chosen in a draft, with what they find and cost; read afterwards."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from surveys import numbers
from surveys.admin.arm_rows import arm_rows
from surveys.admin.arm_views import question_view
from surveys.admin.careful_saves import conflict_context
from surveys.admin.draft_conflicts import FreshPage, refusal_words, settle
from surveys.admin.pages.page import attempt, render_page, survey_page
from surveys.authoring.draft_arms import has_arms, obstacles
from surveys.devices.in_group import join_groups
from surveys.forms.arms import ArmsForm
from surveys.models import Question, Survey
from surveys.services.survey_arms import set_arms

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def arms(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    questions = list(survey.questions.all())
    for question in questions:
        question.survey = survey
    join_groups(questions)
    problems = list(obstacles(survey, questions)) if survey.is_draft else []
    # What stands against arms that are there can be mended by taking them away.
    changeable = survey.is_draft and (not problems or any(map(has_arms, questions)))
    form, careful = _form(request, survey, questions) if changeable else (None, {})
    if form is not None and form.is_valid():
        with attempt(request) as done:
            set_arms(
                survey=survey,
                arms=form.arms(),
                split_share=form.cleaned_data["split_share"],
                direct_share=form.cleaned_data.get("direct_share", survey.direct_share),
            )
        if done.succeeded:
            message = _("The arms are stored.")
            model_admin.log_change(request, survey, message)
            model_admin.message_user(request, message, "SUCCESS")
        return redirect("admin:survey_arms", survey.pk)
    sensitive = [question for question in questions if question.randomized]
    context: dict[str, Any] = {
        "title": _("Arms"),
        "form": form if form is not None and form.questions else None,
        "obstacles": problems,
        "arms": arm_rows(survey, questions),
        "rows": [question_view(each, survey.planned_n, form) for each in sensitive],
        "planned": numbers.count(survey.planned_n),
        "may_ask_directly": changeable and form is not None and not form.has_direct,
        **careful,
    }
    return render_page(model_admin, request, survey, "arms.html", **context)


def _form(
    request: HttpRequest, survey: Survey, questions: list[Question]
) -> tuple[ArmsForm, dict[str, Any]]:
    """The form, and what its page carries so that no arm of another save is put back."""
    stored = FreshPage(ArmsForm(None, survey=survey, questions=questions), ())
    is_post = request.method == "POST"
    conflicts = settle(request, stored).conflicts if is_post else []
    form = ArmsForm(request.POST if is_post else None, survey=survey, questions=questions)
    form.refusal = refusal_words() if conflicts else ""
    return form, {"seen": stored.seen(), **conflict_context(conflicts)}
