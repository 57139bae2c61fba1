"""The pages about arms: chosen in a draft, with what they find and cost; read afterwards."""

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys import numbers
from surveys.admin.pages.page import attempt, log_and_say, render_page, survey_page, to_change_page
from surveys.admin.saves.draft_conflicts import (
    conflict_context,
    refusal_words,
    seen_text,
    settle,
)
from surveys.devices import question_epsilon_total
from surveys.devices.joint_margin import join_questions
from surveys.features.arms.allowed import has_arms, obstacles
from surveys.features.arms.changes import (
    AddedArm,
    add_direct_arm,
    add_split_sample,
    choose_direct,
    left_out_list,
    remove_direct_arm,
    remove_split_sample,
    set_arms,
)
from surveys.features.arms.forms import ArmsForm, DirectArmForm
from surveys.features.arms.page_views import question_view
from surveys.features.arms.settings import arms_of_question, shares_of_survey
from surveys.features.arms.words import arm_rows, consent_sentence, direct_loss
from surveys.models import Question, Survey

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin


@survey_page("GET", "POST")
def arms(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    questions = list(survey.questions.all())
    for question in questions:
        question.survey = survey
    join_questions(questions)
    problems = list(obstacles(survey, questions)) if survey.is_draft else []
    # Whatever stands against arms that are there can be mended by taking them away.
    changeable = survey.is_draft and (not problems or any(map(has_arms, questions)))
    form, careful = _form(request, survey, questions) if changeable else (None, {})
    if form is not None and form.is_valid():
        with attempt(request) as done:
            set_arms(survey=survey, arms=form.arms(), shares=form.shares())
        if done.succeeded:
            log_and_say(model_admin, request, survey, _("The arms are stored."))
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
    return render_page(model_admin, request, survey, "features/arms/arms.html", **context)


def _form(
    request: HttpRequest, survey: Survey, questions: list[Question]
) -> tuple[ArmsForm, dict[str, Any]]:
    """The form, and what its page carries so that no arm of another save is put back."""
    stored = ArmsForm(None, survey=survey, questions=questions)
    is_post = request.method == "POST"
    conflicts = settle(request, stored).conflicts if is_post else []
    form = ArmsForm(request.POST if is_post else None, survey=survey, questions=questions)
    form.refusal = refusal_words() if conflicts else ""
    return form, {"seen": seen_text(stored), **conflict_context(conflicts)}


# --- buttons of the ribbon --------------------------------------------------------------------


@survey_page("POST")
def split_add(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        added = add_split_sample(survey=survey)
        message = f"{_split_words(added)} {left_out_list(added.left_out)}".strip()
        log_and_say(model_admin, request, survey, message)
    return to_change_page(survey)


@survey_page("POST")
def split_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        count = remove_split_sample(survey=survey)
        message = ngettext(
            "The split sample is removed from %s question.",
            "The split sample is removed from %s questions.",
            count,
        )
        log_and_say(model_admin, request, survey, message % numbers.count(count))
    return to_change_page(survey)


@survey_page("POST")
def direct_remove(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    with attempt(request):
        count = remove_direct_arm(survey=survey)
        message = ngettext(
            "Nobody is asked directly any more: %s question had a direct arm.",
            "Nobody is asked directly any more: %s questions had a direct arm.",
            count,
        )
        log_and_say(model_admin, request, survey, message % numbers.count(count))
    return to_change_page(survey)


def _split_words(added: AddedArm) -> str:
    message = _(
        "A split sample is added: chance puts %(share)s of 100 people into it, who are asked with "
        "a smaller epsilon: %(questions)s. All questions together still use %(total)s of the "
        "budget of %(budget)s."
    )
    survey = added.survey
    return message % {
        "share": numbers.count(shares_of_survey(survey).split),
        "questions": ", ".join(map(_split_part, added.questions)),
        "total": numbers.decimal(question_epsilon_total(survey.questions.all())),
        "budget": numbers.decimal(survey.budget),
    }


def _split_part(question: Question) -> str:
    values = {
        "name": question.name,
        "split": numbers.decimal(arms_of_question(question).split_epsilon or 0),
        "epsilon": numbers.decimal(question.epsilon or 0),
    }
    return _("%(name)s with %(split)s instead of %(epsilon)s") % values


# --- asking some people directly: a page that says what they lose, before it can be done ----------


@survey_page("GET", "POST")
def direct_add(model_admin: "SurveyAdmin", request: HttpRequest, survey: Survey) -> HttpResponse:
    form = DirectArmForm(request.POST if request.method == "POST" else None)
    with attempt(request) as possible:
        planned = choose_direct(survey=survey)
        if form.is_valid():
            added = add_direct_arm(survey=survey)
            message = f"{_direct_words(added)} {left_out_list(added.left_out)}".strip()
            log_and_say(model_admin, request, survey, message)
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
    return render_page(model_admin, request, survey, "features/arms/direct_arm.html", **context)


def _direct_words(added: AddedArm) -> str:
    message = _(
        "A direct arm is added: chance puts %(share)s of 100 people into it. They are asked these "
        "questions as they are, may leave them out, and spend no epsilon on them: %(questions)s. "
        "The consent text has a sentence about it now."
    )
    return message % {
        "share": numbers.count(shares_of_survey(added.survey).direct),
        "questions": ", ".join(question.name for question in added.questions),
    }
